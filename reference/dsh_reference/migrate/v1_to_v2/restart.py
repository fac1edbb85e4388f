"""Restarts: a turn that a crash left open, and that the next one began without an end of.

Such a log says nevertheless that the turn is over: its successor follows at once on the message
for which it was begun.  Where it says so, the missing end is put in; anywhere else a turn over an
open one has no conversion.
"""

from collections.abc import Mapping
from typing import Final

from attrs import define

from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.v1_to_v2.emission import Emission, addition
from dsh_reference.refusal import Refusal
from dsh_spec.values import Json, JsonObject

#: The types that say something of turns and steps.
_TELLING: Final = frozenset(
    {"turn/start", "turn/end", "step/start", "step/end", "agent/inbox/spliced"}
)


@define(kw_only=True)
class Turns:
    """The turn and step that are open, going by the boundaries so far."""

    #: The number of the open turn.
    turn: Json = None
    #: Whether a step is open.
    is_in_step: bool = False
    #: Whether the last event put a message in for the next turn.
    is_restart: bool = False

    def see(self, event: JsonObject, seq: int) -> tuple[Emission, ...] | Refusal:
        """Take the next event, and return what is missing before it: nothing, or a turn's end.

        Source: MIG12-RESTART (facts: migration §2.5).
        """
        if event.get("type") not in _TELLING:
            self.is_restart = False
            return ()
        missing: tuple[Emission, ...] = ()
        match event:
            case {"type": "turn/start", "data": {"turn": number}}:
                if self.turn is not None and not self._is_followed_by(number):
                    problem = f"turn {number} begins while turn {self.turn} is open"
                    return unsupported(seq, "MIG12-RESTART", problem)
                if self.turn is not None:
                    missing = (addition(_interrupted(self.turn, event.get("time")), seq),)
                self.turn = number
            case {"type": "turn/end"}:
                self.turn, self.is_in_step = None, False
            case {"type": "step/start" | "step/end" as boundary}:
                self.is_in_step = boundary == "step/start"
        self.is_restart = _is_restart(event)
        return missing

    def _is_followed_by(self, number: Json) -> bool:
        is_next = isinstance(self.turn, int) and number == self.turn + 1
        return is_next and self.is_restart and not self.is_in_step


def _is_restart(event: JsonObject) -> bool:
    match event:
        case {"type": "agent/inbox/spliced", "data": {"target": "next-turn", "inserted": [_, *_]}}:
            return True
    return False


def _interrupted(turn: Json, time: Json) -> Mapping[str, Json]:
    data = {"turn": turn, "reason": {"kind": "interrupted"}}
    return {"type": "turn/end", "seq": 0, "time": time, "data": data}
