"""The runtime of format 0 behind the adapter: both of its backends, with their repair on load."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from dsh_conformance.implementation.connection import Connection, Launcher
from dsh_conformance.implementation.names import resolve
from dsh_conformance.implementation.outcome import Ok
from dsh_spec.values import JsonObject

CONFIGS: tuple[Mapping[str, str], ...] = ({}, {"compression": "zstd"}, {"backend": "sqlite"})
HEADER: JsonObject = {"version": 0, "id": "s", "createdAt": 1, "cwd": "/w", "delegationDepth": 0}
TURN: JsonObject = {"type": "turn/start", "seq": 0, "time": 1, "data": {"turn": 1}}
STEP: JsonObject = {"type": "step/start", "seq": 1, "time": 2, "data": {"turn": 1, "step": 1}}
#: What the store adds to an open turn with an open step (facts: persistence §1.4).
CLOSERS: list[JsonObject] = [
    {"type": "step/end", "seq": 2, "time": 2, "data": {"turn": 1, "step": 1}},
    {
        "type": "turn/end",
        "seq": 3,
        "time": 2,
        "data": {"turn": 1, "reason": {"kind": "interrupted"}},
    },
]

Ask = Callable[..., Any]


@pytest.fixture(scope="module", params=CONFIGS, ids=lambda config: ",".join(config.values()) or "-")
def launcher(older_runtimes: None, request: pytest.FixtureRequest) -> Launcher:
    return resolve("dsh-v0", (), request.param, deadline=60)


@pytest.fixture(scope="module")
def running(launcher: Launcher, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    connection = launcher.launch(tmp_path_factory.mktemp("v0"))
    connection.call("store/closeWorkspace", {})
    yield connection
    connection.close()


def asking(connection: Connection) -> Ask:
    def call(method: str, **params: Any) -> Any:
        outcome = connection.call(f"store/{method}", params)
        return outcome.value if isinstance(outcome, Ok) else str(outcome.kind)

    return call


@pytest.fixture
def ask(running: Connection, workspace: Path) -> Iterator[Ask]:
    call = asking(running)
    call("openWorkspace", workspace=str(workspace))
    yield call
    call("closeWorkspace")


def test_a_session_is_written_and_read(ask: Ask) -> None:
    assert ask("create", header=HEADER) == {}
    assert ask("list") == {"headers": []}
    assert ask("append", id="s", events=[TURN, STEP]) == {}
    assert ask("list") == {"headers": [HEADER]}
    assert ask("readFrom", id="s", fromSeq=1) == {"header": HEADER, "events": [STEP]}
    (snapshot,) = ask("listSnapshots")["snapshots"]
    assert snapshot["header"] == HEADER


def test_refusals_have_their_kinds(ask: Ask) -> None:
    ask("create", header=HEADER)
    assert ask("create", header=HEADER) == "already-exists"
    assert ask("create", header={**HEADER, "id": "t", "createdAt": -1}) == "invalid-argument"
    assert ask("create", header={**HEADER, "id": "t", "cwd": {"$hostile": "nan"}}) == "not-json"
    assert ask("append", id="s", events=[STEP]) == "seq-mismatch"
    assert ask("append", id="s", events=[{**TURN, "data": {"$hostile": "date"}}]) == "not-json"
    assert ask("append", id="nobody", events=[TURN]) == "not-found"
    assert ask("append", id="nobody", events=[]) == {}
    for method in ("load", "inspect"):
        assert ask(method, id="nobody") == "not-found"
    assert ask("readFrom", id="nobody", fromSeq=0) == "not-found"
    ask("append", id="s", events=[TURN])
    assert ask("readFrom", id="s", fromSeq=-1) == "invalid-argument"


def test_inspecting_closes_in_memory_and_loading_on_disk(ask: Ask) -> None:
    ask("create", header=HEADER)
    ask("append", id="s", events=[TURN, STEP])
    closed = [TURN, STEP, *CLOSERS]
    assert ask("inspect", id="s")["events"] == closed
    assert ask("readFrom", id="s", fromSeq=0)["events"] == [TURN, STEP]
    assert ask("load", id="s")["events"] == closed
    assert ask("readFrom", id="s", fromSeq=0)["events"] == closed


def test_what_was_appended_survives_a_kill(launcher: Launcher, workspace: Path) -> None:
    first = launcher.launch(workspace)
    ask = asking(first)
    ask("create", header=HEADER)
    ask("append", id="s", events=[TURN, STEP])
    first.kill()
    second = launcher.launch(workspace)
    ask = asking(second)
    assert ask("load", id="s") == {"header": HEADER, "events": [TURN, STEP, *CLOSERS]}
    second.close()


def test_a_file_is_located(ask: Ask, running: Connection, workspace: Path) -> None:
    ask("create", header=HEADER)
    assert ask("locate", id="s") == {"path": None}
    ask("append", id="s", events=[TURN])
    assert running.capabilities.store is not None
    artifacts = running.capabilities.store.artifacts
    path = ask("locate", id="s")["path"]
    if artifacts is None:
        assert path is None
        assert (workspace / "sessions.db").is_file()
    else:
        assert Path(path) == workspace / "--w--" / "s" / f"session.{artifacts}"


def test_a_damaged_log_is_corrupt_and_another_format_unsupported(
    older_runtimes: None, workspace: Path
) -> None:
    place = workspace / "_no-cwd" / "s"
    place.mkdir(parents=True)
    connection = resolve("dsh-v0", (), {}, deadline=60).launch(workspace)
    ask = asking(connection)
    for text, kind in (
        ("", "corrupt"),
        ("{\n", "corrupt"),
        ('{"type":"session","version":1,"id":"s","createdAt":1}\n', "unsupported-format"),
        ('{"type":"session","version":0,"id":"t","createdAt":1,"delegationDepth":0}\n', "corrupt"),
    ):
        (place / "session.jsonl").write_text(text, "utf-8")
        assert ask("readFrom", id="s", fromSeq=0) == kind
        assert ask("load", id="s") == kind
    connection.close()


def test_the_session_model_derives_and_closes(running: Connection) -> None:
    given: JsonObject = {"format": 0, "events": [TURN, STEP]}
    assert running.call("core/derive", given) == Ok({"messages": []})
    assert running.call("core/closers", {**given, "cause": "interrupted"}) == Ok(
        {"events": CLOSERS}
    )
