"""When two values are the same JSON value."""

from collections.abc import Mapping, Sequence
from types import NoneType
from typing import TypeGuard

from dsh_reference.values.strings import utf16
from dsh_spec.values import Json, JsonObject

_SCALARS = (str, bool, int, float, NoneType)


def equal(left: Json, right: Json) -> bool:
    """Tell whether two values are the same JSON value.

    ``True`` is not 1, 1 is 1.0, key order does not matter, strings are compared by code unit.
    The walk is iterative, so that no depth is too great.

    Source: JSON-NUM, JSON-UTF16 (facts: events §8; adapter protocol, "What equals what").
    """
    pairs: list[tuple[Json, Json]] = [(left, right)]
    while pairs:
        a, b = pairs.pop()
        if isinstance(a, _SCALARS):
            if not _equal_scalars(a, b):
                return False
        elif isinstance(a, Mapping) and isinstance(b, Mapping):
            if a.keys() != b.keys():
                a, b = _by_units(a), _by_units(b)
            if a.keys() != b.keys():
                return False
            pairs.extend((member, b[key]) for key, member in a.items())
        elif _is_array(a) and _is_array(b):
            if len(a) != len(b):
                return False
            pairs.extend(zip(a, b, strict=True))
        else:
            return False
    return True


def _equal_scalars(a: Json, b: Json) -> bool:
    if isinstance(a, str) and isinstance(b, str):
        return a == b or utf16(a) == utf16(b)
    if _is_number(a) and _is_number(b):
        return a == b
    return (a is None or isinstance(a, bool)) and a is b


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_array(value: Json) -> TypeGuard[Sequence[Json]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _by_units(value: JsonObject) -> JsonObject:
    return {utf16(key): member for key, member in value.items()}
