"""Admission: which stored logs a reader accepts.

A log is judged in three rounds.

1. Every event's envelope and type.  A log with an unknown type that is not ignorable was written
   by someone who knew more than this reader does, so it is *unsupported*; all else is *corrupt*.
2. Every event on its own: its payload, its marker, its sources.
3. The events among each other: each family of rules is one fold over the whole log.

The refusal names the first event that breaks a rule in the round that failed; `examine` names them
all, for people who have to mend a log.
"""

from collections.abc import Sequence

from dsh_reference.admit.boundaries import check_boundaries
from dsh_reference.admit.calls import check_calls
from dsh_reference.admit.compaction import check_compactions
from dsh_reference.admit.cut import check_cut
from dsh_reference.admit.dispatches import check_dispatches
from dsh_reference.admit.local import check_type, check_vocabulary, read_event
from dsh_reference.admit.log import Broken, Family, make_log
from dsh_reference.admit.nodes import check_nodes
from dsh_reference.admit.records import (
    check_catalogue,
    check_commands,
    check_deliveries,
    check_titles,
)
from dsh_reference.admit.retries import check_retries
from dsh_reference.admit.tools import check_additions
from dsh_reference.refusal import Refusal
from dsh_spec.events import Event
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

__all__ = ["admit", "examine"]

_FAMILIES: tuple[Family, ...] = (
    check_boundaries,
    check_calls,
    check_nodes,
    check_additions,
    check_compactions,
    check_retries,
    check_commands,
    check_titles,
    check_dispatches,
    check_deliveries,
    check_catalogue,
    check_cut,
)


def admit(
    header: JsonObject, inherited: int, events: Sequence[Json]
) -> tuple[Event, ...] | Refusal:
    """Return the events of a stored log, or the rule for which a reader refuses it.

    *header* is the checked logical header, *inherited* the stated number of inherited events, and
    *events* the logical events.  Time is linear in the log, and for a replacement in the surface.
    The refusal's kind is ``unsupported-format`` or ``corrupt``.

    Source: STORE-FAIL-CLOSED-VOCAB, STORE-REFUSES-BROKEN-LOG, and the rules of the functions it
    asks (facts: events §9, column R4; compared with 0.2.1rc2).
    """
    unknown = check_vocabulary(events)
    if unknown is not None:
        return unknown
    read: list[Event] = []
    for seq, raw in enumerate(events):
        event = read_event(raw, seq)
        if isinstance(event, Refusal):
            return event
        read.append(event)
    found = _related(header, inherited, read)
    return found[0] if found else tuple(read)


def examine(header: JsonObject, inherited: int, events: Sequence[Json]) -> tuple[Refusal, ...]:
    """Return what is wrong with a stored log, in order; nothing exactly when it is admitted.

    Every event that is wrong on its own is named.  Only when there is none are the events judged
    among each other, and of each family of rules the first break is named: what follows from it
    would be named too.
    """
    read: list[Event] = []
    alone: list[Refusal] = []
    for seq, raw in enumerate(events):
        found = check_type(raw, seq) or read_event(raw, seq)
        if isinstance(found, Refusal):
            alone.append(found)
        else:
            read.append(found)
    return tuple(alone) or _related(header, inherited, read)


def _related(header: JsonObject, inherited: int, read: Sequence[Event]) -> tuple[Refusal, ...]:
    log = make_log(header, inherited, read)
    found = [wrong for family in _FAMILIES if (wrong := family(log)) is not None]
    return tuple(_refusal(wrong, len(read)) for wrong in sorted(found, key=lambda w: w.seq))


def _refusal(wrong: Broken, length: int) -> Refusal:
    return Refusal(
        kind=RefusalKind.CORRUPT,
        rule=wrong.rule,
        where=f"event {wrong.seq}" if wrong.seq < length else "log",
        problem=wrong.problem,
    )
