"""The first of several ways that is possible in some log."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import reject
from hypothesis import strategies as st

from dsh_conformance.generate.formats import Past, drafts
from dsh_conformance.generate.formats.draft import Draft

_Way = TypeVar("_Way")
_Made = TypeVar("_Made")

#: How many logs are tried for one in which the way is possible.
TRIES = 4


def first_made(
    draw: st.DrawFn,
    ways: Sequence[tuple[Past, _Way]],
    make: Callable[[_Way, Draft], _Made | None],
) -> _Made:
    """Return what *make* makes of one of the ways, each tried in a log of its format."""
    first = draw(st.integers(0, len(ways) - 1))
    for attempt in range(TRIES):
        version, way = ways[(first + attempt) % len(ways)]
        made = make(way, draw(drafts(version)))
        if made is not None:
            return made
    return reject()
