"""Shapes that open and close turns, steps and calls."""

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from dsh_conformance.exhaust.ledger import Call, Ledger, Move, appended, event, logged, replacing
from dsh_conformance.exhaust.shapes.messages import answered, said, text
from dsh_conformance.generate.state import Raw

#: The call that most shapes are about, and another.
CALL = "c1"
OTHER = "c2"
#: How many turns a log has at most, and how many steps a turn: more of them tell nothing new.
MOST = 2
_NAMED = {"name": "t", "arguments": "{}"}
_RESULT = "tool/result"


def turn_start(ledger: Ledger) -> Move | None:
    """The next turn, whether or not one is open; the second is the last."""
    turn = ledger.last_turn + 1
    if turn > MOST:
        return None
    made = event(ledger, "turn/start", {"turn": turn})
    fresh: dict[str, Any] = {"step": None, "last_step": 0, "calls": {}}
    orderly = ledger.turn is None
    return logged(ledger, made, orderly=orderly, turn=turn, last_turn=turn, **fresh)


def turn_end(ledger: Ledger) -> Move | None:
    """The end of the open turn."""
    if ledger.turn is None:
        return None
    made = event(ledger, "turn/end", {"turn": ledger.turn, "reason": {"kind": "completed"}})
    return logged(ledger, made, orderly=ledger.step is None, turn=None, step=None, calls={})


def step_start(ledger: Ledger) -> Move | None:
    """The next step of the open turn, whether or not a step is open; the second is the last."""
    step = ledger.last_step + 1
    if ledger.turn is None or step > MOST:
        return None
    made = event(ledger, "step/start", {"turn": ledger.turn, "step": step})
    return logged(ledger, made, orderly=ledger.step is None, step=step, last_step=step)


def step_end(ledger: Ledger) -> Move | None:
    """The end of the open step, whether or not its calls are answered."""
    if not ledger.in_step:
        return None
    made = event(ledger, "step/end", ledger.place)
    return logged(ledger, made, orderly=not ledger.calls, step=None, calls={})


def _naming(ledger: Ledger, *names: str) -> Move:
    blocks = [{"type": "tool-call", "id": name, **_NAMED} for name in names]
    made, message = answered(ledger, *blocks)
    fresh = {name: Call(turn=ledger.place["turn"], step=ledger.place["step"]) for name in names}
    calls: Mapping[str, Call] = {**ledger.calls, **fresh}
    orderly = ledger.in_step and ledger.calls.keys().isdisjoint(names)
    return appended(ledger, made, message, orderly=orderly, calls=calls)


def answer(ledger: Ledger) -> Move | None:
    """An answer that names a call."""
    return None if ledger.calls else _naming(ledger, CALL)


def second_answer(ledger: Ledger) -> Move | None:
    """An answer that names another call, and the open one once more."""
    return _naming(ledger, OTHER, CALL) if [*ledger.calls] == [CALL] else None


def call(ledger: Ledger) -> Move | None:
    """The start of the call."""
    waiting = ledger.calls.get(CALL)
    if waiting is None:
        return None
    made = event(ledger, "tool/call", {**ledger.place, "callId": CALL, **_NAMED})
    calls = {**ledger.calls, CALL: evolve(waiting, started=ledger.seq)}
    return logged(ledger, made, orderly=ledger.in_step and waiting.started is None, calls=calls)


def outcome(ledger: Ledger, place: Raw) -> tuple[Raw, Raw]:
    """Return a result of the call, and its message."""
    source = {"kind": "tool", "callId": CALL}
    message = {**said(ledger, "tool", source, text(ledger)), "toolCallId": CALL}
    return event(ledger, _RESULT, {**place, "message": message}), message


def result(ledger: Ledger) -> Move | None:
    """The result of the call."""
    waiting = ledger.calls.get(CALL)
    if waiting is None:
        return None
    made, message = outcome(ledger, {"turn": waiting.turn, "step": waiting.step})
    rest = {name: each for name, each in ledger.calls.items() if name != CALL}
    orderly = ledger.in_step and waiting.started is not None
    return appended(ledger, made, message, orderly=orderly, calls=rest)


def misplaced_result(ledger: Ledger) -> Move | None:
    """A result that names another step, and so answers nothing."""
    waiting = ledger.calls.get(CALL)
    if waiting is None:
        return None
    made, message = outcome(ledger, {"turn": waiting.turn, "step": waiting.step + 1})
    return appended(ledger, made, message, orderly=False)


def rewritten(ledger: Ledger, seq: int) -> tuple[Raw, Raw]:
    """Return the data of a result with other content, and its message."""
    data: Raw = ledger.events[seq]["data"]
    message = {**data["message"], "content": [text(ledger)]}
    return {**data, "message": message}, message


def rewrite(ledger: Ledger) -> Move | None:
    """A result with other content in the place of the last one."""
    seq = ledger.find(_RESULT)
    if seq is None:
        return None
    data, message = rewritten(ledger, seq)
    at, made = ledger.nodes.index(seq), event(ledger, _RESULT, data)
    return replacing(ledger, made, message, at, at, orderly=ledger.turn is not None)


def marker(ledger: Ledger) -> Move | None:
    """The end of a seed, once."""
    if ledger.has("session/end-seed"):
        return None
    return logged(ledger, event(ledger, "session/end-seed", {}))


def attempt(ledger: Ledger) -> Move | None:
    """An attempt of the model that came to nothing, in a step, once."""
    if not ledger.in_step or ledger.has("assistant/attempt"):
        return None
    block = {"type": "tool-call", "id": OTHER, **_NAMED}
    chunk = {"type": "block-end", "index": 0, "block": block}
    data = {**ledger.place, "stream": [{"type": "chunk", "time": 1, "chunk": chunk}]}
    return logged(ledger, event(ledger, "assistant/attempt", data))
