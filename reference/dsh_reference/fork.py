"""Forks: the log that a child session begins with.

The child inherits the events of its source up to a boundary, in every key.  A marker says where the
inherited prefix ends.  If the boundary lies within an open turn, closers behind the marker
bring it to an end, so that the child starts balanced whatever the parent does next.

A child shows the messages of the copied prefix and of its closing results (FORK-DERIVE).
"""

from collections.abc import Sequence

from attrs import frozen

from dsh_reference.refusal import Refusal
from dsh_reference.repair import closers
from dsh_reference.values import is_count
from dsh_spec.events import EndSeed, Event
from dsh_spec.refusals import RefusalKind


@frozen(kw_only=True)
class ForkSeed:
    """What a forked session is created with."""

    #: The inherited events, the marker, and the closers of an open turn.
    events: tuple[Event, ...]
    #: How many events are inherited, which is the seq of the marker.
    inherited: int


def fork_seed(events: Sequence[Event], boundary: int | None = None) -> ForkSeed | Refusal:
    """Return the seed of a fork behind the event with seq *boundary*, the last one by default.

    An empty source has an empty seed, without a marker: the marker's time would be the present.
    The refusal's kind is ``invalid-boundary``.

    Source: FORK-BOUNDARY-INT, FORK-BOUNDARY-EXISTS, FORK-PREFIX, CUT-FORK, FORK-CLOSERS,
    FORK-OPEN-TAIL (facts: surface §4.1, §4.2).
    """
    if boundary is None and not events:
        return ForkSeed(events=(), inherited=0)
    cut = len(events) - 1 if boundary is None else boundary
    if not is_count(cut):
        return _refuse("FORK-BOUNDARY-INT", f"{boundary!r} is no integer from 0")
    if cut >= len(events):
        return _refuse("FORK-BOUNDARY-EXISTS", f"the log has no event {cut}")
    prefix = tuple(events[: int(cut) + 1])
    marker = Event(
        type="session/end-seed",
        seq=len(prefix),
        time=prefix[-1].time,
        data=EndSeed(inherited=True),
    )
    seed = (*prefix, marker)
    return ForkSeed(events=seed + closers(seed, cause="forked"), inherited=len(prefix))


def _refuse(rule: str, problem: str) -> Refusal:
    return Refusal(
        kind=RefusalKind.INVALID_BOUNDARY,
        rule=rule,
        where="boundary",
        problem=problem,
        remedy="Name the seq of an event of the log.",
    )
