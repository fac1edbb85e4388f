"""Laws of repair.

Source: facts surface-repair-fork §3.2, §3.3, Q18 to Q24.
"""

from collections.abc import Iterator
from typing import Any

from dsh_conformance.exhaust.laws.claim import Claim
from dsh_conformance.exhaust.laws.surface import messages
from dsh_conformance.exhaust.ledger import Ledger
from dsh_conformance.exhaust.look import HEADER, Look
from dsh_conformance.generate.state import Raw
from dsh_spec.texts import NOT_STARTED, OUTCOME_UNKNOWN, Cause, closer_text


def closed(look: Look) -> Iterator[Claim]:
    """The closers are those of the open turn, step and calls of the ledger."""
    expected = {"events": [*closers(look.ledger, "interrupted")]}
    yield Claim("CLOSE-ORDER", expected, look.closers)


def closed_again(look: Look) -> Iterator[Claim]:
    """A closed log has no closers, shows results besides, and is accepted if it was before."""
    ledger, closing = look.ledger, look.closers.get("events")
    if not closing:
        return
    whole = (*ledger.events, *closing)
    again = look.answer("closers", whole, cause="interrupted")
    yield Claim("REPAIR-IDEMPOTENT", {"events": []}, again)
    results = [each["data"]["message"] for each in closing if each["type"] == "tool/result"]
    if results:
        expected = {"messages": [*messages(ledger), *results]}
        yield Claim("REPAIR-ADMISSIBLE", expected, look.answer("derive", whole))
    if ledger.orderly:
        yield Claim("REPAIR-ADMISSIBLE", {}, look.answer("admit", whole, header=HEADER))


def closers(ledger: Ledger, cause: Cause, *before: Raw) -> Iterator[Raw]:
    """Give the closers of what the ledger has open, behind more events."""
    if ledger.turn is None:
        return
    events = (*ledger.events, *before)
    envelope = {"time": events[-1]["time"]}
    seq = len(events)
    for name, call in ledger.calls.items():
        is_started = call.started is not None
        error = OUTCOME_UNKNOWN if is_started else NOT_STARTED
        text = closer_text(cause, started=is_started)
        message = {
            "id": f"{cause}-tool-result-{name}-{seq}",
            "role": "tool",
            "toolCallId": name,
            "isError": True,
            "source": {"kind": "tool", "callId": name},
            "content": [{"type": "text", "text": text}],
        }
        data: Any = {
            "turn": call.turn,
            "step": call.step,
            "message": message,
            "error": {"name": error.name, "code": error.code},
        }
        sources = {"sourceEventSeqs": [call.started]} if is_started else {}
        closer = {"type": "tool/result", "seq": seq, "data": data, "surfaceOp": "append"}
        yield {**closer, **envelope, **sources}
        seq += 1
    if ledger.step is not None:
        data = {"turn": ledger.turn, "step": ledger.step}
        yield {"type": "step/end", "seq": seq, "data": data, **envelope}
        seq += 1
    data = {"turn": ledger.turn, "reason": {"kind": cause}}
    yield {"type": "turn/end", "seq": seq, "data": data, **envelope}
