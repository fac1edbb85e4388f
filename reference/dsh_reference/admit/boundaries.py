"""Turns and steps: how they nest, how they are numbered, and what stands within them."""

from dsh_reference.admit.log import Broken, Entry, Log, broken
from dsh_spec.events import (
    AssistantAttempt,
    AssistantMessage,
    DeveloperMessage,
    Event,
    Replace,
    RequestContext,
    RequestHeader,
    StepEnd,
    StepStart,
    SystemMessage,
    ToolCall,
    ToolPtcDispatch,
    ToolPtcDispatchStart,
    ToolResult,
    TurnEnd,
    TurnStart,
)


def check_boundaries(log: Log) -> Broken | None:
    """Hold every event to the turn and the step that it names or needs.

    A log may end with both open.

    Source: REL-TURN, REL-STEP, REL-IN-STEP, REL-IN-TURN, INV-OPEN-TAIL-OK (facts: events §9).
    """
    for entry in log.entries:
        wrong = _check_turn(entry) or _check_step(entry) or _check_place(entry)
        if wrong is not None:
            return wrong
    return None


def _check_turn(entry: Entry) -> Broken | None:
    event, place = entry.event, entry.place
    match event.data:
        case TurnStart(turn=turn):
            if place.turn is not None:
                return broken(event, "REL-TURN", f"turn {place.turn} is still open")
            if turn != place.last_turn + 1:
                return broken(event, "REL-TURN", f"turn {turn} follows turn {place.last_turn}")
        case TurnEnd(turn=turn):
            if turn != place.turn:
                return broken(event, "REL-TURN", f"turn {turn} is not open")
            if place.step is not None:
                return broken(event, "REL-TURN", f"step {place.step} is still open")
    return None


def _check_step(entry: Entry) -> Broken | None:
    event, place = entry.event, entry.place
    match event.data:
        case StepStart(turn=turn, step=step):
            if turn != place.turn or place.step is not None:
                return broken(event, "REL-STEP", f"turn {turn} is not open, or a step of it is")
            if step != place.last_step + 1:
                return broken(event, "REL-STEP", f"step {step} follows step {place.last_step}")
        case StepEnd(turn=turn, step=step):
            if (turn, step) != (place.turn, place.step):
                return broken(event, "REL-STEP", f"step {step} of turn {turn} is not open")
    return None


def _check_place(entry: Entry) -> Broken | None:
    event, place = entry.event, entry.place
    named = _named_step(event)
    if named is not None and named != (place.turn, place.step):
        return broken(event, "REL-IN-STEP", f"step {named[1]} of turn {named[0]} is not open")
    if _needs_turn(event) and place.turn is None:
        return broken(event, "REL-IN-TURN", "no turn is open")
    return None


def _named_step(event: Event) -> tuple[int, int] | None:
    """Return the turn and step within which an event stands; a replacement need not."""
    match event.data:
        case ToolResult() if isinstance(event.surface_op, Replace):
            return None
        case (
            AssistantAttempt(turn=turn, step=step)
            | AssistantMessage(turn=turn, step=step)
            | ToolCall(turn=turn, step=step)
            | ToolResult(turn=turn, step=step)
            | SystemMessage(turn=turn, step=step)
            | DeveloperMessage(turn=turn, step=step)
        ):
            return turn, step
        case _:
            return None


def _needs_turn(event: Event) -> bool:
    match event.data:
        case RequestHeader() | RequestContext() | ToolPtcDispatchStart() | ToolPtcDispatch():
            return True
        case ToolResult():
            return isinstance(event.surface_op, Replace)
        case _:
            return False
