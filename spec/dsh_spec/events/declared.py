"""The declared shapes of plugin payloads, as far as they relate one field to another.

Format v4 does not check them: a payload that does not fit is kept as ``Undeclared``.
"""

import re
from datetime import datetime

from dsh_spec.events import v4_delegation as delegation
from dsh_spec.events import v4_interaction as interaction
from dsh_spec.events import v4_session as session
from dsh_spec.events.record import Body

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d:\d\d\.\d{3}Z", re.ASCII)
#: Python strips some control characters besides, and leaves U+FEFF.
_WHITE_SPACE = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def fits(body: Body) -> bool:
    """Whether the fields of a body go together as its type declares."""
    match body:
        case interaction.GoalChange():
            return _fits_goal(body)
        case interaction.ScheduleChange(operation="create", schedule=schedule):
            return schedule is not None and _fits_schedule(schedule)
        case interaction.ScheduleChange(id=id_, accepted_at=accepted_at):
            return _is_id(id_) and (accepted_at is None or is_instant(accepted_at))
        case interaction.HookResult(duration_ms=duration_ms):
            return duration_ms >= 0
        case delegation.SubagentDescriptor():
            return _fits_descriptor(body)
        case delegation.SubagentModelSelectionPolicy(allowed_models=models):
            return 0 < len({(model.provider, model.model) for model in models}) == len(models)
        case delegation.SubagentCatalog(version=version, mode=mode, label=label):
            return (
                (version == 2) == (mode == "external")
                and (version, mode) != (0, "unknown")
                and (mode != "continuable" or label is not None)
            )
        case session.WebSearchLlmRequest(body=sent):
            return len(sent.messages) == len(sent.tools) == 1
        case _:
            return True


def is_instant(value: str) -> bool:
    """Whether a string is a moment in the one spelling that schedules use."""
    if not _INSTANT.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def is_bare(text: str) -> bool:
    """Whether a text neither begins nor ends with what JavaScript takes for white space."""
    return text == text.strip(_WHITE_SPACE)


def _is_id(value: str | None) -> bool:
    return value is not None and is_bare(value)


def _fits_goal(body: interaction.GoalChange) -> bool:
    if body.operation == "clear":
        return body.cleared is not None and body.cleared_at is not None
    goal = body.goal
    if goal is None or None in (body.rounds_started, body.created_at, body.updated_at):
        return False
    return (goal.phase == "blocked") == (goal.blocked_reason is not None)


def _fits_schedule(schedule: interaction.Schedule) -> bool:
    if not _is_id(schedule.id) or not is_instant(schedule.scheduled_at):
        return False
    match schedule.kind:
        case "after":
            return schedule.after_seconds is not None
        case "every":
            return schedule.every_seconds is not None and schedule.every_seconds >= 300
        case "at":
            return True


def _fits_descriptor(body: delegation.SubagentDescriptor) -> bool:
    if (body.agent_provider is None) != (body.agent_model is None):
        return False
    shown = body.tool_filter
    if shown is not None and shown.allow is None and shown.deny is None:
        return False
    return body.mode == "one-shot" or body.label is not None
