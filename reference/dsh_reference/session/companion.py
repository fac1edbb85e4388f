"""The companion: holds a log to the order of turns, steps and calls, event by event.

It is stricter than a session, which takes events in any order, and looser than admission: a step
may end while a call in it is unanswered.  It goes by one trace: the open turn and step, the numbers
that come next, and the calls that have started and have no result.

Source: facts, surface §6.
"""

from collections.abc import Sequence

from attrs import evolve, frozen

from dsh_reference.refusal import Refusal
from dsh_reference.session.refuse import refuse_event
from dsh_spec.catalogue import Format
from dsh_spec.texts import NOT_STARTED
from dsh_spec.values import Json, JsonObject

#: The types that name the open turn and step, beside calls and results.
_IN_STEP = frozenset(
    {
        "assistant/message",
        "assistant/chunk",
        "assistant/attempt",
        "system/message",
        "developer/message",
    }
)
#: The types that stand in a turn.
_IN_TURN = frozenset({"request/header", "request/context"})


@frozen(kw_only=True)
class Trace:
    """Where a log stands."""

    #: The open turn.
    turn: Json = None
    #: The open step.
    step: Json = None
    #: The number of the next turn.
    next_turn: int = 1
    #: The number of the next step.
    next_step: int = 1
    #: The ids of the started calls without a result.
    calls: frozenset[str] = frozenset()


def watch(events: Sequence[JsonObject], *, format: Format) -> Trace | Refusal:  # noqa: A002 - the word of the specification
    """Return where a log stands, or the first event that is out of order.

    The refusal's kind is ``invalid-event``; its rule is that of admission which says the same.
    """
    trace = Trace()
    for event in events:
        found = _after(trace, event, format)
        if isinstance(found, Refusal):
            return found
        trace = found
    return trace


def _after(trace: Trace, event: JsonObject, format: Format) -> Trace | Refusal:  # noqa: A002 - the word of the specification
    kind, data = event["type"], event["data"]
    if kind == "tool/result":
        return _after_result(trace, event, format)
    if kind in _IN_TURN and trace.turn is None:
        return _refuse(event, "REL-IN-TURN", "no turn is open")
    match data:
        case {"turn": turn, "step": step} if kind in _IN_STEP or kind == "tool/call":
            if trace.step is None or (turn, step) != (trace.turn, trace.step):
                return _refuse(event, "REL-IN-STEP", "it names another step than the open one")
    match event:
        case {"type": "tool/call", "data": {"callId": str(call)}}:
            return evolve(trace, calls=trace.calls | {call})
    return _after_boundary(trace, event)


def _after_boundary(trace: Trace, event: JsonObject) -> Trace | Refusal:
    match event:
        case {"type": "turn/start", "data": {"turn": turn}}:
            if trace.turn is not None or turn != trace.next_turn:
                return _refuse(event, "REL-TURN", "a turn begins out of order")
            return evolve(trace, turn=turn, next_step=1)
        case {"type": "turn/end", "data": {"turn": turn}}:
            if trace.turn is None or turn != trace.turn or trace.step is not None:
                return _refuse(event, "REL-TURN", "a turn ends out of order")
            return evolve(trace, turn=None, next_turn=trace.next_turn + 1)
        case {"type": "step/start", "data": {"turn": turn, "step": step}}:
            is_next = trace.step is None and (turn, step) == (trace.turn, trace.next_step)
            if trace.turn is None or not is_next:
                return _refuse(event, "REL-STEP", "a step begins out of order")
            return evolve(trace, step=step)
        case {"type": "step/end", "data": {"turn": turn, "step": step}}:
            if trace.step is None or (turn, step) != (trace.turn, trace.step):
                return _refuse(event, "REL-STEP", "a step ends out of order")
            return evolve(trace, step=None, next_step=trace.next_step + 1, calls=frozenset())
    return trace


def _after_result(trace: Trace, event: JsonObject, format: Format) -> Trace | Refusal:  # noqa: A002 - the word of the specification
    if event.get("surfaceOp") != "append":
        if trace.turn is None:
            return _refuse(event, "REL-IN-TURN", "no turn is open")
        return trace
    match event["data"]:
        case {"turn": turn, "step": step, "message": {"source": {"callId": str(call)}}}:
            if trace.step is None or (turn, step) != (trace.turn, trace.step):
                return _refuse(event, "REL-IN-STEP", "it names another step than the open one")
            if call not in trace.calls and not _is_unstarted(event["data"], format):
                return _refuse(event, "REL-TOOL-RESULT", "it answers no call that has started")
            return evolve(trace, calls=trace.calls - {call})
    return _refuse(event, "REL-TOOL-RESULT", "it answers no call")


def _is_unstarted(data: Json, format: Format) -> bool:  # noqa: A002 - the word of the specification
    match data:
        case {"error": {"code": NOT_STARTED.code}, "message": {"isError": True}} if format == 4:
            return True
        case {
            "error": {"code": NOT_STARTED.code},
            "message": {"content": [{"isError": True}, *_]},
        } if format < 4:
            return True
    return False


def _refuse(event: JsonObject, rule: str, problem: str) -> Refusal:
    seq = event["seq"]
    assert isinstance(seq, int)
    return refuse_event(seq, rule, problem)
