"""Seeds: the events with which a session begins, and the marker that its construction adds.

A seed is new to the session (*snapshot*: borrowed and copied) or was the session's own all along
(*restore*: read back from where it is kept).  The marker says that what lies before it was not made
in this life of the session, and in a fork where the inherited events end.

| format | fresh and seeded | any other seed |
| --- | --- | --- |
| v0, v1 | as any other | ``{}``, unless a marker is last |
| v2, v3 | an inherited marker, always | ``{}``, unless a marker is last |
| v4 | an inherited marker, unless the seed has it | ``{}``, unless a marker is last |
"""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from attrs import evolve

from dsh_reference.envelope import check_envelope
from dsh_reference.header import check_header
from dsh_reference.refusal import Refusal
from dsh_reference.session.fold import fold
from dsh_reference.session.local import check_local
from dsh_reference.session.refuse import refuse_argument
from dsh_reference.session.shapes import check_shape
from dsh_reference.values import is_count, not_json
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

#: Whether a seed is borrowed or was the session's own.
Mode: TypeAlias = Literal["snapshot", "restore"]

_MARKER = "session/end-seed"


def seed(
    header: JsonObject,
    events: Sequence[Json],
    *,
    format: Format,  # noqa: A002 - the word of the specification
    mode: Mode,
    inherited: Json = None,
) -> tuple[JsonObject, ...] | Refusal:
    """Return the log that a session begins with, or the first rule that its seed breaks.

    The time of a marker that is added is that of the event before it, or the creation's.
    The refusal's kind is ``not-json``, ``invalid-event`` or ``invalid-argument``.

    Source: SEED-JSON, SEED-EVENTS, SEED-COUNT, SEED-MARKER-V0V1, SEED-MARKER-V2V3, SEED-MARKER,
    SEED-REPLAY (facts: surface §4.6).
    """
    refusal = (
        _check_events(events, format, mode)
        or check_header(header, format)
        or _check_count(header, events, inherited, format, mode)
    )
    if refusal is not None:
        return refusal
    log = tuple(event for event in events if isinstance(event, Mapping))
    is_fork = format >= 2 and mode == "snapshot" and header["isSeeded"] is True
    created = header["createdAt"]
    assert isinstance(created, int)
    if is_fork and format == 4 and _is_inherited(log, inherited):
        return log
    return marked(log, format=format, is_fork=is_fork, time=created)


def marked(
    events: Sequence[JsonObject],
    *,
    format: Format,  # noqa: A002 - the word of the specification
    is_fork: bool,
    time: int,
) -> tuple[JsonObject, ...]:
    """Return a seed with the marker behind it that its construction adds, if it adds one.

    *time* is the marker's where there is no event before it.
    """
    inherits = is_fork and format >= 2
    if not inherits and events and events[-1]["type"] == _MARKER:
        return tuple(events)
    data: JsonObject = {"inherited": True} if inherits else {}
    at = events[-1]["time"] if events else time
    return (*events, {"type": _MARKER, "seq": len(events), "time": at, "data": data})


def _check_events(events: Sequence[Json], format: Format, mode: Mode) -> Refusal | None:  # noqa: A002 - the word of the specification
    for seq, event in enumerate(events):
        refusal = not_json(event) if mode == "snapshot" else None
        if refusal is not None:
            return evolve(refusal, where=refusal.where.replace("value", f"event {seq}", 1))
        refusal = check_envelope(event, seq)
        if refusal is not None:
            return evolve(refusal, kind=RefusalKind.INVALID_EVENT)
        assert isinstance(event, Mapping)
        refusal = check_local(event, format) or check_shape(event, format)
        if refusal is not None:
            return refusal
    surface = fold(events, format=format)
    return surface if isinstance(surface, Refusal) else None


def _check_count(
    header: JsonObject,
    events: Sequence[Json],
    inherited: Json,
    format: Format,  # noqa: A002 - the word of the specification
    mode: Mode,
) -> Refusal | None:
    """SEED-COUNT, CUT-EXACT."""
    if format < 2:
        return None
    where, rule = "inheritedEventCount", "SEED-COUNT"
    if not header["isSeeded"]:
        problem = "a session that is not seeded has inherited something"
        return refuse_argument(where, rule, problem) if inherited not in (None, 0) else None
    if not is_count(inherited) or inherited > len(events):
        return refuse_argument(where, rule, "it is no number of events of the seed")
    is_marked = format == 4 and _is_inherited(events, inherited)
    if mode == "snapshot" and inherited < len(events) and not is_marked:
        return refuse_argument(where, rule, "a fresh seed goes on behind what was inherited")
    later = range(int(inherited) + 1, len(events))
    if is_marked and any(_is_inherited(events, at) for at in later):
        return refuse_argument(where, "CUT-EXACT", "a later marker ends what was inherited")
    return None


def _is_inherited(events: Sequence[Json], at: Json) -> bool:
    """Tell whether the event at a place is an inherited marker."""
    if not is_count(at) or at >= len(events):
        return False
    match events[int(at)]:
        case {"type": "session/end-seed", "data": {"inherited": True}}:
            return True
    return False
