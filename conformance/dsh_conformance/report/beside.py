"""Two JSON values side by side, with what differs marked."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile, zip_longest

from attrs import frozen

from dsh_conformance.report.layout import lines
from dsh_conformance.report.printable import WIDEST, printable
from dsh_spec.values import Json

#: How many lines are compared from the first difference on.
LONGEST = 300
#: How many equal lines are shown around a difference.
CONTEXT = 3
#: The most rows that are shown.
TALLEST = 60
#: How many equal characters are shown before the first difference of a long line.
LEAD = 40


@frozen(kw_only=True)
class Row:
    """One line of each value."""

    #: The line of the expected value, empty where it has none.
    expected: str = ""
    #: The line of the actual value, empty where it has none.
    actual: str = ""
    #: Whether the two differ.
    differs: bool = False


def beside(expected: Json, actual: Json) -> list[Row]:
    """Return the two values as aligned rows; long equal stretches are left out and counted."""
    shown = list(_folded(_rows(lines(expected), lines(actual))))
    kept = [_cut(row) for row in shown[:TALLEST]]
    return kept if len(shown) <= TALLEST else [*kept, _remark(len(shown) - TALLEST, "more row")]


def _rows(left: Sequence[str], right: Sequence[str]) -> list[Row]:
    """Align the lines: what is equal at the beginning, then the best match of the rest."""
    same = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))
    )
    rows = [Row(expected=line, actual=line) for line in left[:same]]
    rows += _aligned(left[same : same + LONGEST], right[same : same + LONGEST])
    dropped = max(len(left), len(right)) - same - LONGEST
    return rows if dropped <= 0 else [*rows, _remark(dropped, "more line")]


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    """Return how many items the two begin with in common."""
    pairs = zip(left, right, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _aligned(left: Sequence[str], right: Sequence[str]) -> Iterator[Row]:
    matcher = SequenceMatcher(a=left, b=right, autojunk=False)
    for tag, from_left, to_left, from_right, to_right in matcher.get_opcodes():
        pairs = zip_longest(left[from_left:to_left], right[from_right:to_right], fillvalue="")
        for a, b in pairs:
            yield Row(expected=a, actual=b, differs=tag != "equal")


def _folded(rows: Sequence[Row]) -> Iterator[Row]:
    """Keep what differs and what stands near it."""
    near = {
        at + by for at, row in enumerate(rows) if row.differs for by in range(-CONTEXT, CONTEXT + 1)
    }
    left_out: list[Row] = []
    for at, row in enumerate(rows):
        if near and at not in near:
            left_out.append(row)
            continue
        yield from _summed_up(left_out)
        left_out = []
        yield row
    yield from _summed_up(left_out)


def _summed_up(left_out: Sequence[Row]) -> Sequence[Row]:
    return left_out if len(left_out) < 2 else [_remark(len(left_out), "equal line")]


def _remark(count: int, what: str) -> Row:
    remark = f"… {count} {what}{'' if count == 1 else 's'}"
    return Row(expected=remark, actual=remark)


def _cut(row: Row) -> Row:
    """Cut long lines; of two that differ, what leads to the difference goes first."""
    if max(len(row.expected), len(row.actual)) <= WIDEST:
        return row
    same = _common(row.expected, row.actual) if row.differs else 0
    skipped = max(0, same - LEAD)
    lead = f"… ({skipped} equal characters) " if skipped else ""
    return Row(
        expected=_window(row.expected, lead, skipped),
        actual=_window(row.actual, lead, skipped),
        differs=row.differs,
    )


def _window(line: str, lead: str, skipped: int) -> str:
    return f"{lead}{printable(line[skipped:])}" if line else ""
