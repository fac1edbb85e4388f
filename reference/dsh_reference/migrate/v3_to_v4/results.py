"""Tool results: what a user's message wrapped in a block becomes a message of a tool's own."""

from collections.abc import Mapping
from typing import Final

from dsh_reference.admit.slots import is_list
from dsh_reference.migrate.edit import Wrong
from dsh_spec.values import Json, JsonObject, is_object

_RULE: Final = "MIG34-TOOL-LIFT"
_MESSAGE: Final = frozenset({"id", "role", "source", "content"})
_BLOCK: Final = frozenset({"type", "toolCallId", "content", "isError"})


def lifted(message: Json) -> Json | Wrong:
    """Return the message of a tool result in the role ``tool``.

    Members that the edge does not know are kept under names that say where they stood.  A message
    of another role than ``user`` is left to the target check.

    Source: MIG34-TOOL-LIFT (facts: migration §4.2).
    """
    if not is_object(message) or message.get("role") != "user":
        return message
    source, content = message.get("source"), message.get("content")
    match source, content:
        case Mapping(), [Mapping() as block] if _wraps(message, source, block):
            return _check_block(block) or _lifted(message, source, block)
    return Wrong(rule=_RULE, problem="it wraps other than one result of its source's call")


def _wraps(message: JsonObject, source: JsonObject, block: JsonObject) -> bool:
    name, call = message.get("id"), source.get("callId")
    return (
        (isinstance(name, str) and name != "")
        and (isinstance(call, str) and call != "")
        and (source.get("kind"), block.get("type")) == ("tool", "tool-result")
        and block.get("toolCallId") == call
    )


def _check_block(block: JsonObject) -> Wrong | None:
    content = block.get("content")
    if not isinstance(block.get("isError", False), bool):
        return Wrong(rule=_RULE, problem="isError is neither true nor false")
    if not is_list(content):
        return Wrong(rule=_RULE, problem="the content of its result is no list")
    if any(is_object(inner) and inner.get("type") == "tool-result" for inner in content):
        return Wrong(rule=_RULE, problem="a result lies within its result")
    return None


def _lifted(message: JsonObject, source: JsonObject, block: JsonObject) -> JsonObject:
    lifted: dict[str, Json] = {
        "role": "tool",
        "source": source,
        "toolCallId": source["callId"],
        "content": block["content"],
    }
    if "isError" in block:
        lifted["isError"] = block["isError"]
    lifted["id"] = message["id"]
    lifted |= {f"plugin:message:{key}": message[key] for key in message.keys() - _MESSAGE}
    lifted |= {f"plugin:result:{key}": block[key] for key in block.keys() - _BLOCK}
    return lifted
