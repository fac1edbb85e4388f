"""All sessions in one SQLite file: a transaction for each batch, a lock file for each writer.

A writer checks within its transaction that the log still ends where it thinks.
A row lock could not notice that its holder died, so the claim on a session is an ``flock``.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

from attrs import frozen

from dsh_conformance.backends.database import connect, refusing_sqlite, transaction
from dsh_conformance.backends.lock import FileLock
from dsh_conformance.backends.options import FORMATS, format_named, options
from dsh_conformance.backends.storage import Log, admitted
from dsh_conformance.backends.store import Store
from dsh_conformance.implementation.backend import Refuse, StoreBackend
from dsh_conformance.implementation.capabilities import StoreClaims
from dsh_reference.header import VERSION, check_header
from dsh_reference.refusal import Refusal
from dsh_reference.values import dump, parse
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


def sqlite(workspace: Path, config: Mapping[str, str]) -> StoreBackend:
    """Make a backend that keeps a database and its lock files there; option ``format=4|3``."""
    chosen = options("sqlite", config, format=FORMATS)
    storage = SqliteStorage(workspace, format_named(chosen["format"]))
    return Store("dsh-conformance sqlite", storage)


@frozen(kw_only=True)
class Stored:
    """A session's row."""

    #: The logical header.
    header: JsonObject
    #: How many leading events were inherited.
    inherited: int
    #: What sets this session apart from others that have had its key.
    incarnation: str
    #: How many batches were stored.
    appends: int
    #: The seq of the next event.
    next_seq: int

    @property
    def revision(self) -> str:
        """A string that changes with every batch."""
        return f"{self.incarnation}:{self.appends}"


