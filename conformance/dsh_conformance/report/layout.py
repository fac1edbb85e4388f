"""A JSON value laid out over lines, so that two values can be read side by side.

What fits on a line stays on it; what does not is opened, a line for each member.
Keys are sorted, since their order never matters.
"""

from collections.abc import Iterator, Mapping, Sequence

from dsh_conformance.report.printable import compact, printable
from dsh_spec.values import Json

#: How long a line may get before its value is opened, in characters.
FITS = 44
#: How deep values are opened; what lies deeper stays on one line.
DEEPEST = 30


def lines(value: Json) -> list[str]:
    """Return *value* line by line; the lines print, and are as long as their strings are."""
    return [printable(line, widest=None) for line in _laid_out(value, "", "", 0)]


def _laid_out(value: Json, before: str, after: str, depth: int) -> Iterator[str]:
    """Lay *value* out between *before* (a key) and *after* (a comma), *depth* levels in."""
    indent = "  " * depth
    short = f"{indent}{before}{compact(value)}{after}"
    members = _members(value)
    if len(short) <= FITS or not members or depth == DEEPEST:
        yield short
        return
    opening, closing = "{}" if isinstance(value, Mapping) else "[]"
    yield f"{indent}{before}{opening}"
    for at, (key, inner) in enumerate(members, start=1):
        yield from _laid_out(inner, key, "," if at < len(members) else "", depth + 1)
    yield f"{indent}{closing}{after}"


def _members(value: Json) -> list[tuple[str, Json]]:
    """Return what can be opened: each member with the text that stands before it."""
    if isinstance(value, Mapping):
        return [(f"{compact(key)}: ", value[key]) for key in sorted(value)]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [("", inner) for inner in value]
    return []
