"""Near misses: what somebody who mistyped a name may have meant."""

from collections.abc import Iterable
from difflib import get_close_matches


def near(word: str, names: Iterable[str]) -> str:
    """Return ``"; did you mean X or Y?"``, or nothing when no name comes near *word*."""
    by_lower = {name.lower(): name for name in names}
    found = [by_lower[match] for match in get_close_matches(word.lower(), by_lower, n=3)]
    return f"; did you mean {' or '.join(found)}?" if found else ""
