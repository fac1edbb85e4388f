"""On which line of its file an event stands."""

from collections.abc import Callable, Mapping
from pathlib import Path

from dsh_reference.files import Compression
from dsh_reference.files.chunks import is_packed, unpack_row
from dsh_reference.refusal import Refusal
from dsh_reference.values import parse


def line_finder(path: Path, version: int, compression: Compression) -> Callable[[int], int | None]:
    """Return what finds the line of a seq; the header is line 1.

    From v2 on a row is an event.  Before that a row may pack many, so the file is read once more,
    when a line is asked for; of a compressed one no line is told.
    """
    if version >= 2:
        return lambda seq: seq + 2
    if compression != "none":
        return lambda _: None
    return lambda seq: _counted(path, seq)


def _counted(path: Path, seq: int) -> int | None:
    reached = 0
    with path.open("rb") as file:
        next(file, None)
        for number, line in enumerate(file, start=2):
            reached += _events_in(line, reached)
            if reached > seq:
                return number
    return None


def _events_in(line: bytes, seq: int) -> int:
    row = parse(line)
    if not isinstance(row, Mapping) or not is_packed(row):
        return 1
    events = unpack_row(row, seq)
    return 0 if isinstance(events, Refusal) else sum(1 for _ in events)
