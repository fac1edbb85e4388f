"""Compactions: a start, at most one summary, the checkpoint that replaces the span, and an end."""

from attrs import evolve, frozen

from dsh_reference.admit.log import Broken, Entry, Log, broken
from dsh_spec.events import (
    CompactionEnd,
    CompactionStart,
    CompactionSummary,
    EndSeed,
    Event,
    Replace,
    TurnEnd,
    TurnStart,
    UserMessage,
)

_CHECKPOINT = "compact-checkpoint"


@frozen(kw_only=True)
class _Open:
    """The open compaction."""

    seq: int
    id: str
    command: str | None
    turn: int | None
    summarised: bool = False


def check_compactions(log: Log) -> Broken | None:
    """Hold every compaction record to the open compaction.

    Source: REL-COMPACT-ORPHAN, and the rules of the functions below (facts: events §9).
    """
    orphans = _orphans(log)
    current: _Open | None = None
    for entry in log.entries:
        event = entry.event
        wrong = _check(entry, current) or _check_turn(event, current, orphans)
        if wrong is not None:
            return wrong
        match event.data:
            case CompactionStart() as body:
                current = _Open(
                    seq=event.seq,
                    id=body.compaction_id,
                    command=body.source_command_id,
                    turn=body.turn,
                )
            case CompactionSummary() if current is not None:
                current = evolve(current, summarised=True)
            case CompactionEnd() | EndSeed():
                current = None
    return None


def _check(entry: Entry, current: _Open | None) -> Broken | None:
    event = entry.event
    match event.data:
        case CompactionStart() as start:
            if current is not None:
                return broken(event, "REL-COMPACT-OPEN", f"compaction {current.id!r} is open")
            if start.turn != entry.place.turn:
                return broken(event, "REL-COMPACT-OPEN", "its turn is not the open one")
        case CompactionSummary() | CompactionEnd() as body:
            owner = (body.compaction_id, body.source_command_id)
            if current is None or owner != (current.id, current.command):
                return broken(event, "REL-COMPACT-OWNER", "no such compaction is open")
            return _check_progress(entry, body, current)
        case UserMessage(message=message) if isinstance(event.surface_op, Replace):
            if message.source.kind != _CHECKPOINT:
                return None
            fields = message.source.fields
            checkpoint = (fields.get("compactionId"), fields.get("sourceCommandId"))
            if current is None or checkpoint != (current.id, current.command):
                return broken(event, "REL-COMPACT-OWNER", "no such compaction is open")
    return None


def _check_progress(
    entry: Entry, body: CompactionSummary | CompactionEnd, current: _Open
) -> Broken | None:
    """REL-COMPACT-TURN, REL-COMPACT-ONE-SUMMARY."""
    event = entry.event
    if entry.place.turn != current.turn:
        return broken(event, "REL-COMPACT-TURN", "it is in another turn than the start")
    match body:
        case CompactionSummary() if current.summarised:
            return broken(event, "REL-COMPACT-ONE-SUMMARY", "the compaction has a summary already")
        case CompactionEnd() if body.turn != current.turn:
            return broken(event, "REL-COMPACT-TURN", "it names another turn than the start")
        case CompactionEnd() if not (current.summarised or _failed(body)):
            return broken(event, "REL-COMPACT-ONE-SUMMARY", "it ends well without a summary")
    return None


def _failed(body: CompactionEnd) -> bool:
    return body.error is not None or "error" in body.extra


def _check_turn(event: Event, current: _Open | None, orphans: frozenset[int]) -> Broken | None:
    """REL-COMPACT-TURN."""
    if current is None or current.seq in orphans:
        return None
    if isinstance(event.data, TurnStart | TurnEnd):
        return broken(event, "REL-COMPACT-TURN", f"compaction {current.id!r} is open")
    return None


def _orphans(log: Log) -> frozenset[int]:
    """Return the starts that a later ``session/end-seed`` has ended; they hold nothing up."""
    orphans: set[int] = set()
    started: int | None = None
    for entry in log.entries:
        match entry.event.data:
            case CompactionStart():
                started = entry.event.seq
            case CompactionEnd():
                started = None
            case EndSeed() if started is not None:
                orphans.add(started)
                started = None
    return frozenset(orphans)
