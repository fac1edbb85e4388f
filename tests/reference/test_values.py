"""JSON values: text as JavaScript reads and writes it, equality, and the lossless boundary."""

import json
import math
import struct
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dsh_reference.refusal import Refusal
from dsh_reference.values import (
    MAX_DEPTH,
    MAX_SAFE,
    dump,
    equal,
    is_count,
    is_int,
    is_pos,
    not_json,
    parse,
    utf16,
)
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

_TEXTS = st.text(st.sampled_from('a"\\/\b\x00\x1f\x7fé\u2028\ud83d\ude00😀'), max_size=6)
_NUMBERS = st.integers(-MAX_SAFE, MAX_SAFE) | st.floats(allow_nan=False, allow_infinity=False)
_SCALARS = st.none() | st.booleans() | _NUMBERS | _TEXTS
_VALUES: st.SearchStrategy[Json] = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(_TEXTS.map(utf16), inner, max_size=4)
    ),
    max_leaves=12,
)


def _canonical(value: Any) -> Any:
    """Return what two values have in common exactly when they are the same JSON value."""
    if value is None or isinstance(value, bool):
        return ("constant", value)
    if isinstance(value, int | float):
        return ("number", struct.pack("<d", float(value) + 0.0))
    if isinstance(value, str):
        return ("string", value.encode("utf-16-le", "surrogatepass"))
    if isinstance(value, list | tuple):
        return ("array", tuple(map(_canonical, value)))
    members = {_canonical(key): _canonical(member) for key, member in value.items()}
    return ("object", frozenset(members.items()))


def _deep(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth - 1):
        value = [value]
    return value


@given(_VALUES)
def test_what_was_written_is_read_back(value: Json) -> None:
    for text in (dump(value), dump(value).encode()):
        read = parse(text)
        assert not isinstance(read, Refusal)
        assert equal(read, value)


@given(_VALUES)
def test_text_is_json_that_any_reader_understands(value: Json) -> None:
    assert _canonical(json.loads(dump(value))) == _canonical(value)


@given(_VALUES, _VALUES)
def test_equality_is_equality_of_the_canonical_form(left: Json, right: Json) -> None:
    assert equal(left, right) == (_canonical(left) == _canonical(right))
    assert equal(left, json.loads(json.dumps(left)))


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1.0, True),
        (0, -0.0, True),
        (1, True, False),
        (0, False, False),
        (None, False, False),
        ([1, [True]], [1, [1]], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": None}, {}, False),
        ([], {}, False),
        ("", [], False),
        ("1", 1, False),
        ((1, 2), [1, 2], True),
        (MappingProxyType({"a": 1}), {"a": 1}, True),
        ("\ud83d\ude00", "😀", True),
        ({"\ud83d\ude00": 1}, {"😀": 1}, True),
        ("\ud83d", "\ude00", False),
        ("\u00e9", "e\u0301", False),
    ],
)
def test_equality_by_example(left: Json, right: Json, *, same: bool) -> None:
    assert equal(left, right) is same
    assert equal(right, left) is same


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-0", -0.0),
        ("-0.0e9", -0.0),
        ("-1e-400", -0.0),
        ("1.0", 1),
        ("1e2", 100),
        ("9007199254740991", MAX_SAFE),
        ("9007199254740993", 2.0**53),
        ("1" * 300, 1.1111111111111111e299),
        (" [ 1 ,\t2\r\n] ", [1, 2]),
        ('{"a":1,"a":2}', {"a": 2}),
        ('{"__proto__":1,"":2}', {"__proto__": 1, "": 2}),
        (r'"\ud83d\ude00"', "😀"),
        (r'"\ude00\ud83d"', "\ude00\ud83d"),
        (r'"\ud83d\ud83d\ude00"', "\ud83d😀"),
        ('"\ud83d\\ude00"', "😀"),
        ('"\ud83d\ude00"', "😀"),
        ('"\\\\\ud83d"', "\\\ud83d"),
        ('"\u2028\x7f"', "\u2028\x7f"),
        (b'"\xff\xed\xa0\x80"', "\ufffd\ufffd\ufffd\ufffd"),
    ],
)
def test_reading_by_example(text: str | bytes, value: Json) -> None:
    """As JSON.parse does; each was tried on the real runtime."""
    read = parse(text)
    assert not isinstance(read, Refusal)
    assert (read, type(read), repr(read)) == (value, type(value), repr(value))


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "NaN", "-Infinity", "01", "+1", ".5", "1.", "'a'", "[1,]", "{a:1}", "1 2"),
        *("\ufeff1", '"\x00"', '"\\x"', '"\\\ud83d"', "[", '"', "tru", "\u00a01", "/**/1"),
    ],
)
def test_what_is_no_json_is_refused(text: str) -> None:
    refusal = parse(text)
    assert isinstance(refusal, Refusal)
    assert (refusal.kind, refusal.rule) == (RefusalKind.NOT_JSON, "JSON-TEXT")


