"""Inherited prefixes of older formats: what was copied, the mark of the cut, and what came after.

Formats v0 and v1 state the cut in the header, and a mark stands there as a rule; from v2 on the
mark is the cut.  Those formats' own forks closed what the cut had left open, or never cut there;
the chain takes open prefixes as well.

Sources: facts events §2.3 (CUT-*); migration §2.2 (MIG12-CUT-*) and §3.1 (MIG23-CUT).
"""

from attrs import evolve

from dsh_conformance.generate.closing import close_turn
from dsh_conformance.generate.formats.writer import PastWriter
from dsh_conformance.generate.tape import Tape


def cut_at(parent: PastWriter, tape: Tape) -> int:
    """Choose how many events of *parent* are inherited, now and then up to an unsettled attempt."""
    behind = [at for at, state in enumerate(parent.states) if state.stream is not None]
    if behind and tape.rarely(3):
        return tape.one_of(behind[:256])
    return tape.pick(min(len(parent.events), 255) + 1)


def inherit(parent: PastWriter, count: int, tape: Tape) -> PastWriter:
    """Return a child's log that begins with the first *count* events of *parent*.

    An attempt that the cut leaves unsettled stays so: nothing may join it across the cut.
    """
    state = [*parent.states, parent.state][count]
    if state.stream is not None:
        state = evolve(state, stream=evolve(state.stream, sealed=True))
    child = PastWriter(state, parent.events[:count])
    child.states = parent.states[:count]
    if state.format >= 2:
        child.emit("session/end-seed", {"inherited": True})
    elif tape.rarely(4):
        # the edge from v1 puts a mark there, and an open compaction dies at it all the same
        child.know(bracket=None)
    else:
        child.emit("session/end-seed", {})
    if not tape.rarely(3) and child.state.bracket is None:
        close_turn(child, "interrupted")
    child.know(cut=count)
    return child
