"""Goals that changed inside a user message, before there was an event for it."""

from collections.abc import Mapping

from dsh_reference.values import dump
from dsh_spec.values import Json, JsonObject

#: What of a change says the goal's new state, in the order in which it was written.
_STATE = ("goal", "roundsStarted", "createdAt", "updatedAt")
_CLEARED = ("cleared", "clearedAt")


def goal_state(change: JsonObject) -> str:
    """Write the text of the one block that a message has besides its change.

    Source: SRC-GOAL-LEGACY (facts: events §5.5; the order of the members probed on 0.2.1rc2).
    """
    members = _CLEARED if change["operation"] == "clear" else _STATE
    return f"<goal_state>{dump({name: change[name] for name in members})}</goal_state>"


def check_goal_state(message: Json) -> str | None:
    """Say where a message that changes a goal says another state in its text."""
    match message:
        case {"source": {"kind": "goal", "change": Mapping() as change}, "content": content}:
            match content:
                case [{"type": "text", "text": text}] if text == goal_state(change):
                    return None
            return "the text is not the state of the goal that its change leaves"
    return None
