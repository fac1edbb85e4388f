"""What the rules of one event may look at, and how they say no."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from dsh_reference.refusal import Refusal
from dsh_spec.events import Event, Message
from dsh_spec.refusals import RefusalKind


@frozen(kw_only=True)
class History:
    """The surface just before an event, and the window of the log that led to it."""

    #: The events of the window, in log order; those after the event are never looked at.
    events: Sequence[Event]
    #: The seq of the window's first event.
    base_seq: int
    #: The nodes, in surface order.
    nodes: Sequence[int]
    #: The changed messages, by the seq of their node.
    projected: Mapping[int, Message]

    def event(self, seq: int) -> Event | None:
        """Return the event with that seq, or ``None`` when it lies before the window."""
        return self.events[seq - self.base_seq] if seq >= self.base_seq else None


def refuse(event: Event, rule: str, problem: str) -> Refusal:
    """Refuse an event of a log."""
    return Refusal(
        kind=RefusalKind.INVALID_EVENT, rule=rule, where=f"event {event.seq}", problem=problem
    )
