"""Zstandard for logs, from the standard library or its backport, imported when first needed."""

from importlib import import_module
from typing import Any, Final

from dsh_conformance.implementation.backend import Refuse
from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind

#: How many bytes of text one log may hold; beyond it a log is refused, never cut short.
MAX_TEXT: Final = 1 << 30


class Zstd:
    """One library, as the format uses it."""

    def __init__(self) -> None:
        self._library = _library()

    def frame(self, text: bytes) -> bytes:
        """Compress *text* to one frame with a content checksum (FRAME-BATCH)."""
        flag = self._library.CompressionParameter.checksum_flag
        return bytes(self._library.compress(text, options={flag: 1}))

    def inflate(self, limit: int = MAX_TEXT) -> "Inflate":
        """Return a decompressor for one reading of one log."""
        return Inflate(self._library, limit)


class Inflate:
    """A `Decompressor` with a bound on all that it gives out (FILE-LIMIT)."""

    def __init__(self, library: Any, limit: int) -> None:
        self._library = library
        self._limit = limit
        self._left = limit

    def whole(self, frame: bytes) -> bytes | Refusal:
        """Return the content of a complete frame; refuse a damaged one."""
        stream = self._library.ZstdDecompressor()
        content = self._read(stream, frame)
        if isinstance(content, bytes) and stream.eof and not stream.unused_data:
            return content
        if isinstance(content, Refusal):
            return content
        return Refusal(
            kind=RefusalKind.CORRUPT,
            rule="FRAME-COMPLETE-STRICT",
            where="frame",
            problem="a complete frame does not decompress, or fails its checksum",
        )

    def start(self, frame: bytes) -> bytes | Refusal:
        """Return what the front part of a frame yields; nothing when it is damaged."""
        content = self._read(self._library.ZstdDecompressor(), frame)
        return b"" if content is None else content

    def _read(self, stream: Any, frame: bytes) -> bytes | Refusal | None:
        """Return what *frame* decompresses to; ``None`` when the library finds it damaged."""
        try:
            content = bytes(stream.decompress(frame, self._left + 1))
        except self._library.ZstdError:
            return None
        if len(content) > self._left:
            return Refusal(
                kind=RefusalKind.OTHER,
                rule="FILE-LIMIT",
                where="log",
                problem=f"the log holds more than {self._limit} bytes of text, the limit here",
            )
        self._left -= len(content)
        return content


def _library() -> Any:
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return import_module(name)
        except ImportError:
            continue
    problem = "compression=zstd needs the extra: pip install 'dsh-session-conformance[zstd]'"
    raise Refuse(RefusalKind.INVALID_ARGUMENT, problem)
