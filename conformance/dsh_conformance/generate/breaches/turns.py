"""Breaches of the order of turns and steps, and of who stands inside them."""

from dsh_conformance.generate.breaches.breach import (
    Breach,
    assistant,
    developer,
    event,
    here,
    result,
    surface,
    system,
)
from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.voice import text

_DONE = {"kind": "completed"}
_EPOCH = {"header": {"config": {"provider": "p", "model": "m"}}, "reason": "initial"}


def _idle(state: State) -> bool:
    return not state.turn_open and state.bracket is None


def _between(state: State) -> bool:
    return state.turn_open and not state.step_open and state.bracket is None


def _after_step(state: State) -> bool:
    return _between(state) and state.step > 0


def _turn_skips(state: State) -> Raw | None:
    return event(state, "turn/start", {"turn": state.turn + 2}) if _idle(state) else None


def _turn_in_words(state: State) -> Raw | None:
    return event(state, "turn/start", {"turn": str(state.turn + 1)}) if _idle(state) else None


def _turn_repeats(state: State) -> Raw | None:
    ready = _idle(state) and state.turn
    return event(state, "turn/start", {"turn": state.turn}) if ready else None


def _turn_inside(state: State) -> Raw | None:
    if not _between(state):
        return None
    return event(state, "turn/start", {"turn": state.turn + 1})


def _turn_unopened(state: State) -> Raw | None:
    data = {"turn": state.turn, "reason": _DONE}
    return event(state, "turn/end", data) if _idle(state) else None


def _turn_other(state: State) -> Raw | None:
    data = {"turn": state.turn + 1, "reason": _DONE}
    return event(state, "turn/end", data) if _between(state) else None


def _turn_over_step(state: State) -> Raw | None:
    ready = state.step_open and not state.calls and state.bracket is None
    return event(state, "turn/end", {"turn": state.turn, "reason": _DONE}) if ready else None


def _step_outside(state: State) -> Raw | None:
    return event(state, "step/start", {"turn": state.turn, "step": 1}) if _idle(state) else None


def _step_inside(state: State) -> Raw | None:
    ready = state.step_open and not state.calls
    return (
        event(state, "step/start", {"turn": state.turn, "step": state.step + 1}) if ready else None
    )


def _step_skips(state: State) -> Raw | None:
    ready = _between(state)
    return (
        event(state, "step/start", {"turn": state.turn, "step": state.step + 2}) if ready else None
    )


def _step_of_other_turn(state: State) -> Raw | None:
    data = {"turn": state.turn + 1, "step": state.step + 1}
    return event(state, "step/start", data) if _between(state) else None


def _step_unopened(state: State) -> Raw | None:
    return event(state, "step/end", here(state)) if _between(state) else None


def _step_other(state: State) -> Raw | None:
    ready = state.step_open and not state.calls
    return event(state, "step/end", {"turn": state.turn, "step": state.step + 1}) if ready else None


def _step_over_call(state: State) -> Raw | None:
    return event(state, "step/end", here(state)) if state.calls else None


def _assistant_outside(state: State) -> Raw | None:
    return surface(state, "assistant/message", assistant(state)) if _between(state) else None


def _attempt_outside(state: State) -> Raw | None:
    ready = _between(state)
    return event(state, "assistant/attempt", here(state, stream=[])) if ready else None


def _assistant_other_step(state: State) -> Raw | None:
    data = {**assistant(state), "step": state.step + 1}
    ready = state.step_open and not state.calls
    return surface(state, "assistant/message", data) if ready else None


def _system_outside(state: State) -> Raw | None:
    ready = _after_step(state) and (state.head is not None or not state.nodes)
    return surface(state, "system/message", system(state)) if ready else None


def _developer_outside(state: State) -> Raw | None:
    data = developer(state, text("a"))
    return surface(state, "developer/message", data) if _after_step(state) else None


def _call_other_step(state: State) -> Raw | None:
    if not state.unstarted:
        return None
    call = state.unstarted[0]
    data = {"callId": call.id, "name": call.name, "arguments": call.arguments}
    return event(state, "tool/call", {"turn": state.turn, "step": state.step + 1, **data})


def _result_other_step(state: State) -> Raw | None:
    if not state.running:
        return None
    data = {**result(state, state.running[0].id), "step": state.step + 1}
    return surface(state, "tool/result", data)


def _header_outside(state: State) -> Raw | None:
    return event(state, "request/header", _EPOCH) if not state.turn_open else None


def _context_outside(state: State) -> Raw | None:
    data = {"provider": "p", "model": "m"}
    return event(state, "request/context", data) if not state.turn_open else None


def _dispatch_outside(state: State) -> Raw | None:
    data = {"rootCallId": "c1", "parentCallId": "c1", "subCallId": f"c1:ptc:{state.seq}"}
    started = {**data, "name": "read", "arguments": {}}
    return event(state, "tool/ptc-dispatch-start", started) if not state.turn_open else None


BREACHES = (
    Breach("REL-TURN", "turn number skips", _turn_skips),
    Breach("PL-TURN-START", "turn number is text", _turn_in_words),
    Breach("REL-TURN", "turn number repeats", _turn_repeats),
    Breach("REL-TURN", "turn starts inside a turn", _turn_inside),
    Breach("REL-TURN", "turn ends that never started", _turn_unopened),
    Breach("REL-TURN", "turn end names another turn", _turn_other),
    Breach("REL-TURN", "turn ends over an open step", _turn_over_step),
    Breach("REL-STEP", "step starts outside a turn", _step_outside),
    Breach("REL-STEP", "step starts inside a step", _step_inside),
    Breach("REL-STEP", "step number skips", _step_skips),
    Breach("REL-STEP", "step names another turn", _step_of_other_turn),
    Breach("REL-STEP", "step ends that never started", _step_unopened),
    Breach("REL-STEP", "step end names another step", _step_other),
    Breach("REL-TOOL-CLOSED", "step ends over an open call", _step_over_call),
    Breach("REL-IN-STEP", "assistant message outside a step", _assistant_outside),
    Breach("REL-IN-STEP", "attempt outside a step", _attempt_outside),
    Breach("REL-IN-STEP", "assistant message names another step", _assistant_other_step),
    Breach("REL-IN-STEP", "system message outside a step", _system_outside),
    Breach("REL-IN-STEP", "developer message outside a step", _developer_outside),
    Breach("REL-IN-STEP", "call names another step", _call_other_step),
    Breach("REL-IN-STEP", "result names another step", _result_other_step),
    Breach("REL-IN-TURN", "request header outside a turn", _header_outside),
    Breach("REL-IN-TURN", "request context outside a turn", _context_outside),
    Breach("REL-IN-TURN", "sub-call outside a turn", _dispatch_outside),
)
