"""A stored log of format v4 as bytes: read, admitted and written.

First the header line is judged, its version before anything else.
Then the rows behind it are taken, by the rule of the log's encoding:

- In plain text, what follows the last good row is a torn tail, left by a writer that was
  interrupted, unless a turn ends in it.
- In Zstandard each batch is a frame, and a complete frame was written whole: anything but good
  rows in it is damage.
  A torn last frame is read as far as it goes, by the rule for plain text; its good rows are
  *recovered*.

Last, `load` has the events admitted: what breaks a rule of the log is corrupt even at its end.
"""

from collections.abc import Sequence

from attrs import frozen

from dsh_reference.admit import admit
from dsh_reference.files.cut import inherited_count
from dsh_reference.files.frames import Decompressor, Frame, scan_frames
from dsh_reference.files.header import HeaderLine, read_header
from dsh_reference.files.names import Compression
from dsh_reference.files.rows import encode_row
from dsh_reference.files.scan import scan_rows
from dsh_reference.refusal import Refusal
from dsh_reference.values import dump
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject


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


def load(
    data: bytes, *, compression: Compression, decompressor: Decompressor | None = None
) -> LogFile | Refusal:
    """Read a whole log and have its events admitted (STORE-REFUSES-BROKEN-LOG)."""
    log = read_log(data, compression=compression, decompressor=decompressor)
    if isinstance(log, Refusal):
        return log
    admitted = admit(log.header, log.inherited, log.events)
    return admitted if isinstance(admitted, Refusal) else log


def read_log(
    data: bytes, *, compression: Compression, decompressor: Decompressor | None = None
) -> LogFile | Refusal:
    """Read a whole log without judging what its events mean.

    A *decompressor* is needed for ``zstd``.
    (TORN-FRAGMENT, INV-RECOVER, FRAME-COMPLETE-STRICT, FRAME-TORN-RECOVER; facts: persistence §4.5,
    §4.6.)
    """
    first = read_header(data, compression=compression, decompressor=decompressor)
    if isinstance(first, Refusal):
        return first
    if compression == "none":
        return _read_plain(data, first)
    assert decompressor is not None
    return _read_zstd(data, first, decompressor)


def batch_lines(events: Sequence[JsonObject]) -> bytes:
    """Return the lines of a batch of events, each ended by a line feed."""
    return "".join(f"{dump(encode_row(event))}\n" for event in events).encode()


def _read_plain(data: bytes, first: HeaderLine) -> LogFile | Refusal:
    rows = scan_rows(data, start=first.end)
    if isinstance(rows, Refusal):
        return rows
    return _log_file(first, rows.events, (), keep=rows.end, torn=rows.end < len(data))


def _read_zstd(data: bytes, first: HeaderLine, decompressor: Decompressor) -> LogFile | Refusal:
    frames = scan_frames(data)
    if isinstance(frames, Refusal):
        return frames
    text = _content(data, frames.complete[1:], decompressor)
    if isinstance(text, Refusal):
        return text
    rows = scan_rows(text)
    if isinstance(rows, Refusal):
        return rows
    if rows.end < len(text):
        return _bad_frame(len(rows.events))
    if frames.torn_start is None:
        return _log_file(first, rows.events, (), keep=len(data), torn=False)
    rest = decompressor.start(data[frames.torn_start :])
    more = rest if isinstance(rest, Refusal) else scan_rows(rest, seq=len(rows.events))
    if isinstance(more, Refusal):
        return more
    return _log_file(first, rows.events, more.events, keep=frames.torn_start, torn=True)


def _content(data: bytes, frames: Sequence[Frame], decompressor: Decompressor) -> bytes | Refusal:
    """Return the content of complete frames, joined: a row may lie across two of them."""
    contents: list[bytes] = []
    for frame in frames:
        content = decompressor.whole(data[frame.start : frame.end])
        if isinstance(content, Refusal):
            return content
        contents.append(content)
    return b"".join(contents)


def _bad_frame(count: int) -> Refusal:
    return Refusal(
        kind=RefusalKind.CORRUPT,
        rule="FRAME-COMPLETE-STRICT",
        where=f"line {count + 2}",
        problem="a complete frame holds something else than whole good rows",
    )


def _log_file(
    first: HeaderLine,
    events: tuple[JsonObject, ...],
    recovered: tuple[JsonObject, ...],
    *,
    keep: int,
    torn: bool,
) -> LogFile | Refusal:
    whole = events + recovered
    inherited = inherited_count(first.header, whole)
    if isinstance(inherited, Refusal):
        return inherited
    return LogFile(
        header=first.header,
        inherited=inherited,
        events=whole,
        committed_bytes=keep,
        torn=torn,
        recovered=recovered,
    )
