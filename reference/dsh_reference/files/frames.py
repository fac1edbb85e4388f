"""The structure of a Zstandard log: where its frames begin and end, without decompressing.

A log is a sequence of standard frames: magic, descriptor, header fields, blocks, perhaps a
checksum.
Bytes that can begin no frame are damage wherever they stand.
A file that ends inside a frame has a *torn* last frame: its writer was interrupted.
"""

from typing import Final, Protocol

from attrs import frozen

from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind

MAGIC: Final = b"\x28\xb5\x2f\xfd"
_RESERVED: Final = 0x18
_SINGLE_SEGMENT: Final = 0x20
_CHECKSUM: Final = 0x04
_DICTIONARY_SIZES: Final = (0, 1, 2, 4)
_CONTENT_SIZES: Final = (0, 2, 4, 8)
_RLE: Final = 1
_RESERVED_BLOCK: Final = 3


class Decompressor(Protocol):
    """What a reader of Zstandard hands in, so that the kernel needs no library for it."""

    def whole(self, frame: bytes) -> bytes | Refusal:
        """Return the content of a complete frame; refuse one that is damaged, or too large."""

    def start(self, frame: bytes) -> bytes | Refusal:
        """Return what the front part of a frame yields: nothing when that part is damaged."""


@frozen
class Frame:
    """One complete frame; both ends are byte offsets in the log."""

    #: The first byte.
    start: int
    #: The first byte behind it.
    end: int


@frozen(kw_only=True)
class Frames:
    """What a log is made of."""

    #: The complete frames, in order and without gaps.
    complete: tuple[Frame, ...]
    #: The byte where a torn last frame starts, where there is one.
    torn_start: int | None


@frozen
class _Invalid:
    at: int
    problem: str


def first_frame(data: bytes) -> Frame | Refusal | None:
    """Find the first frame; ``None`` when *data* ends within it (FRAME-SCAN)."""
    end = _frame_end(data, 0)
    if isinstance(end, _Invalid):
        return _refused(end)
    return None if end is None else Frame(0, end)


def scan_frames(data: bytes) -> Frames | Refusal:
    """Find the frames of *data* in one pass (FRAME-SCAN; facts: persistence §4.6).

    Fewer than four bytes can be the start of any frame, so they are torn and never damage.
    """
    frames: list[Frame] = []
    start = 0
    while start < len(data):
        end = _frame_end(data, start)
        if end is None:
            return Frames(complete=tuple(frames), torn_start=start)
        if isinstance(end, _Invalid):
            return _refused(end)
        frames.append(Frame(start, end))
        start = end
    return Frames(complete=tuple(frames), torn_start=None)


def _refused(invalid: _Invalid) -> Refusal:
    return Refusal(
        kind=RefusalKind.CORRUPT,
        rule="FRAME-SCAN",
        where=f"byte {invalid.at}",
        problem=invalid.problem,
    )


def _frame_end(data: bytes, start: int) -> int | _Invalid | None:
    """Return the end of the frame at *start*; ``None`` when the data ends within it."""
    if len(data) - start < len(MAGIC):
        return None
    if not data.startswith(MAGIC, start):
        return _Invalid(start, "no Zstandard frame begins here")
    at = start + len(MAGIC)
    if at >= len(data):
        return None
    descriptor = data[at]
    if descriptor & _RESERVED:
        return _Invalid(at, "a reserved bit of the frame descriptor is set")
    end = _blocks_end(data, at + 1 + _header_size(descriptor))
    if not isinstance(end, int):
        return end
    end += 4 if descriptor & _CHECKSUM else 0
    return end if end <= len(data) else None


def _header_size(descriptor: int) -> int:
    """Return how many bytes of window, dictionary and content size follow the descriptor."""
    single = bool(descriptor & _SINGLE_SEGMENT)
    content = _CONTENT_SIZES[descriptor >> 6] or int(single)
    return int(not single) + _DICTIONARY_SIZES[descriptor & 3] + content


def _blocks_end(data: bytes, at: int) -> int | _Invalid | None:
    last = False
    while not last:
        if at + 3 > len(data):
            return None
        head = int.from_bytes(data[at : at + 3], "little")
        last, kind, size = bool(head & 1), head >> 1 & 3, head >> 3
        if kind == _RESERVED_BLOCK:
            return _Invalid(at, "the block type is the reserved one")
        at += 3 + (1 if kind == _RLE else size)
    return at
