"""Ids: what ties the retries of one request, and the events of one compaction, together.

v0 had no ids at first, only an order.  A minted id is made of the session's id and the seq of the
event that began the group, so that every migration of the log mints the same.
"""

from collections.abc import Mapping
from typing import Final

from attrs import define, field

from dsh_reference.migrate.v0_to_v1.normalisation import payload
from dsh_reference.values import dump
from dsh_spec.values import Json, JsonObject, is_object

#: The types in which a compaction shows.
_COMPACTED: Final = frozenset(
    {
        "compaction/start",
        "compaction/summary",
        "compaction/end",
        "session/end-seed",
        "user/message",
    }
)


@define(kw_only=True)
class Retries:
    """The chains of retries so far."""

    #: The session's id.
    session: Json
    _chains: dict[str, Json] = field(factory=dict)

    def identify(self, event: JsonObject, seq: int) -> JsonObject:
        """Give a retry the id of its chain: turn, step, provider and policy (MIG01-RETRY-ID)."""
        if event["type"] != "llm/retry":
            return event
        data = payload(event)
        chain = dump([data.get(key) for key in ("turn", "step", "provider", "policyKey")])
        if "retryId" in data:
            self._chains[chain] = data["retryId"]
            return event
        minted = self._chains.setdefault(chain, f"legacy-retry:{self.session}:{seq}")
        return {**event, "data": {**data, "retryId": minted}}


@define(kw_only=True)
class Compactions:
    """The compaction that is open."""

    #: The session's id.
    session: Json
    #: The id of the open compaction.
    open_id: Json = None

    def identify(self, event: JsonObject, seq: int) -> JsonObject:
        """Give the events of a compaction its id (MIG01-COMPACTION-ID)."""
        data = event.get("data")
        if event["type"] not in _COMPACTED or not is_object(data):
            return event
        match event["type"]:
            case "compaction/start":
                self.open_id = data.get("compactionId", f"legacy-compaction:{self.session}:{seq}")
                return {**event, "data": self._with_id(data)}
            case "compaction/summary":
                return {**event, "data": self._with_id(data)}
            case "compaction/end":
                ended = {**event, "data": self._with_id(data)}
                self.open_id = None
                return ended
            case "session/end-seed":
                self.open_id = None
            case "user/message":
                return self._identify_checkpoint(event, data)
        return event

    def _identify_checkpoint(self, event: JsonObject, data: JsonObject) -> JsonObject:
        source = data.get("source")
        match source:
            case {"kind": "plugin", "plugin": "compact"}:
                assert is_object(source)
                return {**event, "data": {**data, "source": self._with_id(source)}}
        return event

    def _with_id(self, value: Mapping[str, Json]) -> JsonObject:
        if self.open_id is None or "compactionId" in value:
            return value
        return {**value, "compactionId": self.open_id}
