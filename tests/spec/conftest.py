"""A log with every core type, and strategies for events of every type, built from the classes."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any, TypeAlias, get_args

import pytest
from attrs import fields
from hypothesis import strategies as st

from dsh_spec.events import (
    EVENT_TYPES,
    SURFACE_TYPES,
    ImageBlock,
    Message,
    ReasoningBlock,
    TextBlock,
    ToolCallBlock,
    UserMessage,
)
from dsh_spec.events.kinds import MAX_SAFE, Misfit, kind_of
from dsh_spec.events.reading import is_block, is_literal, is_optional, is_tuple, present
from dsh_spec.events.record import is_expected, is_rest, json_name, value_type

Raw: TypeAlias = dict[str, Any]

TEXTS = st.text() | st.sampled_from(["", "\0", "\ud800", "\udfff\ud83d", "\u2028", "__proto__"])
NUMBERS = st.integers(-MAX_SAFE, MAX_SAFE) | st.floats(
    allow_nan=False, allow_infinity=False
).filter(lambda number: str(number) != "-0.0")
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(TEXTS, JSON, max_size=3)
#: A tool, as a request header declares it.
TOOL = {"name": TEXTS.filter(bool), "description": TEXTS, "parameters": OBJECTS}


def _of_kind(kind: Any) -> st.SearchStrategy[Any]:
    def fits(value: Any) -> bool:
        try:
            kind.read(value, None)
        except Misfit:
            return False
        return True

    match kind.schema:
        case {"const": True}:
            return st.just(value=True)
        case {"type": "integer", "minimum": int(low), "maximum": int(high)}:
            whole = st.integers(-99, 99).map(float)
            return st.integers(low, high) | whole.filter(fits)
        case {"type": "string", "pattern": _}:
            return TEXTS.map(lambda text: "/" + text)
        case {"required": [*_]}:
            return st.fixed_dictionaries(TOOL, optional={"deferLoading": st.just(value=True)})
        case {"type": type_}:
            return _BY_TYPE[str(type_)].filter(fits)
    return JSON.filter(fits)


_BY_TYPE: dict[str, st.SearchStrategy[Any]] = {
    "string": TEXTS,
    "number": NUMBERS,
    "boolean": st.booleans(),
    "object": OBJECTS,
    "['integer', 'null']": st.none() | st.integers(0, 9),
}


def values(annotation: Any) -> st.SearchStrategy[Any]:
    """JSON values that a writer may write for a field of that type."""
    kind = kind_of(annotation)
    if kind is not None:
        return _of_kind(kind)
    if is_optional(annotation):
        return values(present(annotation))
    if is_literal(annotation):
        return st.sampled_from(get_args(annotation))
    if is_tuple(annotation):
        return st.lists(values(get_args(annotation)[0]), min_size=1, max_size=2)
    if is_block(annotation):
        return st.sampled_from([TextBlock, ReasoningBlock, ImageBlock, ToolCallBlock]).flatmap(
            objects
        )
    found: st.SearchStrategy[Raw] = objects(annotation)
    return found


@cache
def objects(cls: Any) -> st.SearchStrategy[Raw]:
    """JSON objects of a class: what is expected, some of the rest, and undeclared keys."""
    if cls is UserMessage:
        return objects(Message)
    declared = [attribute for attribute in fields(cls) if not is_rest(attribute)]
    known = {"type", *map(json_name, declared)}
    parts: dict[bool, dict[str, Any]] = {True: {}, False: {}}
    for attribute in declared:
        parts[is_expected(attribute)][json_name(attribute)] = values(value_type(attribute))
    required, optional = parts[True], parts[False]
    if hasattr(cls, "TAG"):
        required["type"] = st.just(cls.TAG)
    exact = st.fixed_dictionaries(required, optional=optional)
    if len(declared) == len(fields(cls)):
        return exact
    undeclared = st.dictionaries(TEXTS.filter(lambda key: key not in known), JSON, max_size=2)
    return st.builds(lambda extra, base: {**extra, **base}, undeclared, exact)


def _settle(type_: str, data: Raw) -> Raw:
    """Let the fields of a body go together as the rules of one event demand."""
    message: Any = data if type_ == "user/message" else data.get("message")
    match type_, data:
        case "user/message", _:
            data["role"] = "user"
        case "system/message", _:
            message |= {"role": "system", "source": {"kind": "system-prompt"}}
        case "developer/message", _:
            message |= {"role": "developer"}
            if "headerSeq" in data:
                message["content"].append({"type": "tool-addition", "toolName": "grep"})
        case "assistant/message", _:
            message |= {
                "role": "assistant",
                "source": {"kind": "model", "provider": "p", "model": "m"},
            }
        case "tool/result", _:
            message |= {
                "role": "tool",
                "source": {"kind": "tool", "callId": "c"},
                "toolCallId": "c",
            }
            message["isError"] = "error" in data
        case "request/header", {"header": {"adapterDefaults": _, "config": config} as header}:
            header["adapterDefaults"] = {"reasoningEffort": True}
            config["reasoningEffort"] = "high"
        case "session/title-llm-request", {"messages": [first, *_]}:
            text = {"type": "text", "text": "?"}
            source = {"kind": "dsh-session-title-llm"}
            data["messages"] = [first | {"role": "user", "source": source, "content": [text]}]
        case "session-log-deepseek/delivery-accepted", {"sessionFormatVersion": _}:
            data["sessionFormatVersion"] = 3
    return data


def _events(type_: str) -> st.SearchStrategy[Raw]:
    required = {
        "type": st.just(type_),
        "seq": st.integers(1, MAX_SAFE),
        "time": st.integers(-MAX_SAFE, MAX_SAFE),
        "data": values(EVENT_TYPES[type_]).map(deepcopy).map(lambda data: _settle(type_, data)),
    }
    if type_ in SURFACE_TYPES:
        required["surfaceOp"] = st.just("append")
    return st.fixed_dictionaries(required, optional={"ignorable": st.just(value=True)})


@st.composite
def _mutations(draw: st.DrawFn, event: Raw) -> Raw:
    """An event of which one value, somewhere, is another or gone, or one key is new."""
    mutant = deepcopy(event)
    places = list(_places(mutant))
    holder, key = draw(st.sampled_from(places))
    if isinstance(holder, dict) and draw(st.booleans()):
        if draw(st.booleans()):
            del holder[key]
            return mutant
        key = draw(TEXTS)
    holder[key] = draw(JSON | st.just({"type": "tool-result"}) | st.just(1.0))
    return mutant


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place below a value, as the holder and the key or index."""
    keys: Any = range(len(value)) if isinstance(value, list) else value
    for key in keys if isinstance(value, list | dict) else ():
        yield value, key
        yield from _places(value[key])


