"""What the type of an event says of its message: the role, the source, and more."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from dsh_spec.catalogue import Format

_Schema = dict[str, Any]

_NAME: _Schema = {"type": "string", "minLength": 1}
_TOOL_CHANGES = ["tool-addition", "tool-removal"]
#: Blocks but for those that belong into developer messages.
_ELSEWHERE: _Schema = {"items": {"properties": {"type": {"not": {"enum": _TOOL_CHANGES}}}}}
#: The one block that wraps a tool's result.
_WRAPPER: _Schema = {
    "items": {"properties": {"type": {"const": "tool-result"}}},
    "minItems": 1,
    "maxItems": 1,
}


def _source(kind: str, *keys: str) -> _Schema:
    return {
        "properties": {"kind": {"const": kind}, **dict.fromkeys(keys, _NAME)},
        "required": [*keys],
    }


_MODEL = _source("model", "provider", "model")
_TOOL = _source("tool", "callId")


def _message(role: str, **parts: _Schema) -> _Schema:
    return {"properties": {"role": {"const": role}, **parts}}


def _inner(role: str, **parts: _Schema) -> _Schema:
    return {"properties": {"message": _message(role, **parts)}}


def _exact_system() -> _Schema:
    """A system message of v3, which has no undeclared key, and neither has its message."""
    body = _inner("system", source=_source("plugin", "plugin"), id={}, content={})
    body["properties"]["message"]["additionalProperties"] = False
    body["properties"] |= {"turn": {}, "step": {}}
    return {**body, "additionalProperties": False}


def _v4() -> dict[str, _Schema]:
    result = _inner("tool", source=_TOOL, content=_ELSEWHERE)
    result["properties"]["message"]["required"] = ["toolCallId"]
    prompt = _source("system-prompt")
    return {
        "user/message": _message("user", content=_ELSEWHERE),
        "system/message": _inner("system", source=prompt, content=_ELSEWHERE),
        "developer/message": _inner("developer"),
        "assistant/message": _inner("assistant", source=_MODEL, content=_ELSEWHERE),
        "tool/result": result,
    }


_OLD: dict[str, _Schema] = {
    "user/message": _message("user"),
    "assistant/message": _inner("assistant", source=_MODEL),
    "tool/result": _inner("user", source=_TOOL, content=_WRAPPER),
}

#: For each format and type, what its body is besides an object of its class.
MESSAGES: Final[Mapping[Format, Mapping[str, _Schema]]] = MappingProxyType(
    {
        0: _OLD,
        1: _OLD,
        2: _OLD,
        3: {**_OLD, "system/message": _exact_system()},
        4: _v4(),
    }
)
