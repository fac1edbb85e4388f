"""Rows out of lines: the good ones, and whether what follows them is torn or corrupt.

The scan has two states.
While every row is good it takes them; the first row that is not ends the log.
From then on it only watches: a ``turn/end`` in the rest, that very row included, means that a
finished turn would be lost, and the log is corrupt.

What counts as a ``turn/end`` then depends on the format.
A reader of v4 looks at the type alone.
The readers of v0 to v3 did so only behind a line that is no JSON; behind any other bad row a
``turn/end`` counts that would be a good row in another place.
"""

from collections.abc import Callable, Generator, Iterable
from typing import Final, TypeAlias

from attrs import define, evolve, frozen

from dsh_reference.admit.rows import check_hard
from dsh_reference.files.cut import is_cut
from dsh_reference.files.lines import Fragment, Line, Mark
from dsh_reference.files.rows import expand_row, fits_elsewhere
from dsh_reference.files.sources import SOURCES
from dsh_reference.files.v3 import check_hard_v3
from dsh_reference.refusal import Refusal
from dsh_reference.values import parse
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject, is_object

#: How many cited seqs the events of one log may list together.
#: Ranges are short on disk: without a bound, a small file could fill the memory.
MAX_SOURCES: Final = 4_000_000
#: How many lines a reader looks through behind a row that is not good.
#: A frame of a few kilobytes may unpack to billions of blank ones.
MAX_DROPPED: Final = 1 << 20
#: Reads the JSON text of a row.
Parser: TypeAlias = Callable[[bytes], Json | Refusal]


@frozen(kw_only=True)
class Rows:
    """How the rows of a log ended."""

    #: How many events the good rows hold.
    count: int
    #: How many bytes of the file a writer keeps.
    end: int
    #: How many of the events lie behind those bytes, in a frame that was torn or has a bad row.
    recovered: int
    #: Whether there are bytes behind them.
    torn: bool
    #: The seq of the last event that ends an inherited prefix, if there is one.
    marker: int | None
    #: What is wrong with the first row that is not good, if there is one.
    problem: Refusal | None


def read_rows(
    lines: Iterable[Line],
    *,
    start: int,
    format: Format,  # noqa: A002 - the word for it
    framed: bool = False,
    parser: Parser = parse,
) -> Generator[JsonObject, None, Rows | Refusal]:
    """Yield the events of the good rows at the front of *lines*, and return how they ended.

    *start* is where the lines begin in the file, in bytes; *framed* ones come with marks; *parser*
    does what `parse` does.
    It is a refusal when a turn ends behind the first row that is not good (INV-RECOVER,
    MIG-RECOVER-PREFIX), when a row is of a kind that no reader may drop (INV-HARD-ADMISSION), when
    complete frames end within a row or, in v4, hold a bad one (MIG-TORN-ZSTD,
    FRAME-COMPLETE-STRICT), and beyond `MAX_SOURCES` and `MAX_DROPPED` (FILE-LIMIT); facts:
    persistence §4.5, §4.6.
    """
    scan = _Scan(format=format, end=start, parser=parser)
    for line in lines:
        if isinstance(line, bytes):
            events = scan.take(line)
            if isinstance(events, Refusal):
                return events
            for event in events:
                scan.count += 1
                yield event
            if not framed and scan.bad is None:
                scan.keep(scan.end + len(line) + 1)
        else:
            refusal = scan.pass_(line)
            if refusal is not None:
                return refusal
    return scan.rows()


