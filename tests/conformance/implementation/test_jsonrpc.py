"""JSON-RPC lines: what is written is read back, and what is no message is told."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.implementation import jsonrpc
from dsh_reference.values import equal

scalars = st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False)
text = st.text(st.characters(codec=None) | st.characters(categories=["Cs"]))
json_values = st.recursive(
    scalars | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
)


@given(json_values)
def test_every_value_survives_the_line(value: Any) -> None:
    line = jsonrpc.request_line(1, "m", {"value": value})
    assert line.isascii()
    assert line.count(b"\n") == 1
    request = jsonrpc.read_request(line)
    assert equal(request.params["value"], value)


def test_minus_zero_survives_the_line() -> None:
    assert str(jsonrpc.read(b"-0")) == "-0.0"


@pytest.mark.parametrize("line", [b"", b"\xff", b"{", b"NaN", b"1e999", b"[" * 100_000])
def test_no_json_is_unreadable(line: bytes) -> None:
    with pytest.raises(jsonrpc.UnreadableError):
        jsonrpc.read(line)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"x", jsonrpc.PARSE_ERROR),
        (b"[]", jsonrpc.INVALID_REQUEST),
        (b"{}", jsonrpc.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":true,"method":"m"}', jsonrpc.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","params":[]}', jsonrpc.INVALID_REQUEST),
        (b'{"jsonrpc":"1.0","id":1,"method":"m","params":{}}', jsonrpc.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","method":"m","params":{}}', jsonrpc.INVALID_REQUEST),
    ],
)
def test_no_request_is_told_by_its_code(line: bytes, code: int) -> None:
    with pytest.raises(jsonrpc.RpcError) as caught:
        jsonrpc.read_request(line)
    assert caught.value.code == code


def test_params_may_be_left_out() -> None:
    assert jsonrpc.read_request(b'{"jsonrpc":"2.0","id":"a","method":"m"}').params == {}
