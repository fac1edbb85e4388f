"""Closers: the events that bring an interrupted turn to an end.

A process that dies leaves its log as it is, perhaps with an open turn, an open step in it, and
calls of the model without a result; a provider refuses such a history for ever.  The closers are
what a resuming reader appends: a result for each call without one, in the order in which the model
asked, then the end of the step, then the end of the turn.

They are a function of the log alone.  Their seqs go on from its last event and their time is that
event's time, never the present; so everyone computes the same ones, and a repaired log needs none.

A turn is closed for one of two causes.  Its log was *interrupted*; or it is the prefix of a fork
(*forked*), whose parent may well have gone on.  The cause shows in ids, texts and the reason of the
turn's end.

Only the tail counts: each boundary of a turn forgets all before it, and the end of a step forgets
the calls of the step.  The scan judges nothing; it takes numbers and ids as they stand in the log.
"""

from collections.abc import Mapping, Sequence
from itertools import count

from attrs import evolve, frozen

from dsh_spec.events import (
    Append,
    AssistantMessage,
    Event,
    Message,
    Source,
    StepEnd,
    StepStart,
    TextBlock,
    ToolCall,
    ToolCallBlock,
    ToolResult,
    TurnEnd,
    TurnEndReason,
    TurnStart,
)
from dsh_spec.texts import NOT_STARTED, OUTCOME_UNKNOWN, Cause, closer_text


@frozen(kw_only=True)
class _Call:
    """A call that the model asked for and that has no result yet."""

    turn: int
    step: int
    #: The seq of the ``tool/call`` that started it, if one did.
    started: int | None = None


@frozen(kw_only=True)
class _Tail:
    """What is open at the end of a log."""

    turn: int | None
    step: int | None
    #: The calls without a result by their id, in the order in which the ids first came up.
    calls: Mapping[str, _Call]


def closers(events: Sequence[Event], cause: Cause = "interrupted") -> tuple[Event, ...]:
    """Return the events that close the open turn of a log; none if no turn is open.

    Source: REPAIR-EMPTY, CLOSE-ORDER, CLOSE-BASE, CLOSE-REASON, REPAIR-LAST-ONLY,
    REPAIR-NO-BRACKETS, and the rules of the functions below (facts: surface §3.2, §3.3).
    """
    tail = _tail(events)
    if tail.turn is None:
        return ()
    last = events[-1]
    seqs = count(last.seq + 1)
    closing = [
        _result(call_id, call, cause, seq=next(seqs), time=last.time)
        for call_id, call in tail.calls.items()
    ]
    if tail.step is not None:
        end = StepEnd(turn=tail.turn, step=tail.step)
        closing.append(Event(type="step/end", seq=next(seqs), time=last.time, data=end))
    reason = TurnEndReason(kind=cause)
    turn_end = TurnEnd(turn=tail.turn, reason=reason)
    closing.append(Event(type="turn/end", seq=next(seqs), time=last.time, data=turn_end))
    return tuple(closing)


def _tail(events: Sequence[Event]) -> _Tail:
    """Return what a log leaves open (REPAIR-ADVERTISED, REPAIR-MATCH-EXACT)."""
    turn: int | None = None
    step: int | None = None
    calls: dict[str, _Call] = {}
    for event in events:
        match event.data:
            case TurnStart(turn=number):
                turn, step, calls = number, None, {}
            case TurnEnd():
                turn, step, calls = None, None, {}
            case StepStart(step=number):
                step = number
            case StepEnd():
                step, calls = None, {}
            case AssistantMessage() as said:
                calls.update(_asked(said))
            case ToolCall(call_id=call_id) if call_id in calls:
                calls[call_id] = evolve(calls[call_id], started=event.seq)
            case ToolResult() as result if isinstance(event.surface_op, Append):
                _answer(calls, result)
            case _:
                pass
    return _Tail(turn=turn, step=step, calls=calls)


def _asked(said: AssistantMessage) -> dict[str, _Call]:
    return {
        block.id: _Call(turn=said.turn, step=said.step)
        for block in said.message.content
        if isinstance(block, ToolCallBlock)
    }


def _answer(calls: dict[str, _Call], result: ToolResult) -> None:
    match result.message.source.fields:
        case {"callId": str(call_id)} if call_id in calls:
            call = calls[call_id]
            if (call.turn, call.step) == (result.turn, result.step):
                del calls[call_id]


def _result(call_id: str, call: _Call, cause: Cause, *, seq: int, time: int) -> Event:
    """Return the result that stands in for the one which a call never got.

    Source: CLOSE-RESULT, CLOSE-STARTED, CLOSE-NOT-STARTED, CLOSE-TEXT (facts: surface §3.3).
    """
    started = call.started is not None
    message = Message(
        id=f"{cause}-tool-result-{call_id}-{seq}",
        role="tool",
        tool_call_id=call_id,
        is_error=True,
        source=Source(kind="tool", fields={"callId": call_id}),
        content=(TextBlock(text=closer_text(cause, started=started)),),
    )
    return Event(
        type="tool/result",
        seq=seq,
        time=time,
        data=ToolResult(
            turn=call.turn,
            step=call.step,
            message=message,
            error=OUTCOME_UNKNOWN if started else NOT_STARTED,
        ),
        surface_op=Append(),
        source_event_seqs=None if call.started is None else (call.started,),
    )
