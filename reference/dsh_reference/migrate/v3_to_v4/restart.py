"""The one gap that the edge closes: a turn that was left open when the next one started.

An old runtime that was killed with a message waiting for the next turn went on with that turn at
once.  So a ``turn/start`` of the next number, right behind a message that was put in line for the
next turn, ends the open turn as interrupted.  Every other start over an open turn stays as it is,
and the target check refuses it.
"""

from typing import Final

from attrs import evolve, frozen

from dsh_reference.values import is_count
from dsh_spec.values import Json, JsonObject

#: The types that say something of turns and steps.
_TELLING: Final = frozenset(
    {"turn/start", "turn/end", "step/start", "step/end", "agent/inbox/spliced"}
)


@frozen(kw_only=True)
class Turns:
    """What is open, going by the events before."""

    #: The number of the open turn.
    turn: Json = None
    #: Whether a step is open; only its own end closes it.
    in_step: bool = False
    #: Whether the last event put a message in line for the next turn.
    is_waiting: bool = False


def passed(turns: Turns, event: JsonObject) -> Turns:
    """Return what is open once an event has been passed."""
    if event["type"] not in _TELLING:
        return evolve(turns, is_waiting=False) if turns.is_waiting else turns
    match event:
        case {"type": "turn/start", "data": {"turn": turn}}:
            return Turns(turn=turn, in_step=turns.in_step)
        case {"type": "turn/end"}:
            return Turns(in_step=turns.in_step)
        case {"type": "step/start" | "step/end" as kind}:
            return Turns(turn=turns.turn, in_step=kind == "step/start")
    is_waiting = _is_waiting(event)
    return turns if is_waiting is turns.is_waiting else evolve(turns, is_waiting=is_waiting)


def interrupted(turns: Turns, event: JsonObject) -> JsonObject | None:
    """Return the end of the open turn, but for its seq, where an event restarts the session.

    Source: MIG34-RESTART (facts: migration §4.2).
    """
    if not turns.is_waiting:
        return None
    match event:
        case {"type": "turn/start", "data": {"turn": turn}}:
            if turns.in_step or not is_count(turns.turn) or turn != turns.turn + 1:
                return None
            data = {"turn": turns.turn, "reason": {"kind": "interrupted"}}
            return {"type": "turn/end", "seq": None, "time": event["time"], "data": data}
    return None


def _is_waiting(event: JsonObject) -> bool:
    match event:
        case {
            "type": "agent/inbox/spliced",
            "data": {"target": "next-turn", "inserted": [_, *_]},
        }:
            return True
    return False
