"""What the messages of formats v0 to v2 can get wrong beyond the kinds of their fields."""

from typing import Any, TypeAlias

from dsh_spec.catalogue import Format
from dsh_spec.events.kinds import is_list
from dsh_spec.events.shape_error import Step, shape_error
from dsh_spec.events.v4_message import Message, Source, ToolResultBlock
from dsh_spec.values import is_object

Place: TypeAlias = tuple[Step, ...]

MESSAGE: Place = ("data", "message")

#: What goes with a change of a goal beside its kind, version and operation.
_STATE = frozenset({"goal", "roundsStarted", "createdAt", "updatedAt"})
_CLEARED = frozenset({"cleared", "clearedAt"})


def demand(holds: object, problem: str, *place: Step, rule: str = "PL-EXACT") -> None:
    """Refuse a place of an event unless the condition holds."""
    if not holds:
        raise shape_error(rule, place, problem)


def check_message(message: Message, place: Place, roles: tuple[str, ...], format: Format) -> None:  # noqa: A002
    """Refuse a message in none of the roles, or of a source that does not hold together."""
    says = "must be " + " or ".join(f'"{role}"' for role in roles)
    demand(message.role in roles, says, *place, "role", rule="MSG-FIELDS")
    _check_source(message.source, (*place, "source"), format)


def check_without_change(message: Message, place: Place) -> None:
    """Refuse a message that changes a goal, where none may (SRC-GOAL-LEGACY)."""
    changes = message.source.kind == "goal" and "change" in message.source.fields
    demand(not changes, "belongs into a user message", *place, "source", "change")


def check_goal(change: Any, place: Place) -> None:
    """Refuse a change of a goal whose keys do not go together."""
    said = change.keys() - {"kind", "version", "operation"}
    goes = _CLEARED if change["operation"] == "clear" else _STATE
    problem = f"must have what goes with the operation {change['operation']}, and no more"
    demand(said == goes, problem, *place)
    match change:
        case {"goal": {"phase": phase, **goal}}:
            problem = "goes with the phase blocked, which always has it"
            at = (*place, "goal", "blockedReason")
            demand(("blockedReason" in goal) == (phase == "blocked"), problem, *at)


def check_answer(message: Message, format: Format) -> None:  # noqa: A002 - the word for it
    """Refuse what is no answer of a model (SRC-ASSISTANT)."""
    check_message(message, MESSAGE, ("assistant",), format)
    place = (*MESSAGE, "source", "kind")
    demand(message.source.kind == "model", 'must be "model"', *place, rule="SRC-ASSISTANT")


def check_wrapped(message: Message) -> ToolResultBlock:
    """The block that wraps a tool's result in a user message (TOOLMSG-V0V3).

    Raises:
        ShapeError: the message is no such wrapper.

    """
    demand(message.role == "user", 'must be "user"', *MESSAGE, "role", rule="TOOLMSG-V0V3")
    source = message.source
    demand(source.kind == "tool", 'must be "tool"', *MESSAGE, "source", "kind", rule="SRC-TOOL")
    call_id = source.fields.get("callId")
    match message.content:
        case (ToolResultBlock(tool_call_id=answered) as block,) if answered == call_id:
            return block
    problem = "must be one tool-result block with the callId of the source as its toolCallId"
    raise shape_error("TOOLMSG-V0V3", (*MESSAGE, "content"), problem)


def _check_source(source: Source, place: Place, format: Format) -> None:  # noqa: A002
    fields: Any = source.fields
    match source.kind:
        case "plugin":
            _check_plugin(fields, place)
        case "session-reference":
            _check_references(fields["references"], (*place, "references"), format)
        case "goal" if "change" in fields:
            _check_change(fields, place)
        case "goal":
            demand(fields["round"] > 0, "must be positive", *place, "round")


def _check_plugin(fields: Any, place: Place) -> None:
    """SRC-FORM: what a form goes with."""
    compact = fields["plugin"] == "compact"
    for key in ("compactionId", "sourceCommandId"):
        demand(compact or key not in fields, 'belongs to the plugin "compact"', *place, key)
    demand(not compact or "compactionId" in fields, "is missing", *place, "compactionId")
    form = fields.get("form")
    if form is None:
        return
    for key, owner, is_it in (
        ("sections", "snapshot", _are_sections),
        ("summary", "notice", _is_text),
    ):
        problem = f"goes with the form {owner}, which always has it"
        demand((key in fields) == (form == owner), problem, *place, key, rule="SRC-FORM")
        fits = key not in fields or is_it(fields[key])
        demand(fits, "does not fit its form", *place, key, rule="SRC-FORM")


def _check_change(fields: Any, place: Place) -> None:
    """SRC-GOAL-LEGACY: the source of a message that changes its goal."""
    change = fields["change"]
    check_goal(change, (*place, "change"))
    goal = change.get("goal", change.get("cleared"))
    same = (fields["goalId"], fields["revision"]) == (goal["id"], goal["revision"])
    demand(same, "must name the goal of its change", *place, rule="SRC-GOAL-LEGACY")
    demand(fields["round"] == 0, "must be 0", *place, "round", rule="SRC-GOAL-LEGACY")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_sections(value: Any) -> bool:
    return is_list(value) and all(
        is_object(each)
        and each.keys() == {"name", "text"}
        and all(map(_is_text, each.values()))
        and each["name"] != ""
        for each in value
    )


def _check_references(references: Any, place: Place, format: Format) -> None:  # noqa: A002
    """SRC-SESSIONREF: each session once, counted consistently."""
    rule = "SRC-SESSIONREF"
    demand(references, "must not be empty", *place, rule=rule)
    seen = set()
    for index, each in enumerate(references):
        at = (*place, index)
        demand(each["sessionId"] not in seen, "is there already", *at, "sessionId", rule=rule)
        seen.add(each["sessionId"])
        demand(each["inputIndex"] == index, f"must be {index}", *at, "inputIndex", rule=rule)
        left_out = each["originalMessages"] - each["retainedMessages"]
        problem = "must be originalMessages less retainedMessages"
        demand(each["omittedMessages"] == left_out, problem, *at, "omittedMessages", rule=rule)
        cut = each["omittedMessages"] > 0 or each["omittedBytes"] > 0
        problem = "must be true exactly where something is left out"
        demand(each["truncated"] == cut, problem, *at, "truncated", rule=rule)
        captured = each.get("capturedFormatVersion", 1)
        demand(
            1 <= captured <= max(format, 1),
            f"must be 1 to {format}",
            *at,
            "capturedFormatVersion",
            rule=rule,
        )
