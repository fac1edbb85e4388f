"""Logs that break one rule: what is left of a valid log before its first chance to go wrong.

A mutation looks for the shortest prefix of a valid log after which its breach is possible, and
ends the log with that one bad event.
So the broken log is short, and nothing else is wrong with it.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from attrs import frozen

from dsh_conformance.generate.breaches import BREACHES, Breach
from dsh_conformance.generate.following import follow
from dsh_conformance.generate.state import Raw, new_state
from dsh_spec.refusals import RefusalKind


@frozen
class Mutation:
    """Turns valid logs into logs that break one rule."""

    #: The breach with which the broken log ends.
    breach: Breach

    def __call__(self, log: Sequence[Raw]) -> list[Raw] | None:
        """Return the shortest prefix of *log* that can go wrong and does, or nothing."""
        state = new_state(log[0]["time"] if log else 0)
        for seq in range(len(log) + 1):
            bad = self.breach.write(state)
            if bad is not None:
                return [*log[:seq], bad]
            if seq < len(log):
                state = follow(state, log[seq])
        return None


@frozen
class Stored:
    """A stored log with what is known beside it."""

    #: The logical header.
    header: Raw
    #: The stated `inheritedEventCount`.
    inherited: int
    #: The events.
    events: list[Raw]


@frozen
class Misfit:
    """Turns a log that fits its header into one that does not."""

    #: The rule that breaks, by its slug.
    rule: str
    #: What is wrong, in a few words.
    name: str
    #: Makes the misfit, or nothing where that is impossible.
    write: Callable[[Stored], Stored | None]
    #: How whoever loads the log refuses it.
    kind: RefusalKind = RefusalKind.CORRUPT


def _unseeded(log: Stored) -> Stored | None:
    if not log.header["isSeeded"]:
        return None
    return Stored({**log.header, "isSeeded": False}, 0, log.events)


def _seeded(log: Stored) -> Stored | None:
    if log.header["isSeeded"]:
        return None
    return Stored({**log.header, "isSeeded": True}, log.inherited, log.events)


def _cut_elsewhere(log: Stored) -> Stored | None:
    if not log.header["isSeeded"]:
        return None
    return Stored(log.header, log.inherited + 1, log.events)


#: The mutations by the name of their breach.
MUTATIONS: Mapping[str, Mutation] = MappingProxyType(
    {breach.name: Mutation(breach) for breach in BREACHES}
)

#: The ways in which a whole log does not fit its header.
MISFITS: tuple[Misfit, ...] = (
    Misfit("CUT-V2PLUS", "seeded log under an unseeded header", _unseeded),
    Misfit("CUT-V2PLUS", "unseeded log under a seeded header", _seeded),
    Misfit("CUT-EXACT", "count that is not the marker's seq", _cut_elsewhere),
)
