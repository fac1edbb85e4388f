"""The directories of a run's workspaces, as somebody sees them who is not the store.

Files are put there, looked at and locked under paths that follow from the documented layout.
"""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

from attrs import define, field

from dsh_conformance.tracks.store.script import Files, Lock, Place
from dsh_reference.files import parse_log_name
from dsh_spec.values import JsonObject

#: The name of the file that a session's writer locks (FILE-LOCK).
LOCK = "session.lock"


@define(kw_only=True)
class Ground:
    """What the suite did to the directories itself."""

    #: Returns the directory of a workspace.
    workspace: Callable[[str], Path]
    #: The content of each file that was placed, as it was placed last.
    _placed: dict[Path, bytes] = field(factory=dict, init=False)
    #: The inode of each lock file when it was last looked at.
    _inodes: dict[Path, int] = field(factory=dict, init=False)
    #: The lock files that are held, open.
    _held: dict[Path, int] = field(factory=dict, init=False)

    def use(self, line: Place | Files | Lock) -> JsonObject:
        """Do what the line says; returns what was found."""
        match line:
            case Place():
                return self._place(line)
            case Files():
                return self._files(line)
            case Lock():
                return self._lock(line)

    def leave(self) -> None:
        """Let go of every lock."""
        for file in self._held.values():
            os.close(file)
        self._held.clear()

    def _place(self, line: Place) -> JsonObject:
        path = self.workspace(line.workspace) / line.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(line.content)
        self._placed[path] = line.content
        return {}

    def _files(self, line: Files) -> JsonObject:
        directory = self.workspace(line.workspace) / line.directory
        names = sorted(os.listdir(directory)) if directory.is_dir() else []  # noqa: PTH208 - names
        placed = (path for path in self._placed if path.parent == directory)
        mine = {path.name: path for path in placed if path.name not in line.but}
        return {
            "files": [name for name in names if name != LOCK],
            "logs": [name for name in names if parse_log_name(name) is not None],
            "changed": [
                name for name, path in sorted(mine.items()) if not self._is_as_placed(path)
            ],
            "lock": LOCK in names,
        }

    def _is_as_placed(self, path: Path) -> bool:
        return path.is_file() and path.read_bytes() == self._placed[path]

    def _lock(self, line: Lock) -> JsonObject:
        path = self.workspace(line.workspace) / line.directory / LOCK
        if path in self._held:
            os.close(self._held.pop(path))
        exists = path.is_file()
        found = path.stat().st_ino if exists else 0
        same = self._inodes.get(path, found) == found
        if exists:
            self._inodes[path] = found
        return {"exists": exists, "same": same, "free": self._free(path, line, exists=exists)}

    def _free(self, path: Path, line: Lock, *, exists: bool) -> bool:
        """Say whether nobody else holds the lock; take it where it is to be held."""
        if not exists and line.does != "hold":
            return True
        file = os.open(path, os.O_CREAT | os.O_RDWR, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        if line.does == "hold":
            self._held[path] = file
        else:
            os.close(file)
        return True
