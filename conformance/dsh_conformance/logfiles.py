"""Log files of any format and either encoding, read from a disk in bounded memory.

`open_log` reads a whole log, `stream_log` gives out one event after the other, so that a log of any
size can be looked through.
Beside the events that a caller keeps, a reading holds at most

- one line, of at most 64 MiB, and what it parses to, which is some 25 times that at worst;
- a piece of text and one of the file, of 1 MiB each;
- the window of a Zstandard frame, of at most 128 MiB.

A longer line, a wider window, a text of more than 16 GiB, more than 512 levels of nesting, more
than 4,000,000 cited seqs, a packed row of more than 1,048,576 chunks and more than 1,048,576 lines
behind one that is not good are refused by name (FILE-LIMIT).
Whatever the bytes are, the answer is a log or a refusal.
"""

import gc
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from attrs import frozen

from dsh_conformance.backends.zstd import Inflate, Zstd
from dsh_conformance.filebytes import FileBytes
from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.usual import parse_line
from dsh_reference.files import (
    Frame,
    HeaderLine,
    LogFile,
    Reading,
    Torn,
    each_frame,
    framed_reading,
    parse_log_name,
    plain_reading,
    select_generation,
)
from dsh_reference.files.frames import MAGIC
from dsh_reference.files.header import headless, judge_frame, judge_line
from dsh_reference.files.lines import MAX_LINE, split_lines
from dsh_reference.refusal import Refusal
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind

#: How many bytes of text a log may hold, all frames together.
MAX_LOG: Final = 16 << 30
_FORMATS: Final[tuple[Format, ...]] = (0, 1, 2, 3, 4)


@frozen(kw_only=True)
class Limits:
    """The bounds of a reading, in bytes."""

    #: How long a line may be.
    line: int = MAX_LINE
    #: How much text a compressed log may hold.
    text: int = MAX_LOG


def open_log(path: Path, limits: Limits | None = None) -> LogFile | Refusal:
    """Read a whole log: its events are held, so memory grows with them.

    The format is that of the file's name, where it is a log's (ROW-ONE-VERSION), and else that of
    the header; the encoding likewise, and else that of the first bytes.
    """
    with stream_log(path, limits) as reading, collector_paused():
        return reading if isinstance(reading, Refusal) else reading.whole()


@contextmanager
def stream_log(path: Path, limits: Limits | None = None) -> Iterator[Reading | Refusal]:
    """Open a log to be read event by event, while the context lasts.

    A log that grows in the meantime is read as long as it was at first.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        yield _unreadable(path, error)
        return
    try:
        yield _opened(path, file, limits or Limits())
    finally:
        os.close(file)


def find_log(directory: Path) -> Path | Refusal | None:
    """Return the log of a session's directory: that of its highest generation, if it has one.

    (STORE-NEWEST-GENERATION-WINS, FILE-ONE-ENCODING.)
    """
    try:
        found = select_generation(file.name for file in directory.iterdir())
    except (OSError, ValueError) as error:
        return _unreadable(directory, error)
    return found if found is None or isinstance(found, Refusal) else directory / found.name


def _opened(path: Path, file: int, limits: Limits) -> Reading | Refusal:
    status = os.fstat(file)
    if not stat.S_ISREG(status.st_mode):
        return _unreadable(path, "it is no regular file")
    data = FileBytes(file, status.st_size)
    version, compression = parse_log_name(path.name) or (None, None)
    is_framed = compression == "zstd" if compression else data[: len(MAGIC)] == MAGIC
    named = next((known for known in _FORMATS if known == version), None)
    try:
        reading = (_framed if is_framed else _plain)(data, named, limits)
    except Refuse as refuse:
        return _unreadable(path, refuse)
    if isinstance(reading, Refusal) or version is None or version == reading.first.format:
        return reading
    problem = f"the log is named as one of v{version}, its header is one of v{reading.first.format}"
    return Refusal(
        kind=RefusalKind.CORRUPT, rule="ROW-ONE-VERSION", where="header", problem=problem
    )


def _plain(data: FileBytes, named: Format | None, limits: Limits) -> Reading | Refusal:
    line = next(split_lines(data.parts(0), limits.line), None)
    if isinstance(line, Refusal):
        return line
    if not isinstance(line, bytes):
        return headless("line 1")
    first = judge_line(line, len(line) + 1, named)
    if isinstance(first, Refusal):
        return first
    return plain_reading(first, data.parts(first.end), limits.line, parse_line)


def _framed(data: FileBytes, named: Format | None, limits: Limits) -> Reading | Refusal:
    zstd = Zstd()
    first = _first_frame(data, named, zstd.inflate(limits.line))
    if isinstance(first, Refusal):
        return first
    inflate = zstd.inflate(limits.text)

    def content(frame: Frame | Torn) -> Iterable[bytes | Refusal]:
        if isinstance(frame, Frame):
            return inflate.pieces(data.parts(frame.start, frame.end))
        # A damaged torn frame yields nothing, and whether it is damaged is known at its end.
        probe = zstd.inflate(limits.text).start_pieces(data.parts(frame.start))
        damage = next((piece for piece in probe if isinstance(piece, Refusal)), None)
        if damage is None:
            return inflate.start_pieces(data.parts(frame.start))
        return () if damage.kind is RefusalKind.CORRUPT else (damage,)

    return framed_reading(first, each_frame(data, first.end), content, limits.line, parse_line)


def _first_frame(data: FileBytes, named: Format | None, inflate: Inflate) -> HeaderLine | Refusal:
    frame = next(each_frame(data), None)
    if isinstance(frame, Refusal):
        return frame
    if not isinstance(frame, Frame):
        return headless("frame 1")
    content = b""
    for piece in inflate.pieces(data.parts(frame.start, frame.end)):
        if isinstance(piece, Refusal):
            return piece
        content += piece
        if b"\n" in content[:-1]:
            break
    return judge_frame(content, frame.end, named)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the collector from going through all events again and again while they only grow."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _unreadable(path: Path, why: Exception | str) -> Refusal:
    said = getattr(why, "strerror", None) or str(why)
    return Refusal(
        kind=RefusalKind.IO,
        rule="FILE-LAYOUT",
        where=str(path),
        problem=f"there is no log that could be read: {said}",
    )
