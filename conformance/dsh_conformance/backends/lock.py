"""Locks that other processes see, and that die with their holder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from dsh_conformance.implementation.backend import Refuse
from dsh_spec.refusals import RefusalKind

_TRIES: Final = 3


class FileLock:
    """An exclusive ``flock`` on a file that is never removed (FILE-LOCK; facts: persistence §4.9).

    The kernel drops it when its holder closes the file or dies, however it dies.
    It is advisory: readers do not look at it, and whoever removes the file forfeits it.
    """

    def __init__(self, path: Path) -> None:
        """Take the lock at once; raises `Refuse` (already-owned) when another holds it."""
        for _ in range(_TRIES):
            flags = os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_NOFOLLOW
            self._file = os.open(path, flags, 0o644)
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_at(self._file, path):
                    return
            except BlockingIOError:
                os.close(self._file)
                break
            os.close(self._file)
        problem = f"another process writes the session (it holds {path})"
        raise Refuse(RefusalKind.ALREADY_OWNED, problem, "STORE-CROSS-PROCESS-WRITER")

    @contextmanager
    def released_on_failure(self) -> Iterator[None]:
        """Let go of the lock if what is done within fails."""
        try:
            yield
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Let go of the lock."""
        os.close(self._file)


@contextmanager
def alone_in(directory: Path) -> Iterator[None]:
    """Wait until no other instance is within such a block for *directory*, and keep others out."""
    file = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def _is_at(file: int, path: Path) -> bool:
    """Whether *path* still names the locked file: a lock on a removed one excludes nobody."""
    try:
        return os.path.samestat(os.fstat(file), path.stat(follow_symlinks=False))
    except FileNotFoundError:
        return False
