"""Law: which event an append makes, and that a refused one leaves nothing behind.

Source: facts surface-repair-fork §5.1, Q5.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from attrs import evolve, frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats import Format
from dsh_conformance.generate.state import Raw
from dsh_conformance.implementation.hostile import HOSTILE_NAMES, HostileName, encode_value
from dsh_conformance.tracks.core.asking import Asked
from dsh_conformance.tracks.core.claims import claimed
from dsh_conformance.tracks.core.known import folded, messages_of, surface_of
from dsh_conformance.tracks.core.laws.surface import some_logs
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import Accepted, Check, Equals, RefusedAs
from dsh_reference.refusal import Refusal
from dsh_reference.session import append
from dsh_reference.session.append import Draft
from dsh_spec.events import surface_types
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

APPEND = "core/append"
_METADATA = ("surfaceOp", "sourceEventSeqs")
_HEADER: JsonObject = {"id": "s", "createdAt": 0, "isSeeded": False}

#: Makes the parameters of an append that is refused behind a log, or nothing where it has none.
Refused: TypeAlias = Callable[[Asked], Raw | None]


def append_params(asked: Asked, event: Raw) -> JsonObject:
    """Return the request that appends what an event says behind a log."""
    members = {key: event[key] for key in _METADATA if key in event}
    header = {**_HEADER, "version": asked.format}
    return asked.params(
        header=header,
        time=event["time"],
        type=event["type"],
        data=encode_value(event["data"]),
        **members,
    )


def appended(asked: Asked, event: Raw) -> JsonObject | Refusal:
    """Return what the model makes of such an append."""
    draft = Draft(
        type=event["type"],
        data=event["data"],
        time=event["time"],
        metadata={key: event[key] for key in _METADATA if key in event},
    )
    return append(asked.events, draft, format=asked.format)


@frozen(kw_only=True)
class Case:
    """A log whose last event is to be appended again."""

    #: The log.
    asked: Asked
    #: Which of the refused appends comes first.
    way: int


@st.composite
def _cases(draw: st.DrawFn, versions: tuple[Format, ...]) -> Case:
    asked = draw(some_logs(versions))
    return Case(asked=asked, way=draw(st.integers(0, 59)))


def cases(claims: JsonObject) -> st.SearchStrategy[Case] | None:
    """Logs of the claimed formats."""
    versions = claimed(claims)
    return _cases(versions) if versions else None


def check(trial: Trial, case: Case) -> None:
    """Append what is refused, look at the log, and append what is not."""
    asked = case.asked
    before = evolve(asked, events=asked.events[:-1])
    name, bad = _bad(before, case.way) if case.way % 3 else ("", None)
    if bad is not None:
        rule = "APP-LEGACY" if "retired" in name else "APP-SURFACE"
        if name in ("system prompt in a header", "empty tools", "error of a good result"):
            rule = "APP-LOCAL"
        params = append_params(before, bad)
        trial.call(APPEND, params, Check(rule, RefusedAs()), says=f"append to {before}: {name}")
        surface = [
            Check("SURF-ATOMIC", Equals((key,), value))
            for key, value in folded(surface_of(before)).items()
        ]
        trial.call("core/fold", before.params(), *surface, says="fold the log as it was")
        shown = Check("APP-ATOMIC", Equals(("messages",), list(messages_of(before))))
        trial.call("core/derive", before.params(), shown, says="derive the log as it was")
    if asked.events and "ignorable" not in asked.events[-1]:
        event = asked.events[-1]
        made = appended(before, event)
        if isinstance(made, Refusal):
            return
        expected = [*_order(asked)]
        if bad is not None:
            expected.append(Check("APP-ATOMIC", Equals(("event", "seq"), event["seq"])))
        expected.append(Check("APP-EVENT", Equals(("event",), made)))
        says = f"append a {event['type']} to {before}"
        trial.call(APPEND, append_params(before, event), *expected, says=says)
    _check_loose(trial, asked, case.way)


def _order(asked: Asked) -> Iterator[Check]:
    """A turn or a step may come anywhere."""
    if asked.events[-1]["type"].startswith(("turn/", "step/")):
        yield Check("APP-LOOSE", Accepted())


def _check_loose(trial: Trial, asked: Asked, way: int) -> None:
    """What nobody knows may come anywhere, and a turn may start while another is open."""
    event: Raw = {"type": "acme/new", "time": 7, "data": {"any": [None, True, 1.5]}}
    if way % 2:
        event = {"type": "turn/start", "time": 7, "data": {"turn": 1}}
    made = appended(asked, event)
    assert not isinstance(made, Refusal)
    expected = (Check("APP-LOOSE", Accepted()), Check("APP-EVENT", Equals(("event",), made)))
    says = f"append to {asked} a {event['type']}"
    trial.call(APPEND, append_params(asked, event), *expected, says=says)


def _bad(asked: Asked, way: int) -> tuple[str, Raw | None]:
    """Return the first refused append from *way* on that the model refuses behind the log."""
    names = sorted(_REFUSED)
    for at in range(len(names)):
        name = names[(way + at) % len(names)]
        event = _REFUSED[name](asked)
        if event is not None and isinstance(appended(asked, event), Refusal):
            return name, event
    return "", None


def _user(asked: Asked, **members: Any) -> Raw:
    seq = len(asked.events)
    content = [{"type": "text", "text": "a"}]
    data = {"id": f"m{seq}", "role": "user", "content": content, "source": {"kind": "user"}}
    return {"type": "user/message", "time": 1, "data": data, **members}


def _unmarked(asked: Asked) -> Raw:
    return _user(asked)


def _null_marker(asked: Asked) -> Raw:
    return _user(asked, surfaceOp=None)


def _no_node(asked: Asked) -> Raw:
    seq = len(asked.events)
    start, end = ("start", "end") if asked.format < 3 else ("startSeq", "endSeq")
    return _user(asked, surfaceOp={"op": "replace", start: seq, end: seq}, sourceEventSeqs=[0])


def _uncovered(asked: Asked) -> Raw | None:
    nodes = surface_of(asked).nodes
    start, end = ("start", "end") if asked.format < 3 else ("startSeq", "endSeq")
    if not nodes:
        return None
    return _user(asked, surfaceOp={"op": "replace", start: nodes[-1], end: nodes[-1]})


def _other_dialect(asked: Asked) -> Raw | None:
    nodes = surface_of(asked).nodes
    start, end = ("startSeq", "endSeq") if asked.format < 3 else ("start", "end")
    if not nodes:
        return None
    operation = {"op": "replace", start: nodes[-1], end: nodes[-1]}
    return _user(asked, surfaceOp=operation, sourceEventSeqs=[nodes[-1]])


def _late_source(asked: Asked) -> Raw:
    return _user(asked, surfaceOp="append", sourceEventSeqs=[len(asked.events)])


def _marked_note(_: Asked) -> Raw:
    return {"type": "todo/write", "time": 1, "data": {"todos": []}, "surfaceOp": "append"}


def _sourced_answer(asked: Asked) -> Raw | None:
    if asked.format < 2 or not asked.events:
        return None
    source = {"kind": "model", "provider": "p", "model": "m"}
    message = {"id": "a", "role": "assistant", "content": [], "source": source}
    data = {"turn": 1, "step": 1, "message": message, "stream": []}
    members = {"surfaceOp": "append", "sourceEventSeqs": [0]}
    return {"type": "assistant/message", "time": 1, "data": data, **members}


def _header(**header: Json) -> Raw:
    config = {"provider": "p", "model": "m"}
    data = {"header": {"config": config, **header}, "reason": "initial"}
    return {"type": "request/header", "time": 1, "data": data}


def _prompted(asked: Asked) -> Raw | None:
    return _header(system="a") if asked.format >= 3 else None


def _toolless(asked: Asked) -> Raw | None:
    return _header(tools=[]) if asked.format >= 3 else None


def _good_error(asked: Asked) -> Raw | None:
    if asked.format < 3:
        return None
    source = {"kind": "tool", "callId": "c1"}
    message: Raw = {"id": "r", "source": source}
    if asked.format == 4:
        message |= {"role": "tool", "toolCallId": "c1", "content": []}
    else:
        block = {"type": "tool-result", "toolCallId": "c1", "content": []}
        message |= {"role": "user", "content": [block]}
    error = {"name": "E", "code": "E"}
    data = {"turn": 1, "step": 1, "message": message, "error": error}
    return {"type": "tool/result", "time": 1, "data": data, "surfaceOp": "append"}


def _retired(asked: Asked) -> Raw | None:
    if asked.format > 1:
        return None
    event = _header()
    return {**event, "data": {**event["data"], "reason": "fallback"}}


def _retired_type(asked: Asked) -> Raw | None:
    data = {"header": {}, "reason": "change"}
    return {"type": "request/header-delta", "time": 1, "data": data} if asked.format < 2 else None


_REFUSED: dict[str, Refused] = {
    "message without surfaceOp": _unmarked,
    "null surfaceOp": _null_marker,
    "replacement of no node": _no_node,
    "replacement that cites nothing": _uncovered,
    "endpoints of another format": _other_dialect,
    "source that is not earlier": _late_source,
    "note on the surface": _marked_note,
    "answer with sources": _sourced_answer,
    "system prompt in a header": _prompted,
    "empty tools": _toolless,
    "error of a good result": _good_error,
    "header for a retired reason": _retired,
    "header of a retired type": _retired_type,
}

#: The law.
APPENDING: Law[Case] = Law(name="append", cases=cases, check=check, weight=40)


@frozen(kw_only=True)
class Hostile:
    """A value that no JSON text can say, somewhere in the data of an append."""

    #: The log.
    asked: Asked
    #: The value.
    name: HostileName
    #: Whether it is the data or a member of it.
    inside: bool
    #: Whether the append is wrong in another way as well.
    doubly: bool


@st.composite
def _hostile(draw: st.DrawFn, versions: tuple[Format, ...]) -> Hostile:
    return Hostile(
        asked=draw(some_logs(versions)),
        name=draw(st.sampled_from(HOSTILE_NAMES)),
        inside=draw(st.booleans()),
        doubly=draw(st.booleans()),
    )


def hostile_cases(claims: JsonObject) -> st.SearchStrategy[Hostile] | None:
    """Values outside JSON."""
    versions = claimed(claims)
    return _hostile(versions) if versions else None


def check_hostile(trial: Trial, case: Hostile) -> None:
    """Append a value that is no JSON, if the implementation can be given one."""
    if not trial.arena.capabilities.hostile_values:
        return
    mark: Raw = {"$hostile": case.name}
    kind = next(iter(sorted(surface_types(case.asked.format)))) if case.doubly else "acme/new"
    event = {"type": kind, "time": 1, "data": None}
    data = {"a": [mark]} if case.inside else mark
    params = {**append_params(case.asked, event), "data": data}
    expected = Check("APP-DATA-JSON", RefusedAs((RefusalKind.NOT_JSON,)))
    trial.call(APPEND, params, expected, says=f"append {case.name} to {case.asked}")


#: The law of values outside JSON.
HOSTILE: Law[Hostile] = Law(
    name="append-hostile", cases=hostile_cases, check=check_hostile, weight=8
)
