"""Rows out of text: the good ones, and whether what follows them is torn or corrupt.

The scan has two states.
While every row is good it takes them; the first row that is not ends the log.
From then on it only watches: a ``turn/end`` in the rest, that very row included, means that a
finished turn would be lost, and the log is corrupt.
Only a line feed ends a row, and text behind the last one is no row.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import evolve, frozen

from dsh_reference.admit.rows import check_hard
from dsh_reference.files.rows import decode_row
from dsh_reference.refusal import Refusal
from dsh_reference.values import parse
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

#: How many cited seqs the events of one log may list together.
#: Ranges are short on disk: without a bound, a small file could fill the memory.
MAX_SOURCES: Final = 4_000_000


@frozen(kw_only=True)
class Rows:
    """The good rows at the front of a text."""

    #: Their events.
    events: tuple[JsonObject, ...]
    #: The first byte behind the last of them.
    end: int


def scan_rows(text: bytes, *, start: int = 0, seq: int = 0) -> Rows | Refusal:
    """Take the good rows of *text* from byte *start* on; the first one must have seq *seq*.

    Refuses when a turn ends behind the first row that is not good
    (INV-RECOVER), when a row is of a kind that no reader may drop
    (INV-HARD-ADMISSION), and beyond `MAX_SOURCES`; facts: persistence §4.5.
    """
    events: list[JsonObject] = []
    bad: Refusal | None = None
    end, sources = start, 0
    for line, behind in _lines(text, start):
        place = seq + len(events)
        row = parse(line)
        refusal = _never_dropped(row)
        if refusal is not None:
            return _at(refusal, place)
        event = bad or _event(row, place)
        if isinstance(event, Refusal):
            bad = event
            if _ends_turn(row):
                return _lost_turn(bad, place)
            continue
        events.append(event)
        end = behind
        sources += _cited(event)
        if sources > MAX_SOURCES:
            return _at(_TOO_MANY, place)
    return Rows(events=tuple(events), end=end)


def _lines(text: bytes, start: int) -> Iterator[tuple[bytes, int]]:
    """Yield each line without its line feed, and the first byte behind it."""
    while (feed := text.find(b"\n", start)) >= 0:
        yield text[start:feed], feed + 1
        start = feed + 1


def _event(row: Json | Refusal, place: int) -> JsonObject | Refusal:
    return row if isinstance(row, Refusal) else decode_row(row, place)


def _never_dropped(row: Json | Refusal) -> Refusal | None:
    """Say why no reader may take *row* for a torn tail, where it may not.

    Text that is JSON was written as a row, even if this reader cannot hold its value.
    """
    if isinstance(row, Refusal):
        return None if row.rule == "JSON-TEXT" else row
    return check_hard(row) if isinstance(row, Mapping) else None


def _ends_turn(row: Json | Refusal) -> bool:
    return isinstance(row, Mapping) and row.get("type") == "turn/end"


def _cited(event: JsonObject) -> int:
    sources = event.get("sourceEventSeqs")
    return len(sources) if isinstance(sources, list) else 0


_TOO_MANY: Final = Refusal(
    kind=RefusalKind.OTHER,
    rule="FILE-LIMIT",
    where="sourceEventSeqs",
    problem=f"the events cite more than {MAX_SOURCES} seqs together, the limit of this reader",
)


def _at(refusal: Refusal, place: int) -> Refusal:
    kind = RefusalKind.CORRUPT if refusal.kind is RefusalKind.NOT_JSON else refusal.kind
    return evolve(refusal, kind=kind, where=f"line {place + 2}: {refusal.where}")


def _lost_turn(bad: Refusal, place: int) -> Refusal:
    return Refusal(
        kind=RefusalKind.CORRUPT,
        rule="INV-RECOVER",
        where=f"line {place + 2}",
        problem=f"a turn ends in or behind a row that is not good: {bad.problem} [{bad.rule}]",
    )
