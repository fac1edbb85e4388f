"""Marks for values outside JSON: whatever is sent arrives as what was meant."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.implementation.hostile import (
    CARRIERS,
    HOSTILE_NAMES,
    MarkError,
    build,
    decode_params,
    encode_value,
)
from dsh_reference.values import equal, not_json

names = st.sampled_from(["$hostile", "$literal", "a", ""])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
)


def decoded(value: Any, carrier: str = "events") -> Any:
    params = {carrier: value}
    decode_params(params)
    return params[carrier]


@given(values, st.sampled_from(CARRIERS))
def test_a_payload_arrives_as_it_was_sent(value: Any, carrier: str) -> None:
    assert equal(decoded(encode_value(value), carrier), value)


@given(values)
def test_encoding_leaves_the_payload_alone(value: Any) -> None:
    before = repr(value)
    decoded(encode_value(value))
    assert repr(value) == before


@pytest.mark.parametrize(
    ("payload", "sent"),
    [
        ({"a": 1}, {"a": 1}),
        ({"$hostile": 1, "a": 2}, {"$hostile": 1, "a": 2}),
        ({"$hostile": "nan"}, {"$literal": {"$hostile": "nan"}}),
        ({"$literal": {}}, {"$literal": {"$literal": {}}}),
        (
            [{"$literal": [{"$hostile": 1}]}],
            [{"$literal": {"$literal": [{"$literal": {"$hostile": 1}}]}}],
        ),
    ],
)
def test_what_looks_like_a_mark_is_wrapped(payload: Any, sent: Any) -> None:
    assert encode_value(payload) == sent


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_every_hostile_value_lies_outside_json(name: str) -> None:
    assert not_json([build(name)]) is not None


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_mark_works_at_any_depth_and_inside_a_literal(name: str) -> None:
    sent = [{"$literal": {"$literal": {"data": [{"$hostile": name}]}}}]
    assert type(decoded(sent)[0]["$literal"]["data"][0]) is type(build(name))


def test_a_mark_elsewhere_is_data() -> None:
    params: dict[str, Any] = {"id": {"$hostile": "nan"}}
    decode_params(params)
    assert params == {"id": {"$hostile": "nan"}}


@pytest.mark.parametrize("mark", [{"$hostile": "no"}, {"$hostile": [1]}, {"$literal": 1}])
def test_an_unknown_mark_is_an_error(mark: Any) -> None:
    with pytest.raises(MarkError):
        decoded([mark])


def test_depth_is_no_obstacle() -> None:
    deep: Any = {"$hostile": 1}
    for _ in range(10_000):
        deep = [deep]
    assert equal(decoded(encode_value(deep)), deep)
