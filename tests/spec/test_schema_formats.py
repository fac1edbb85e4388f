"""The schemas of the exact formats admit what their readers admit, and no key besides."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from dsh_spec.catalogue import Format
from dsh_spec.events import VOCABULARIES, ShapeError, structure_event
from dsh_spec.schema.generate import event_schema, header_schema

Raw: TypeAlias = dict[str, Any]
PAYLOADS: list[Raw] = json.loads((Path(__file__).parents[1] / "payloads.json").read_text("utf-8"))
#: A descriptor of another version passes the reader of v1 unread; no writer of v1 writes it.
CASES = [
    (each, format_)
    for each in PAYLOADS
    for format_ in each["formats"]
    if each["data"].get("version") != 4
]
SCHEMAS = {format_: Draft202012Validator(event_schema(format_)) for format_ in VOCABULARIES}


def event(case: Raw, format_: Format) -> Raw:
    surface = case["type"] in VOCABULARIES[format_].surface
    marker = {"surfaceOp": "append"} if surface else {}
    return {"type": case["type"], "seq": 5, "time": 1, "data": deepcopy(case["data"]), **marker}


@pytest.mark.parametrize(("case", "format_"), CASES)
def test_what_a_writer_wrote_is_valid(case: Raw, format_: Format) -> None:
    SCHEMAS[format_].validate(event(case, format_))


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place below a value, as the holder and the key or index."""
    keys: Any = range(len(value)) if isinstance(value, list) else value
    for key in keys if isinstance(value, list | dict) else ():
        yield value, key
        yield from places(value[key])


OTHERS: list[Any] = [None, True, 0, 1, -1, 1.5, 2**53, "", "x", [], {}, [None], {"kind": "user"}]


@st.composite
def mutants(draw: st.DrawFn) -> tuple[Raw, Format]:
    """An event with one value changed, gone or new, somewhere in its payload."""
    case, format_ = draw(st.sampled_from(CASES))
    raw = event(case, format_)
    holder, key = draw(st.sampled_from([(raw, "data"), *places(raw["data"])]))
    match draw(st.sampled_from(("gone", "new", "other"))):
        case "gone" if holder is not raw:
            del holder[key]
        case "new" if isinstance(holder[key], dict):
            holder[key]["zz"] = 1
        case _:
            holder[key] = deepcopy(draw(st.sampled_from(OTHERS)))
    return raw, format_


#: Types whose pieces a reader takes as they come.
OPEN_TYPES = {"assistant/chunk", "session-log-deepseek/delivery-accepted", "subagent/descriptor"}


@given(mutant=mutants())
def test_what_a_reader_of_an_exact_format_admits_is_valid(mutant: tuple[Raw, Format]) -> None:
    raw, format_ = mutant
    try:
        structure_event(raw, format_)
    except ShapeError:
        return
    assert raw["type"] in OPEN_TYPES or SCHEMAS[format_].is_valid(raw)


@pytest.mark.parametrize(("case", "format_"), CASES)
def test_a_key_that_no_writer_writes_is_invalid(case: Raw, format_: Format) -> None:
    raw = event(case, format_)
    assert not SCHEMAS[format_].is_valid({**raw, "data": {**raw["data"], "zz": 1}})


@pytest.mark.parametrize("format_", VOCABULARIES)
def test_a_header_names_its_format(format_: Format) -> None:
    header = {"version": format_, "id": "s", "createdAt": 1, "isSeeded": False}
    schema = Draft202012Validator(header_schema(format_))
    schema.validate(header)
    assert not schema.is_valid({**header, "version": format_ + 1})


@pytest.mark.parametrize("format_", VOCABULARIES)
def test_a_replacement_has_the_keys_of_its_format(format_: Format) -> None:
    data = {"id": "m", "role": "user", "content": [], "source": {"kind": "user"}}
    raw = event({"type": "user/message", "data": data}, format_)
    old, new = (
        {"op": "replace", a: 1, b: 1} for a, b in (("start", "end"), ("startSeq", "endSeq"))
    )
    assert SCHEMAS[format_].is_valid({**raw, "surfaceOp": old}) == (format_ < 3)
    assert SCHEMAS[format_].is_valid({**raw, "surfaceOp": new}) == (format_ >= 3)


def test_an_answer_cites_its_chunks_up_to_v1() -> None:
    source = {"kind": "model", "provider": "p", "model": "m"}
    message = {"id": "m", "role": "assistant", "content": [], "source": source}
    data: Raw = {"turn": 1, "step": 1, "message": message}
    raw = event({"type": "assistant/message", "data": data}, 1)
    assert SCHEMAS[1].is_valid({**raw, "sourceEventSeqs": []})
    newer = {**raw, "data": {**data, "stream": []}}
    assert SCHEMAS[2].is_valid(newer)
    assert not SCHEMAS[2].is_valid({**newer, "sourceEventSeqs": [1]})
