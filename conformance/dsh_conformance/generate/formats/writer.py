"""A log of an older format under the pen.

Beats write in the terms of format v4 and the state follows those; what is kept is what they come to
in the log's own format, and now and then in the words of format v0's early days.
"""

from collections.abc import Sequence
from typing import Any

from attrs import evolve

from dsh_conformance.generate.formats.legacy import aged
from dsh_conformance.generate.formats.spelling import spelled
from dsh_conformance.generate.formats.state import PastState, follow_past
from dsh_conformance.generate.formats.voices import VOICES
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.tape import Tape
from dsh_conformance.generate.writer import Writer


class PastWriter(Writer):
    """Appends raw events of an older format and keeps the states before and after each of them."""

    state: PastState

    def __init__(self, state: PastState, events: Sequence[Raw] = ()) -> None:
        """Go on in *state* after *events*."""
        super().__init__(state)
        self.voice = VOICES[state.format]
        self.events = list(events)
        #: The state before each event that was written here.
        self.states: list[PastState] = []
        #: What settles the spelling of the next events; at its end it is the modern one.
        self.whims = Tape(b"")

    def emit(self, kind: str, data: Any, **envelope: Any) -> int:
        """Append an event that format v4 would spell so, and return its seq."""
        seq, time = self.state.seq, self.state.time + self.pace
        event: Raw = {"type": kind, "seq": seq, "time": time, "data": data, **envelope}
        event, antiquate = aged(event, self.state, self.whims)
        self.states.append(self.state)
        self.state = follow_past(self.state, event)
        self.events.append(antiquate(spelled(event, self.state.format)))
        return seq

    def know(self, **members: Any) -> None:
        """Note in the state what the last event does not tell."""
        self.state = evolve(self.state, **members)