@pytest.mark.parametrize("text", ["1e400", "[-1e400]", "9" * 400, "9" * 5000, '{"a":1e309}'])
def test_a_number_beyond_the_doubles_is_refused(text: str) -> None:
    refusal = parse(text)
    assert isinstance(refusal, Refusal)
    assert refusal.rule == "JSON-WHERE"


def test_nesting_is_read_up_to_the_limit() -> None:
    assert parse("[" * 500 + "]" * 500) == _deep(500)
    assert parse('"' + "[{" * 5000 + '"') == "[{" * 5000
    assert not isinstance(parse("[" + "[]," * 5000 + "[]]"), Refusal)


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"[":'])
@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 100_000])
def test_deeper_nesting_is_refused_and_names_the_limit(opening: str, depth: int) -> None:
    refusal = parse(opening * depth)
    assert isinstance(refusal, Refusal)
    assert refusal.rule == "FILE-LIMIT"
    assert str(MAX_DEPTH) in refusal.problem


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1.5, "1.5"),
        (-0.000001, "-0.000001"),
        (1e-7, "1e-7"),
        (1.25e-9, "1.25e-9"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (100.0, "100"),
        (0.0, "0"),
        (-0.0, "-0"),
        ("\ud83d", '"\\ud83d"'),
        ("\ud83d\ude00", '"😀"'),
        ("\u2028\x7f\x1f\b/", '"\u2028\x7f\\u001f\\b/"'),
        ({"b": [1.5, True, None], "a": {}}, '{"b":[1.5,true,null],"a":{}}'),
        ([], "[]"),
        (MAX_SAFE, "9007199254740991"),
    ],
)
def test_writing_by_example(value: Json, text: str) -> None:
    """As JSON.stringify does, but for minus zero; each was tried on the real runtime."""
    assert dump(value) == text


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_not_written(number: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        dump([1, number])


def test_depth_is_no_matter_to_writing_comparing_and_judging() -> None:
    one, other = _deep(20_000), _deep(20_000)
    assert dump(one) == "[" * 20_000 + "]" * 20_000
    assert equal(one, other)
    assert not_json(one) is None


class _Text(StrEnum):
    A = "a"


class _Int(IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    "value",
    [
        *(math.nan, math.inf, -math.inf, -0.0, 2**53 + 1, -(2**53) - 1, 10**400, 1j, b"a"),
        *((1,), {1}, {1: 2}, {None: 1}, {True: 1}, {"a": object()}, [..., 1]),
        *(_Text.A, _Int.ONE, {_Text.A: 1}, range(3), MappingProxyType({}), bytearray()),
    ],
)
def test_the_boundary_refuses_what_is_no_json(value: object) -> None:
    refusal = not_json({"deep": [value]})
    assert refusal is not None
    assert (refusal.kind, refusal.rule) == (RefusalKind.NOT_JSON, "JSON-REFUSE")
    assert refusal.where.startswith("value.deep[0]")


@pytest.mark.parametrize("value", [2**53, 2**60, -(2**53), 2**1023, 1e308, 5e-324, "\ud800", ""])
def test_the_boundary_accepts_what_a_double_or_a_string_holds(value: object) -> None:
    assert not_json([value]) is None


@given(_VALUES)
def test_the_boundary_accepts_every_value_without_minus_zero(value: Json) -> None:
    assume("-0" not in dump(value))
    assert not_json(value) is None


def test_the_boundary_accepts_sharing_and_refuses_a_cycle() -> None:
    shared: list[Any] = []
    for _ in range(100):
        shared = [shared, shared]
    assert not_json(shared) is None
    cycle: dict[str, Any] = {"a": [1]}
    cycle["a"].append(cycle)
    refusal = not_json(cycle)
    assert refusal is not None
    assert "itself" in refusal.problem


def test_a_place_deep_down_is_named_in_few_words() -> None:
    value: Any = math.nan
    for _ in range(1000):
        value = {"key": value}
    refusal = not_json(value)
    assert refusal is not None
    assert len(refusal.where) < 200


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        (0, "int count"),
        (1, "int count pos"),
        (1.0, "int count pos"),
        (-1, "int"),
        (MAX_SAFE, "int count pos"),
        (MAX_SAFE + 1, ""),
        (float(MAX_SAFE), "int count pos"),
        (-0.0, ""),
        (0.5, ""),
        (True, ""),
        (False, ""),
        (math.nan, ""),
        (math.inf, ""),
        ("1", ""),
        (None, ""),
    ],
)
def test_the_kinds_of_number(value: object, kinds: str) -> None:
    found = {"int": is_int(value), "count": is_count(value), "pos": is_pos(value)}
    assert [name for name, holds in found.items() if holds] == kinds.split()
