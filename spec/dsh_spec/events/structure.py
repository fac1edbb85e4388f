"""From JSON to events and back.

``structure_event`` refuses what one event can get wrong on its own.

Formats v3 and v4 are open.  The checked types (all of the core, and the plugin types that later
events answer) are refused with the rule that they break; a payload of any other type that does not
fit its declared shape is kept as ``Undeclared``.  Formats v0 to v2 are exact: every payload of a
type that they know is refused unless it is what its type declares.

The payload of an unknown type is kept as ``Unknown``, because it is the log that is refused then.
What an event may refer to, and whether its marker fits its type, takes the log to judge, and is not
judged here.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from cattrs import Converter

from dsh_spec.catalogue import Format
from dsh_spec.events import envelope
from dsh_spec.events.compiled import builder
from dsh_spec.events.convert import make_converter
from dsh_spec.events.declared import fits
from dsh_spec.events.local import check_body
from dsh_spec.events.local_exact import check_exact, is_foreign_descriptor
from dsh_spec.events.local_v3 import check_body_v3
from dsh_spec.events.misfit import MISFITS, explain
from dsh_spec.events.record import Body, Undeclared
from dsh_spec.events.slots import check_slots
from dsh_spec.events.v3 import V3_SYSTEM
from dsh_spec.events.v4 import Event, Unknown
from dsh_spec.events.v4_header import Header
from dsh_spec.events.vocabularies import VOCABULARIES
from dsh_spec.events.vocabulary import Vocabulary
from dsh_spec.values import Json, JsonObject

_event: Callable[..., Event] = builder(Event)


# Generated on first use: sixty classes at once would make every import half a second longer.
@cache
def _converter(vocabulary: Vocabulary) -> Converter:
    return make_converter(vocabulary)


def _vocabulary(type_: str, format: Format) -> Vocabulary:  # noqa: A002 - the word for it
    """What a type is read with; one type of v3 is exact."""
    return V3_SYSTEM if (type_, format) == ("system/message", 3) else VOCABULARIES[format]


@cache
def _reader(type_: str, format: Format) -> Callable[[Any], Body]:  # noqa: A002 - the word for it
    vocabulary = _vocabulary(type_, format)
    cls = vocabulary.known[type_]
    hook = _converter(vocabulary).get_structure_hook(cls)
    return lambda data: hook(data, cls)


def structure_event(raw: JsonObject, format: Format = 4) -> Event:  # noqa: A002 - the word for it
    """Read one logical event of a format.

    ``unstructure_event`` gives the same JSON value back, undeclared keys and all.

    Raises:
        ShapeError: the envelope, or the body of a checked type, breaks a rule on its own.

    """
    vocabulary = VOCABULARIES[format]
    if envelope.is_usual(raw, vocabulary):
        usual: Any = raw
        type_, seq, op = usual["type"], usual["seq"], envelope.usual_op(usual)
        body = structure_body(type_, usual["data"], seq=seq, format=format)
        return _event(type_, seq, usual["time"], body, op, None, False)  # noqa: FBT003
    envelope.check_keys(raw)
    type_ = envelope.read_type(raw)
    seq, time = envelope.read_seq(raw), envelope.read_time(raw)
    ignorable = envelope.read_ignorable(raw)
    if type_ not in vocabulary.known:
        kept = {key: raw[key] for key in ("surfaceOp", "sourceEventSeqs") if key in raw}
        body = Unknown(value=raw["data"], metadata=kept)
        return Event(type=type_, seq=seq, time=time, data=body, ignorable=ignorable)
    surface = type_ in vocabulary.surface
    return Event(
        type=type_,
        seq=seq,
        time=time,
        data=structure_body(type_, raw["data"], seq=seq, format=format),
        surface_op=envelope.read_surface_op(raw, surface=surface, format=format),
        source_event_seqs=envelope.read_sources(raw, surface=surface),
        ignorable=ignorable,
    )


def structure_body(
    type_: str,
    data: Json,
    *,
    seq: int,
    format: Format,  # noqa: A002 - the word for it
) -> Body:
    """Read the ``data`` of an event of a known type, which stands at *seq* of its log.

    Raises:
        ShapeError: the body breaks a rule on its own; its path begins with ``data``.

    """
    if VOCABULARIES[format].exact:
        return _read_exact(type_, data, seq, format)
    return _read_open(type_, data, seq, format)


def _read_exact(type_: str, data: Any, seq: int, format: Format) -> Body:  # noqa: A002
    if format == 1 and type_ == "subagent/descriptor" and is_foreign_descriptor(data):
        return Undeclared(value=data)
    try:
        body = _reader(type_, format)(data)
    except MISFITS as error:
        raise explain(error, rule="PL-EXACT", steps=("data",), narrow=False) from None
    check_exact(body, data, seq, format)
    return body


def _read_open(type_: str, data: Any, seq: int, format: Format) -> Body:  # noqa: A002
    if type_ not in VOCABULARIES[format].checked:
        if format == 4:
            check_slots(type_, data)
        try:
            body = _reader(type_, format)(data)
        except MISFITS:
            return Undeclared(value=data)
        return body if fits(body) else Undeclared(value=data)
    try:
        body = _reader(type_, format)(data)
    except MISFITS as error:
        if _vocabulary(type_, format).exact:
            raise explain(error, rule="PL-SYSTEM-MESSAGE", steps=("data",), narrow=False) from None
        raise explain(error, rule="ENV-DATA-PRESENT", steps=("data",)) from None
    if format == 4:
        check_slots(type_, data)
        check_body(body, data, seq, _converter(VOCABULARIES[4]))
    else:
        check_body_v3(body, data, seq, _converter(VOCABULARIES[3]))
    return body


def unstructure_event(event: Event, format: Format = 4) -> dict[str, Json]:  # noqa: A002
    """Write an event as JSON; absent fields are left out, undeclared keys are put back."""
    match event.data:
        case Undeclared(value=value) | Unknown(value=value):
            data = value
        case body:
            data = _converter(VOCABULARIES[4]).get_unstructure_hook(type(body))(body)
    raw: dict[str, Json] = {
        "type": event.type,
        "seq": event.seq,
        "time": event.time,
        "data": data,
    }
    if event.surface_op is not None:
        raw["surfaceOp"] = envelope.write_surface_op(event.surface_op, format=format)
    if event.source_event_seqs is not None:
        raw["sourceEventSeqs"] = list(event.source_event_seqs)
    if event.ignorable:
        raw["ignorable"] = True
    if isinstance(event.data, Unknown):
        raw.update(event.data.metadata)
    return raw


def structure_header(raw: JsonObject) -> Header:
    """Read a logical header of format v4.

    Raises:
        ShapeError: a key is missing, unknown or of the wrong kind, or ``cwd`` is no absolute path.

    """
    try:
        return _converter(VOCABULARIES[4]).structure(raw, Header)
    except MISFITS as error:
        raise explain(error, rule="HDR-EXACT") from None


def unstructure_header(header: Header) -> dict[str, Json]:
    """Write a logical header as JSON; absent fields are left out."""
    raw: dict[str, Json] = _converter(VOCABULARIES[4]).unstructure(header)
    return raw
