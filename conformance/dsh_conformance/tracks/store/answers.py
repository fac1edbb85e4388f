"""Where to look in an answer, and what is seen there."""

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

from dsh_reference.values import equal
from dsh_spec.values import Json, JsonObject

#: Where in a result to look: object keys from the outside in, and in a list of headers or
#: snapshots the id of a session.
Path: TypeAlias = tuple[str, ...]


def look(value: Json, path: Path) -> Json:
    """Return what stands at *path*, or nothing."""
    for key in path:
        match value:
            case Mapping():
                value = value.get(key)
            case list() | tuple():
                value = next((item for item in value if id_of(item) == repr(key)), None)
            case _:
                return None
    return value


def events_of(value: Json) -> Sequence[Json]:
    """Return the events of a read's result."""
    events = look(value, ("events",))
    return events if isinstance(events, Sequence) and not isinstance(events, str) else ()


def same_header(found: Json, wanted: JsonObject) -> bool:
    """Compare logical headers; an absent `delegationDepth` is 0."""
    if not isinstance(found, Mapping):
        return False
    return equal({"delegationDepth": 0, **found}, {"delegationDepth": 0, **wanted})


_SYNTHETIC = re.compile(r"^(interrupted|forked)-tool-result-")


def is_closer(event: Json) -> bool:
    """Say whether an event looks like one of those that end an interrupted turn."""
    match look(event, ("type",)):
        case "tool/result":
            return _SYNTHETIC.match(str(look(event, ("data", "message", "id")))) is not None
        case "turn/end":
            return look(event, ("data", "reason", "kind")) in ("interrupted", "forked")
        case "step/end":
            return True
        case _:
            return False


def items_at(value: Json, at: Path) -> Sequence[Json]:
    """Return the list at a path; nothing stands there for none."""
    found = look(value, at)
    return cast("Sequence[Json]", found) if isinstance(found, list | tuple) else ()


def id_of(item: Json) -> str:
    """Return the id that a snapshot or a header names, spelled as Python spells it."""
    match item:
        case {"header": {"id": name}} | {"id": name}:
            return repr(name)
        case _:
            return ""
