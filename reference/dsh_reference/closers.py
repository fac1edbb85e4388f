"""Closers of a log of any format, as plain JSON.

`dsh_reference.repair` says what closers are, for the newest format and its classes.
The formats before v4 differ in three points:

- a result answers a call by the call's id alone, whatever turn, step or surface operation it names
  (REPAIR-MATCH-BY-ID);
- every closer names the open turn, not the turn that the calling message named;
- a result is a message of the user that wraps one ``tool-result`` block.

Forks close nothing before v4, so there the cause is always an interruption.

Until v3 a closing result is spelled as those formats spell results (CLOSE-RESULT-V0V3).
Closers close: with them a log has none (REPAIR-IDEMPOTENT), is accepted, and shows the old messages
and the closing results (REPAIR-ADMISSIBLE).
"""

from collections.abc import Mapping, Sequence
from itertools import count

from attrs import evolve, frozen

from dsh_reference.repair import closers
from dsh_spec.catalogue import Format
from dsh_spec.events import structure_event, unstructure_event
from dsh_spec.texts import NOT_STARTED, OUTCOME_UNKNOWN, Cause, closer_text
from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class _Call:
    """A call that the model asked for and that has no result yet."""

    #: The step that the asking message named.
    step: Json
    #: The seq of the ``tool/call`` that started it, if one did.
    started: Json = None


@frozen(kw_only=True)
class _Tail:
    """What is open at the end of a log; nothing where neither is."""

    turn: Json = None
    step: Json = None
    #: The calls without a result by their id, in the order in which the ids first came up.
    calls: Mapping[str, _Call]


def closers_of(
    events: Sequence[JsonObject],
    *,
    format: Format,  # noqa: A002 - the word of the specification
    cause: Cause = "interrupted",
) -> tuple[JsonObject, ...]:
    """Return the events that close the open turn of a log; none if no turn is open.

    Only from v4 on there is another *cause* than an interruption.

    Like the scan of `closers` it judges nothing: numbers and ids are taken as they stand.

    Source: REPAIR-EMPTY, REPAIR-MATCH-BY-ID, CLOSE-ORDER, CLOSE-BASE (facts: surface §3.2, §3.3).
    """
    if format == 4:
        typed = [structure_event(event) for event in _last_turn(events)]
        return tuple(unstructure_event(closer) for closer in closers(typed, cause))
    tail = _tail(events)
    if tail.turn is None:
        return ()
    last = events[-1]
    assert isinstance(last["seq"], int)
    base = {"time": last["time"]}
    seqs = count(last["seq"] + 1)
    closing = [
        {**base, **_result(tail, call_id, call, next(seqs))} for call_id, call in tail.calls.items()
    ]
    if tail.step is not None:
        end: JsonObject = {"turn": tail.turn, "step": tail.step}
        closing.append({**base, "type": "step/end", "seq": next(seqs), "data": end})
    reason: JsonObject = {"turn": tail.turn, "reason": {"kind": "interrupted"}}
    closing.append({**base, "type": "turn/end", "seq": next(seqs), "data": reason})
    return tuple(closing)


def _last_turn(events: Sequence[JsonObject]) -> Sequence[JsonObject]:
    """Return the events from the last boundary of a turn on: what is before it does not count."""
    at = len(events)
    while at > 0:
        at -= 1
        if events[at]["type"] in ("turn/start", "turn/end"):
            break
    return events[at:]


def _tail(events: Sequence[JsonObject]) -> _Tail:
    """Return what a log leaves open."""
    tail = _Tail(calls={})
    for event in events:
        tail = _after(tail, event)
    return tail


def _after(tail: _Tail, event: JsonObject) -> _Tail:
    """Return what is open after one more event."""
    match event:
        case {"type": "turn/start", "data": {"turn": turn}}:
            return _Tail(turn=turn, calls={})
        case {"type": "turn/end"}:
            return _Tail(calls={})
        case {"type": "step/start", "data": {"step": step}}:
            return evolve(tail, step=step)
        case {"type": "step/end"}:
            return evolve(tail, step=None, calls={})
        case {"type": "assistant/message", "data": {"step": step, "message": Mapping() as said}}:
            asked = {call_id: _Call(step=step) for call_id in _asked(said.get("content"))}
            return evolve(tail, calls={**tail.calls, **asked})
        case {"type": "tool/call", "data": {"callId": str(called)}} if called in tail.calls:
            started = evolve(tail.calls[called], started=event["seq"])
            return evolve(tail, calls={**tail.calls, called: started})
        case {"type": "tool/result", "data": {"message": {"source": {"callId": answered}}}}:
            left = {key: call for key, call in tail.calls.items() if key != answered}
            return evolve(tail, calls=left)
        case _:
            return tail


def _asked(content: Json) -> list[str]:
    """Return the ids of the calls in a message's content (REPAIR-ADVERTISED)."""
    blocks = content if isinstance(content, list | tuple) else ()
    return [
        str(block["id"])
        for block in blocks
        if isinstance(block, Mapping) and block.get("type") == "tool-call"
    ]


def _result(tail: _Tail, call_id: str, call: _Call, seq: int) -> JsonObject:
    """Return the result that stands in for the one which a call never got."""
    is_started = call.started is not None
    error = OUTCOME_UNKNOWN if is_started else NOT_STARTED
    text = closer_text("interrupted", started=is_started)
    block: JsonObject = {
        "type": "tool-result",
        "toolCallId": call_id,
        "isError": True,
        "content": [{"type": "text", "text": text}],
    }
    message: JsonObject = {
        "id": f"interrupted-tool-result-{call_id}-{seq}",
        "role": "user",
        "source": {"kind": "tool", "callId": call_id},
        "content": [block],
    }
    data: JsonObject = {
        "turn": tail.turn,
        "step": call.step,
        "message": message,
        "error": {"name": error.name, "code": error.code},
    }
    sources: JsonObject = {"sourceEventSeqs": [call.started]} if is_started else {}
    return {"type": "tool/result", "seq": seq, "data": data, "surfaceOp": "append", **sources}
