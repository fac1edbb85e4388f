"""What a beat is: one small thing that a session does."""

from collections.abc import Callable

from attrs import frozen

from dsh_conformance.generate.state import State
from dsh_conformance.generate.tape import Tape
from dsh_conformance.generate.writer import Writer


@frozen(eq=False)
class Beat:
    """One small thing that a session can do next, written as one to a few events."""

    #: What it is, for people and for the coverage test.
    name: str
    #: How often it comes first among the beats, relative to the others.
    weight: int
    #: Whether it continues the log validly in a state.
    possible: Callable[[State], bool]
    #: Writes its events; every choice comes from the tape, and zeros are the simplest.
    write: Callable[[Writer, Tape], None]


def always(_state: State) -> bool:
    """Say that a beat is possible anywhere."""
    return True
