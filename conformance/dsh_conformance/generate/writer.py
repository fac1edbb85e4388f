"""A log under the pen: events are written one by one and the state follows them."""

from collections.abc import Sequence
from typing import Any

from dsh_conformance.generate.following import follow
from dsh_conformance.generate.state import Raw, State, message_of
from dsh_conformance.generate.tape import Tape
from dsh_conformance.generate.voice import V4, Voice


class Writer:
    """Appends raw events to a batch and keeps the state of the whole log."""

    #: What the log's format lets messages say.
    voice: Voice = V4

    def __init__(self, state: State) -> None:
        #: The state after everything that was written.
        self.state = state
        #: What was written, in order.
        self.events: list[Raw] = []
        #: How far the clock moves before each event, in ms; clocks do step backwards.
        self.pace = 0

    def emit(self, kind: str, data: Any, **envelope: Any) -> int:
        """Append an event of type *kind* and return its seq."""
        seq = self.state.seq
        time = self.state.time + self.pace
        event: Raw = {"type": kind, "seq": seq, "time": time, "data": data, **envelope}
        self.events.append(event)
        self.state = follow(self.state, event)
        return seq

    def append(self, kind: str, data: Raw, sources: Sequence[int] = ()) -> int:
        """Append a surface event that becomes the last node."""
        if sources:
            return self.emit(kind, data, surfaceOp="append", sourceEventSeqs=list(sources))
        return self.emit(kind, data, surfaceOp="append")

    def replace(
        self, kind: str, data: Raw, shadowed: Sequence[Raw], more: Sequence[int] = ()
    ) -> int:
        """Append a surface event in place of neighbouring nodes, citing them and *more*."""
        seqs = [node["seq"] for node in shadowed]
        operation = {"op": "replace", "startSeq": seqs[0], "endSeq": seqs[-1]}
        return self.emit(kind, data, surfaceOp=operation, sourceEventSeqs=[*more, *seqs])

    def here(self, **more: Any) -> Raw:
        """Return the coordinates of the open step, and *more*."""
        return {"turn": self.state.turn, "step": self.state.step, **more}

    def message(self, role: str, content: Sequence[Raw], source: Raw, **more: Any) -> Raw:
        """Return a message whose id tells its seq."""
        name = f"m{self.state.seq}"
        return {"id": name, "role": role, "content": list(content), "source": source, **more}

    def embellished(self, tape: Tape, members: Raw) -> Raw:
        """Add an undeclared member now and then, where the format keeps such members."""
        return self.voice.embellished(tape, members)


def images(event: Raw) -> list[int]:
    """Return the indexes of an event's images, counted over the images of its message."""
    blocks = message_of(event)["content"]
    return list(range(sum(1 for block in blocks if block["type"] == "image")))
