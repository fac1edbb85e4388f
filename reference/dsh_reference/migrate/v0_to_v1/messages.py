"""Messages: those from before messages had ids, and steering, which was a type of its own.

A minted id is made of the session's id and the event's seq.  A tool result that replaces another is
the same message with other content, and has that one's id.
"""

from collections.abc import Mapping
from typing import Final

from attrs import define, field

from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.v0_to_v1.normalisation import has_keys, payload
from dsh_reference.refusal import Refusal
from dsh_reference.values import is_count
from dsh_spec.values import Json, JsonObject

#: The types whose messages a tool result may replace.
_NAMED: Final = frozenset({"user/message", "assistant/message", "tool/result"})


@define(kw_only=True)
class Messages:
    """The ids of the messages so far."""

    #: The session's id.
    session: Json
    _ids: dict[int, Json] = field(factory=dict)

    def renew_steering(self, event: JsonObject, seq: int) -> JsonObject | Refusal:
        """Make of a steering message a user message (MIG01-STEERING)."""
        if event["type"] != "steering/message":
            return event
        data = payload(event)
        message: Json = None
        if is_count(data.get("turn")):
            if has_keys(data, "turn", "message"):
                message = data["message"]
            elif has_keys(data, "turn", "content", "source"):
                message = self._user({key: data[key] for key in ("content", "source")}, seq)
        if message is None:
            return unsupported(seq, "MIG01-STEERING", "it is no steering message that v0 wrote")
        return {**event, "type": "user/message", "data": message}

    def identify_user(self, event: JsonObject, seq: int) -> JsonObject:
        """Give a user message an id and its role (MIG01-USER-ID)."""
        if event["type"] != "user/message":
            return event
        data = payload(event)
        if data.keys() & {"id", "role", "message"}:
            return event
        if not data.keys() >= {"content", "source"}:
            return event
        return {**event, "data": self._user(data, seq)}

    def wrap_assistant(self, event: JsonObject, seq: int) -> JsonObject:
        """Gather what an assistant said into a message with an id (MIG01-ASSISTANT-WRAP)."""
        if event["type"] != "assistant/message" or "message" in (data := payload(event)):
            return event
        match data:
            case {"content": content, "provenance": Mapping() as origin, **rest}:
                message = {
                    "id": self._mint(seq),
                    "role": "assistant",
                    "content": content,
                    "source": {**origin, "kind": "model"},
                }
                return {**event, "data": {**rest, "message": message}}
        return event

    def wrap_result(self, event: JsonObject, seq: int) -> JsonObject | Refusal:
        """Gather what a tool returned into a message with an id (MIG01-TOOL-WRAP)."""
        if event["type"] != "tool/result" or "message" in (data := payload(event)):
            return event
        match data:
            case {"callId": str(call), "content": content, "isError": bool(is_error), **rest}:
                name = self._result_id(event, seq)
                if name is None:
                    problem = "it replaces an event that is no message"
                    return unsupported(seq, "MIG01-TOOL-WRAP", problem)
                block = {
                    "type": "tool-result",
                    "toolCallId": call,
                    "content": content,
                    "isError": is_error,
                }
                source = {"kind": "tool", "callId": call}
                message = {"id": name, "role": "user", "content": [block], "source": source}
                return {**event, "data": {**rest, "message": message}}
        return event

    def see(self, event: JsonObject, seq: int) -> None:
        """Note the id of a message that has passed the payload check."""
        if event["type"] not in _NAMED:
            return
        match event["type"], event.get("data"):
            case "user/message", {"id": name}:
                self._ids[seq] = name
            case "assistant/message" | "tool/result", {"message": {"id": name}}:
                self._ids[seq] = name

    def _result_id(self, event: JsonObject, seq: int) -> Json:
        match event.get("surfaceOp"):
            case {"op": "replace", "start": start}:
                return self._ids.get(int(start)) if is_count(start) else None
        return self._mint(seq)

    def _user(self, data: JsonObject, seq: int) -> JsonObject:
        return {**data, "id": self._mint(seq), "role": "user"}

    def _mint(self, seq: int) -> str:
        return f"legacy-message:{self.session}:{seq}"
