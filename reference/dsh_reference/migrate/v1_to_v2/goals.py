"""Goals: a message that also changed the goal, parted into the change and the message.

The message tells the model, in its one text block, the state that the change leads to.  Only where
the two agree is the change what it says it is.
"""

from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.v1_to_v2.emission import Emission, addition, image
from dsh_reference.refusal import Refusal
from dsh_reference.values import dump, equal
from dsh_spec.values import Json, JsonObject, is_object

_RULE = "MIG12-GOAL-SPLIT"


def split_goal(event: JsonObject, seq: int) -> tuple[Emission, ...] | Refusal | None:
    """Return a goal's change and its message, or ``None`` for an event that is no such message.

    Source: MIG12-GOAL-SPLIT (facts: migration §2.5; events §5.5, SRC-GOAL-LEGACY).
    """
    if event["type"] != "user/message":
        return None
    data = event.get("data")
    if not is_object(data):
        return None
    source = data.get("source")
    if not is_object(source) or source.get("kind") != "goal" or "change" not in source:
        return None
    change = source["change"]
    if not is_object(change):
        return unsupported(seq, _RULE, "its change is no object")
    problem = _source_problem(source, change) or _content_problem(data.get("content"), change)
    if problem:
        return unsupported(seq, _RULE, problem)
    changed: JsonObject = {
        "type": "goal/change",
        "seq": seq,
        "time": event.get("time"),
        "data": change,
    }
    message = {**data, "source": {"kind": "plugin", "plugin": "goal"}}
    return addition(changed, seq), image({**event, "data": message}, seq)


def _source_problem(source: JsonObject, change: JsonObject) -> str:
    goal = change.get("cleared" if change.get("operation") == "clear" else "goal")
    if not is_object(goal):
        return "its change names no goal"
    named = [source.get("goalId"), source.get("revision"), source.get("round")]
    if not equal(named, [goal.get("id"), goal.get("revision"), 0]):
        return "its source names another goal than its change, or a round"
    return ""


def _content_problem(content: Json, change: JsonObject) -> str:
    keys = (
        ("cleared", "clearedAt")
        if change.get("operation") == "clear"
        else ("goal", "roundsStarted", "createdAt", "updatedAt")
    )
    state = dump({key: change[key] for key in keys if key in change})
    text = f"<goal_state>{state}</goal_state>"
    if equal(content, [{"type": "text", "text": text}]):
        return ""
    return "its text is not the state that its change leads to"
