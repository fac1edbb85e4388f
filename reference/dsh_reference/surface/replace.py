"""Replacements: which stretch of the surface an event may take the place of.

What is shadowed never becomes a node again (SURF-SHADOWED).
"""

from collections.abc import Sequence

from attrs import evolve, frozen

from dsh_reference.messages import with_message
from dsh_reference.refusal import Refusal
from dsh_reference.surface.history import History, refuse
from dsh_reference.values import equal
from dsh_spec.events import Event, Replace, SystemMessage, ToolResult, unstructure_event
from dsh_spec.values import Json


@frozen(kw_only=True)
class Replacement:
    """One replacement, as it was made."""

    #: The seq of the event that replaced.
    seq: int
    #: The first node of the stretch.
    start: int
    #: The last node of the stretch.
    end: int
    #: All nodes of the stretch, in surface order.
    shadowed_seqs: tuple[int, ...]


def plan_replacement(event: Event, op: Replace, history: History) -> Replacement | Refusal:
    """Say what a replacing event shadows, or which rule forbids it.

    Source: the rules of the functions it asks, in their order (facts: surface §1.3, rule 9).
    """
    shadowed = stretch(event, op, history.nodes)
    if isinstance(shadowed, Refusal):
        return shadowed
    refusal = (
        check_coverage(event, shadowed)
        or _check_rewrite(event, shadowed, history)
        or check_head(event, shadowed, history.event(history.nodes[0]))
    )
    return refusal or Replacement(
        seq=event.seq, start=op.start_seq, end=op.end_seq, shadowed_seqs=shadowed
    )


def stretch(event: Event, op: Replace, nodes: Sequence[int]) -> tuple[int, ...] | Refusal:
    """Return the nodes from one end of a stretch to the other.

    Source: SURF-REPLACE-START, SURF-REPLACE-END, SURF-REPLACE-ORDER (facts: surface §1.3, rule 9).
    """
    if op.start_seq not in nodes:
        return refuse(event, "SURF-REPLACE-START", f"the start {op.start_seq} is no node")
    if op.end_seq not in nodes:
        return refuse(event, "SURF-REPLACE-END", f"the end {op.end_seq} is no node")
    first, last = nodes.index(op.start_seq), nodes.index(op.end_seq)
    if first > last:
        return refuse(event, "SURF-REPLACE-ORDER", "the end stands before the start")
    return tuple(nodes[first : last + 1])


def check_coverage(event: Event, shadowed: Sequence[int]) -> Refusal | None:
    """Say whether the sources of an event name every node that it shadows; they may name more.

    Source: SURF-REPLACE-COVERAGE (facts: surface §1.3, rule 9).
    """
    cited = set(event.source_event_seqs or ())
    missing = [seq for seq in shadowed if seq not in cited]
    if missing:
        return refuse(event, "SURF-REPLACE-COVERAGE", f"its sources leave out {missing[:8]}")
    return None


def _check_rewrite(event: Event, shadowed: Sequence[int], history: History) -> Refusal | None:
    """Say whether a tool result that replaces rewrites the content of one other, and only that.

    Source: SURF-TOOL-ONE, SURF-TOOL-TARGET, SURF-TOOL-CONTENT-ONLY (facts: surface §1.5).
    """
    if not isinstance(event.data, ToolResult):
        return None
    if len(shadowed) > 1:
        return refuse(event, "SURF-TOOL-ONE", "a tool/result replaces more than one node")
    original = history.event(shadowed[0])
    if original is None or not isinstance(original.data, ToolResult):
        return refuse(event, "SURF-TOOL-TARGET", "a tool/result replaces what is none")
    if not equal(_but_content(event), _but_content(original)):
        return refuse(event, "SURF-TOOL-CONTENT-ONLY", "a rewrite changes more than the content")
    return None


def check_head(event: Event, shadowed: Sequence[int], head: Event | None) -> Refusal | None:
    """Say whether a replacement spares the system prompt at the head, or renews exactly it.

    *head* is the event of the first node.

    Source: SURF-SYSTEM-HEAD, WIN-SYSTEM-HEAD (facts: surface §1.3, rule 9; §1.8).
    """
    if head is None or shadowed[0] != head.seq or not isinstance(head.data, SystemMessage):
        return None
    if isinstance(event.data, SystemMessage) and len(shadowed) == 1:
        return None
    return refuse(event, "SURF-SYSTEM-HEAD", "it shadows the system message at the head")


def _but_content(event: Event) -> Json:
    assert isinstance(event.data, ToolResult)
    message = evolve(event.data.message, content=())
    return unstructure_event(with_message(event, message))["data"]
