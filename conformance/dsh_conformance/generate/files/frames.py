"""Zstandard frames: those of the library, and those put together by hand.

A frame by hand has blocks where they are wanted and no checksum, both of which a reader has to
take (facts: persistence §4.6; RFC 8878 §3.1.1).
"""

from collections.abc import Sequence
from typing import Final

from dsh_conformance.backends.zstd import Zstd

MAGIC: Final = b"\x28\xb5\x2f\xfd"
#: One segment, whose size follows in four bytes.
_DESCRIPTOR: Final = b"\xa0"
#: A window of 128 KiB, and no size.
_WINDOWED: Final = b"\x00\x38"
#: How many bytes a checksum has.
CHECKSUM: Final = 4
#: How many bytes one block may hold.
MAX_BLOCK: Final = 1 << 17


def frame(text: bytes) -> bytes:
    """Compress *text* to one frame with a checksum, as writers of logs do."""
    return Zstd().frame(text)


def frame_by_hand(blocks: Sequence[bytes]) -> bytes:
    """Return a frame of raw blocks, none of more than `MAX_BLOCK` bytes."""
    size = sum(map(len, blocks)).to_bytes(4, "little")
    last = len(blocks) - 1
    body = (block_head(len(block), last=at == last) + block for at, block in enumerate(blocks))
    return MAGIC + _DESCRIPTOR + size + b"".join(body)


def frame_of_runs(runs: Sequence[tuple[bytes, int]]) -> bytes:
    """Return a frame in which each block is one byte so many times."""
    last = len(runs) - 1
    body = (
        block_head(count, kind=1, last=at == last) + byte for at, (byte, count) in enumerate(runs)
    )
    return MAGIC + _WINDOWED + b"".join(body)


def block_head(size: int, *, kind: int = 0, last: bool) -> bytes:
    """Return the three bytes before a block; *kind* is 0 for raw, 1 for one byte many times."""
    return (last | kind << 1 | size << 3).to_bytes(3, "little")
