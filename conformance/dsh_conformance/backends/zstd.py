"""Zstandard for logs, from the standard library or its backport, imported when first needed.

A small frame may unpack to terabytes, and may ask for gigabytes just to be decoded.
So whatever is read here has a bound, and a frame beyond it is refused by the name of the bound
(FILE-LIMIT): it is neither damaged nor cut short.
"""

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, Final

from dsh_conformance.implementation.backend import Refuse
from dsh_reference.files.frames import MAGIC, window_of
from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind

#: How many bytes of text one log may hold; beyond it a log is refused, never cut short.
MAX_TEXT: Final = 1 << 30
#: How many bytes a frame may make its decoder hold; writers of logs ask for 8 MiB at most.
MAX_WINDOW: Final = 1 << 27
#: How many bytes of text are given out at a time where a frame is read in pieces.
PIECE: Final = 1 << 20


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
        return _joined(self.pieces([frame]))

    def start(self, frame: bytes) -> bytes | Refusal:
        """Return what the front part of a frame yields; nothing when it is damaged."""
        content = _joined(self.start_pieces([frame]))
        return b"" if content is _DAMAGED else content

    def pieces(self, frame: Iterable[bytes]) -> Iterator[bytes | Refusal]:
        """Yield the content of a complete frame, given in parts; a refusal comes last.

        Neither the frame nor its content is in memory as a whole.
        """
        stream = self._library.ZstdDecompressor()
        yield from self._pieces(stream, frame)
        if not stream.eof or stream.unused_data:
            yield _DAMAGED

    def start_pieces(self, frame: Iterable[bytes]) -> Iterator[bytes | Refusal]:
        """Yield what the front part of a frame yields; a refusal comes last, for damage too."""
        yield from self._pieces(self._library.ZstdDecompressor(), frame)

    def _pieces(self, stream: Any, frame: Iterable[bytes]) -> Iterator[bytes | Refusal]:
        """Yield what a stream makes of a frame; it is at its end, or a refusal was yielded."""
        is_first = True
        for part in frame:
            if is_first and _is_wide(part):
                yield _refused(f"a frame asks for more than {MAX_WINDOW} bytes to be decoded")
                return
            is_first = False
            rest = part
            while not stream.eof:
                try:
                    piece = bytes(stream.decompress(rest, PIECE))
                except self._library.ZstdError:
                    yield _DAMAGED
                    return
                if len(piece) > self._left:
                    yield _refused(f"the log holds more than {self._limit} bytes of text")
                    return
                self._left -= len(piece)
                if piece:
                    yield piece
                if stream.needs_input:
                    break
                rest = b""


def _joined(pieces: Iterable[bytes | Refusal]) -> bytes | Refusal:
    whole: list[bytes] = []
    for piece in pieces:
        if isinstance(piece, Refusal):
            return piece
        whole.append(piece)
    return b"".join(whole)


def _is_wide(head: bytes) -> bool:
    """Whether a frame, which begins with *head*, asks for more memory than there is for it."""
    return head.startswith(MAGIC) and window_of(head) > MAX_WINDOW


def _refused(problem: str) -> Refusal:
    return Refusal(
        kind=RefusalKind.OTHER,
        rule="FILE-LIMIT",
        where="log",
        problem=f"{problem}, the limit here",
    )


_DAMAGED: Final = Refusal(
    kind=RefusalKind.CORRUPT,
    rule="FRAME-COMPLETE-STRICT",
    where="frame",
    problem="a complete frame does not decompress, or fails its checksum",
)


def _library() -> Any:
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return import_module(name)
        except ImportError:
            continue
    problem = "Zstandard is missing: pip install backports-zstd"
    raise Refuse(RefusalKind.INVALID_ARGUMENT, problem)
