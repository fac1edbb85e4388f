"""Sabotages of durability: acknowledged events that a crash or an orderly end takes away.

The base is `jsonl`, and the loss is played on its files: when the instance ends, a file becomes
what it would be if the last writes had never reached the disk.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.sabotage.wrap import WrappedHandle, WrappedStore
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json


class _Sizing(WrappedHandle):
    """Notes how long the file was before each batch, and at each flush."""

    store: "_Losing"

    def append(self, events: Sequence[Json]) -> None:
        path = self.store.locate(self.session_id)
        size = Path(path).stat().st_size if path else 0
        super().append(events)
        if events:
            self.store.sizes.setdefault(self.session_id, []).append(size)

    def flush(self) -> None:
        super().flush()
        self.store.flushed(self.session_id)


class _Losing(WrappedStore):
    """Loses something of each session that was written since it was last safe."""

    handle = _Sizing

    def begin(self) -> None:
        #: The file's length in bytes before each batch that may be lost, by session.
        self.sizes: dict[str, list[int]] = {}

    def flushed(self, session_id: str) -> None:
        """Take a session's batches for safe."""
        self.sizes.pop(session_id, None)

    def flush(self) -> None:
        super().flush()
        for session_id in tuple(self.sizes):
            self.flushed(session_id)

    def lose(self) -> None:
        """Have the ended instance's writes lost."""
        for session_id, sizes in self.sizes.items():
            path = self.locate(session_id)
            if path is not None:
                self.damage(Path(path), sizes)

    def damage(self, path: Path, sizes: Sequence[int]) -> None:
        """Cut the file to what it was before the first batch that may be lost."""
        if sizes[0] == 0:
            path.unlink()
        else:
            os.truncate(path, sizes[0])


class SwallowsFlushes(_Losing):
    """A flush stores nothing: after a crash every batch of the killed writer is gone."""

    def flushed(self, session_id: str) -> None:
        pass

    def crash(self) -> None:
        super().crash()
        self.lose()


class FlushesAllButTheLast(SwallowsFlushes):
    """A flush leaves the last batch out: after a crash it is gone although it was acknowledged."""

    def damage(self, path: Path, sizes: Sequence[int]) -> None:
        super().damage(path, sizes[-1:])


class ReordersBatches(SwallowsFlushes):
    """Batches reach the disk out of order: after a crash the last is there without the first."""

    def damage(self, path: Path, sizes: Sequence[int]) -> None:
        if len(sizes) > 1 and sizes[-2] > 0:
            content = path.read_bytes()
            path.write_bytes(content[: sizes[-2]] + content[sizes[-1] :])


class IgnoresTheServiceFlushOfEvents(_Losing):
    """A flush of the service makes no event safe, only a flush of each handle does."""

    def flush(self) -> None:
        self.inner.flush()

    def crash(self) -> None:
        super().crash()
        self.lose()


class WritesTheHeaderFirst(_Losing):
    """The header is stored before the first batch: a crash between them leaves it alone."""

    def crash(self) -> None:
        super().crash()
        self.lose()

    def damage(self, path: Path, sizes: Sequence[int]) -> None:
        if sizes[0] == 0:
            os.truncate(path, path.read_bytes().index(b"\n") + 1)


class DropsTheUnflushed(_Losing):
    """What was not flushed is dropped when the process ends in order."""

    def shutdown(self) -> None:
        super().shutdown()
        self.lose()


class IgnoresTheServiceFlush(WrappedStore):
    """A flush of the service does nothing."""

    def flush(self) -> None:
        pass


class FlushesOneHandle(WrappedStore):
    """A flush of the service flushes the handle that was opened last, and no other."""

    def flush(self) -> None:
        for handle in self.handles[::-1]:
            if handle.writes and not handle.is_closed:
                handle.flush()
                break


class RefusesToFlushForReaders(WrappedStore):
    """A flush of the service is refused while a read handle is open."""

    def flush(self) -> None:
        if any(not handle.writes and not handle.is_closed for handle in self.handles):
            raise Refuse(RefusalKind.READ_ONLY, "a handle was opened for reading")
        super().flush()