class SqliteStorage:
    """The sessions of one database."""

    def __init__(self, workspace: Path, format: Format = VERSION) -> None:  # noqa: A002 - the word of the specification
        self._format = format
        self._locks = workspace / "locks"
        self._database = connect(workspace / "sessions.sqlite3")

    @property
    def claims(self) -> StoreClaims:
        """What it promises."""
        return StoreClaims(
            seam="handle",
            format=self._format,
            durable=True,
            cross_process_lock=True,
            artifacts=None,
        )

    def stored_keys(self) -> Sequence[str]:
        """Return the keys of all rows."""
        with refusing_sqlite():
            return [key for (key,) in self._database.execute("SELECT key FROM sessions")]

    def exists(self, key: str) -> bool:
        """Whether the session has a row, readable or not."""
        with refusing_sqlite():
            found = self._database.execute("SELECT 1 FROM sessions WHERE key = ?", (key,))
            return found.fetchone() is not None

    def snapshot(self, key: str) -> dict[str, Json] | None:
        """Return the snapshot from the session's row alone."""
        stored = self._stored(key)
        if stored is None:
            return None
        return {
            "header": dict(stored.header),
            "revision": stored.revision,
            "eventCount": stored.next_seq,
        }

    def revision(self, key: str) -> str | None:
        """Return the session's incarnation and the number of its batches."""
        stored = self._stored(key)
        return stored.revision if stored else None

    def load(self, key: str) -> Log | None:
        """Return the admitted log, read in one transaction."""
        with transaction(self._database, "DEFERRED"):
            stored = self._stored(key)
            query = "SELECT event FROM events WHERE session = ? ORDER BY seq"
            events = self._database.execute(query, (key,)).fetchall()
        return _log(stored, [event for (event,) in events]) if stored else None

    def create(self, key: str, header: JsonObject, inherited: int) -> "SqliteWriter":
        """Lock a new session; another process may have stored it by now."""
        lock = self._lock(key)
        with lock.released_on_failure():
            if self.exists(key):
                problem = f"another process has created session {key}"
                raise Refuse(RefusalKind.ALREADY_EXISTS, problem, "STORE-NO-CLOBBER")
        new = Stored(
            header=header, inherited=inherited, incarnation=uuid4().hex, appends=0, next_seq=0
        )
        return SqliteWriter(self._database, key, new, lock, is_new=True)

    def open(self, key: str) -> "tuple[Log, SqliteWriter] | None":
        """Lock a stored session and load its log."""
        if not self.exists(key):
            return None
        lock = self._lock(key)
        with lock.released_on_failure():
            log, stored = self.load(key), self._stored(key)
        if log is None or stored is None:
            lock.release()
            return None
        return log, SqliteWriter(self._database, key, stored, lock, is_new=False)

    def locate(self, _key: str, /) -> None:
        """Return nothing: no session has a file of its own."""

    def close(self) -> None:
        """Close the connection."""
        with refusing_sqlite():
            self._database.close()

    def _lock(self, key: str) -> FileLock:
        self._locks.mkdir(mode=0o700, exist_ok=True)
        return FileLock(self._locks / f"{sha256(key.encode()).hexdigest()}.lock")

    def _stored(self, key: str) -> Stored | None:
        with refusing_sqlite():
            query = "SELECT header, inherited, incarnation, appends, next_seq FROM sessions"
            row = self._database.execute(f"{query} WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        text, inherited, incarnation, appends, next_seq = row
        header = parse(text)
        refusal = header if isinstance(header, Refusal) else check_header(header, self._format)
        if refusal is not None or not isinstance(header, Mapping):
            raise Refuse(RefusalKind.CORRUPT, f"the header of session {key}: {refusal}")
        return Stored(
            header=header,
            inherited=inherited,
            incarnation=incarnation,
            appends=appends,
            next_seq=next_seq,
        )


class SqliteWriter:
    """The one writer of a session."""

    def __init__(
        self,
        database: sqlite3.Connection,
        key: str,
        stored: Stored,
        lock: FileLock,
        *,
        is_new: bool,
    ) -> None:
        self.next_seq = stored.next_seq
        self._database = database
        self._key = key
        self._stored = stored
        self._lock = lock
        self._is_new = is_new

    def append(self, events: Sequence[JsonObject]) -> None:
        """Store a batch in one transaction (STORE-BATCH-ALL-OR-NOTHING-ON-REFUSAL)."""
        end = self.next_seq + len(events)
        rows = [(self._key, seq, dump(e).encode()) for seq, e in enumerate(events, self.next_seq)]
        with transaction(self._database, "IMMEDIATE"):
            if self._is_new:
                self._insert()
            self._check_fresh()
            self._database.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
            update = "UPDATE sessions SET appends = appends + 1, next_seq = ? WHERE key = ?"
            self._database.execute(update, (end, self._key))
        self.next_seq = end
        self._is_new = False

    def release(self) -> None:
        """Give the lock up."""
        self._lock.release()

    def _insert(self) -> None:
        """Store the session, unless another writer has: then this one is not fresh."""
        new = self._stored
        row = (self._key, dump(new.header).encode(), new.inherited, new.incarnation)
        self._database.execute("INSERT OR IGNORE INTO sessions VALUES (?, ?, ?, ?, 0, 0)", row)

    def _check_fresh(self) -> None:
        """Refuse to write when the log does not end where this writer thinks."""
        query = "SELECT incarnation, next_seq FROM sessions WHERE key = ?"
        found = self._database.execute(query, (self._key,)).fetchone()
        if found != (self._stored.incarnation, self.next_seq):
            problem = "the log has changed under this writer; open the session again"
            raise Refuse(RefusalKind.OWNERSHIP_LOST, problem, "STORE-STALE-WRITER-REFUSED")


def _log(stored: Stored, events: Sequence[bytes]) -> Log:
    if len(events) != stored.next_seq:
        problem = f"{len(events)} of {stored.next_seq} events are stored"
        raise Refuse(RefusalKind.CORRUPT, problem, "STORE-DENSE-SEQ")
    log = Log(
        header=stored.header,
        inherited=stored.inherited,
        rows=tuple(event.decode("utf-8", "replace") for event in events),
        revision=stored.revision,
    )
    return admitted(log)
