"""The structure of a Zstandard log: where its frames begin and end, without decompressing.

A log is a sequence of standard frames: magic, descriptor, header fields, blocks, perhaps a
checksum.
Bytes that can begin no frame are damage wherever they stand.
A file that ends inside a frame has a *torn* last frame: its writer was interrupted.

The events of a log are those of all its frames (FRAME-ALL).
"""

from collections.abc import Iterator
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


class Bytes(Protocol):
    """The bytes of a file, in memory or where they lie; only small slices are asked for."""

    def __len__(self) -> int:
        """Return how many there are."""

    def __getitem__(self, at: slice, /) -> bytes:
        """Return those from one offset to another."""


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


@frozen
class Torn:
    """A frame that the end of the file cuts off."""

    #: The first byte.
    start: int


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


def first_frame(data: Bytes) -> Frame | Refusal | None:
    """Find the first frame; ``None`` when *data* ends within it (FRAME-SCAN)."""
    found = next(each_frame(data), None)
    return None if isinstance(found, Torn) else found


def each_frame(data: Bytes, start: int = 0) -> Iterator[Frame | Torn | Refusal]:
    """Find the frames of *data* one after the other, from byte *start* on (FRAME-SCAN).

    Fewer than four bytes can be the start of any frame, so they are torn and never damage.
    A torn frame or a refusal comes last.
    (Facts: persistence §4.6.)
    """
    while start < len(data):
        end = _frame_end(data, start)
        if end is None:
            yield Torn(start)
            return
        if isinstance(end, _Invalid):
            yield _refused(end)
            return
        yield Frame(start, end)
        start = end


def scan_frames(data: Bytes) -> Frames | Refusal:
    """Find all frames of *data* (FRAME-SCAN)."""
    frames: list[Frame] = []
    for found in each_frame(data):
        match found:
            case Frame():
                frames.append(found)
            case Torn(start=start):
                return Frames(complete=tuple(frames), torn_start=start)
            case Refusal():
                return found
    return Frames(complete=tuple(frames), torn_start=None)


def window_of(head: bytes) -> int:
    """Return how many bytes a decoder holds for the frame that begins with *head*.

    Without the whole header of a frame it is 0.
    """
    descriptor = head[4] if len(head) > 4 else 0
    if len(head) < 5 + _header_size(descriptor):
        return 0
    if not descriptor & _SINGLE_SEGMENT:
        base = 1 << (10 + (head[5] >> 3))
        return base + base // 8 * (head[5] & 7)
    at = 5 + _DICTIONARY_SIZES[descriptor & 3]
    size = _CONTENT_SIZES[descriptor >> 6] or 1
    return int.from_bytes(head[at : at + size], "little") + (256 if size == 2 else 0)


def _refused(invalid: _Invalid) -> Refusal:
    return Refusal(
        kind=RefusalKind.CORRUPT,
        rule="FRAME-SCAN",
        where=f"byte {invalid.at}",
        problem=invalid.problem,
    )


def _frame_end(data: Bytes, start: int) -> int | _Invalid | None:
    """Return the end of the frame at *start*; ``None`` when the data ends within it."""
    head = data[start : start + len(MAGIC) + 1]
    if len(head) < len(MAGIC):
        return None
    if not head.startswith(MAGIC):
        return _Invalid(start, "no Zstandard frame begins here")
    if len(head) == len(MAGIC):
        return None
    descriptor = head[-1]
    at = start + len(MAGIC)
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


def _blocks_end(data: Bytes, at: int) -> int | _Invalid | None:
    last = False
    while not last:
        head = data[at : at + 3]
        if len(head) < 3:
            return None
        bits = int.from_bytes(head, "little")
        last, kind, size = bool(bits & 1), bits >> 1 & 3, bits >> 3
        if kind == _RESERVED_BLOCK:
            return _Invalid(at, "the block type is the reserved one")
        at += 3 + (1 if kind == _RLE else size)
    return at
