"""Names: types that were renamed within v0, and those that were given up."""

from collections.abc import Mapping
from typing import Final

from dsh_reference.migrate.refuse import unsupported
from dsh_reference.refusal import Refusal
from dsh_spec.values import Json, JsonObject

_COMPACTION: Final[Mapping[Json, str]] = {
    "compact/start": "compaction/start",
    "compact/summary": "compaction/summary",
    "compact/end": "compaction/end",
    "compact/prune": "compaction/prune",
}
#: The types that were given up, in whole or in part.
_RETIRED: Final = frozenset({"request/header-delta", "mode/set", "request/header"})


def rename_compaction(event: JsonObject, _seq: int) -> JsonObject:
    """Give the events of a compaction their later names (MIG01-COMPACT-NAMES)."""
    name = _COMPACTION.get(event["type"])
    return event if name is None else {**event, "type": name}


def refuse_retired(event: JsonObject, seq: int) -> JsonObject | Refusal:
    """Refuse what v0 could once say and nothing later can (MIG01-RETIRED)."""
    if event["type"] not in _RETIRED:
        return event
    match event["type"], event.get("data"):
        case "request/header-delta" | "mode/set", _:
            return unsupported(seq, "MIG01-RETIRED", "its type was given up within v0")
        case "request/header", {"reason": "fallback"}:
            return unsupported(seq, "MIG01-RETIRED", "its reason was given up within v0")
    return event
