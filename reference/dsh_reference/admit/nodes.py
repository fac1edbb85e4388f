"""The surface of a stored log, as far as a reader of logs judges it.

A reader holds every replacement to the nodes that it names and covers.  It does not compare a
rewritten tool result with its original, and does not interpret image offloads: a log that is
wrong in these points is read, and only then turns out to have no surface (`dsh_reference.surface`).
In another point it asks for more: the first system message is the first node, or there is none.
"""

from collections.abc import Sequence

from dsh_reference.admit.log import Broken, Log, broken
from dsh_reference.refusal import Refusal
from dsh_reference.surface.replace import check_coverage, check_head, stretch
from dsh_spec.events import (
    CompactionPrune,
    CompactionSummary,
    Event,
    Replace,
    SystemMessage,
)


def check_nodes(log: Log) -> Broken | None:
    """Fold the nodes of a log, and hold each replacement and each compacted span to them.

    Source: SURF-HEAD-V4, and the rules of the functions it asks (facts: events §9, surface §3.4).
    """
    nodes: list[int] = []
    for entry in log.entries:
        event = entry.event
        has_head = bool(nodes) and isinstance(log.event(nodes[0]).data, SystemMessage)
        if isinstance(event.data, CompactionSummary | CompactionPrune):
            wrong = _check_span(event, event.data, nodes, has_head=has_head)
            if wrong is not None:
                return wrong
        elif isinstance(event.data, SystemMessage) and nodes and not has_head:
            return broken(event, "SURF-HEAD-V4", "the first node is no system message")
        elif isinstance(event.surface_op, Replace):
            shadowed = _shadowed(event, event.surface_op, nodes, log)
            if isinstance(shadowed, Refusal):
                return broken(event, shadowed.rule, shadowed.problem)
            first = nodes.index(shadowed[0])
            nodes[first : first + len(shadowed)] = [event.seq]
        elif event.surface_op is not None:
            nodes.append(event.seq)
    return None


def _shadowed(
    event: Event, op: Replace, nodes: Sequence[int], log: Log
) -> tuple[int, ...] | Refusal:
    shadowed = stretch(event, op, nodes)
    if isinstance(shadowed, Refusal):
        return shadowed
    head = log.event(nodes[0])
    return check_coverage(event, shadowed) or check_head(event, shadowed, head) or shadowed


def _check_span(
    event: Event,
    body: CompactionSummary | CompactionPrune,
    nodes: Sequence[int],
    *,
    has_head: bool,
) -> Broken | None:
    """REL-COMPACT-SPAN, SURF-SYSTEM-HEAD."""
    span = Replace(start_seq=body.shadowed_range.start, end_seq=body.shadowed_range.end)
    shadowed = stretch(event, span, nodes)
    if shadowed != body.shadowed_seqs:
        return broken(event, "REL-COMPACT-SPAN", "the shadowed seqs are not that stretch of nodes")
    if has_head and shadowed[0] == nodes[0]:
        return broken(event, "SURF-SYSTEM-HEAD", "it shadows the system message at the head")
    return None
