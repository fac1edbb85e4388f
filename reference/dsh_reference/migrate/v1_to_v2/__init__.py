"""The edge v1 to v2: chunks vanish into the streams of attempts and messages.

A v1 log has an event for each piece that a model streamed.  In v2 the pieces are the stream of the
message that they became, or of an attempt that became none.  All later events move up, and what
refers to them moves along; what refers to a chunk has no conversion.

- ``chunks`` and ``streams`` say what may be streamed and how it is recorded;
- ``attempts`` finds out which chunks belong together and what became of them;
- ``restart`` and ``goals`` put in what v1 said only between the lines;
- ``target`` numbers what the others emit, and marks the cut.

Nothing is asked of the relations between events: that is judged once, at the end of the chain.

A surface event without `surfaceOp` passes (MIG12-SURFACEOP-NOT-REQUIRED), and a delivery is not
rewritten (MIG12-DELIVERY).
"""

from collections.abc import Sequence
from typing import Final

from attrs import define, field

from dsh_reference.migrate.prefix import check_prefix
from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.v1_to_v2.attempts import Attempts
from dsh_reference.migrate.v1_to_v2.chunks import read_chunk
from dsh_reference.migrate.v1_to_v2.emission import Emission, image
from dsh_reference.migrate.v1_to_v2.goals import split_goal
from dsh_reference.migrate.v1_to_v2.restart import Turns
from dsh_reference.migrate.v1_to_v2.target import Target
from dsh_reference.payload import check_payload
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.events import event_types
from dsh_spec.values import Json, JsonObject, is_object

_CLOSING: Final = frozenset({"step/end", "turn/end", "llm/retry", "llm/retry-started"})
_TYPES: Final = frozenset(event_types(1))


def v1_to_v2(log: SessionLog, *, decoded: bool) -> SessionLog | Refusal:
    """Return a v1 log as v2 has it.

    *decoded* says that v1 is how it was stored.  Its payloads are judged then; those that come
    from v0 were judged there (MIG-SOURCE-KIND, MIG12-PAYLOAD).

    The refusal's kind is ``unsupported-migration``, and ``corrupt`` for a cut beyond the log.

    Source: MIG12-HDR, MIG12-CLOSED, MIG12-CUT-COUNT, MIG12-TIME, and the rules of the modules.
    """
    refusal = check_prefix(log)
    if refusal is not None:
        return refusal
    edge = _Edge(log=log, decoded=decoded, attempts=Attempts(cut=log.inherited))
    target = Target(source=log)
    for seq, event in enumerate(log.events):
        refusal = _add(target, edge.push(seq, event))
        if refusal is not None:
            return refusal
    refusal = _add(target, edge.attempts.close())
    if refusal is not None:
        return refusal
    target.mark(log.events[-1].get("time") if log.events else log.header["createdAt"])
    header = {**log.header, "version": 2}
    return SessionLog(header=header, inherited=target.marker or 0, events=tuple(target.events))


def _add(target: Target, emissions: Sequence[Emission] | Refusal) -> Refusal | None:
    if isinstance(emissions, Refusal):
        return emissions
    for emission in emissions:
        refusal = target.add(emission)
        if refusal is not None:
            return refusal
    return None


@define(kw_only=True)
class _Edge:
    """One run over a log."""

    log: SessionLog
    decoded: bool
    attempts: Attempts
    turns: Turns = field(factory=Turns)

    def push(self, seq: int, event: JsonObject) -> Sequence[Emission] | Refusal:
        """Take the next event, and return what can be emitted by now."""
        refusal = self._check(seq, event)
        if refusal is not None:
            return refusal
        missing = self.turns.see(event, seq)
        if isinstance(missing, Refusal):
            return missing
        if event["type"] == "assistant/chunk":
            chunk = read_chunk(event, seq)
            return chunk if isinstance(chunk, Refusal) else self.attempts.stream(chunk)
        if event["type"] in _CLOSING or missing:
            return [*self.attempts.close(), *missing, image(event, seq)]
        return self._pass(seq, event)

    def _pass(self, seq: int, event: JsonObject) -> Sequence[Emission] | Refusal:
        data = event.get("data")
        if event["type"] == "assistant/message" and is_object(data):
            return self.attempts.settle(event, seq, data)
        parted = split_goal(event, seq)
        return self.attempts.hold(image(event, seq)) if parted is None else parted

    def _check(self, seq: int, event: JsonObject) -> Refusal | None:
        type_: Json = event.get("type")
        if not isinstance(type_, str) or type_ not in _TYPES:
            return unsupported(seq, "MIG12-CLOSED", "its type is none of v1")
        if not self.decoded or type_ == "assistant/chunk":
            return None
        return check_payload(event, format=1, header=self.log.header, inherited=self.log.inherited)
