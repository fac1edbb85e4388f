"""Editing what stands at a path of an event, without touching the event that was given."""

from collections.abc import Callable, Mapping
from operator import is_
from types import MappingProxyType
from typing import Final, TypeAlias

from attrs import frozen

from dsh_reference.admit.slots import is_list
from dsh_spec.values import Json, JsonObject, is_object


@frozen(kw_only=True)
class Wrong:
    """What an edge cannot take, somewhere within an event."""

    #: The slug of the rule.
    rule: str
    #: What is wrong, in one sentence.
    problem: str


#: Keys that lead to a place, one within the other; ``None`` is each member of a list.
Path: TypeAlias = tuple[str | None, ...]
#: Makes of one value another, or says what is wrong with it.
Change: TypeAlias = Callable[[Json], Json | Wrong]

#: Where an event of a type has its messages (facts: events §5.2).
MESSAGES: Final[Mapping[Json, Path]] = MappingProxyType(
    {
        "user/message": ("data",),
        "system/message": ("data", "message"),
        "assistant/message": ("data", "message"),
        "tool/result": ("data", "message"),
        "agent/inbox/spliced": ("data", "inserted", None),
        "session/title-llm-request": ("data", "messages", None),
    }
)


def edit(value: Json, path: Path, change: Change, *, rule: str, at: str = "") -> Json | Wrong:
    """Return a value in which every place at *path* is changed.

    What no change makes another is the same object as before, for it is shared rather than copied.
    A key that leads nowhere and a list that is none break *rule*.
    """
    if not path:
        return change(value)
    key, rest = path[0], path[1:]
    if key is None:
        return _edit_members(value, rest, change, rule=rule, at=at)
    if not is_object(value) or key not in value:
        return Wrong(rule=rule, problem=f"{at or 'it'} has no {key!r}")
    changed = edit(value[key], rest, change, rule=rule, at=f"{at}.{key}" if at else key)
    if isinstance(changed, Wrong):
        return changed
    return value if changed is value[key] else {**value, key: changed}


def edit_event(event: JsonObject, path: Path, change: Change, *, rule: str) -> JsonObject | Wrong:
    """Return an event in which every place at *path*, below its own keys, is changed."""
    edited = edit(event, path, change, rule=rule)
    assert isinstance(edited, Wrong) or is_object(edited)
    return edited


def numbered(event: JsonObject, seq: int) -> JsonObject:
    """Return an event at the place *seq* of its log."""
    own = event["seq"]
    return event if type(own) is int and own == seq else {**event, "seq": seq}


def _edit_members(value: Json, path: Path, change: Change, *, rule: str, at: str) -> Json | Wrong:
    if not is_list(value):
        return Wrong(rule=rule, problem=f"{at} is no list")
    members: list[Json] = []
    for index, member in enumerate(value):
        changed = edit(member, path, change, rule=rule, at=f"{at}[{index}]")
        if isinstance(changed, Wrong):
            return changed
        members.append(changed)
    return value if all(map(is_, members, value)) else members
