"""Payloads: any JSON, nothing but JSON, sometimes deep, and simple when shrunk."""

from collections.abc import Callable
from typing import Any

from hypothesis import given

from dsh_conformance.generate.payloads import DEEPEST, payloads
from dsh_reference.refusal import Refusal
from dsh_reference.values import dump, equal, not_json, parse
from dsh_spec.values import Json


def depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


@given(payloads())
def test_payloads_are_json_and_survive_it(value: Json) -> None:
    assert not_json(value) is None
    read = parse(dump(value))
    assert not isinstance(read, Refusal)
    assert equal(read, value)


def test_deep_payloads_come(smallest: Callable[..., Json]) -> None:
    found = smallest(payloads(), lambda value: depth(value) >= DEEPEST)
    assert DEEPEST <= depth(found) < 2 * DEEPEST


def test_the_simplest_is_zero(smallest: Callable[..., Json]) -> None:
    assert smallest(payloads()) == 0
