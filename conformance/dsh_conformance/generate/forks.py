"""Seeds: what a fork copies, the mark of the cut, and the closers of what it cut open.

Source: facts surface-repair-fork §4.2 (format v4), EX14 and EX15; rules CUT-FORK, CUT-V2PLUS.
"""

from collections.abc import Sequence

from dsh_conformance.generate.closing import close_turn
from dsh_conformance.generate.following import state_of
from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.writer import Writer


def fork(events: Sequence[Raw], count: int, *, time: int = 0) -> tuple[State, list[Raw]]:
    """Fork the first *count* events of a valid log: the child's state and its whole seed.

    The seed is those events as they are, the inherited marker, and a closer for each thing that the
    cut left open.  *count* is the child's `inheritedEventCount`; *time* (ms) is the marker's time
    when nothing is copied.
    """
    copied = list(events[:count])
    writer = Writer(state_of(copied) if copied else State(time=time))
    writer.emit("session/end-seed", {"inherited": True})
    close_turn(writer, "forked")
    return writer.state, [*copied, *writer.events]
