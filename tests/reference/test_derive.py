"""What a request is made of: messages, header, context and tools."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given

from dsh_conformance.generate.sessions import sessions
from dsh_reference.derive import (
    append_origin,
    derive,
    request_context,
    request_header,
    tool_history,
)
from dsh_reference.messages import message_of
from dsh_reference.refusal import Refusal
from dsh_reference.surface import Surface, fold
from dsh_spec.events import Event, ImageBlock, structure_event, unstructure_event
from dsh_spec.values import JsonObject

_LOGS = sessions().map(lambda batches: [structure_event(raw) for batch in batches for raw in batch])


def _derive(events: list[Event]) -> list[JsonObject]:
    messages = derive(events)
    assert isinstance(messages, list)
    return messages


def _surface(events: list[Event]) -> Surface:
    surface = fold(events)
    assert isinstance(surface, Surface)
    return surface


def _stored(event: Event) -> Any:
    data: Any = unstructure_event(event)["data"]
    return data if event.type == "user/message" else data["message"]


def _shows(event: Event) -> bool:
    return event.type in ("user/message", "tool/result") or bool(_stored(event)["content"])


@given(_LOGS)
def test_messages_are_those_of_the_nodes_in_order(log: list[Event]) -> None:
    surface = _surface(log)
    shown = [seq for seq in surface.nodes if _shows(log[seq])]
    messages = _derive(log)
    assert [message["id"] for message in messages] == [_stored(log[seq])["id"] for seq in shown]
    for seq, message in zip(shown, messages, strict=True):
        if seq not in surface.projected:
            assert message == _stored(log[seq])


@given(_LOGS)
def test_a_projection_changes_only_the_mark_of_images(log: list[Event]) -> None:
    for seq, message in _surface(log).projected.items():
        blocks = tuple(
            evolve(block, offloaded=False) if isinstance(block, ImageBlock) else block
            for block in message.content
        )
        assert evolve(message, content=blocks) == message_of(log[seq])


@given(_LOGS)
def test_the_transcript_is_the_surface_until_something_is_replaced(log: list[Event]) -> None:
    surface = _surface(log)
    transcript = tuple(event.seq for event in append_origin(log))
    assert (transcript == surface.nodes) == (surface.replace_generation == 0)


@given(_LOGS)
def test_nothing_depends_on_time(log: list[Event]) -> None:
    still = [evolve(event, time=0) for event in log]
    for function in (derive, request_header, request_context, tool_history):
        assert function(still) == function(log)


@given(_LOGS)
def test_the_latest_header_and_context_win_whole(log: list[Event]) -> None:
    for kind, function in (
        ("request/header", request_header),
        ("request/context", request_context),
    ):
        found = [event for event in log if event.type == kind]
        assert function(log) == function(found[-1:])
        assert (function(log) is None) == (not found)


def test_a_log_without_a_surface_derives_to_nothing() -> None:
    log = _log(_user("u", surfaceOp={"op": "replace", "startSeq": 0, "endSeq": 0}))
    assert isinstance(derive(log), Refusal)


# Logs by hand.


def _event(kind: str, data: Any, **keys: Any) -> dict[str, Any]:
    return {"type": kind, "time": 0, "data": data, **keys}


def _user(name: str, *content: Any, **keys: Any) -> dict[str, Any]:
    message = {"id": name, "role": "user", "content": content, "source": {"kind": "user"}}
    return _event("user/message", message, **{"surfaceOp": "append", **keys})


def _header(*tools: Any, reason: str = "change", **header: Any) -> dict[str, Any]:
    full = {"config": {"provider": "p", "model": "m"}, **header}
    if tools:
        full["tools"] = tools
    return _event("request/header", {"header": full, "reason": reason})


def _developer(*content: Any, header_seq: int | None = None) -> dict[str, Any]:
    message = {"id": "d", "role": "developer", "content": content, "source": {"kind": "k"}}
    data = {"turn": 1, "step": 1, "message": message}
    if header_seq is not None:
        data["headerSeq"] = header_seq
    return _event("developer/message", data, surfaceOp="append")


def _log(*raws: dict[str, Any]) -> list[Event]:
    return [structure_event({**raw, "seq": seq}) for seq, raw in enumerate(raws)]


def _tool(name: str, **keys: Any) -> dict[str, Any]:
    return {"name": name, "description": "", "parameters": {}, **keys}


def _add(name: str) -> dict[str, Any]:
    return {"type": "tool-addition", "toolName": name}


def _remove(name: str) -> dict[str, Any]:
    return {"type": "tool-removal", "toolName": name}


_A, _B = _tool("a"), _tool("b")


@pytest.mark.parametrize(
    ("header", "canonical"),
    [
        (_header(), {}),
        (_header(_A), {"tools": [_A]}),
        (_header(note=1), {}),
        (
            _header(
                config={"provider": "p", "model": "m", "maxTokens": 5, "x": 1},
                adapterDefaults={"maxTokens": True},
            ),
            {
                "config": {"provider": "p", "model": "m", "maxTokens": 5, "x": 1},
                "adapterDefaults": {"maxTokens": True},
            },
        ),
    ],
)
def test_a_header_is_shown_in_canonical_form(header: Any, canonical: Any) -> None:
    expected = {"config": {"provider": "p", "model": "m"}, **canonical}
    assert request_header(_log(_user("u"), header, _user("v"))) == expected


def test_a_context_is_shown_whole() -> None:
    first = _event("request/context", {"provider": "p", "model": "m", "contextWindow": 9})
    second = _event("request/context", {"provider": "p", "model": "n", "extra": [1]})
    assert request_context(_log(first)) == first["data"]
    assert request_context(_log(first, second)) == second["data"]


@pytest.mark.parametrize(
    ("raws", "tools", "updates"),
    [
        ([], [], []),
        ([_header(_A)], [_A], []),
        ([_developer(_remove("a"))], [], [[]]),
        ([_developer(), _header(_A)], [_A], []),
        ([_header(_A), _header(_A), _developer()], [_A], [[]]),
        ([_header(_A), _header(_B)], [_B], []),
        ([_header(_A, _B), _developer(_remove("b")), _header(_A)], [_A, _B], [[]]),
        ([_header(_A, _B), _developer(_remove("b"))], [_A, _B], []),
        (
            [_header(_A), _header(_A, _B), _developer(_add("b"), header_seq=1)],
            [_A],
            [[_B]],
        ),
        ([_header(_A), _developer(_remove("a"), _add("a"), header_seq=0)], [_A], [[_A]]),
        ([_header(_A), _developer(_add("a"), _remove("a"), header_seq=0)], [_A], []),
        ([_header(_A), _developer(), _header(_A, reason="series")], [_A], []),
        ([_header(_A), _developer(), _header(_tool("a", x=1))], [_tool("a", x=1)], []),
    ],
)
def test_the_tool_history_by_example(raws: Any, tools: Any, updates: Any) -> None:
    """Every result is the real runtime's."""
    expected = [{"messageId": "d", "additions": additions} for additions in updates]
    assert tool_history(_log(*raws)) == {"tools": tools, "updates": expected}
