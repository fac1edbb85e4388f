"""What is expected of an answer of the files track, beside what any answer can be expected to be.

A file that an implementation wrote is looked at line by line, and frame by frame.
"""

import json
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import frozen

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.implementation.outcome import Ok, Outcome
from dsh_reference.files import Compression, Frame, LogFile, each_frame, read_log
from dsh_reference.values import equal
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

#: The bit of a frame's descriptor that says that a checksum follows.
_CHECKSUM = 0x04


@frozen
class EventsOrRefusedAs:
    """The events at `events` are these, or the call is refused as one of these kinds."""

    #: The events.
    events: tuple[Json, ...]
    #: The kinds.
    kinds: tuple[RefusalKind, ...]


@frozen
class PathPart:
    """A part of the path at `path` is this; the parts stand between slashes."""

    #: Which part, counted from 0.
    part: int
    #: What.
    name: str


@frozen
class WritesHeader:
    """The first line of the file at `base64` has these keys in this order."""

    #: The encoding of the file.
    compression: Compression
    #: The keys.
    keys: tuple[str, ...]


@frozen
class WritesSources:
    """The rows of the file at `base64` that have cited seqs have these for them, in turn."""

    #: The encoding of the file.
    compression: Compression
    #: What stands for each list.
    sources: tuple[Json, ...]


@frozen
class WritesRows:
    """The file at `base64` has so many rows, each of them an event."""

    #: The encoding of the file.
    compression: Compression
    #: How many.
    count: int


@frozen
class WritesFrames:
    """The file at `base64` has the header in a frame, and so many events in each further one.

    Each frame has a checksum and ends at the end of a line.
    """

    #: How many events the frames hold, frame by frame.
    counts: tuple[int, ...]


@frozen
class WritesLog:
    """The file at `base64` holds exactly this log."""

    #: The encoding of the file.
    compression: Compression
    #: The format of the log.
    format: Format
    #: The logical header.
    header: JsonObject
    #: How many events are inherited.
    inherited: int
    #: The events.
    events: tuple[Json, ...]


OfWritten: TypeAlias = WritesHeader | WritesSources | WritesRows | WritesFrames | WritesLog
OfFiles: TypeAlias = EventsOrRefusedAs | PathPart | OfWritten


def holds_of_files(expects: OfFiles, outcome: Outcome) -> bool:
    """Say whether the outcome is as expected."""
    match expects, outcome:
        case EventsOrRefusedAs(events), Ok({"events": list() as found}):
            return equal(found, events)
        case EventsOrRefusedAs(kinds=kinds), refused:
            return not isinstance(refused, Ok) and refused.kind in kinds
        case PathPart(part, name), Ok({"path": str(path)}):
            parts = path.split("/")
            return part < len(parts) and parts[part] == name
        case (
            (WritesHeader() | WritesSources() | WritesRows() | WritesFrames() | WritesLog()) as of,
            Ok({"base64": str(text)}),
        ):
            return _writes(of, _decoded(text))
    return False


def _writes(expects: OfWritten, data: bytes) -> bool:
    match expects:
        case WritesHeader(compression, keys):
            return next(_objects(data, compression), None) == keys
        case WritesSources(compression, sources):
            return equal(list(_sources(data, compression)), list(sources))
        case WritesRows(compression, count):
            rows = list(_rows(data, compression))[1:]
            return len(rows) == count and all("seq0" not in row for row in rows)
        case WritesFrames(counts):
            return _frames(data) == counts
        case WritesLog():
            return _holds_log(expects, data)


def _holds_log(expects: WritesLog, data: bytes) -> bool:
    found = read_log(
        data,
        compression=expects.compression,
        decompressor=Zstd().inflate() if expects.compression == "zstd" else None,
        format=expects.format,
    )
    return (
        isinstance(found, LogFile)
        and not found.torn
        and equal(found.header, {"delegationDepth": 0, **expects.header})
        and found.inherited == expects.inherited
        and equal(found.events, expects.events)
    )


def _frames(data: bytes) -> tuple[int, ...] | None:
    """Return how many events each frame holds; nothing for frames that no writer writes."""
    counts: list[int] = []
    for found in each_frame(data):
        if not isinstance(found, Frame) or not data[found.start + 4] & _CHECKSUM:
            return None
        text = _text(data[found.start : found.end], "zstd")
        if not text.endswith(b"\n"):
            return None
        counts.append(sum(map(_members, _parsed(text))))
    return tuple(counts[1:]) if counts[:1] == [1] else None


def _members(row: Mapping[str, Any]) -> int:
    data = row.get("data") if "seq0" in row else None
    return len(data.get("texts", data.get("args", ()))) if isinstance(data, Mapping) else 1


def _rows(data: bytes, compression: Compression) -> Iterator[Mapping[str, Any]]:
    return _parsed(_text(data, compression))


def _sources(data: bytes, compression: Compression) -> Iterator[Json]:
    for row in _rows(data, compression):
        if "sourceEventSeqs" in row:
            yield row["sourceEventSeqs"]


def _objects(data: bytes, compression: Compression) -> Iterator[Sequence[str]]:
    for row in _rows(data, compression):
        yield tuple(row)


def _parsed(text: bytes) -> Iterator[Mapping[str, Any]]:
    """Give the objects that stand on the lines of a text, as far as they are objects."""
    for line in text.split(b"\n")[:-1]:
        try:
            row = json.loads(line)
        except ValueError:
            return
        if not isinstance(row, dict):
            return
        yield row


def _text(data: bytes, compression: Compression) -> bytes:
    if compression == "none":
        return data
    pieces: list[bytes] = []
    inflate = Zstd().inflate()
    for found in each_frame(data):
        piece = inflate.whole(data[found.start : found.end]) if isinstance(found, Frame) else found
        if not isinstance(piece, bytes):
            break
        pieces.append(piece)
    return b"".join(pieces)


def _decoded(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return b""


__all__ = [
    "EventsOrRefusedAs",
    "OfFiles",
    "PathPart",
    "WritesFrames",
    "WritesHeader",
    "WritesLog",
    "WritesRows",
    "WritesSources",
    "holds_of_files",
]
