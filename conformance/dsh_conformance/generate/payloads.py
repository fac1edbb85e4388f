"""Opaque JSON: what a plugin keeps in a log, and what a store must give back unread."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from dsh_conformance.generate.strings import KEYS, TEXTS
from dsh_conformance.generate.tape import Tape
from dsh_spec.values import Json

#: The integers farthest from zero that a JSON number keeps apart from their neighbours.
SAFE = 2**53 - 1

#: Values without parts, the simplest first.  ``True`` and 1 are neighbours on purpose.
LEAVES: tuple[Json, ...] = (
    *(
        0,
        True,
        1,
        False,
        None,
        "a",
        1.5,
        0.1,
        -1,
        SAFE,
        -SAFE,
        1e21,
        -1e21,
        5e-324,
        1e308,
        0.30000000000000004,
        123456789.12345679,
    ),
    *(text for text in TEXTS if text != "a"),
)

#: How many levels the deepest payload has.
DEEPEST = 50

_STRIP = st.binary(max_size=24)


def payloads() -> st.SearchStrategy[Json]:
    """Any JSON value, sometimes 50 levels deep; shrinks to 0."""
    return _PAYLOADS


def payload(tape: Tape, levels: int = 3) -> Json:
    """Read a JSON value from a tape; each call makes new lists and objects."""
    make = tape.one_of(_KINDS) if levels else _leaf
    return make(tape, levels)


def obj(tape: Tape, levels: int = 2) -> dict[str, Any]:
    """Read a JSON object from a tape: up to seven keys that stand together in the list of them."""
    first, count = tape.pick(len(KEYS)), tape.pick(8)
    return {key: payload(tape, levels) for key in KEYS[first : first + count]}


def _leaf(tape: Tape, _levels: int) -> Json:
    return tape.one_of(LEAVES)


def _object(tape: Tape, levels: int) -> Json:
    return obj(tape, levels - 1)


def _list(tape: Tape, levels: int) -> Json:
    return [payload(tape, levels - 1) for _ in range(tape.pick(4))]


def _deep(tape: Tape, _levels: int) -> Json:
    """Nest one value in 50 lists and objects."""
    value = _leaf(tape, 0)
    key = tape.one_of(KEYS)
    for level in range(DEEPEST):
        value = {key: value} if level % 2 else [value]
    return value


_KINDS: tuple[Callable[[Tape, int], Json], ...] = (
    *(_leaf, _object, _list, _leaf, _object, _leaf, _object, _list),
    _deep,
)

_PAYLOADS = _STRIP.map(Tape).map(payload)
