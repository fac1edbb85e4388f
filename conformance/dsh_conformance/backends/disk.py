"""Files that are written to survive and appear whole, and read while nobody moves them.

A symbolic link in a file's place is refused, and so is anything else that is no regular file.
"""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from typing import Final

_TRIES: Final = 3


def make_session_directory(root: Path, directory: Path) -> None:
    """Create ``root/project/session`` where it is absent, private to its owner, durably.

    A link on the way is refused, since what lies behind it would not be found again.
    """
    for path in (root, directory.parent, directory):
        try:
            path.mkdir(mode=0o700)
        except FileExistsError:
            if path != root and path.is_symlink():
                raise NotADirectoryError(
                    errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path)
                ) from None
            continue
        sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Make the names in a directory survive a crash."""
    directory = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def publish(
    path: Path, content: bytes, check: Callable[[bytes], None] = lambda _written: None
) -> None:
    """Create *path* with *content*, at once and never over another file (STORE-EXCLUSIVE-PUBLISH).

    What was written is read back and given to *check*, which raises where it may not appear.
    Raises ``FileExistsError`` when there is a file, and leaves nothing behind when it fails.
    """
    stage = path.with_name(f"{path.name}.{token_hex(6)}.tmp")
    try:
        write_new(stage, content)
        check(stage.read_bytes())
        path.hardlink_to(stage)
        try:
            sync_directory(path.parent)
        except OSError:
            path.unlink()
            raise
    finally:
        stage.unlink(missing_ok=True)


def write_new(path: Path, content: bytes) -> None:
    """Create a private file with *content* and flush it to the disk."""
    file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        write_all(file, content)
        os.fsync(file)
    finally:
        os.close(file)


def write_all(file: int, content: bytes) -> None:
    """Write all of *content*: the system may take it in parts."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest) :]


def read_stable(path: Path, limit: int) -> tuple[bytes, os.stat_result]:
    """Read at most *limit* bytes, and the status that the file had all the while.

    While others keep writing, it is the status before the reading: what they had written by then
    is a front part of an append-only file.
    """
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        data, status = _read(file, limit)
        for _ in range(_TRIES):
            if revision(os.fstat(file)) == revision(status):
                break
            data, status = _read(file, limit)
        return data, status
    finally:
        os.close(file)


def _read(file: int, limit: int) -> tuple[bytes, os.stat_result]:
    status = os.fstat(file)
    return os.pread(file, min(status.st_size, limit), 0), status


def identity(status: os.stat_result) -> tuple[int, int, int]:
    """Return a file's device, inode and size in bytes."""
    return status.st_dev, status.st_ino, status.st_size


def revision(status: os.stat_result) -> str:
    """Return a string that changes with the file (facts: persistence §4.10).

    A change that keeps the size within one tick of the file system's clock goes unnoticed.
    """
    parts = (*identity(status), status.st_mtime_ns, status.st_ctime_ns)
    return ":".join(map(str, parts))
