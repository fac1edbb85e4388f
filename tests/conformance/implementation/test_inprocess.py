"""A Python backend behind the host, without a process: dispatch, refusals, crashes, aliasing."""

from pathlib import Path
from typing import Any

import pytest

from dsh_conformance.implementation.backend import Factory
from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.host import PLANTED
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.outcome import Fault, Ok, Refused
from dsh_spec.refusals import RefusalKind

HEADER: dict[str, Any] = {"id": "a", "cwd": "/x"}
EVENTS: list[Any] = [{"seq": 0, "data": {"list": []}}]


@pytest.fixture
def connection(shelf: Factory, tmp_path: Path) -> Connection:
    return InProcessLauncher(factory=shelf).launch(tmp_path)


def result(connection: Connection, method: str, **params: Any) -> Any:
    outcome = connection.call(method, params)
    assert isinstance(outcome, Ok)
    return outcome.value


def test_a_session_goes_round(connection: Connection) -> None:
    handle = result(connection, "store/create", header=HEADER, inheritedEventCount=2)["handle"]
    assert result(connection, "store/append", handle=handle, events=EVENTS) == {}
    assert result(connection, "store/read", handle=handle) == {"events": EVENTS}
    assert result(connection, "store/read", handle=handle, offset=1, length=1) == {"events": []}
    snapshot = {"header": HEADER, "revision": "1"}
    assert result(connection, "store/stat", id="a") == {"snapshot": snapshot}
    assert result(connection, "store/stat", id="b") == {"snapshot": None}
    assert len(result(connection, "store/list")["snapshots"]) == 1
    assert result(connection, "store/locate", id="a") == {"path": None}
    assert result(connection, "store/flush") == {}
    opened = result(connection, "store/open", id="a", access="read")
    assert (opened["header"], opened["inheritedEventCount"]) == (HEADER, 2)
    assert opened["handle"] != handle
    assert result(connection, "store/close", handle=handle) == {}
    connection.close()


def test_a_refusal_carries_kind_and_rule(connection: Connection) -> None:
    handle = result(connection, "store/create", header=HEADER)["handle"]
    result(connection, "store/close", handle=handle)
    refused = connection.call("store/append", {"handle": handle, "events": []})
    assert refused == Refused(kind=RefusalKind.CLOSED, message="closed", rule="STORE-CLOSED")


def test_another_exception_is_a_crash_with_its_traceback(connection: Connection) -> None:
    handle = result(connection, "store/create", header={"id": "large"})["handle"]
    with pytest.raises(Fault) as caught:
        connection.call("store/flush", {"handle": handle})
    assert caught.value.diagnosis.blame == "implementation"
    assert "OSError: the disk is full" in caught.value.diagnosis.what
    assert "shelf.py" in caught.value.diagnosis.stderr_tail


def test_a_result_outside_json_is_a_crash(connection: Connection) -> None:
    with pytest.raises(Fault, match="ValueError"):
        connection.call("store/stat", {"id": "not JSON"})


@pytest.mark.parametrize(
    ("method", "params", "what"),
    [
        ("store/read", {"handle": 7}, "no handle 7"),
        ("store/nothing", {}, "has no method store/nothing"),
        ("initialize", {"protocol": 1, "workspace": "/"}, "already initialised"),
        ("store/openWorkspace", {"workspace": "here"}, "'here' is no absolute directory"),
        ("store/create", {"header": {"$hostile": "no"}}, "no hostile value is called 'no'"),
    ],
)
def test_a_misunderstanding_is_the_adapters(
    connection: Connection, method: str, params: Any, what: str
) -> None:
    with pytest.raises(Fault, match=what) as caught:
        connection.call(method, params)
    assert caught.value.diagnosis.blame == "adapter"


def test_a_second_workspace_starts_fresh(connection: Connection, tmp_path: Path) -> None:
    result(connection, "store/create", header=HEADER)
    result(connection, "store/closeWorkspace")
    result(connection, "store/openWorkspace", workspace=str(tmp_path))
    assert result(connection, "store/list") == {"snapshots": []}


def test_nothing_is_served_between_workspaces(connection: Connection) -> None:
    result(connection, "store/closeWorkspace")
    with pytest.raises(Fault, match="no workspace is open"):
        connection.call("store/list", {})


@pytest.mark.parametrize("copies", ["yes", "no"])
def test_a_kept_argument_shows(shelf: Factory, tmp_path: Path, copies: str) -> None:
    connection = InProcessLauncher(factory=shelf, config={"copies": copies}).launch(tmp_path)
    handle = result(connection, "store/create", header=HEADER)["handle"]
    result(connection, "store/append", handle=handle, events=EVENTS)
    seen = str(result(connection, "store/read", handle=handle))
    assert (PLANTED in seen) == (copies == "no")


def test_a_handed_out_result_shows(shelf: Factory, tmp_path: Path) -> None:
    connection = InProcessLauncher(factory=shelf, config={"copies": "no"}).launch(tmp_path)
    handle = result(connection, "store/create", header=HEADER)["handle"]
    result(connection, "store/append", handle=handle, events=EVENTS)
    first = result(connection, "store/read", handle=handle)
    assert result(connection, "store/read", handle=handle) != first


def test_the_callers_arguments_are_left_alone(connection: Connection) -> None:
    params = {"handle": result(connection, "store/create", header=HEADER)["handle"]}
    connection.call("store/append", {**params, "events": EVENTS})
    assert EVENTS == [{"seq": 0, "data": {"list": []}}]
    assert HEADER == {"id": "a", "cwd": "/x"}


def test_a_hostile_value_reaches_the_backend(shelf: Factory, tmp_path: Path) -> None:
    connection = InProcessLauncher(factory=shelf).launch(tmp_path)
    handle = result(connection, "store/create", header=HEADER)["handle"]
    result(connection, "store/append", handle=handle, events=[{"$hostile": "set"}])
    with pytest.raises(Fault, match="TypeError: Object of type set"):
        connection.call("store/read", {"handle": handle})


def test_a_kill_crashes_and_an_end_shuts_down(shelf: Factory, tmp_path: Path) -> None:
    made: list[Any] = []

    def factory(workspace: Path, config: Any) -> Any:
        made.append(shelf(workspace, config))
        return made[-1]

    launcher = InProcessLauncher(factory=factory)
    launcher.launch(tmp_path).kill()
    launcher.launch(tmp_path).close()
    assert [backend.ended for backend in made] == [["crash"], ["shutdown"]]


def test_after_the_end_there_is_no_call(connection: Connection) -> None:
    connection.kill()
    with pytest.raises(Fault, match="was called after its end"):
        connection.call("store/list", {})


def test_a_failing_shutdown_is_a_fault(connection: Connection) -> None:
    result(connection, "store/create", header={"id": "unstoppable"})
    with pytest.raises(Fault, match="failed to shut down: OSError: cannot stop"):
        connection.close()


def test_a_refused_configuration_is_the_environments(shelf: Factory, tmp_path: Path) -> None:
    with pytest.raises(Fault, match="it refused to start: shelf has no option color") as caught:
        InProcessLauncher(factory=shelf, config={"color": "red"}).launch(tmp_path)
    assert caught.value.diagnosis.blame == "environment"
