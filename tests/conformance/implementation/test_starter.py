"""The starter adapter: it passes the probe as it is, and keeps what it was given."""

import sys
from pathlib import Path
from typing import Any

import pytest

from dsh_conformance.implementation.hostile import encode_value
from dsh_conformance.implementation.outcome import Ok, Outcome, Refused
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.implementation.stdio import StdioLauncher
from dsh_spec.events import EVENT_TYPES

STARTER = Path(__file__).parents[3] / "conformance" / "adapters" / "starter"
HEADER: dict[str, Any] = {"version": 4, "id": "s\ud800\0", "createdAt": 0, "isSeeded": False}


@pytest.fixture
def launcher() -> StdioLauncher:
    return StdioLauncher(
        command=(sys.executable, "-I", str(STARTER / "adapter.py")), describe="starter"
    )


def value(outcome: Outcome) -> Any:
    assert isinstance(outcome, Ok)
    return outcome.value


def event(seq: int, **fields: Any) -> dict[str, Any]:
    return {"type": "turn/start", "seq": seq, "time": 0, "data": {"turn": 1}, **fields}


def test_it_passes_the_probe(launcher: StdioLauncher) -> None:
    claims = smoke(launcher).store
    assert claims is not None
    assert claims.durable


def test_it_imports_nothing_of_ours() -> None:
    assert "dsh_" not in (STARTER / "adapter.py").read_text("utf-8")


def test_its_vocabulary_is_the_specs() -> None:
    assert set((STARTER / "event-types.txt").read_text("utf-8").split()) == set(EVENT_TYPES)


def test_what_it_acknowledged_survives_a_kill(launcher: StdioLauncher, tmp_path: Path) -> None:
    events = [event(0, data={"$literal": {"k\ud800": "\0"}}), event(1, type="x", ignorable=True)]
    connection = launcher.launch(tmp_path)
    handle = value(connection.call("store/create", {"header": HEADER}))["handle"]
    sent = [encode_value(each) for each in events]
    value(connection.call("store/append", {"handle": handle, "events": sent}))
    connection.kill()
    connection = launcher.launch(tmp_path)
    opened = value(connection.call("store/open", {"id": HEADER["id"], "access": "read"}))
    assert opened["header"] == HEADER
    assert value(connection.call("store/read", {"handle": opened["handle"]}))["events"] == events
    connection.close()


@pytest.mark.parametrize(
    "events", [[event(1)], [event(0), event(2)], [event(0), event(0)], [event(0), None]]
)
def test_it_refuses_a_wrong_batch_whole(
    launcher: StdioLauncher, tmp_path: Path, events: Any
) -> None:
    connection = launcher.launch(tmp_path)
    handle = value(connection.call("store/create", {"header": HEADER}))["handle"]
    refused = connection.call("store/append", {"handle": handle, "events": events})
    assert isinstance(refused, Refused)
    assert refused.kind == "seq-mismatch"
    assert value(connection.call("store/read", {"handle": handle})) == {"events": []}
    connection.close()


def test_it_refuses_a_log_that_it_does_not_understand(
    launcher: StdioLauncher, tmp_path: Path
) -> None:
    connection = launcher.launch(tmp_path)
    handle = value(connection.call("store/create", {"header": HEADER}))["handle"]
    value(connection.call("store/append", {"handle": handle, "events": [event(0, type="no/such")]}))
    refused = connection.call("store/read", {"handle": handle})
    assert isinstance(refused, Refused)
    assert refused.kind == "unsupported-format"
    connection.close()
