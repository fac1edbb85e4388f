"""Where a root keeps its logs, and which file is a session's log.

``<root>/<project>/<session>/<log>``: the project is a key of the working directory, the session
the encoded id, the log named by its format version.
Only real directories and canonical log names count; other files are left alone.
"""

import errno
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from dsh_conformance.backends.disk import publish
from dsh_conformance.backends.lock import alone_in
from dsh_conformance.implementation.backend import Refuse
from dsh_reference.files import Compression, decode_segment, parse_log_name
from dsh_spec.refusals import RefusalKind

_FLAT: Final = (".jsonl", ".jsonl.zstd")


@frozen(kw_only=True)
class Artifact:
    """The file that holds a session's log."""

    #: Where it is.
    path: Path
    #: The format version in its name.
    version: int


class Layout:
    """The logs of one root, all of one encoding."""

    def __init__(self, root: Path, compression: Compression) -> None:
        self.root = root
        self._compression = compression
        self._checked = False

    def keys(self) -> Sequence[str]:
        """Return the keys of all sessions, each once, however many directories it has."""
        self._check()
        found = {
            session.name: None
            for project in _directories(self.root)
            for session in _directories(project)
            if decode_segment(session.name) is not None and _artifacts(session)
        }
        return tuple(found)

    def homes(self, key: str) -> Sequence[Path]:
        """Return the directories that hold a log of the session."""
        self._check()
        projects = _directories(self.root)
        return [p / key for p in projects if _is_directory(p / key) and _artifacts(p / key)]

    def find(self, key: str) -> Artifact | None:
        """Return the session's newest log (STORE-NEWEST-GENERATION-WINS, FILE-ONE-HOME)."""
        homes = self.homes(key)
        if len(homes) > 1:
            problem = f"session {key} has a log in each of {', '.join(map(str, homes))}"
            raise Refuse(RefusalKind.CORRUPT, problem, "FILE-ONE-HOME")
        logs = [artifact for home in homes for artifact, _ in _artifacts(home)]
        return max(logs, key=lambda artifact: artifact.version, default=None)

    def publish(self, path: Path, content: bytes) -> None:
        """Publish the log of a new session, unless the session has one by now.

        The lock in its directory does not keep out a creator with another working directory.
        """
        with alone_in(self.root):
            self.check_free(path.parent.name)
            publish(path, content)

    def check_free(self, key: str) -> None:
        """Refuse (already-exists) when the session has a log."""
        homes = self.homes(key)
        if homes:
            problem = f"another process has created the session in {homes[0]}"
            raise Refuse(RefusalKind.ALREADY_EXISTS, problem, "STORE-EXCLUSIVE-PUBLISH")

    def _check(self) -> None:
        """Refuse a root with logs that this store would not find; look once, until it is sound."""
        if self._checked:
            return
        for project in _directories(self.root):
            with os.scandir(project) as entries:
                flat = next((e for e in entries if e.is_file() and e.name.endswith(_FLAT)), None)
            if flat is not None:
                problem = f"{flat.path} lies outside a session directory; move it away"
                raise Refuse(RefusalKind.UNSUPPORTED_FORMAT, problem, "FILE-FLAT-REFUSED")
            for session in _directories(project):
                self._check_encoding(session)
        self._checked = True

    def _check_encoding(self, session: Path) -> None:
        for artifact, compression in _artifacts(session):
            if compression != self._compression:
                problem = f"{artifact.path} was written with compression={compression}"
                raise Refuse(RefusalKind.UNSUPPORTED_FORMAT, problem, "FILE-ONE-ENCODING")


def _artifacts(session: Path) -> Sequence[tuple[Artifact, Compression]]:
    """Return the logs of a session directory, each with the encoding that its name states."""
    found = []
    with os.scandir(session) as entries:
        for entry in entries:
            parsed = parse_log_name(entry.name)
            if parsed is not None:
                version, compression = parsed
                found.append((Artifact(path=session / entry.name, version=version), compression))
    return found


def _directories(parent: Path) -> Iterator[Path]:
    """Yield the real directories in *parent*, which may be absent."""
    try:
        with os.scandir(parent) as entries:
            names = sorted(e.name for e in entries if e.is_dir(follow_symlinks=False))
    except FileNotFoundError:
        return
    yield from (parent / name for name in names)


def _is_directory(path: Path) -> bool:
    try:
        return path.is_dir() and not path.is_symlink()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return False
        raise
