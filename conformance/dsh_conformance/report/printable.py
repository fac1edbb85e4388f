"""Text from outside, made safe to show: nothing in it can move a cursor or break an encoder.

Implementations put anything into strings: NUL, escape sequences, lone surrogates, text that runs
right to left.
Every character that does not print is shown as the JSON escape of its UTF-16 code units.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dsh_spec.values import Json

#: The longest line that is shown whole, in characters.
WIDEST = 400


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def printable(text: str, *, widest: int | None = WIDEST) -> str:
    """Return *text* as one line of characters that print, cut after *widest* of them."""
    cut = text[:widest]
    safe = cut if cut.isprintable() else "".join(c if c.isprintable() else _escaped(c) for c in cut)
    dropped = len(text) - len(cut)
    return f"{safe}… ({dropped} more characters)" if dropped else safe


def paragraph(text: str, *, most: int = 40) -> list[str]:
    """Return the lines of *text*, each made printable; the last *most* of them."""
    lines = text.splitlines()
    kept = [printable(line) for line in lines[-most:]]
    dropped = len(lines) - len(kept)
    return [f"… ({dropped} earlier lines)", *kept] if dropped else kept


def plain(value: Json) -> Json:
    """Return *value* as new dicts and lists, without the numbers that JSON cannot write.

    NaN and the infinities become the protocol's ``$hostile`` objects.
    """
    return _rebuilt(value, _writable)


def compact(value: Json) -> str:
    """Return *value* as JSON on one line, with sorted keys and the same text for 1 and 1.0."""
    same = _rebuilt(value, _spelt_alike)
    return json.dumps(same, ensure_ascii=False, sort_keys=True, separators=(", ", ": "))


def _rebuilt(value: Json, number: Callable[[float], Json]) -> Json:
    """Copy *value* with its floats replaced; a loop, since values nest deeper than Python calls."""
    root: list[Json] = [value]
    stack: list[dict[str, Json] | list[Json]] = [root]
    while stack:
        node = stack.pop()
        places: Iterable[Any] = list(node) if isinstance(node, dict) else range(len(node))
        holder: Any = node
        for place in places:
            copy = holder[place] = _shallow(holder[place], number)
            if isinstance(copy, dict | list):
                stack.append(copy)
    return root[0]


def _shallow(value: Json, number: Callable[[float], Json]) -> Json:
    match value:
        case float():
            return number(value)
        case Mapping():
            return dict(value)
        case Sequence() if not isinstance(value, str):
            return list(value)
        case _:
            return value


def _writable(number: float) -> Json:
    if math.isfinite(number):
        return number
    name = "nan" if math.isnan(number) else "infinity" if number > 0 else "-infinity"
    return {"$hostile": name}


def _spelt_alike(number: float) -> Json:
    """Write an integral double as the integer that it is; negative zero is a number of its own."""
    if number.is_integer() and abs(number) < 2**53 and str(number) != "-0.0":
        return int(number)
    return _writable(number)
