"""The generated code that reads usual values says what the plain reading says, or nothing.

Generated code gives up at any object that is no ``dict`` and any list that is none, and so the same
event in other containers is read without it.
"""

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_spec.catalogue import Format
from dsh_spec.events import ShapeError, structure_event, surface_types
from dsh_spec.events.compiled import UNUSUAL, Slot, builder, usual_reader
from dsh_spec.events.v4 import Event
from dsh_spec.events.v4_core import TurnStart

Raw: TypeAlias = dict[str, Any]
PAYLOADS: list[Raw] = json.loads((Path(__file__).parents[1] / "payloads.json").read_text("utf-8"))
CASES = [(each, format_) for each in PAYLOADS for format_ in each["formats"]]
#: What a value may become: what fits nowhere, what fits somewhere, and what almost fits.
OTHERS: list[Any] = [
    None, True, False, 0, 1, 3, -1, 1.5, 1.0, 0.0, -0.0, 2**53 - 1, 2**53, "", "x", [], {}, [None],
    [0], ["x"], {"kind": "user"}, {"type": "text", "text": "x"}, {"type": "x"}, float("inf"),
]  # fmt: skip


def uncommon(value: Any) -> Any:
    """The same value in containers that generated code does not take."""
    match value:
        case dict():
            return MappingProxyType({key: uncommon(item) for key, item in value.items()})
        case list():
            return tuple(map(uncommon, value))
    return value


def told(value: Any) -> Any:
    """All that can be told of what was read, whatever the containers."""
    if attrs.has(type(value)):
        names = [each.name for each in attrs.fields(type(value))]
        return type(value), {name: told(getattr(value, name)) for name in names}
    match value:
        case Mapping():
            return {key: told(item) for key, item in value.items()}
        case list() | tuple():
            return [told(item) for item in value]
    return type(value), repr(value)


def read(raw: Any, format_: Format) -> Any:
    try:
        return told(structure_event(raw, format_))
    except ShapeError as error:
        return error.rule, error.path, error.problem


def agree(raw: Raw, format_: Format) -> None:
    before = deepcopy(raw)
    assert read(raw, format_) == read(uncommon(raw), format_)
    assert repr(raw) == repr(before)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place within a value, as the holder and the key or index."""
    keys = range(len(value)) if isinstance(value, list) else value
    found: list[tuple[Any, Any]] = []
    for key in keys if isinstance(value, list | dict) else ():
        found += [(value, key), *places(value[key])]
    return found


@st.composite
def released(draw: st.DrawFn) -> tuple[Raw, Format]:
    """An event of a format with up to two values changed, gone or new, somewhere in it."""
    case, format_ = draw(st.sampled_from(CASES))
    raw: Raw = {"type": case["type"], "seq": 5, "time": 1, "data": deepcopy(case["data"])}
    if case["type"] in surface_types(format_):
        raw["surfaceOp"] = "append"
    for _ in range(draw(st.integers(0, 2))):
        holder, key = draw(st.sampled_from(places(raw)))
        match draw(st.sampled_from(("gone", "new", "other"))):
            case "gone" if isinstance(holder, dict):
                del holder[key]
            case "new" if isinstance(holder[key], dict):
                holder[key][draw(st.sampled_from(("zz", "type", "name", "form")))] = 1
            case _:
                holder[key] = deepcopy(draw(st.sampled_from(OTHERS)))
        if not raw:
            break
    return raw, format_


@given(case=released())
def test_an_event_of_any_format_is_read_as_without_generated_code(case: tuple[Raw, Format]) -> None:
    agree(*case)


@given(data=st.data())
def test_an_event_of_v4_is_read_as_without_generated_code(
    data: st.DataObject, mutants: st.SearchStrategy[Raw]
) -> None:
    agree(data.draw(mutants), 4)


@pytest.mark.parametrize(("case", "format_"), CASES)
def test_every_payload_is_read_as_without_generated_code(case: Raw, format_: Format) -> None:
    marker = {"surfaceOp": "append"} if case["type"] in surface_types(format_) else {}
    agree({"type": case["type"], "seq": 5, "time": 1, "data": case["data"], **marker}, format_)


def test_an_object_is_built_as_its_class_builds_it() -> None:
    body = TurnStart(turn=1)
    fields = ("turn/start", 1, 2, body, None, (0,), True)
    event = Event(
        type="turn/start", seq=1, time=2, data=body, source_event_seqs=(0,), ignorable=True
    )
    assert builder(Event)(*fields) == event


TURN = usual_reader(TurnStart, [Slot("turn", "turn", False, "type(v) is int")], None)  # noqa: FBT003


@pytest.mark.parametrize("value", [{"turn": 1, "x": 1}, {}, {"turn": True}, [], None, {"x": 1}])
def test_generated_code_gives_up_at_what_is_not_usual(value: Any) -> None:
    with pytest.raises(UNUSUAL):
        TURN(value)


def test_two_objects_do_not_share_what_a_default_makes() -> None:
    read_: Callable[[Any], Any] = TURN
    assert read_({"turn": 1}).extra is not read_({"turn": 1}).extra
