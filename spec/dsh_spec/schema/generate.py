"""The schemas of each format, built from the classes of its vocabulary; pure and deterministic."""

from dsh_spec.catalogue import Format
from dsh_spec.events import VOCABULARIES, Event, Header, Message, Vocabulary
from dsh_spec.events.kinds import MAX_SAFE
from dsh_spec.schema.definitions import Definitions, Schema
from dsh_spec.schema.docs import field_docs
from dsh_spec.schema.messages import MESSAGES

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SEQ: Schema = {"type": "integer", "minimum": 0, "maximum": MAX_SAFE}


def event_schema(format: Format) -> Schema:  # noqa: A002 - the word for it
    """The schema of one logical event."""
    vocabulary = VOCABULARIES[format]
    definitions = Definitions(vocabulary)
    bodies = {type_: _body(type_, vocabulary, definitions) for type_ in vocabulary.known}
    if not vocabulary.exact:
        _tighten(definitions.found, format)
    return {
        "$schema": _DIALECT,
        "$id": f"urn:dsh-session-conformance:v{format}:event",
        "title": f"An event of a session log of format v{format}, as a conforming writer writes it",
        "type": "object",
        "required": ["type", "seq", "time", "data"],
        "properties": _envelope(format),
        "additionalProperties": False,
        "allOf": [
            *_markers(vocabulary),
            *(
                _when({"const": type_}, {"properties": {"data": bodies[type_]}})
                for type_ in vocabulary.known
            ),
        ],
        "$defs": definitions.sorted(),
    }


_LOG_ONLY: Schema = {"properties": {"surfaceOp": False, "sourceEventSeqs": False}}
_APPENDED: Schema = {"properties": {"surfaceOp": {"const": "append"}, "sourceEventSeqs": False}}
_CITING: Schema = {"properties": {"sourceEventSeqs": {"minItems": 1}}}


def _markers(vocabulary: Vocabulary) -> list[Schema]:
    """What the type says of the envelope."""
    surface, known = vocabulary.surface, vocabulary.known
    answer = {"const": "assistant/message"}
    return [
        _when({"enum": sorted(surface)}, {"required": ["surfaceOp"]}),
        _when({"enum": sorted(known.keys() - surface)}, _LOG_ONLY),
        _when(answer, _APPENDED) if vocabulary.format >= 2 else _when({"not": answer}, _CITING),
        _when({"not": {"enum": sorted(known)}}, {"required": ["ignorable"]})
        if not vocabulary.exact
        else {"properties": {"type": {"enum": sorted(known)}}},
    ]


def _tighten(found: dict[str, Schema], format: Format) -> None:  # noqa: A002 - the word for it
    """Say what the classes leave to the checks of one event."""
    if format == 4:
        found["Source"]["properties"]["kind"]["not"] = {"const": "plugin"}
    header = found["EpochHeader"]["properties"]
    header["system"] = False
    header["tools"]["minItems"] = 1
    found["AdapterDefaults"]["minProperties"] = 1


def _when(type_: Schema, then: Schema) -> Schema:
    return {"if": {"properties": {"type": type_}, "required": ["type"]}, "then": then}


def _envelope(format: Format) -> Schema:  # noqa: A002 - the word for it
    docs = field_docs(Event)
    first, last = ("start", "end") if format < 3 else ("startSeq", "endSeq")
    replace = {
        "type": "object",
        "required": ["op", first, last],
        "properties": {"op": {"const": "replace"}, first: _SEQ, last: _SEQ},
        "additionalProperties": False,
    }
    sources: Schema = {"type": "array", "items": _SEQ, "uniqueItems": True}
    if format >= 2:
        sources = {**sources, "minItems": 1}
    return {
        "type": {"description": docs["type"], "type": "string"},
        "seq": {"description": docs["seq"], **_SEQ},
        "time": {**_SEQ, "description": docs["time"], "minimum": -MAX_SAFE},
        "data": {"description": docs["data"]},
        "surfaceOp": {"description": docs["surface_op"], "oneOf": [{"const": "append"}, replace]},
        "sourceEventSeqs": {"description": docs["source_event_seqs"], **sources},
        "ignorable": {"description": docs["ignorable"], "const": True},
    }


def _body(type_: str, vocabulary: Vocabulary, definitions: Definitions) -> Schema:
    """The schema of the body of a type, and of the message in it."""
    cls = vocabulary.known[type_]
    more = MESSAGES[vocabulary.format].get(type_)
    if more is None:
        return definitions.refer(cls)
    return {**definitions.refer(Message if type_ == "user/message" else cls), **more}


def header_schema(format: Format) -> Schema:  # noqa: A002 - the word for it
    """The schema of the logical header, which all formats have alike but for its version."""
    definitions = Definitions(VOCABULARIES[4])
    definitions.refer(Header)
    header = definitions.found.pop("Header")
    header["properties"]["version"]["const"] = format
    return {
        "$schema": _DIALECT,
        "$id": f"urn:dsh-session-conformance:v{format}:header",
        "title": f"The logical header of a session of format v{format}",
        **header,
        "$defs": definitions.sorted(),
    }
