"""The surface of a whole log, or of a window of one."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from attrs import frozen

from dsh_reference.refusal import Refusal
from dsh_reference.surface.developer import check_tools
from dsh_reference.surface.history import History, refuse
from dsh_reference.surface.marker import check_marker, check_sources
from dsh_reference.surface.project import project
from dsh_reference.surface.replace import Replacement, plan_replacement
from dsh_spec.events import Append, Event, Message, Replace


@frozen(kw_only=True)
class Surface:
    """What a log comes to for the model."""

    #: The nodes: seqs of message events, in the order in which the model sees them.
    nodes: tuple[int, ...]
    #: Every replacement of the log, in log order.
    replacements: tuple[Replacement, ...]
    #: How many replacements there were.
    replace_generation: int
    #: How many replacements and projections there were.
    content_generation: int
    #: The messages that projections changed, by the seq of their event.
    projected: Mapping[int, Message]


@frozen(kw_only=True)
class _Projection:
    """The messages that one event changes, by seq."""

    messages: Mapping[int, Message]


_Change = Append | Replacement | _Projection | None


def fold(events: Sequence[Event], base_seq: int = 0) -> Surface | Refusal:
    """Return the surface of a log, or the first rule that the log breaks.

    *events* may be a window of a log: *base_seq* is then the seq of its first event, and what lies
    before the window is no node.  Time is linear in the log, and for a replacement or a
    projection in the surface.  The refusal's kind is ``invalid-event``.

    Source: SURF-SEQ-CONTIGUOUS, and the rules of the functions it asks (facts: surface §1.3, §1.8).
    """
    nodes: list[int] = []
    replacements: list[Replacement] = []
    projected: dict[int, Message] = {}
    projections = 0
    history = History(events=events, base_seq=base_seq, nodes=nodes, projected=projected)
    for seq, event in enumerate(events, base_seq):
        if event.seq != seq:
            return refuse(event, "SURF-SEQ-CONTIGUOUS", f"the seq is not {seq}")
        match _plan(event, history):
            case Refusal() as refusal:
                return refusal
            case Append():
                nodes.append(seq)
            case Replacement(shadowed_seqs=shadowed) as replacement:
                first = nodes.index(shadowed[0])
                nodes[first : first + len(shadowed)] = [seq]
                replacements.append(replacement)
            case _Projection(messages=messages):
                projected.update(messages)
                projections += 1
    return Surface(
        nodes=tuple(nodes),
        replacements=tuple(replacements),
        replace_generation=len(replacements),
        content_generation=len(replacements) + projections,
        projected=MappingProxyType(projected),
    )


def _plan(event: Event, history: History) -> _Change | Refusal:
    """Say what an event does to the surface; nothing has happened yet."""
    refusal = check_marker(event) or check_sources(event) or check_tools(event, history)
    if refusal is not None:
        return refusal
    if event.type == "image/offload":
        messages = project(event, history)
        return messages if isinstance(messages, Refusal) else _Projection(messages=messages)
    match event.surface_op:
        case Replace() as op:
            return plan_replacement(event, op, history)
        case op:
            return op