@pytest.fixture(scope="session")
def valid_events() -> Callable[[str], st.SearchStrategy[Raw]]:
    """Events of a type that a conforming writer may write."""
    return _events


@pytest.fixture(scope="session")
def mutants() -> st.SearchStrategy[Raw]:
    """Events of any type, each with one thing changed."""
    return st.sampled_from(list(EVENT_TYPES)).flatmap(_events).flatmap(_mutations)


def _log() -> list[Raw]:
    text = [{"type": "text", "text": "hi"}]
    call = {"type": "tool-call", "id": "c1", "name": "grep", "arguments": "{}"}
    tool = {"name": "grep", "description": "d", "parameters": {}}
    model = {"kind": "model", "provider": "p", "model": "m"}
    at = {"turn": 1, "step": 1}

    def message(role: str, content: Any, source: Raw, **more: Any) -> Raw:
        return {"id": f"{role}-1", "role": role, "content": content, "source": source, **more}

    prompt = message("system", text, {"kind": "system-prompt"})
    addition = [{"type": "tool-addition", "toolName": "grep"}]
    developer = message("developer", addition, {"kind": "tool-registry"})
    answer = message("assistant", [call], model)
    result = message("tool", text, {"kind": "tool", "callId": "c1"}, toolCallId="c1", isError=True)
    header = {"config": {"provider": "p", "model": "m"}, "tools": [tool]}
    events = {
        "turn/start": {"turn": 1},
        "step/start": at,
        "system/message": {**at, "message": prompt},
        "user/message": message("user", text, {"kind": "user"}),
        "request/header": {"header": header, "reason": "initial"},
        "request/context": {"provider": "p", "model": "m", "contextWindow": 10},
        "developer/message": {**at, "message": developer, "headerSeq": 4},
        "assistant/attempt": {**at, "stream": []},
        "assistant/message": {**at, "message": answer, "stream": []},
        "tool/call": {**at, "callId": "c1", "name": "grep", "arguments": "{}"},
        "tool/result": {**at, "message": result, "error": {"name": "E", "code": "C"}, "meta": 1},
        "step/end": at,
        "turn/end": {"turn": 1, "reason": {"kind": "completed"}},
        "session/end-seed": {},
    }
    marks = {type_: {"surfaceOp": "append"} if type_ in SURFACE_TYPES else {} for type_ in events}
    return [
        deepcopy({"type": type_, "seq": seq, "time": 100 + seq, "data": data, **marks[type_]})
        for seq, (type_, data) in enumerate(events.items())
    ]


@pytest.fixture
def log() -> dict[str, Raw]:
    """A log with each core type once, by type; the real runtime 0.2.1rc2 opens it."""
    return {event["type"]: event for event in _log()}
