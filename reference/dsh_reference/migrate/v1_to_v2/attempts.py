"""Attempts: the chunks that a model streamed, and the message or nothing that came of them.

Chunks of one turn and step gather in the *pending* attempt.  It is settled by the message that
cites all of them, whose stream they become, or it is closed as an attempt of its own.  Until then
whatever else happens is held back, because a closed attempt stands before it.

- A further chunk lets out what was held back, and joins; a chunk elsewhere, or after the stream
  had finished, closes the attempt and begins another.
- The message of its turn and step settles it, or refuses the log if it cites other chunks.
- The end of the step or turn, a retry, and the end of the log close it.

A message is not compared with its stream (MIG12-CONTENT-NOT-COMPARED).
"""

from collections.abc import Sequence

from attrs import define, field

from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.v1_to_v2.chunks import Chunk, Place, place_of
from dsh_reference.migrate.v1_to_v2.emission import Emission, addition, image
from dsh_reference.migrate.v1_to_v2.streams import Stream
from dsh_reference.refusal import Refusal
from dsh_reference.values import equal
from dsh_spec.values import Json, JsonObject


@define(kw_only=True)
class _Pending:
    """The chunks of an attempt that is neither settled nor closed."""

    #: The turn and step.
    place: Place
    #: The seqs of its chunks in v1.
    seqs: list[int] = field(factory=list)
    #: What was streamed.
    stream: Stream = field(factory=Stream)
    #: Whether the stream has finished.
    is_finished: bool = False


@define(kw_only=True)
class Attempts:
    """The pending attempt of a log, and what is held back behind it."""

    #: The seq in v1 of the first event that is not inherited.
    cut: int
    _pending: _Pending | None = None
    _held: list[Emission] = field(factory=list)

    def hold(self, emission: Emission) -> list[Emission]:
        """Let an event out, or hold it back while an attempt is pending (MIG12-BUFFER)."""
        if self._pending is None:
            return [emission]
        self._held.append(emission)
        return []

    def stream(self, chunk: Chunk) -> list[Emission] | Refusal:
        """Take the next chunk.

        Source: MIG12-ATTEMPT-START, MIG12-ATTEMPT-EXTEND, MIG12-ATTEMPT-SPLIT, MIG12-CUT-SPLIT.
        """
        pending = self._pending
        if pending is None or pending.is_finished or pending.place != chunk.place:
            out = self.close()
            pending = self._pending = _Pending(place=chunk.place)
        elif self._is_cut(pending, chunk.seq):
            return self._split(chunk.seq)
        else:
            out = self._let_out()
        pending.seqs.append(chunk.seq)
        pending.stream.push(chunk.time, chunk.content)
        pending.is_finished = chunk.content["type"] == "finish"
        return out

    def settle(self, event: JsonObject, seq: int, data: JsonObject) -> list[Emission] | Refusal:
        """Take an assistant message, whose stream the pending attempt becomes if it is cited.

        Source: MIG12-SETTLE, MIG12-SETTLE-REFUSE, MIG12-SETTLE-EMPTY, MIG12-SETTLE-OTHER-STEP,
        MIG12-CUT-SPLIT (facts: migration §2.3).
        """
        pending, cited = self._pending, event.get("sourceEventSeqs")
        if pending is not None and pending.place != place_of(data):
            return [*self.close(), _message(event, seq, data, [])]
        if pending is not None and "sourceEventSeqs" not in event:
            return unsupported(seq, "MIG12-SETTLE-REFUSE", "it cites no chunk of its attempt")
        if not cited:
            return [*self.close(), _message(event, seq, data, [])]
        if pending is None or not equal(cited, pending.seqs):
            problem = "it cites other chunks than those of its attempt, all in order"
            return unsupported(seq, "MIG12-SETTLE-REFUSE", problem)
        if self._is_cut(pending, seq):
            return self._split(seq)
        self._pending = None
        return [*self._let_out(), _message(event, seq, data, pending.stream.records)]

    def close(self) -> list[Emission]:
        """Let the pending attempt out, unsettled, and what was held back behind it.

        Source: MIG12-ATTEMPT-CLOSE, MIG12-UNCLAIMED (facts: migration §2.3).
        """
        pending, self._pending = self._pending, None
        if pending is None:
            return []
        turn, step = pending.place
        data = {"turn": turn, "step": step, "stream": pending.stream.records}
        last, time = pending.seqs[-1], pending.stream.time
        event: JsonObject = {"type": "assistant/attempt", "seq": last, "time": time, "data": data}
        return [addition(event, last), *self._let_out()]

    def _let_out(self) -> list[Emission]:
        held, self._held = self._held, []
        return held

    def _is_cut(self, pending: _Pending, seq: int) -> bool:
        return pending.seqs[0] < self.cut <= seq

    def _split(self, seq: int) -> Refusal:
        problem = f"the inherited prefix of {self.cut} events ends within one attempt"
        return unsupported(seq, "MIG12-CUT-SPLIT", problem)


def _message(event: JsonObject, seq: int, data: JsonObject, stream: Sequence[Json]) -> Emission:
    kept = {key: value for key, value in event.items() if key != "sourceEventSeqs"}
    return image({**kept, "data": {**data, "stream": stream}}, seq)
