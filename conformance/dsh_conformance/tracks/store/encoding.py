"""The two encodings of an artifact, as far as damage to one is concerned."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from attrs import frozen

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.implementation.capabilities import Artifacts
from dsh_reference.files import LogFile, batch_lines, read_log
from dsh_reference.files.frames import scan_frames
from dsh_reference.refusal import Refusal
from dsh_reference.stored import load_stored
from dsh_reference.values import dump, parse
from dsh_spec.catalogue import Format
from dsh_spec.values import JsonObject

#: What takes the place of a damaged row.
_GARBAGE = b"#"


class Encoding(Protocol):
    """How artifacts are encoded."""

    @property
    def format(self) -> Format:
        """The format of the log."""

    @property
    def artifacts(self) -> Artifacts:
        """The name of the encoding."""

    def load(self, content: bytes) -> LogFile | Refusal:
        """Read and admit a whole file, as a store that writes this format does."""

    def read(self, content: bytes) -> LogFile | Refusal:
        """Read a whole file without judging what its events mean."""

    def batch(self, events: Sequence[JsonObject]) -> bytes:
        """Return the bytes of one batch of rows."""

    def last_record(self, content: bytes) -> int:
        """Return how many bytes the last record (row or frame) has."""

    def garbled(self, content: bytes, row: int) -> bytes:
        """Return the file with garbage where a row (counted from 0) or its frame lies."""

    def with_header(self, content: bytes, members: JsonObject) -> bytes:
        """Return the file with these members in its header line."""


@frozen
class Plain:
    """Plain text."""

    #: The format of the log.
    format: Format = 4
    #: The name of the encoding.
    artifacts: Artifacts = "jsonl"

    def load(self, content: bytes) -> LogFile | Refusal:
        """Read and admit a whole file."""
        return load_stored(content, compression="none", format=self.format)

    def read(self, content: bytes) -> LogFile | Refusal:
        """Read a whole file without judging what its events mean."""
        return read_log(content, compression="none", format=self.format)

    def batch(self, events: Sequence[JsonObject]) -> bytes:
        """Return the bytes of one batch of rows."""
        return batch_lines(events, format=self.format)

    def last_record(self, content: bytes) -> int:
        """Return how many bytes the last row has."""
        return len(content) - 1 - content[:-1].rfind(b"\n")

    def garbled(self, content: bytes, row: int) -> bytes:
        """Return the file with garbage in the place of a row."""
        lines = content.split(b"\n")
        lines[row + 1] = _GARBAGE * len(lines[row + 1])
        return b"\n".join(lines)

    def with_header(self, content: bytes, members: JsonObject) -> bytes:
        """Return the file with these members in its header line."""
        line, _, rest = content.partition(b"\n")
        return _changed(line, members) + rest


@frozen
class Zstandard:
    """Zstandard frames."""

    #: The format of the log.
    format: Format = 4
    #: The name of the encoding.
    artifacts: Artifacts = "jsonl.zstd"

    def load(self, content: bytes) -> LogFile | Refusal:
        """Read and admit a whole file."""
        inflate = Zstd().inflate()
        return load_stored(content, compression="zstd", decompressor=inflate, format=self.format)

    def read(self, content: bytes) -> LogFile | Refusal:
        """Read a whole file without judging what its events mean."""
        inflate = Zstd().inflate()
        return read_log(content, compression="zstd", decompressor=inflate, format=self.format)

    def batch(self, events: Sequence[JsonObject]) -> bytes:
        """Return the bytes of one batch of rows: a frame."""
        return Zstd().frame(batch_lines(events, format=self.format))

    def last_record(self, content: bytes) -> int:
        """Return how many bytes the last frame has."""
        start, end = _frames(content)[-1]
        return end - start

    def garbled(self, content: bytes, row: int) -> bytes:
        """Return the file with a broken checksum in one of the frames behind the header."""
        frames = _frames(content)[1:]
        _, end = frames[row % len(frames)]
        flipped = bytes([content[end - 1] ^ 1])
        return content[: end - 1] + flipped + content[end:]

    def with_header(self, content: bytes, members: JsonObject) -> bytes:
        """Return the file with these members in its header frame."""
        _, end = _frames(content)[0]
        line = Zstd().inflate().whole(content[:end])
        assert isinstance(line, bytes)
        return Zstd().frame(_changed(line, members)) + content[end:]


def encoding_of(artifacts: Artifacts, format: Format = 4) -> Encoding:  # noqa: A002 - the word of the specification
    """Return the encoding of this name, for logs of a format."""
    return Plain(format) if artifacts == "jsonl" else Zstandard(format)


def _changed(line: bytes, members: JsonObject) -> bytes:
    header = parse(line)
    assert isinstance(header, Mapping)
    return dump({**header, **members}).encode() + b"\n"


def _frames(content: bytes) -> list[tuple[int, int]]:
    frames = scan_frames(content)
    assert not isinstance(frames, Refusal)
    return [(frame.start, frame.end) for frame in frames.complete]
