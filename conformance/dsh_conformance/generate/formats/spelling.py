"""How formats v0 to v3 spell what format v4 says: the edges, read from their ends.

Sources: facts events §1.4, §5.3 and §5.5; migration §3.3 and §4.2 (MIG23-ENDPOINTS,
MIG23-PTC-TYPES, MIG34-TOOL-LIFT, MIG34-KINDS).
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from dsh_conformance.generate.formats.state import Past
from dsh_conformance.generate.state import SURFACE, Raw

#: The producers that the older formats know as plugins, by their kind in format v4.
PRODUCERS: Mapping[str, str] = MappingProxyType(
    {
        "system-prompt": "@deepseek-ai/dsh-system-prompt",
        "compact-checkpoint": "compact",
        "dsh-session-title-llm": "dsh-session-title-llm",
    }
)

_CODE: Mapping[str, str] = MappingProxyType(
    {
        "tool/ptc-dispatch-start": "tool/code-dispatch-start",
        "tool/ptc-dispatch": "tool/code-dispatch",
    }
)


def spelled(event: Raw, version: Past) -> Raw:
    """Return an event as *format* spells it; what needs no change is shared with *event*."""
    kind = event["type"]
    respell = _DATA.get(kind)
    old: Raw = dict(event) if respell is None else {**event, "data": respell(event["data"])}
    if version < 3:
        old["type"] = _CODE.get(kind, kind)
        if kind in SURFACE:
            old["surfaceOp"] = _endpoints(event["surfaceOp"])
    return old


def _endpoints(operation: Raw | str) -> Raw | str:
    if not isinstance(operation, dict) or "startSeq" not in operation:
        return operation
    renamed = {"startSeq": "start", "endSeq": "end"}
    return {renamed.get(key, key): value for key, value in operation.items()}


def _message(message: Raw) -> Raw:
    source = message.get("source")
    if not isinstance(source, dict) or source.get("kind") not in PRODUCERS:
        return message
    return {**message, "source": {**source, "kind": "plugin", "plugin": PRODUCERS[source["kind"]]}}


def _titled(data: Raw) -> Raw:
    return {**data, "messages": [_message(message) for message in data["messages"]]}


def _instructed(data: Raw) -> Raw:
    """System messages are exact in format v3, the only older one that has them."""
    message = {key: data["message"][key] for key in ("id", "role", "source", "content")}
    return {"turn": data["turn"], "step": data["step"], "message": _message(message)}


def _answered(data: Raw) -> Raw:
    """A result is one block in a message of role user."""
    message = dict(data["message"])
    block = {"type": "tool-result", "toolCallId": message.pop("toolCallId", None)}
    block["content"] = message["content"]
    if "isError" in message:
        block["isError"] = message.pop("isError")
    return {**data, "message": {**message, "role": "user", "content": [block]}}


_DATA: Mapping[str, Callable[[Raw], Raw]] = MappingProxyType(
    {
        "user/message": _message,
        "system/message": _instructed,
        "tool/result": _answered,
        "session/title-llm-request": _titled,
    }
)
