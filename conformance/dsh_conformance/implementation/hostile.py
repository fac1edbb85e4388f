"""Values outside JSON, and how they travel in JSON.

In a request, where a parameter is named ``value``, ``data``, ``events`` or ``header``, and at any
depth within it, ``{"$hostile": NAME}`` stands for the named value.
An object that really has the single key ``$hostile`` or ``$literal`` travels as
``{"$literal": OBJECT}``: OBJECT itself then is no mark, but its members may hold marks again.
Results carry no marks: what is read back is JSON.

`encode_value` wraps the payloads that only look like marks.
`decode_params` reads the marks for a Python implementation; for a value outside JSON it passes on
the nearest thing that Python has.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias, cast, get_args

from dsh_spec.values import Json

#: The parameters within which marks mean something.
CARRIERS = ("value", "data", "events", "header")

#: The values outside JSON that the protocol knows.
HostileName: TypeAlias = Literal[
    "undefined", "nan", "infinity", "-infinity", "-0", "bigint", "function", "symbol", "cycle",
    "sparse-array", "class-instance", "date", "map", "set",
]  # fmt: skip

#: Their names, in the protocol's order.
HOSTILE_NAMES: tuple[HostileName, ...] = get_args(HostileName)

_HOSTILE = "$hostile"
_LITERAL = "$literal"
_SCALARS = frozenset({type(None), bool, int, float, str})


class MarkError(ValueError):
    """A mark that the protocol does not know."""


class SparseArray(list[object]):
    """A list with a hole, which Python cannot say otherwise."""

    def __init__(self) -> None:
        super().__init__([1, object(), 3])


class Instance:
    """An object of a class, which is no mapping."""

    def __init__(self) -> None:
        self.field = 1


def _cycle() -> object:
    ring: list[object] = []
    ring.append(ring)
    return ring


_BUILDERS: Mapping[str, Callable[[], object]] = {
    "undefined": lambda: ...,
    "nan": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "-infinity": lambda: float("-inf"),
    "-0": lambda: -0.0,
    # A Python int is a big integer; this one is none that a double could be.
    "bigint": lambda: 10**400,
    "function": lambda: len,
    "symbol": object,
    "cycle": _cycle,
    "sparse-array": SparseArray,
    "class-instance": Instance,
    "date": lambda: datetime(2026, 1, 1, tzinfo=UTC),
    # A dict maps any key, and json.dumps would quietly write this one as a string.
    "map": lambda: {1: "one"},
    "set": lambda: {1, 2},
}


def build(name: object) -> object:
    """Build the Python value for a hostile one; raises `MarkError` for an unknown name."""
    if not isinstance(name, str) or name not in _BUILDERS:
        raise MarkError(f"no hostile value is called {name!r:.40}")
    return _BUILDERS[name]()


def encode_value(value: Json) -> Json:
    """Return a copy of *value* as a ``value``, ``data``, ``events`` or ``header`` parameter."""
    return cast("Json", _rebuilt(value, _marked))


def decode_params(params: dict[str, Json]) -> None:
    """Replace the marks in *params* by what they stand for, in place; raises `MarkError`."""
    for name in CARRIERS:
        if name in params:
            params[name] = cast("Json", _rebuilt(params[name], _unmarked))


#: What a place is given, and the container to go on with, where there is one.
_Step: TypeAlias = "tuple[object, dict[str, object] | list[object] | None]"


def _rebuilt(value: object, step: Callable[[object], _Step]) -> object:
    """Apply *step* to every value, outermost first.

    A loop: values nest deeper than Python's calls may.
    """
    root: list[object] = [value]
    stack: list[Any] = [root]
    while stack:
        node = stack.pop()
        for place, child in node.items() if isinstance(node, dict) else enumerate(node):
            if type(child) not in _SCALARS:
                node[place], inner = step(child)
                if inner is not None:
                    stack.append(inner)
    return root[0]


def _marked(value: object) -> _Step:
    match value:
        case Mapping():
            members = dict(value)
            return ({_LITERAL: members} if _is_mark(members) else members), members
        case Sequence() if not isinstance(value, str):
            items = list(value)
            return items, items
    return value, None


def _unmarked(value: object) -> _Step:
    if isinstance(value, dict) and _is_mark(value):
        if _HOSTILE in value:
            return build(value[_HOSTILE]), None
        value = value[_LITERAL]
        if not isinstance(value, dict):
            raise MarkError(f'"{_LITERAL}" holds no object')
    return value, value if isinstance(value, dict | list) else None


def _is_mark(members: Mapping[str, object]) -> bool:
    return len(members) == 1 and (_HOSTILE in members or _LITERAL in members)
