"""The SQLite backend: strict tables, stale writers, and files that are not its own."""

import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from dsh_conformance.backends.sqlite import sqlite
from dsh_conformance.implementation.backend import Access, Refuse, StoreBackend
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

Header = dict[str, Json]
#: Twice for writing: a refused open leaves no claim.
ACCESSES: tuple[Access, ...] = ("read", "write", "write")
Turns = tuple[list[Json], list[Json]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[StoreBackend]:
    made = sqlite(tmp_path, {})
    yield made
    made.shutdown()


@pytest.fixture
def database(store: StoreBackend, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Another connection to the database of the store."""
    assert list(store.list()) == []
    connection = sqlite3.connect(tmp_path / "sessions.sqlite3", isolation_level=None)
    yield connection
    connection.close()


def refused(call: Callable[[], object]) -> Refuse:
    with pytest.raises(Refuse) as caught:
        call()
    return caught.value


def test_the_tables_are_strict_and_the_file_is_private(
    database: sqlite3.Connection, tmp_path: Path
) -> None:
    assert (tmp_path / "sessions.sqlite3").stat().st_mode & 0o777 == 0o600
    tables = database.execute("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'")
    assert {name for name, strict in tables if strict} == {"sessions", "events"}
    assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_batch_is_one_transaction(
    store: StoreBackend, database: sqlite3.Connection, header: Header, turns: Turns
) -> None:
    """STORE-BATCH-ALL-OR-NOTHING-ON-REFUSAL: the last row of the batch cannot be stored."""
    handle = store.create(header)
    handle.append(turns[0])
    database.execute("INSERT INTO events VALUES ('s1', 11, x'00')")
    assert refused(lambda: handle.append(turns[1])).kind is RefusalKind.IO
    database.execute("DELETE FROM events WHERE seq = 11")
    assert handle.read() == turns[0]
    handle.append(turns[1])
    assert len(handle.read()) == 12


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE sessions SET next_seq = 5",
        "UPDATE sessions SET incarnation = 'another'",
        "PRAGMA foreign_keys = OFF; DELETE FROM sessions",
    ],
)
def test_a_stale_writer_is_refused(
    store: StoreBackend, database: sqlite3.Connection, header: Header, turns: Turns, change: str
) -> None:
    """STORE-STALE-WRITER-REFUSED: shrunk, created anew, gone."""
    handle = store.create(header)
    handle.append(turns[0])
    database.executescript(change)
    assert refused(lambda: handle.append(turns[1])).rule == "STORE-STALE-WRITER-REFUSED"
    assert database.execute("SELECT count(*) FROM events").fetchone() == (6,)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events SET event = x'7b' WHERE seq = 2",
        "DELETE FROM events WHERE seq = 2",
        "UPDATE sessions SET header = x'00'",
        "UPDATE sessions SET header = CAST('{\"version\":4}' AS BLOB)",
    ],
)
def test_damage_is_refused_and_stays_where_it_is(
    store: StoreBackend, database: sqlite3.Connection, header: Header, turns: Turns, change: str
) -> None:
    """STORE-COMMITTED-CORRUPTION-LOUD, STORE-ISOLATION."""
    for session_id in ("s1", "s2"):
        handle = store.create({**header, "id": session_id})
        handle.append(turns[0])
        handle.close()
    database.execute(f"{change} {'AND session' if 'seq' in change else 'WHERE key'} = 's1'")
    for access in ACCESSES:
        assert refused(partial(store.open, "s1", access)).kind is RefusalKind.CORRUPT
    assert store.open("s2", "write").read() == turns[0]
    assert {**header, "id": "s2"} in [snapshot["header"] for snapshot in store.list()]


def test_a_foreign_database_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite3"
    with sqlite3.connect(path) as foreign:
        foreign.execute("CREATE TABLE t (x)")
    foreign.close()
    before = path.read_bytes()
    assert refused(lambda: sqlite(tmp_path, {})).kind is RefusalKind.UNSUPPORTED_FORMAT
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_corrupt(tmp_path: Path) -> None:
    (tmp_path / "sessions.sqlite3").write_bytes(b"x" * 5000)
    assert refused(lambda: sqlite(tmp_path, {})).kind is RefusalKind.CORRUPT


def test_a_directory_in_its_place_is_an_io_error(tmp_path: Path) -> None:
    (tmp_path / "sessions.sqlite3").mkdir()
    assert refused(lambda: sqlite(tmp_path, {})).kind is RefusalKind.IO
