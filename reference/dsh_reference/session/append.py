"""Append: the next event of a log, or the reason why it is none.

A refused append leaves the log as it was, and the next event that is right gets the same seq: here
that follows from there being nothing to leave behind.

An accepted event stays as it is (ENV-ACCEPTED-FROZEN), and unknown types and any order of turns
and steps are taken (APP-LOOSE).
"""

from collections.abc import Mapping, Sequence

from attrs import evolve, field, frozen

from dsh_reference.refusal import Refusal
from dsh_reference.session.fold import fold
from dsh_reference.session.local import check_local
from dsh_reference.session.refuse import refuse_event
from dsh_reference.values import not_json
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class Draft:
    """An event that somebody wants to append."""

    #: Its type.
    type: Json
    #: Its payload.
    data: Json
    #: The time of the append, in ms since 1970.
    time: int
    #: Its ``surfaceOp`` and ``sourceEventSeqs``, those of the two that are given.
    metadata: Mapping[str, Json] = field(factory=dict)


def append(events: Sequence[Json], draft: Draft, *, format: Format) -> JsonObject | Refusal:  # noqa: A002 - the word of the specification
    """Return the event that goes behind *events*, or the first rule that it breaks.

    *events* is a log that has a surface.  The refusal's kind is ``not-json``,
    ``unsupported-format`` for what is retired, or ``invalid-event``.

    Source: APP-EVENT, APP-DATA-JSON, APP-LEGACY, APP-LOCAL, APP-SURFACE, APP-ATOMIC (facts:
    surface §5.1).
    """
    refusal = not_json(draft.data)
    if refusal is not None:
        return evolve(refusal, where=refusal.where.replace("value", "data", 1))
    refusal = _check_legacy(draft, len(events), format) or not_json(dict(draft.metadata))
    if refusal is not None:
        return refusal
    seq = len(events)
    if not isinstance(draft.type, str):
        return refuse_event(seq, "ENV-TYPE-STR", "the type is no string")
    event: JsonObject = {
        "type": draft.type,
        "seq": seq,
        "time": draft.time,
        "data": draft.data,
        **draft.metadata,
    }
    refusal = check_local(event, format)
    if refusal is not None:
        return refusal
    surface = fold([*events, event], format=format)
    return surface if isinstance(surface, Refusal) else event


def _check_legacy(draft: Draft, seq: int, format: Format) -> Refusal | None:  # noqa: A002 - the word of the specification
    """APP-LEGACY."""
    if format > 1:
        return None
    match draft:
        case Draft(type="request/header-delta"):
            problem = "the type request/header-delta is retired"
        case Draft(type="request/header", data={"reason": "fallback"}):
            problem = "the reason fallback is retired"
        case _:
            return None
    refusal = refuse_event(seq, "APP-LEGACY", problem)
    return evolve(refusal, kind=RefusalKind.UNSUPPORTED_FORMAT)
