"""The bytes of an open file as a value that is sliced, so that it need not be in memory."""

import os
from collections.abc import Iterator
from typing import Final

#: How many bytes are read ahead where the structure of a file is looked at.
_AHEAD: Final = 1 << 16
#: How many bytes are read at a time where its content is.
_STEP: Final = 1 << 20


class FileBytes:
    """The first bytes of an open file; a slice costs a read at most, and is as long as it can be.

    A file that gets shorter while it is read looks as if it ended there.
    """

    def __init__(self, file: int, size: int) -> None:
        self._file = file
        self._size = size
        self._start = 0
        self._held = b""

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, at: slice, /) -> bytes:
        start, end, _ = at.indices(self._size)
        if start < self._start or end > self._start + len(self._held):
            length = max(end - start, min(_AHEAD, self._size - start))
            self._start, self._held = start, os.pread(self._file, length, start)
        return self._held[start - self._start : end - self._start]

    def parts(self, start: int, end: int | None = None) -> Iterator[bytes]:
        """Yield the bytes between two offsets, a mebibyte at a time."""
        for at in range(start, self._size if end is None else end, _STEP):
            until = at + _STEP if end is None else min(at + _STEP, end)
            yield os.pread(self._file, min(until, self._size) - at, at)
