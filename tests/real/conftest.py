"""The real runtimes, started once a session; every test gets a workspace of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from dsh_conformance.implementation.connection import Connection, Launcher
from dsh_conformance.implementation.dsh import launcher
from dsh_conformance.implementation.names import resolve
from dsh_conformance.implementation.outcome import Ok, Refused
from dsh_conformance.implementation.runtimes import OLDER, install
from dsh_spec.values import Json

#: Calls a method with marks already made: its result, or the kind of its refusal.
Ask: TypeAlias = Callable[..., Any]


@pytest.fixture(scope="session")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    yield from _runtime(launcher({}), tmp_path_factory.mktemp("first"))


@pytest.fixture(scope="session")
def second_runtime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    yield from _runtime(launcher({}), tmp_path_factory.mktemp("second"))


def _runtime(started: Launcher, workspace: Path) -> Iterator[Connection]:
    connection = started.launch(workspace)
    connection.call("store/closeWorkspace", {})
    yield connection
    connection.close()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    directory = tmp_path / "workspace"
    directory.mkdir()
    return directory


@pytest.fixture
def ask(runtime: Connection, workspace: Path) -> Iterator[Ask]:
    """Ask a runtime that has the test's workspace open."""
    yield from _asking(runtime, workspace)


@pytest.fixture
def second(second_runtime: Connection, workspace: Path) -> Iterator[Ask]:
    """Ask a second process that has the same workspace open."""
    yield from _asking(second_runtime, workspace)


def _asking(runtime: Connection, workspace: Path) -> Iterator[Ask]:
    def call(method: str, **params: Json) -> object:
        match runtime.call(f"store/{method}", params):
            case Ok(value=value):
                return value
            case Refused(kind=kind):
                return str(kind)

    call("openWorkspace", workspace=str(workspace))
    yield call
    call("closeWorkspace")


@pytest.fixture
def own_runtime(workspace: Path) -> Iterator[Connection]:
    """A runtime for a test that ends it."""
    connection = launcher({}).launch(workspace)
    yield connection
    connection.kill()


@pytest.fixture(scope="session")
def older_runtimes() -> None:
    """Have the older runtimes in place; they are installed where they are not."""
    for era in OLDER.values():
        install(era)


@pytest.fixture(scope="session")
def runtime_v3(
    older_runtimes: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Connection]:
    """The runtime of format 3."""
    yield from _runtime(_v3(), tmp_path_factory.mktemp("v3"))


@pytest.fixture(scope="session")
def second_runtime_v3(
    older_runtimes: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Connection]:
    yield from _runtime(_v3(), tmp_path_factory.mktemp("second-v3"))


def _v3() -> Launcher:
    return resolve("dsh-v3", (), {}, deadline=60)


@pytest.fixture
def ask_v3(runtime_v3: Connection, workspace: Path) -> Iterator[Ask]:
    """Ask that runtime, with the test's workspace open."""
    yield from _asking(runtime_v3, workspace)


@pytest.fixture
def second_v3(second_runtime_v3: Connection, workspace: Path) -> Iterator[Ask]:
    """Ask a second process of it that has the same workspace open."""
    yield from _asking(second_runtime_v3, workspace)


@pytest.fixture(scope="session")
def runtime_v0_sqlite(
    older_runtimes: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Connection]:
    """The runtime of format 0, over SQLite."""
    found = resolve("dsh-v0", (), {"backend": "sqlite"}, deadline=60)
    connection = found.launch(tmp_path_factory.mktemp("v0"))
    connection.call("store/closeWorkspace", {})
    yield connection
    connection.close()


@pytest.fixture
def ask_v0_sqlite(runtime_v0_sqlite: Connection, workspace: Path) -> Iterator[Ask]:
    """Ask that runtime, with the test's workspace open."""
    yield from _asking(runtime_v0_sqlite, workspace)
