"""Pieces of a model's stream, as format v1 has them in events of their own."""

from typing import Annotated, Any, TypeAlias

from dsh_spec.events.kinds import MAX_SAFE, Kind, Misfit
from dsh_spec.values import JsonObject, is_object


def _object(value: Any, _annotation: object) -> Any:
    if is_object(value):
        return value
    raise Misfit("an object")


def _piece(type_: str, **required: JsonObject) -> dict[str, Any]:
    properties = {"type": {"const": type_}, **required}
    return {"required": [*properties], "properties": properties}


def _delta(type_: str, **required: JsonObject) -> JsonObject:
    """A piece of the block that has the index."""
    return _piece(type_, index={"type": "integer", "minimum": 0, "maximum": MAX_SAFE}, **required)


_OBJECT: JsonObject = {"type": "object"}
_TEXT: JsonObject = {"type": "string"}
_NAME: JsonObject = {"type": "string", "minLength": 1}

#: A piece of a stream (RD-CHUNK-UNCHECKED): any object, which a writer writes in one of these ways.
StreamChunk: TypeAlias = Annotated[
    JsonObject,
    Kind(
        "an object",
        _object,
        {
            "type": "object",
            "oneOf": [
                _delta("block-start", blockType=_NAME),
                _delta("text-delta", text=_TEXT),
                _delta("reasoning-delta", text=_TEXT),
                _delta("tool-call-delta", id=_NAME, argumentsDelta=_TEXT),
                _delta("block-end", block=_OBJECT),
                _piece("usage", usage=_OBJECT),
                _piece("finish", reason=_OBJECT),
            ],
        },
    ),
]
