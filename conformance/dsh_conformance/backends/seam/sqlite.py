"""All sessions in one SQLite file: a transaction for each batch.

An append checks within its transaction that the log still ends where the instance left it, so two
processes cannot number a log twice.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast
from uuid import uuid4

from attrs import frozen

from dsh_conformance.backends.database import connect, refusing_sqlite, transaction
from dsh_conformance.backends.seam.storage import FORMAT, StoredLog
from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.implementation.capabilities import StoreClaims
from dsh_reference.refusal import Refusal
from dsh_reference.values import dump, parse
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


@frozen
class _End:
    """Where a log ended when this instance looked last."""

    incarnation: str
    next_seq: int


class SqliteSeamStorage:
    """The sessions of one database."""

    def __init__(self, workspace: Path) -> None:
        self._database = connect(workspace / "sessions.sqlite3")

    @property
    def claims(self) -> StoreClaims:
        """What it promises."""
        return StoreClaims(
            seam="store", format=FORMAT, durable=True, cross_process_lock=False, artifacts=None
        )

    def stored_keys(self) -> Sequence[str]:
        """Return the keys of all rows."""
        with refusing_sqlite():
            return [key for (key,) in self._database.execute("SELECT key FROM sessions")]

    def exists(self, key: str) -> bool:
        """Whether the session has a row."""
        return self._row(key) is not None

    def snapshot(self, key: str) -> tuple[JsonObject, str] | None:
        """Return header and revision, from the session's row alone."""
        row = self._row(key)
        return None if row is None else (_object(row[0]), _revision(row))

    def load(self, key: str) -> StoredLog | None:
        """Return the stored log, read in one transaction."""
        with transaction(self._database, "DEFERRED"):
            row = self._row(key)
            query = "SELECT event FROM events WHERE session = ? ORDER BY seq"
            events = self._database.execute(query, (key,)).fetchall()
        if row is None:
            return None
        if len(events) != row[3]:
            problem = f"{len(events)} of {row[3]} events are stored"
            raise Refuse(RefusalKind.CORRUPT, problem, "STORE-DENSE-SEQ")
        return StoredLog(
            header=_object(row[0]),
            events=tuple(_object(event) for (event,) in events),
            revision=_revision(row),
            end=_End(row[1], row[3]),
        )

    def publish(self, key: str, header: JsonObject, events: Sequence[JsonObject]) -> object:
        """Store a new session, unless another process has stored it by now."""
        incarnation = uuid4().hex
        row = (key, dump(header).encode(), incarnation)
        with transaction(self._database, "IMMEDIATE"):
            if self.exists(key):
                problem = f"another process has created session {key}"
                raise Refuse(RefusalKind.ALREADY_EXISTS, problem, "STORE-NO-CLOBBER")
            self._database.execute("INSERT INTO sessions VALUES (?, ?, 0, ?, 0, 0)", row)
            return self._insert(key, _End(incarnation, 0), events)

    def append(self, key: str, end: object, events: Sequence[Json]) -> object:
        """Append in one transaction, unless the log does not end there any more."""
        known = cast("_End", end)
        with transaction(self._database, "IMMEDIATE"):
            row = self._row(key)
            if row is None or _End(row[1], row[3]) != known:
                problem = "the log has changed under this instance; load the session again"
                raise Refuse(RefusalKind.OWNERSHIP_LOST, problem, "STORE-STALE-WRITER-REFUSED")
            return self._insert(key, known, events)

    def locate(self, _key: str, /) -> None:
        """Return nothing: no session has a file of its own."""

    def close(self) -> None:
        """Close the connection."""
        with refusing_sqlite():
            self._database.close()

    def _insert(self, key: str, end: _End, events: Sequence[Json]) -> _End:
        stop = end.next_seq + len(events)
        rows = [(key, seq, dump(e).encode()) for seq, e in enumerate(events, end.next_seq)]
        self._database.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
        update = "UPDATE sessions SET appends = appends + 1, next_seq = ? WHERE key = ?"
        self._database.execute(update, (stop, key))
        return _End(end.incarnation, stop)

    def _row(self, key: str) -> tuple[bytes, str, int, int] | None:
        """Return a session's header, incarnation, number of commits and next seq."""
        query = "SELECT header, incarnation, appends, next_seq FROM sessions WHERE key = ?"
        with refusing_sqlite():
            found = self._database.execute(query, (key,)).fetchone()
        return cast("tuple[bytes, str, int, int] | None", found)


def _revision(row: tuple[bytes, str, int, int]) -> str:
    return f"{row[1]}:{row[2]}"


def _object(text: bytes) -> JsonObject:
    value = parse(text.decode("utf-8", "replace"))
    if isinstance(value, Refusal) or not isinstance(value, Mapping):
        raise Refuse(RefusalKind.CORRUPT, "a stored row is no JSON object")
    return value
