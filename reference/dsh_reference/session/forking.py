"""Forks of a log of any format.

Up to v3 a fork ends at a boundary between turns; from v4 on it may end anywhere, and closers bring
the child to an end of a turn.
The mark behind the copied prefix differs too: see :mod:`dsh_reference.session.seeding`.
"""

from collections.abc import Mapping, Sequence

from dsh_reference.closers import closers_of
from dsh_reference.refusal import Refusal
from dsh_reference.session.seeding import marked
from dsh_reference.session_log import SessionLog
from dsh_reference.values import is_count
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

__all__ = ["fork"]


def fork(
    source: SessionLog,
    child: JsonObject,
    *,
    format: Format,  # noqa: A002 - the word of the specification
    boundary: Json = None,
) -> SessionLog | Refusal:
    """Return the log of a child that inherits *source* up to the event with seq *boundary*.

    Without a boundary it inherits all.  *child* has the ``id`` and the ``createdAt`` of the child.
    The refusal's kind is ``invalid-boundary`` or, before v4, ``open-turn``.

    Source: FORK-BOUNDARY-INT, FORK-BOUNDARY-EXISTS, FORK-OPEN-TURN, FORK-OPEN-TAIL, FORK-PREFIX,
    FORK-HEADER, CUT-FORK, FORK-CLOSERS, FORK-MARKER-V0V1, FORK-MARKER-V2V3 (facts: surface §4.1,
    §4.2).
    """
    count = _count(source.events, boundary)
    if isinstance(count, Refusal):
        return count
    prefix = source.events[:count]
    if format < 4 and _is_open(prefix):
        return _refuse(RefusalKind.OPEN_TURN, "FORK-OPEN-TURN", "it lies within an open turn")
    created = child["createdAt"]
    assert isinstance(created, int)
    events = marked(prefix, format=format, is_fork=True, time=created)
    if format == 4:
        events += closers_of(events, format=format, cause="forked")
    return SessionLog(header=_header(source.header, child), inherited=count, events=events)


def _count(events: Sequence[JsonObject], boundary: Json) -> int | Refusal:
    """Return how many events a fork copies."""
    kind = RefusalKind.INVALID_BOUNDARY
    if boundary is None:
        return len(events)
    if not is_count(boundary):
        return _refuse(kind, "FORK-BOUNDARY-INT", "it is no integer from 0")
    if boundary >= len(events) or events[int(boundary)].get("seq") != boundary:
        return _refuse(kind, "FORK-BOUNDARY-EXISTS", f"the log has no event {boundary}")
    return int(boundary) + 1


def _is_open(prefix: Sequence[JsonObject]) -> bool:
    turns = [event["type"] for event in prefix if event["type"] in ("turn/start", "turn/end")]
    return turns[-1:] == ["turn/start"]


def _header(source: JsonObject, child: JsonObject) -> JsonObject:
    """Return the child's header: it takes over the source's place and nothing of its rank."""
    where: Mapping[str, Json] = {"cwd": source["cwd"]} if "cwd" in source else {}
    return {
        "version": source["version"],
        "id": child["id"],
        "createdAt": child["createdAt"],
        "isSeeded": True,
        "parentSession": source["id"],
        **where,
    }


def _refuse(kind: RefusalKind, rule: str, problem: str) -> Refusal:
    remedy = "Name the seq of an event of the log."
    if kind is RefusalKind.OPEN_TURN:
        remedy = "Fork at the end of a turn."
    return Refusal(kind=kind, rule=rule, where="boundary", problem=problem, remedy=remedy)
