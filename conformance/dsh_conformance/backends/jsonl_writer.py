"""How a log grows: published whole, then one durable append for each batch.

The writer remembers the file as it left it.
A file that is another one now, or has another size, was changed by someone who ignores the lock;
appending there would write over or between the newer events, so the batch is refused.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from attrs import define

from dsh_conformance.backends.disk import identity, write_all
from dsh_conformance.backends.layout import Layout
from dsh_conformance.backends.lock import FileLock
from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.implementation.backend import Refuse
from dsh_reference.files import Compression, Decompressor, batch_lines, header_line
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject


class Packing:
    """How text becomes bytes on disk, and back."""

    def __init__(self, compression: Compression) -> None:
        self.compression = compression
        self._zstd = Zstd() if compression == "zstd" else None

    def pack(self, text: bytes) -> bytes:
        """Return *text* as it is appended: in Zstandard, as one frame."""
        return text if self._zstd is None or not text else self._zstd.frame(text)

    def header(self, header: JsonObject) -> bytes:
        """Return the header line of a log as it is stored."""
        return self.pack(header_line(header))

    def batch(self, events: Sequence[JsonObject]) -> bytes:
        """Return a batch as it is stored."""
        return self.pack(batch_lines(events))

    def decompressor(self) -> Decompressor | None:
        """Return what one reading of a log needs."""
        return None if self._zstd is None else self._zstd.inflate()


@define(kw_only=True)
class Tail:
    """The end of a log, as its writer last saw it."""

    #: The file's device, inode and size in bytes.
    identity: tuple[int, int, int]
    #: How many bytes are kept; the rest is a torn tail, cut off before the next append.
    committed: int
    #: The events of the torn tail that are written again behind the committed ones.
    recovered: Sequence[JsonObject] = ()


class LogWriter:
    """The one writer of a session's log; without a *tail* the log is not published yet."""

    def __init__(
        self,
        path: Path,
        layout: Layout,
        packing: Packing,
        lock: FileLock | None,
        *,
        header: JsonObject,
        next_seq: int = 0,
        tail: Tail | None = None,
    ) -> None:
        self.next_seq = next_seq
        self._path = path
        self._layout = layout
        self._packing = packing
        self._lock = lock
        self._header = header
        self._tail = tail

    def append(self, events: Sequence[JsonObject]) -> None:
        """Write a batch and flush it to the disk; after an error the log is as it was."""
        batch = self._packing.batch(events)
        if self._tail is None:
            self._publish(batch)
        elif events:
            self._extend(self._tail, batch)
        self.next_seq += len(events)

    def release(self) -> None:
        """Give the lock up."""
        if self._lock is not None:
            self._lock.release()

    def mend(self) -> None:
        """Cut a torn tail off at once, keeping the events that were recovered from it."""
        if self._tail is not None:
            self._extend(self._tail, b"")

    def _publish(self, batch: bytes) -> None:
        header = self._packing.header(self._header)
        self._layout.publish(self._path, header + batch)
        status = self._path.stat(follow_symlinks=False)
        self._tail = Tail(identity=identity(status), committed=status.st_size)

    def _extend(self, tail: Tail, batch: bytes) -> None:
        content = self._packing.batch(tail.recovered) + batch
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW)
        try:
            if identity(os.fstat(file)) != tail.identity:
                problem = f"{self._path} is not as this writer left it; open the session again"
                raise Refuse(RefusalKind.OWNERSHIP_LOST, problem, "STORE-STALE-WRITER-REFUSED")
            if tail.identity[-1] > tail.committed:
                _cut(file, tail)
            try:
                write_all(file, content)
                os.fsync(file)
            except OSError:
                _cut(file, tail)
                raise
            status = os.fstat(file)
        finally:
            os.close(file)
        self._tail = Tail(identity=identity(status), committed=status.st_size)


def _cut(file: int, tail: Tail) -> None:
    """Remove what lies behind the committed bytes, durably (TORN-BEFORE-APPEND)."""
    os.ftruncate(file, tail.committed)
    os.fsync(file)
    tail.identity = identity(os.fstat(file))
