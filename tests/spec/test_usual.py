"""Values are read alike by the generated code, which takes usual ones, and by the plain reading.

The generated code takes dicts and lists alone, so that a value of mappings and tuples shows what
the plain reading makes of it (ADR 15).
"""

import copy
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.formats import FORMATS, logs
from dsh_reference.values import equal
from dsh_spec.catalogue import Format
from dsh_spec.events import ShapeError, structure_event, unstructure_event
from dsh_spec.values import Json

#: What is put in the place of some value.
ODD: tuple[Json, ...] = (
    None,
    True,
    0,
    -1,
    1.0,
    -0.0,
    0.5,
    2**53,
    "",
    "text",
    [],
    {},
    [{}],
    {"type": "text"},
)


def unusual(value: Json) -> Json:
    """The same value of other classes."""
    match value:
        case Mapping():
            return MappingProxyType({key: unusual(each) for key, each in value.items()})
        case list() | tuple():
            return tuple(unusual(each) for each in value)
    return value


def outcome(raw: Any, version: Format) -> Json:
    try:
        return unstructure_event(structure_event(raw, version), version)
    except ShapeError as error:
        return [type(error).__name__, str(error)]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, each in items:
        found.extend(places(each, (*path, key)))
    return found


@st.composite
def cases(draw: st.DrawFn) -> tuple[Format, Any]:
    """An event of a log of some format, in most cases with one value changed or gone."""
    version: Format = draw(st.sampled_from(FORMATS))
    events = draw(logs(version)).events
    if not events:
        return version, {}
    event: Any = copy.deepcopy(draw(st.sampled_from(events)))
    *front, last = draw(st.sampled_from(places(event)))
    holder = event
    for key in front:
        holder = holder[key]
    match draw(st.sampled_from(("keep", "drop", "add", "odd", "odd", "odd"))):
        case "drop":
            del holder[last]
        case "add" if isinstance(holder, dict):
            holder["acme"] = draw(st.sampled_from(ODD))
        case "odd":
            holder[last] = draw(st.sampled_from(ODD))
    return version, event


@given(cases())
def test_usual_values_are_read_as_others_are(case: tuple[Format, Any]) -> None:
    version, raw = case
    assert equal(outcome(raw, version), outcome(unusual(raw), version))
