"""A valid log in the parts that its file is made of: the header line, and rows in batches."""

from collections.abc import Iterable, Sequence
from functools import cached_property

from attrs import define, frozen
from hypothesis import strategies as st

from dsh_conformance.generate.files.frames import frame
from dsh_conformance.generate.files.packing import Run, pack_chunks, pack_sources
from dsh_conformance.generate.files.spelling import plain
from dsh_conformance.generate.formats import Format, logs
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.tape import Tape
from dsh_reference.files import Compression
from dsh_reference.session_log import SessionLog
from dsh_spec.values import Json, JsonObject

#: The longest tape that settles how a file is made of a log.
_STRIP = 64
#: The most batches of events that a log has.
_BATCHES = 3


@frozen(kw_only=True)
class Row:
    """One line of a file, without its line feed."""

    #: The seq of its first event.
    first: int
    #: How many events it holds.
    count: int
    #: Whether it is the end of a turn.
    is_end: bool
    #: The line.
    line: bytes


@define(kw_only=True, slots=False)
class Basis:
    """A log, and how its file is laid out."""

    #: The log.
    log: SessionLog
    #: In which encoding.
    compression: Compression
    #: The header line as an object.
    head: JsonObject
    #: The rows, batch by batch.
    batches: Sequence[Sequence[Row]]

    @property
    def format(self) -> Format:
        """The log's format."""
        return self.log.format

    @property
    def header(self) -> bytes:
        """The header line with its line feed."""
        return plain(self.head) + b"\n"

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows of all batches."""
        return tuple(row for batch in self.batches for row in batch)

    @property
    def count(self) -> int:
        """How many events the log has."""
        return len(self.log.events)

    def before(self, at: int) -> int:
        """Return how many events lie before the row at *at*."""
        return self.rows[at].first if at < len(self.rows) else self.count

    def file(self, *more: bytes, header: bytes | None = None) -> bytes:
        """Return the whole file; *more* is the text of batches behind those of the log."""
        texts = [text(batch) for batch in self.batches]
        return self.encoded(header or self.header, *texts, *more)

    def encoded(self, *texts: bytes) -> bytes:
        """Return the bytes that hold these texts, each written at once."""
        return b"".join(texts if self.compression == "none" else map(frame, texts))


def text(rows: Iterable[Row]) -> bytes:
    """Return the lines of some rows."""
    return lines(row.line for row in rows)


def lines(each: Iterable[bytes]) -> bytes:
    """Return lines, each ended by a line feed."""
    return b"".join(line + b"\n" for line in each)


def physical(log: SessionLog) -> Raw:
    """Return the header line of a log as an object (facts: persistence §4.3)."""
    row: Raw = {"type": "session", "delegationDepth": 0, **log.header}
    if row["version"] < 2 and row.pop("isSeeded"):
        row["seedLength"] = log.inherited
    order = ("type", "version", "id", "createdAt", "cwd", "parentSession", "isSeeded", "seedLength")
    rest = ("origin", "delegationDepth", "agentPreset")
    return {key: row[key] for key in (*order, *rest) if key in row}


def lay_out(log: SessionLog, compression: Compression, tape: Tape) -> Basis:
    """Lay out a log as the tape settles it; zeros write each event as it is, all in one batch."""
    runs = pack_chunks(log.events, tape) if log.format < 2 else [Run(row, 1) for row in log.events]
    batches: list[list[Row]] = []
    seq = 0
    for run in runs:
        if not batches or tape.rarely(3):
            batches.append([])
        batches[-1].append(_row(run, seq, tape))
        seq += run.count
    return Basis(log=log, compression=compression, head=physical(log), batches=batches)


@st.composite
def bases(draw: st.DrawFn, version: Format, compression: Compression) -> Basis:
    """Valid logs of a format in any layout; they shrink to an empty log."""
    log = draw(logs(version, max_batches=_BATCHES))
    return lay_out(log, compression, Tape(draw(st.binary(max_size=_STRIP))))


def _row(run: Run, seq: int, tape: Tape) -> Row:
    row = run.row
    sources = row.get("sourceEventSeqs")
    if isinstance(sources, list | tuple):
        row = {**row, "sourceEventSeqs": pack_sources(_seqs(sources), tape)}
    is_end = row["type"] == "turn/end"
    return Row(first=seq, count=run.count, is_end=is_end, line=plain(row))


def _seqs(sources: Sequence[Json]) -> list[int]:
    return [seq for seq in sources if isinstance(seq, int)]
