"""Two logs compared line by line, as JSON values."""

from itertools import zip_longest

from dsh_conformance.golden.case import Case, Finding
from dsh_reference.refusal import Refusal
from dsh_reference.values import equal, parse


def first_difference(case: Case, file: str, actual: bytes, who: str) -> Finding | None:
    """Say in which line *actual* first differs from the case's *file*; key order is free.

    A case without that file is a finding too.
    """
    if file not in case.files:
        return Finding(place=case.place, problem=f"it has no {file} to compare {who} with")
    pairs = zip_longest(case.files[file].split(b"\n"), actual.split(b"\n"), fillvalue=b"")
    for number, (one, other) in enumerate(pairs, 1):
        if one != other and not _equal(one, other):
            return Finding(
                place=case.place,
                problem=f"{who} comes to another line {number} of {file}",
                expected=one.decode("utf-8", "replace"),
                actual=other.decode("utf-8", "replace"),
            )
    return None


def _equal(one: bytes, other: bytes) -> bool:
    left, right = parse(one), parse(other)
    return not isinstance(left, Refusal) and not isinstance(right, Refusal) and equal(left, right)
