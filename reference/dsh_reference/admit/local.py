"""What a reader asks of one stored event on its own."""

from collections.abc import Sequence

from attrs import evolve

from dsh_reference.admit.rows import RETIRED_TYPES, check_forked
from dsh_reference.envelope import check_envelope
from dsh_reference.refusal import Refusal
from dsh_reference.surface.marker import check_marker, check_sources
from dsh_spec.events import EVENT_TYPES, Event, ShapeError, ToolResult, structure_event
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject, is_object


def check_vocabulary(events: Sequence[Json]) -> Refusal | None:
    """Name the first event that the reader does not know and may not skip either."""
    checked = (check_type(raw, seq) for seq, raw in enumerate(events))
    return next((refusal for refusal in checked if refusal is not None), None)


def check_type(raw: Json, seq: int) -> Refusal | None:
    """Say why a reader that does not know the event's type may not skip it.

    Source: INV-VOCAB, IGN-RETIRED-PTC, INV-NO-FALLBACK (facts: events §1.2, §9).
    """
    if not is_object(raw) or raw.get("ignorable") is True:
        return None
    kind = raw.get("type")
    if not isinstance(kind, str):
        return None
    if kind not in EVENT_TYPES:
        rule = "IGN-RETIRED-PTC" if kind in RETIRED_TYPES else "INV-VOCAB"
        return _unsupported(seq, rule, f"the type {kind[:80]!r} is unknown and required")
    if kind == "request/header":
        match raw:
            case {"data": {"reason": "fallback"}}:
                return _unsupported(seq, "INV-NO-FALLBACK", "the reason 'fallback' is retired")
    return None


def read_event(raw: Json, seq: int) -> Event | Refusal:
    """Return the event at a place of the log, or the first rule that it breaks on its own.

    Source: FORK-RESULT, and the rules of the functions it asks (facts: events §1 to §5).
    """
    row: JsonObject = raw  # type: ignore[assignment]  # or else it has no envelope
    try:
        event = structure_event(row)
    except ShapeError as error:
        shape = _corrupt(seq, error.rule, f"{error.path} {error.problem}")
        return check_envelope(raw, seq) or shape
    if event.seq != seq:
        # The envelope is right but for that: it was read.
        return _corrupt(seq, "ENV-SEQ-CONTIGUOUS", f"the seq is {event.seq}, not {seq}")
    refusal = check_marker(event) or check_sources(event)
    if refusal is not None:
        return evolve(refusal, kind=RefusalKind.CORRUPT)
    forked = check_forked(row) if isinstance(event.data, ToolResult) else None
    return event if forked is None else _corrupt(seq, *forked)


def _unsupported(seq: int, rule: str, problem: str) -> Refusal:
    return Refusal(
        kind=RefusalKind.UNSUPPORTED_FORMAT,
        rule=rule,
        where=f"event {seq}",
        problem=problem,
        remedy="Open it with the build, or with the plugin, that wrote it.",
    )


def _corrupt(seq: int, rule: str, problem: str) -> Refusal:
    return Refusal(kind=RefusalKind.CORRUPT, rule=rule, where=f"event {seq}", problem=problem)