@define(kw_only=True)
class _Scan:
    """What is known of a log so far."""

    format: Format
    end: int
    parser: Parser
    count: int = 0
    kept: int = 0
    torn: bool = False
    sources: int = 0
    dropped: int = 0
    marker: int | None = None
    #: The line that is looked at; the header is line 1.
    line: int = 1
    #: What is wrong with the first row that is not good, and its line.
    bad: Refusal | None = None
    bad_line: int = 0
    is_past_json: bool = False

    def take(self, line: bytes) -> Iterable[JsonObject] | Refusal:
        """Return the events of a row; none when it is set aside, a refusal when it refuses."""
        self.line += 1
        row = self.parser(line)
        refusal = self._never_dropped(row)
        if refusal is not None:
            return _at(refusal, self.line)
        if self.bad is None:
            found = row if isinstance(row, Refusal) else expand_row(row, self.count, self.format)
            if not isinstance(found, Refusal):
                return self._taken(found)
            if found.rule == "FILE-LIMIT":
                return _at(found, self.line)
            self.bad, self.bad_line = _at(found, self.line), self.line
        self.dropped += 1
        if self.dropped > MAX_DROPPED:
            return _at(_TOO_LONG, self.line)
        self.is_past_json = self.is_past_json or isinstance(row, Refusal)
        return _lost_turn(self.bad, self.bad_line) if self._ends_turn(row) else ()

    def keep(self, end: int) -> None:
        """Note that all so far is good up to a byte at which the file may be cut."""
        self.end, self.kept = end, self.count

    def pass_(self, line: Mark | Fragment | Refusal) -> Refusal | None:
        """Take what stands between rows; a refusal ends the log."""
        match line:
            case Refusal(rule="FRAME-COMPLETE-STRICT"):
                return evolve(line, rule=_frame_rule(self.format))
            case Refusal():
                return line
            case Fragment():
                self.torn = True
            case Mark(end=end, last=last):
                if last and (self.torn or (self.bad is not None and self.format == 4)):
                    return _bad_frame(self.bad_line or self.line + 1, self.format)
                if self.bad is None:
                    self.keep(end)
                self.torn = line.torn
        return None

    def rows(self) -> Rows:
        """Return how it ended."""
        return Rows(
            count=self.count,
            end=self.end,
            recovered=self.count - self.kept,
            torn=self.torn or self.bad is not None,
            marker=self.marker,
            problem=self.bad,
        )

    def _never_dropped(self, row: Json | Refusal) -> Refusal | None:
        """Say why no reader may take *row* for a torn tail, where it may not.

        Text that is JSON was written as a row, even if this reader cannot hold its value.
        """
        if isinstance(row, Refusal):
            return None if row.rule == "JSON-TEXT" else row
        if self.format < 3 or not is_object(row):
            return None
        if self.format == 3:
            return None if self.is_past_json else check_hard_v3(row)
        return check_hard(row)

    def _taken(self, events: Iterable[JsonObject]) -> Iterable[JsonObject] | Refusal:
        """Look at what is asked of an event while it is read."""
        if not isinstance(events, tuple):
            return events
        (event,) = events
        if event.get("type") == "session/end-seed":
            if is_cut(event):
                self.marker = self.count
            elif self.format in (2, 3) and not is_object(event["data"]):
                return _at(_NO_MARKER, self.line)
        if SOURCES in event:
            self.sources += len(event[SOURCES])
            if self.sources > MAX_SOURCES:
                return _at(_TOO_MANY, self.line)
        return events

    def _ends_turn(self, row: Json | Refusal) -> bool:
        if not is_object(row) or row.get("type") != "turn/end":
            return False
        return self.format == 4 or self.is_past_json or fits_elsewhere(row, self.format)


_TOO_MANY: Final = Refusal(
    kind=RefusalKind.OTHER,
    rule="FILE-LIMIT",
    where="sourceEventSeqs",
    problem=f"the events cite more than {MAX_SOURCES} seqs together, the limit of this reader",
)
_TOO_LONG: Final = Refusal(
    kind=RefusalKind.OTHER,
    rule="FILE-LIMIT",
    where="tail",
    problem=f"more than {MAX_DROPPED} lines lie behind a bad row, the limit of this reader",
)
_NO_MARKER: Final = Refusal(
    kind=RefusalKind.CORRUPT,
    rule="CUT-V2PLUS",
    where="session/end-seed",
    problem="its data is no object, so that it cannot say whether it ends an inherited prefix",
)


def _at(refusal: Refusal, line: int) -> Refusal:
    kind = RefusalKind.CORRUPT if refusal.kind is RefusalKind.NOT_JSON else refusal.kind
    return evolve(refusal, kind=kind, where=f"line {line}: {refusal.where}")


def _lost_turn(bad: Refusal, line: int) -> Refusal:
    return Refusal(
        kind=RefusalKind.CORRUPT,
        rule="INV-RECOVER",
        where=f"line {line}",
        problem=f"a turn ends in or behind a row that is not good: {bad.problem} [{bad.rule}]",
    )


def _bad_frame(line: int, format: Format) -> Refusal:  # noqa: A002 - the word for it
    return Refusal(
        kind=RefusalKind.CORRUPT,
        rule=_frame_rule(format),
        where=f"line {line}",
        problem="a complete frame holds something else than whole good rows",
    )


def _frame_rule(format: Format) -> str:  # noqa: A002 - the word for it
    return "FRAME-COMPLETE-STRICT" if format == 4 else "MIG-TORN-ZSTD"
