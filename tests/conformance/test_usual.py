"""Lines parsed by the decoder in C: it reads what the reference reads, whatever the bytes are."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.json import Decoder

from dsh_conformance.usual import parse_line
from dsh_reference.refusal import Refusal
from dsh_reference.values import MAX_DEPTH, parse
from dsh_reference.values.text import read_number

#: Texts that the decoder alone reads as something else than the reference, or does not read.
MISREAD = [
    b"-0", b"[-0]", b'{"a":-0}', b"[1, -0]", b"[9007199254740993]", b"18446744073709551616",
    b"[-9007199254740993]", b"1" * 40, b'"\\ud800"', b'"\\udc00"', b'"\\uD83D"', b'"\xff"',
    b'"\xed\xa0\x80"', b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1),
]  # fmt: skip
#: Pieces of which texts are put together, most of which are no JSON.
PIECES = [
    *MISREAD, b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\\u", b"\\ud83d\\ude00", b"d83d",
    b"null", b"NaN", b"1.0", b"-0.0", b"1e400", b"1e5", b"0.1", b"01", b"9007199254740991", b" ",
    b"\t", b"\x0c", b"\x00", b"\xef\xbb\xbf", b"-", b"0", b"e", b".", b'"a"', b"\xf0\x9f\x98\x80",
]  # fmt: skip
NUMBERS = st.sampled_from([b"0", b"-0", b"1.0", b"-0.0", b"1e21", b"1e400", b"9007199254740992"])
TEXTS = st.text(alphabet=st.characters(), max_size=4)


def told(value: Any) -> Any:
    """A value with all that JSON tells apart: types, signs of zero, and the order of the keys."""
    match value:
        case dict():
            return [(key, told(member)) for key, member in value.items()]
        case list():
            return ["list", *map(told, value)]
        case Refusal():
            return value
    return type(value), repr(value)


def spelled(value: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """Lists and objects of values, with keys that may come twice."""
    keys = TEXTS.map(lambda text: json.dumps(text).encode())
    members = st.tuples(keys, value).map(b":".join)
    lists = st.lists(value, max_size=4).map(lambda items: b"[" + b", ".join(items) + b"]")
    objects = st.lists(members, max_size=4).map(lambda items: b"{" + b",".join(items) + b"}")
    return lists | objects


STRINGS = st.builds(
    lambda text, ascii_: json.dumps(text, ensure_ascii=ascii_).encode("utf-8", "surrogatepass"),
    TEXTS | st.sampled_from(["\ud800", "\udc00", "\ud83d\ude00", "-0", "0" * 16]),
    st.booleans(),
)
INTEGERS = st.integers(-(2**65), 2**65).map(lambda number: str(number).encode())
FLOATS = st.floats().map(lambda number: repr(number).encode())
VALUES = st.recursive(STRINGS | NUMBERS | INTEGERS | FLOATS, spelled)


@given(text=VALUES | st.lists(st.sampled_from(PIECES), max_size=6).map(b"".join) | st.binary())
@example(text=b'{"a":1,"b":2,"a":3}')
@example(text=b'{"":1e400}')
def test_a_line_is_read_as_the_reference_reads_it(text: bytes) -> None:
    assert told(parse_line(text)) == told(parse(text))


@pytest.mark.parametrize("text", MISREAD)
def test_what_the_decoder_alone_would_misread_is_not_left_to_it(text: bytes) -> None:
    try:
        alone = told(Decoder(float_hook=read_number).decode(text))
    except ValueError:
        alone = None
    assert alone != told(parse(text))
    assert told(parse_line(text)) == told(parse(text))


def test_a_long_line_is_read_as_well() -> None:
    text = b'["' + b"x" * (1 << 20) + b'"]'
    assert told(parse_line(text)) == told(parse(text))
