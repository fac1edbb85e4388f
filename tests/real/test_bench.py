"""The real runtime sees one session in the two logs of the benchmark."""

from pathlib import Path
from typing import Any

from dsh_conformance.bench.files import write_twins
from dsh_conformance.bench.twins import SESSION
from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.dsh import launcher
from dsh_conformance.implementation.outcome import Ok
from dsh_reference.values import equal
from dsh_spec.values import Json


def _ask(connection: Connection, method: str, **params: Json) -> Any:
    outcome = connection.call(method, params)
    assert isinstance(outcome, Ok), outcome
    return outcome.value


def _events(workspace: Path) -> Any:
    connection = launcher({}).launch(workspace)
    handle = _ask(connection, "store/open", id=SESSION, access="read")["handle"]
    events = _ask(connection, "store/read", handle=handle)["events"]
    connection.close()
    return events


def test_the_twin_is_read_as_the_newest_log(tmp_path: Path) -> None:
    twins = write_twins(tmp_path, 1300)
    events = _events(twins.newest)
    assert len(events) >= 1300
    assert equal(_events(twins.oldest), events)
