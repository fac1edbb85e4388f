"""A stored log as bytes, of any format: read, admitted and written.

First the header line is judged, its version before anything else.
Then the rows behind it are taken, by the rule of the log's encoding:

- In plain text, what follows the last good row is a torn tail, left by a writer that was
  interrupted, unless a turn ends in it.
- In Zstandard each batch is a frame, and a complete frame was written whole: in v4 anything but
  good rows in it is damage, and in older formats anything but whole lines.
  A torn last frame is read as far as it goes, by the rule for plain text.
  Good rows that lie in a frame with a torn or bad part are *recovered*: a writer cuts the whole
  frame off, and writes them again.

Last, `load` has the events of a v4 log admitted: what breaks a rule of the log is corrupt even at
its end.

`Reading` is the same for a log that is not in memory: it holds one row at a time.

What was written is what is read (FILE-ROUND-TRIP).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import define, field, frozen

from dsh_reference.admit import admit
from dsh_reference.files.cut import inherited_count
from dsh_reference.files.frames import Decompressor, Frame, Torn, each_frame
from dsh_reference.files.header import HeaderLine, read_header
from dsh_reference.files.lines import MAX_LINE, Mark, Piece, in_pieces, split_lines
from dsh_reference.files.names import Compression
from dsh_reference.files.rows import encode_rows
from dsh_reference.files.scan import Parser, read_rows
from dsh_reference.header import VERSION
from dsh_reference.refusal import Refusal
from dsh_reference.values import dump, parse
from dsh_spec.catalogue import Format
from dsh_spec.values import JsonObject

#: The content of a frame, of a torn one as far as it goes.
Content = Callable[[Frame | Torn], Iterable[bytes | Refusal]]


@frozen(kw_only=True)
class LogEnd:
    """What is known of a log once it has been read to its end."""

    #: How many leading events were inherited.
    inherited: int
    #: How many events there are.
    count: int
    #: How many bytes a writer keeps; it cuts off the rest before its first append.
    committed_bytes: int
    #: Whether there are bytes behind them.
    torn: bool
    #: How many of the last events lie in those; a writer writes them again before its own.
    recovered: int
    #: What is wrong with the first row that is not good, if there is one.
    problem: Refusal | None


@frozen(kw_only=True)
class LogFile:
    """What a log holds."""

    #: The logical header.
    header: JsonObject
    #: How many leading events were inherited.
    inherited: int
    #: The events, recovered ones last.
    events: tuple[JsonObject, ...]
    #: How many bytes a writer keeps; it cuts off the rest before its first append.
    committed_bytes: int
    #: Whether there are bytes behind them.
    torn: bool
    #: The events recovered from a torn frame; a writer writes them again before its own.
    recovered: tuple[JsonObject, ...] = ()
    #: What is wrong with the first row that is not good, if there is one.
    problem: Refusal | None = None


@define
class Reading:
    """A log on its way in; iterate once over its events, then ask how it ended."""

    #: The header line.
    first: HeaderLine
    _pieces: Iterable[Piece]
    _framed: bool
    _limit: int = MAX_LINE
    _parser: Parser = parse
    #: How it ended: nothing until the last event is out, a refusal when the log is refused.
    end: LogEnd | Refusal | None = field(default=None, init=False)

    def __iter__(self) -> Iterator[JsonObject]:
        """Yield the events; what was yielded is no log until the end is known."""
        lines = split_lines(self._pieces, self._limit)
        rows = yield from read_rows(
            lines,
            start=self.first.end,
            format=self.first.format,
            framed=self._framed,
            parser=self._parser,
        )
        if isinstance(rows, Refusal):
            self.end = rows
            return
        inherited = inherited_count(self.first, rows.marker, rows.count)
        self.end = (
            inherited
            if isinstance(inherited, Refusal)
            else LogEnd(
                inherited=inherited,
                count=rows.count,
                committed_bytes=rows.end,
                torn=rows.torn,
                recovered=rows.recovered,
                problem=rows.problem,
            )
        )

    def whole(self) -> LogFile | Refusal:
        """Read to the end, and hold all the events."""
        events = tuple(self)
        end = self.end
        if isinstance(end, Refusal):
            return end
        assert end is not None
        return LogFile(
            header=self.first.header,
            inherited=end.inherited,
            events=events,
            committed_bytes=end.committed_bytes,
            torn=end.torn,
            recovered=events[end.count - end.recovered :],
            problem=end.problem,
        )


def plain_reading(
    first: HeaderLine,
    pieces: Iterable[bytes | Refusal],
    limit: int = MAX_LINE,
    parser: Parser = parse,
) -> Reading:
    """Return a reading of plain text, whose *pieces* begin behind the header line."""
    return Reading(first, pieces, False, limit, parser)  # noqa: FBT003


def framed_reading(
    first: HeaderLine,
    frames: Iterable[Frame | Torn | Refusal],
    content: Content,
    limit: int = MAX_LINE,
    parser: Parser = parse,
) -> Reading:
    """Return a reading of Zstandard, whose *frames* begin behind that of the header line."""
    pieces = _framed(first.end, frames, content)
    return Reading(first, pieces, True, limit, parser)  # noqa: FBT003


def load(
    data: bytes, *, compression: Compression, decompressor: Decompressor | None = None
) -> LogFile | Refusal:
    """Read a whole log of the newest format and have it admitted (STORE-REFUSES-BROKEN-LOG)."""
    log = read_log(data, compression=compression, decompressor=decompressor, format=VERSION)
    if isinstance(log, Refusal):
        return log
    admitted = admit(log.header, log.inherited, log.events)
    return admitted if isinstance(admitted, Refusal) else log


def read_log(
    data: bytes,
    *,
    compression: Compression,
    decompressor: Decompressor | None = None,
    format: Format | None = None,  # noqa: A002 - the word for it
) -> LogFile | Refusal:
    """Read a whole log without judging what its events mean.

    Its format is what its header says; where the file's name says one too, it is *format*.
    A *decompressor* is needed for ``zstd``.
    (TORN-FRAGMENT, INV-RECOVER, FRAME-COMPLETE-STRICT, FRAME-TORN-RECOVER; facts: persistence §4.5,
    §4.6, migration §0.)
    """
    first = read_header(data, compression=compression, decompressor=decompressor, format=format)
    if isinstance(first, Refusal):
        return first
    if compression == "none":
        return plain_reading(first, in_pieces(data, first.end)).whole()
    assert decompressor is not None
    content = _content(data, decompressor)
    return framed_reading(first, each_frame(data, first.end), content).whole()


def batch_lines(events: Sequence[JsonObject], format: Format = VERSION) -> bytes:  # noqa: A002 - the word for it
    """Return the lines of a batch of events, each ended by a line feed.

    Only within a batch are chunks packed (CHUNKROW-ENCODE).
    """
    return "".join(f"{dump(row)}\n" for row in encode_rows(events, format)).encode()


def _content(data: bytes, decompressor: Decompressor) -> Content:
    def content(frame: Frame | Torn) -> Iterable[bytes | Refusal]:
        if isinstance(frame, Frame):
            return (decompressor.whole(data[frame.start : frame.end]),)
        return (decompressor.start(data[frame.start :]),)

    return content


def _framed(
    start: int, frames: Iterable[Frame | Torn | Refusal], content: Content
) -> Iterator[Piece]:
    """Yield the content of the frames, and a mark behind each complete one."""
    end = start
    for frame in frames:
        match frame:
            case Refusal():
                yield frame
                return
            case Torn():
                yield Mark(end, last=True, torn=True)
                yield from content(frame)
                return
            case Frame():
                yield from content(frame)
                end = frame.end
                yield Mark(end)
    yield Mark(end, last=True)
