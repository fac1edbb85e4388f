"""The lossless boundary: which Python objects are JSON values at all."""

from math import isfinite
from types import NoneType
from typing import TypeAlias

from dsh_reference.refusal import Refusal
from dsh_reference.values.numbers import is_minus_zero
from dsh_spec.refusals import RefusalKind

#: The way from the root to an object: the place of its container, and its key there.
_Place: TypeAlias = "tuple[_Place, object] | None"

#: Types all of whose values are JSON.
_ALWAYS_JSON = frozenset({str, bool, NoneType})


def not_json(value: object) -> Refusal | None:
    """Say why a Python object is no lossless JSON value, or ``None`` when it is one.

    JSON are ``None``, booleans, strings, lists, dicts with string keys, finite floats except -0.0,
    and integers that some double holds exactly: all within ±(2^53 - 1), and beyond it those that
    a double happens to hit.  The types are meant exactly: a subclass is not JSON.
    An object may occur in several places, but not within itself.
    The walk is iterative and linear: neither depth nor sharing is too much for it.

    The refusal's kind is ``not-json``, its rule JSON-REFUSE (facts: events §8).
    """
    path: set[int] = set()
    judged: set[int] = set()
    stack: list[tuple[object, _Place, bool]] = [(value, None, False)]
    while stack:
        item, place, leaving = stack.pop()
        if leaving:
            path.discard(id(item))
            judged.add(id(item))
            continue
        problem = "an object contains itself" if id(item) in path else _defect(item)
        if problem:
            return _refusal(place, problem)
        if isinstance(item, list | dict) and id(item) not in judged:
            path.add(id(item))
            stack.append((item, place, True))
            members = item.items() if isinstance(item, dict) else enumerate(item)
            stack.extend(
                (member, (place, key), False)
                for key, member in members
                if type(member) not in _ALWAYS_JSON
            )
    return None


def _defect(item: object) -> str | None:
    kind = type(item)
    if kind is list or kind in _ALWAYS_JSON:
        return None
    if isinstance(item, dict) and kind is dict:
        odd = [type(key).__name__ for key in item if type(key) is not str]
        return f"a key is of type {odd[0]}" if odd else None
    if isinstance(item, float) and kind is float:
        if not isfinite(item):
            return f"{item} is no JSON number"
        return "minus zero would come back as zero" if is_minus_zero(item) else None
    if isinstance(item, int) and kind is int:
        return None if _is_exact(item) else "no double holds this integer exactly"
    return f"a value of type {kind.__name__} is no JSON"


def _is_exact(number: int) -> bool:
    try:
        return int(float(number)) == number
    except OverflowError:
        return False


def _refusal(place: _Place, problem: str) -> Refusal:
    keys: list[str] = []
    while place is not None:
        place, key = place
        keys.append(f"[{key}]" if isinstance(key, int) else f".{key}")
    where = "value" + "".join(reversed(keys))
    return Refusal(
        kind=RefusalKind.NOT_JSON,
        rule="JSON-REFUSE",
        where=where if len(where) < 200 else f"{where[:100]} ... {where[-80:]}",
        problem=problem,
        remedy="Pass what a JSON text can say.",
    )
