"""A file for each session, exactly as the dsh runtimes of v4 and of v3 write and read it.

The workspace is the root.
What an artifact holds is the reference's business (`dsh_reference.files`); this module reads it
without moving under its feet, `jsonl_writer` makes it grow, and `older` brings logs of older
formats up to the present one.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, cast

from dsh_conformance.backends.disk import identity, make_session_directory, read_stable, revision
from dsh_conformance.backends.jsonl_writer import LogWriter, Packing, Tail
from dsh_conformance.backends.layout import Artifact, Layout
from dsh_conformance.backends.lock import FileLock
from dsh_conformance.backends.older import Older
from dsh_conformance.backends.options import FORMATS, format_named, options
from dsh_conformance.backends.storage import Log, refuse
from dsh_conformance.backends.store import Store
from dsh_conformance.backends.zstd import MAX_TEXT
from dsh_conformance.implementation.backend import Refuse, StoreBackend
from dsh_conformance.implementation.capabilities import StoreClaims
from dsh_reference.files import Compression, LogFile, log_path, read_header, read_log
from dsh_reference.header import VERSION
from dsh_reference.migrate import migrate_header
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.stored import foreign, load_stored
from dsh_reference.values import dump
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

LOCK_NAME: Final = "session.lock"
_PEEK: Final = 1 << 16


def jsonl(workspace: Path, config: Mapping[str, str]) -> StoreBackend:
    """Make a backend whose root is *workspace*; options ``compression``, ``format=4|3``."""
    chosen = options("jsonl", config, compression=("none", "zstd"), format=FORMATS)
    compression = cast("Compression", chosen["compression"])
    own = format_named(chosen["format"])
    storage = JsonlStorage(workspace.absolute(), Packing(compression), own)
    return Store("dsh-conformance jsonl", storage)


class JsonlStorage:
    """The logs of one root."""

    def __init__(self, root: Path, packing: Packing, format: Format = VERSION) -> None:  # noqa: A002 - the word of the specification
        self._format = format
        self._root = root
        self._packing = packing
        self._layout = Layout(root, packing.compression)
        #: What is done with logs of older formats.
        self.older = Older(self._layout, packing, self._peek, self._load, format)

    @property
    def claims(self) -> StoreClaims:
        """What it promises."""
        return StoreClaims(
            seam="handle",
            format=self._format,
            durable=True,
            cross_process_lock=True,
            artifacts="jsonl" if self._packing.compression == "none" else "jsonl.zstd",
            migrates_from=tuple(range(self._format)),
        )

    def stored_keys(self) -> Sequence[str]:
        """Return the keys of all session directories with a log."""
        return self._layout.keys()

    def exists(self, key: str) -> bool:
        """Whether the session has a log of any version, readable or not."""
        return bool(self._layout.homes(key))

    def snapshot(self, key: str) -> dict[str, Json] | None:
        """Return the snapshot from the header alone; the rows are not read."""
        artifact = self._layout.find(key)
        if artifact is None:
            return None
        header, status = self._peek(artifact)
        shown = header if isinstance(header, Refusal) else migrate_header(header, to=self._format)
        if isinstance(shown, Refusal):
            raise refuse(shown)
        return {
            "header": dict(shown),
            "revision": self._revision(artifact, status),
            "sizeBytes": status.st_size,
            "formatStatus": "current" if self.older.current(artifact) else "migration-required",
        }

    def revision(self, key: str) -> str | None:
        """Return what changes with the log's file, as far as the file system tells."""
        artifact = self._layout.find(key)
        if artifact is None:
            return None
        return self._revision(artifact, artifact.path.stat(follow_symlinks=False))

    def load(self, key: str) -> Log | None:
        """Return the admitted log; nothing in the file changes."""
        artifact = self._layout.find(key)
        if artifact is None:
            return None
        log, status = self._load(artifact)
        found = self._revision(artifact, status)
        return _log(log if self.older.current(artifact) else self.older.migrated(log), found)

    def create(self, key: str, header: JsonObject, inherited: int) -> LogWriter:  # noqa: ARG002 - the marker states it
        """Lock the session's directory; another process may have published a log by now."""
        path = self._root / log_path(header, self._packing.compression)
        make_session_directory(self._root, path.parent)
        lock = FileLock(path.parent / LOCK_NAME)
        with lock.released_on_failure():
            self._layout.check_free(key)
        return LogWriter(path, self._layout, self._packing, lock, header=header)

    def open(self, key: str) -> tuple[Log, LogWriter] | None:
        """Lock a session and load its log; a torn tail stays until the first append.

        An older log is published first as one of the present format (MIG-WRITE-PUBLISH).
        """
        artifact = self._layout.find(key)
        if artifact is None:
            return None
        lock = FileLock(artifact.path.parent / LOCK_NAME)
        with lock.released_on_failure():
            artifact = self.older.published(self._layout.find(key) or artifact)
            log, status = self._load(artifact)
        tail = Tail(
            identity=identity(status), committed=log.committed_bytes, recovered=log.recovered
        )
        writer = LogWriter(
            artifact.path,
            self._layout,
            self._packing,
            lock,
            header=log.header,
            next_seq=len(log.events),
            tail=tail,
        )
        return _log(log, revision(status)), writer

    def locate(self, key: str, /) -> str | None:
        """Return the path of the session's log."""
        artifact = self._layout.find(key)
        return str(artifact.path) if artifact else None

    def close(self) -> None:
        """Do nothing: no file is kept open."""

    def _peek(self, artifact: Artifact) -> tuple[JsonObject | Refusal, os.stat_result]:
        """Return the header alone; the rows are not read."""
        data, status = self._content(artifact, _PEEK)
        header = self._header(artifact, data)
        if isinstance(header, Refusal) and header.rule == "TORN-HEADER":
            data, status = self._content(artifact, MAX_TEXT)
            header = self._header(artifact, data)
        return header, status

    def _load(self, artifact: Artifact) -> tuple[LogFile, os.stat_result]:
        data, status = self._content(artifact, MAX_TEXT)
        if status.st_size > MAX_TEXT:
            problem = f"{artifact.path} has more than {MAX_TEXT} bytes, the limit here"
            raise Refuse(RefusalKind.OTHER, problem, "FILE-LIMIT")
        header = self._header(artifact, data)
        if isinstance(header, Refusal):
            raise refuse(header)
        reading = load_stored if self.older.current(artifact) else read_log
        log = reading(
            data,
            compression=self._packing.compression,
            decompressor=self._packing.decompressor(),
            format=self.older.format_of(artifact),
        )
        if isinstance(log, Refusal):
            raise refuse(log)
        return log, status

    def _content(self, artifact: Artifact, limit: int) -> tuple[bytes, os.stat_result]:
        """Return the bytes of a log, no more than the limit, and the status that it had then."""
        return read_stable(artifact.path, limit)

    def _revision(self, artifact: Artifact, status: os.stat_result) -> str:
        """Return what changes with what is shown: of an older log that depends on its children."""
        own = revision(status)
        return own if self.older.current(artifact) else f"{own}:{self.older.revision()}"

    def _header(self, artifact: Artifact, data: bytes) -> JsonObject | Refusal:
        """Return the header in *data* if it belongs there (STORE-IDENTITY-BOUND)."""
        first = read_header(
            data,
            compression=self._packing.compression,
            decompressor=self._packing.decompressor(),
            format=self.older.format_of(artifact),
        )
        if isinstance(first, Refusal):
            return foreign(first) if self.older.current(artifact) else first
        place = self._root / log_path(first.header, self._packing.compression)
        if place == artifact.path:
            return first.header
        return Refusal(
            kind=RefusalKind.CORRUPT,
            rule="STORE-IDENTITY-BOUND",
            where=str(artifact.path),
            problem=f"by its header the log belongs at {place}",
        )


def _log(log: LogFile | SessionLog, found: str) -> Log:
    return Log(
        header=log.header,
        inherited=log.inherited,
        rows=tuple(map(dump, log.events)),
        revision=found,
    )
