"""Ways to spoil a log: one member changed, or one event too many, too few or out of place.

Nothing here knows what a log means, so that no rule is left out for not having been thought of.
"""

import copy
from collections.abc import Iterator
from typing import Any, TypeAlias

from hypothesis import strategies as st

from dsh_spec.values import Json

#: The way to a member within a value.
Path: TypeAlias = tuple[str | int, ...]

#: What a member may become: words that mean something somewhere, and values of every type.
WORDS: tuple[Json, ...] = (
    None, True, False, 0, 1, 2, -1, 1.5, 2**53, "", "x", [], {}, [0], [1], "append", "user",
    "tool", "model", "plugin", "text", "tool-result", "turn/start", "turn/end", "user/message",
    "assistant/message", {"op": "replace", "startSeq": 0, "endSeq": 1},
    {"op": "replace", "start": 0, "end": 1},
)  # fmt: skip

#: What a member may be called that was not there.
KEYS: tuple[str, ...] = (
    "ignorable", "surfaceOp", "sourceEventSeqs", "turn", "headerSeq", "error", "inherited", "x",
    "trigger", "provenance", "sessionFormatVersion", "deferLoading", "system",
)  # fmt: skip


@st.composite
def spoilt(draw: st.DrawFn, rows: list[Any]) -> list[Any]:
    """A log, of one event at least, with one member of one event changed, or rearranged."""
    if draw(st.booleans()):
        return draw(rearranged(rows))
    rows = list(rows)
    place = draw(st.integers(0, len(rows) - 1))
    rows[place] = draw(changed(rows[place]))
    return rows


@st.composite
def changed(draw: st.DrawFn, value: Any) -> Any:
    """A value with one member changed."""
    value = copy.deepcopy(value)
    every = list(paths(value))
    if not every:
        return value
    *front, last = draw(st.sampled_from(every))
    holder = at(value, tuple(front))
    match draw(st.sampled_from(("set", "delete", "copy", "insert"))):
        case "delete":
            del holder[last]
        case "copy":
            holder[last] = copy.deepcopy(at(value, draw(st.sampled_from(every))))
        case "insert" if isinstance(holder, dict):
            holder[draw(st.sampled_from(KEYS))] = draw(st.sampled_from(WORDS))
        case _:
            holder[last] = draw(st.sampled_from(WORDS))
    return value


@st.composite
def rearranged(draw: st.DrawFn, rows: list[Any]) -> list[Any]:
    """A log with one row dropped, moved or repeated, its seqs dense again."""
    rows = list(rows)
    place = st.integers(0, len(rows) - 1)
    match draw(st.sampled_from(("drop", "move", "repeat"))):
        case "drop":
            del rows[draw(place)]
        case "move":
            row = rows.pop(draw(place))
            rows.insert(draw(st.integers(0, len(rows))), row)
        case _:
            rows.insert(draw(place), rows[draw(place)])
    return [{**row, "seq": seq} for seq, row in enumerate(rows)]


def paths(value: object, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every member within a value."""
    pairs: Any = ()
    if isinstance(value, dict):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value)
    for key, inner in pairs:
        yield (*path, key)
        yield from paths(inner, (*path, key))


def at(value: Any, path: Path) -> Any:
    """Return the member at a path."""
    for key in path:
        value = value[key]
    return value
