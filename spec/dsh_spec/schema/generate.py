"""The schemas of format v4, built from the classes of the vocabulary; pure and deterministic."""

from dsh_spec.events.kinds import MAX_SAFE
from dsh_spec.events.v4 import Event
from dsh_spec.events.v4_header import Header
from dsh_spec.events.v4_message import Message
from dsh_spec.events.v4_types import EVENT_TYPES, SURFACE_TYPES
from dsh_spec.schema.definitions import Definitions, Schema
from dsh_spec.schema.docs import field_docs

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SEQ: Schema = {"type": "integer", "minimum": 0, "maximum": MAX_SAFE}
_NAME: Schema = {"type": "string", "minLength": 1}
_TOOL_CHANGES = ["tool-addition", "tool-removal"]


def _source(kind: str, *keys: str) -> Schema:
    return {
        "properties": {"kind": {"const": kind}, **dict.fromkeys(keys, _NAME)},
        "required": [*keys],
    }


#: What the type of an event says of its message: the role, the source, and more.
_MESSAGES: dict[str, tuple[str, Schema]] = {
    "user/message": ("user", {}),
    "system/message": ("system", {"source": _source("system-prompt")}),
    "developer/message": ("developer", {}),
    "assistant/message": ("assistant", {"source": _source("model", "provider", "model")}),
    "tool/result": ("tool", {"source": _source("tool", "callId")}),
}


def event_schema() -> Schema:
    """The schema of one event."""
    definitions = Definitions()
    bodies = {type_: _body(type_, definitions) for type_ in EVENT_TYPES}
    _tighten(definitions.found)
    return {
        "$schema": _DIALECT,
        "$id": "urn:dsh-session-conformance:v4:event",
        "title": "An event of a session log of format v4, as a conforming writer writes it",
        "type": "object",
        "required": ["type", "seq", "time", "data"],
        "properties": _envelope(),
        "additionalProperties": False,
        "allOf": [
            _when({"enum": sorted(SURFACE_TYPES)}, {"required": ["surfaceOp"]}),
            _when({"enum": sorted(EVENT_TYPES.keys() - SURFACE_TYPES)}, _LOG_ONLY),
            _when({"const": "assistant/message"}, _APPENDED),
            _when({"not": {"enum": sorted(EVENT_TYPES)}}, {"required": ["ignorable"]}),
            *(
                _when({"const": type_}, {"properties": {"data": bodies[type_]}})
                for type_ in EVENT_TYPES
            ),
        ],
        "$defs": definitions.sorted(),
    }


_LOG_ONLY: Schema = {"properties": {"surfaceOp": False, "sourceEventSeqs": False}}
_APPENDED: Schema = {"properties": {"surfaceOp": {"const": "append"}, "sourceEventSeqs": False}}


def _tighten(found: dict[str, Schema]) -> None:
    """Say what the classes leave to the checks of one event."""
    found["Source"]["properties"]["kind"]["not"] = {"const": "plugin"}
    header = found["EpochHeader"]["properties"]
    header["system"] = False
    header["tools"]["minItems"] = 1
    found["AdapterDefaults"]["minProperties"] = 1


def _when(type_: Schema, then: Schema) -> Schema:
    return {"if": {"properties": {"type": type_}, "required": ["type"]}, "then": then}


def _envelope() -> Schema:
    docs = field_docs(Event)
    replace = {
        "type": "object",
        "required": ["op", "startSeq", "endSeq"],
        "properties": {"op": {"const": "replace"}, "startSeq": _SEQ, "endSeq": _SEQ},
        "additionalProperties": False,
    }
    sources = {"type": "array", "items": _SEQ, "minItems": 1, "uniqueItems": True}
    return {
        "type": {"description": docs["type"], "type": "string"},
        "seq": {"description": docs["seq"], **_SEQ},
        "time": {**_SEQ, "description": docs["time"], "minimum": -MAX_SAFE},
        "data": {"description": docs["data"]},
        "surfaceOp": {"description": docs["surface_op"], "oneOf": [{"const": "append"}, replace]},
        "sourceEventSeqs": {"description": docs["source_event_seqs"], **sources},
        "ignorable": {"description": docs["ignorable"], "const": True},
    }


def _body(type_: str, definitions: Definitions) -> Schema:
    """The schema of the body of a type, and of the message in it."""
    if type_ not in _MESSAGES:
        return definitions.refer(EVENT_TYPES[type_])
    role, constraints = _MESSAGES[type_]
    message: Schema = {"properties": {"role": {"const": role}, **constraints}}
    if type_ != "developer/message":
        elsewhere = {"properties": {"type": {"not": {"enum": _TOOL_CHANGES}}}}
        message["properties"]["content"] = {"items": elsewhere}
    if type_ == "tool/result":
        message["required"] = ["toolCallId"]
    if type_ == "user/message":
        return {**definitions.refer(Message), **message}
    return {**definitions.refer(EVENT_TYPES[type_]), "properties": {"message": message}}


def header_schema() -> Schema:
    """The schema of the logical header."""
    definitions = Definitions()
    definitions.refer(Header)
    header = definitions.found.pop("Header")
    return {
        "$schema": _DIALECT,
        "$id": "urn:dsh-session-conformance:v4:header",
        "title": "The logical header of a session of format v4",
        **header,
        "$defs": definitions.sorted(),
    }
