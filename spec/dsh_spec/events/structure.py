"""From JSON to events and back.

``structure_event`` refuses what one event can get wrong on its own.  The checked types (all of the
core, and the plugin types that later events answer) are refused with the rule that they break; a
payload of any other type that does not fit its declared shape is kept as ``Undeclared``, and the
payload of an unknown type as ``Unknown``, because format v4 leaves both to their owners.  What an
event may refer to, and whether its marker fits its type, takes the log to judge, and is not judged
here.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from dsh_spec.events import envelope
from dsh_spec.events.convert import make_converter
from dsh_spec.events.declared import fits
from dsh_spec.events.local import check_body
from dsh_spec.events.misfit import MISFITS, explain
from dsh_spec.events.record import Body, Undeclared
from dsh_spec.events.slots import check_slots
from dsh_spec.events.v4 import Event, Unknown
from dsh_spec.events.v4_header import Header
from dsh_spec.events.v4_types import CHECKED_TYPES, EVENT_TYPES, SURFACE_TYPES
from dsh_spec.values import Json, JsonObject

_CONVERTER = make_converter()


# Generated on first use: sixty classes at once would make every import half a second longer.
@cache
def _reader(type_: str) -> Callable[[Any, type[Body]], Body]:
    return _CONVERTER.get_structure_hook(EVENT_TYPES[type_])


@cache
def _writer(type_: str) -> Callable[[Body], dict[str, Json]]:
    return _CONVERTER.get_unstructure_hook(EVENT_TYPES[type_])


def structure_event(raw: JsonObject) -> Event:
    """Read one stored event of format v4.

    ``unstructure_event`` gives the same JSON value back, undeclared keys and all.

    Raises:
        ShapeError: the envelope, or the body of a checked type, breaks a rule on its own.

    """
    envelope.check_keys(raw)
    type_ = envelope.read_type(raw)
    seq, time = envelope.read_seq(raw), envelope.read_time(raw)
    ignorable = envelope.read_ignorable(raw)
    if type_ not in EVENT_TYPES:
        kept = {key: raw[key] for key in ("surfaceOp", "sourceEventSeqs") if key in raw}
        body = Unknown(value=raw["data"], metadata=kept)
        return Event(type=type_, seq=seq, time=time, data=body, ignorable=ignorable)
    surface = type_ in SURFACE_TYPES
    return Event(
        type=type_,
        seq=seq,
        time=time,
        data=_read_body(type_, raw["data"], seq),
        surface_op=envelope.read_surface_op(raw, surface=surface),
        source_event_seqs=envelope.read_sources(raw, surface=surface),
        ignorable=ignorable,
    )


def _read_body(type_: str, data: Any, seq: int) -> Body:
    cls = EVENT_TYPES[type_]
    if type_ not in CHECKED_TYPES:
        check_slots(type_, data)
        try:
            body: Body = _reader(type_)(data, cls)
        except MISFITS:
            return Undeclared(value=data)
        return body if fits(body) else Undeclared(value=data)
    try:
        body = _reader(type_)(data, cls)
    except MISFITS as error:
        raise explain(error, rule="ENV-DATA-PRESENT", steps=("data",)) from None
    check_slots(type_, data)
    check_body(body, data, seq, _CONVERTER)
    return body


def unstructure_event(event: Event) -> dict[str, Json]:
    """Write an event as JSON; absent fields are left out, undeclared keys are put back."""
    match event.data:
        case Undeclared(value=value) | Unknown(value=value):
            data = value
        case body:
            data = _writer(event.type)(body)
    raw: dict[str, Json] = {
        "type": event.type,
        "seq": event.seq,
        "time": event.time,
        "data": data,
    }
    if event.surface_op is not None:
        raw["surfaceOp"] = envelope.write_surface_op(event.surface_op)
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
        return _CONVERTER.structure(raw, Header)
    except MISFITS as error:
        raise explain(error, rule="HDR-EXACT") from None


def unstructure_header(header: Header) -> dict[str, Json]:
    """Write a logical header as JSON; absent fields are left out."""
    raw: dict[str, Json] = _CONVERTER.unstructure(header)
    return raw
