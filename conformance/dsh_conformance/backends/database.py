"""The SQLite file of the `sqlite` backend: its schema, its transactions, its refusals.

Headers and events are the bytes of their JSON text: SQLite's text functions stop at U+0000, and
its JSON functions would respell numbers and keys.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from dsh_conformance.implementation.backend import Refuse
from dsh_spec.refusals import RefusalKind

#: What marks a database as one of ours, and the version of its schema.
APPLICATION_ID: Final = 0x44534843
SCHEMA_VERSION: Final = 1
_SCHEMA: Final = f"""
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS sessions (
        key TEXT PRIMARY KEY,
        header BLOB NOT NULL,
        inherited INTEGER NOT NULL,
        incarnation TEXT NOT NULL,
        appends INTEGER NOT NULL,
        next_seq INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS events (
        session TEXT NOT NULL REFERENCES sessions (key),
        seq INTEGER NOT NULL,
        event BLOB NOT NULL,
        PRIMARY KEY (session, seq)
    ) STRICT, WITHOUT ROWID;
    PRAGMA application_id = {APPLICATION_ID};
    PRAGMA user_version = {SCHEMA_VERSION};
    COMMIT;
"""
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def connect(path: Path) -> sqlite3.Connection:
    """Open the database at *path*, made when there is none; raises `Refuse` for a foreign one.

    Every commit is flushed to the disk before it returns (STORE-DURABLE).
    """
    path.touch(mode=0o600)
    with refusing_sqlite():
        # A deadline may have a backend's calls made by another thread than its construction.
        database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        database.execute("PRAGMA trusted_schema = OFF")
        database.execute("PRAGMA foreign_keys = ON")
        _check_owner(database, path)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.executescript(_SCHEMA)
    return database


def _check_owner(database: sqlite3.Connection, path: Path) -> None:
    owner = database.execute("PRAGMA application_id").fetchone()[0]
    version = database.execute("PRAGMA user_version").fetchone()[0]
    objects = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if (owner, version) == (APPLICATION_ID, SCHEMA_VERSION) or (owner, version, objects) == (
        0,
        0,
        0,
    ):
        return
    database.close()
    problem = f"{path} is no session database of schema version {SCHEMA_VERSION}"
    raise Refuse(RefusalKind.UNSUPPORTED_FORMAT, problem)


@contextmanager
def transaction(
    database: sqlite3.Connection, mode: Literal["DEFERRED", "IMMEDIATE"]
) -> Iterator[None]:
    """Commit what is done within, or undo all of it: ``IMMEDIATE`` to write, else to read."""
    with refusing_sqlite():
        database.execute(f"BEGIN {mode}")
        try:
            yield
            database.execute("COMMIT")
        finally:
            if database.in_transaction:
                database.execute("ROLLBACK")


@contextmanager
def refusing_sqlite() -> Iterator[None]:
    """Turn SQLite's errors into the protocol's refusals."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        kind = RefusalKind.CORRUPT if code in _DAMAGED else RefusalKind.IO
        raise Refuse(kind, f"SQLite: {error}") from error
