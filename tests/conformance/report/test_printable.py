"""Whatever an implementation says, what is shown prints."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.report.beside import LONGEST, TALLEST, beside
from dsh_conformance.report.layout import lines
from dsh_conformance.report.printable import compact, paragraph, plain, printable
from dsh_spec.values import Json

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT)
def test_the_result_prints_and_can_be_encoded(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert shown.encode().decode() == shown


@given(st.text(st.characters(categories=["L", "N", "P"]), max_size=100))
def test_text_that_prints_is_left_alone(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x00", "\\u0000"),
        ("\x1b[31m", "\\u001b[31m"),
        ("\ud800", "\\ud800"),
        ("a\u2028b", "a\\u2028b"),
        ("\u202eabc", "\\u202eabc"),
        ("\U000e0001", "\\udb40\\udc01"),
        ("😀", "😀"),
        ("x" * 401, "x" * 400 + "… (1 more characters)"),
    ],
)
def test_escapes(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_paragraph_keeps_its_last_lines() -> None:
    assert paragraph("a\nb\nc", most=2) == ["… (1 earlier lines)", "b", "c"]


def test_plain_has_no_numbers_that_json_cannot_write() -> None:
    value: Json = {"a": (math.nan, -math.inf), "b": -0.0}
    assert json.dumps(plain(value), allow_nan=False) == (
        '{"a": [{"$hostile": "nan"}, {"$hostile": "-infinity"}], "b": -0.0}'
    )


def test_deep_values_are_shown() -> None:
    value: Json = 1
    for _ in range(512):
        value = [value]
    assert compact(value).count("[") == 512
    assert beside(value, 1)


@given(st.integers(-(2**53) + 1, 2**53 - 1).filter(bool))
def test_equal_numbers_read_alike(number: int) -> None:
    assert compact(float(number)) == compact(number)
    assert compact(-0.0) != compact(0)


def test_what_fits_stays_on_a_line() -> None:
    assert lines({"b": [1, 2], "a": {"long": "x" * 40}, "c": {}}) == [
        "{",
        '  "a": {',
        f'    "long": "{"x" * 40}"',
        "  },",
        '  "b": [1, 2],',
        '  "c": {}',
        "}",
    ]


@given(st.lists(st.integers(0, 3), max_size=40), st.lists(st.integers(0, 3), max_size=40))
def test_a_difference_is_always_marked(left: list[int], right: list[int]) -> None:
    assert any(row.differs for row in beside(left, right)) == (left != right)


@pytest.mark.parametrize("length", [LONGEST + 50, 5_000])
def test_a_late_difference_is_found(length: int) -> None:
    left = ["x" * 50] * length
    rows = beside(left, [*left[:-1], "y"])
    assert sum(row.differs for row in rows) == 1
    assert len(rows) <= TALLEST + 1


def test_a_late_difference_in_a_long_string_is_found() -> None:
    (row,) = beside("a" * 5_000 + "b", "a" * 5_000 + "c")
    assert (row.expected[-3:], row.actual[-3:], row.differs) == ('ab"', 'ac"', True)
