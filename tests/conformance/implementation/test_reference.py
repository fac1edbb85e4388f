"""The reference answers the methods of the migration and the files track."""

from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.names import find_factory
from dsh_conformance.implementation.outcome import Ok

TURN: Any = {"type": "turn/start", "seq": 0, "time": 1, "data": {"turn": 1}}
STEP: Any = {"type": "step/start", "seq": 1, "time": 2, "data": {"turn": 1, "step": 1}}
CHILD: Any = {"childId": "c", "childCreatedAt": 4, "descriptorCount": 0, "descriptor": None}


def header(version: Any, **more: Any) -> Any:
    basis = {"id": "s", "createdAt": 1, "isSeeded": False, "delegationDepth": 0}
    return {"version": version, **basis, **more}


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Connection]:
    connection = InProcessLauncher(factory=find_factory("reference")).launch(tmp_path)
    yield connection
    connection.close()


def ask(port: Connection, method: str, **params: Any) -> Any:
    """Return the result, or the kind of the refusal."""
    outcome = port.call(method, params)
    return outcome.value if isinstance(outcome, Ok) else str(outcome.kind)


def migrate(port: Connection, head: object, *events: Any, **more: Any) -> Any:
    given = {"inheritedEventCount": 0, "to": 4, "children": [], **more}
    return ask(port, "migration/migrate", header=head, events=list(events), **given)


def test_it_claims_what_it_answers(port: Connection) -> None:
    assert port.capabilities.store is None
    assert port.capabilities.others["migration"] == {"from": [0, 1, 2, 3], "to": 4}
    assert port.capabilities.others["files"] == {
        "formats": [0, 1, 2, 3, 4],
        "compression": ["none", "zstd"],
    }


def test_it_migrates(port: Connection) -> None:
    found = migrate(port, header(0), TURN, STEP, children=[CHILD])
    assert found["header"] == header(4)
    types = [event["type"] for event in found["events"]]
    assert types == ["turn/start", "step/start", "system/message", "subagent/catalog"]


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (header(5), "unsupported-format"),
        (header("0"), "corrupt"),
        (None, "corrupt"),
        (header(0, x=1), "corrupt"),
        (header(2, isSeeded=True), "corrupt"),
    ],
    ids=ascii,
)
def test_what_it_does_not_migrate_has_a_kind(port: Connection, head: Any, kind: str) -> None:
    assert migrate(port, head) == kind


def test_that_there_are_no_children_has_to_be_said(port: Connection) -> None:
    given = {"header": header(3), "events": [], "inheritedEventCount": 0, "to": 4}
    assert ask(port, "migration/migrate", **given) == "unsupported-migration"
    assert ask(port, "migration/migrate", **given, children=[])["events"] == []


@pytest.mark.parametrize("compression", ["none", "zstd"])
@pytest.mark.parametrize("version", [0, 1, 2, 3, 4])
def test_what_it_writes_it_reads(port: Connection, version: int, compression: str) -> None:
    kind = {"format": version, "compression": compression}
    head = header(version, cwd="/w")
    batches = [[TURN], [], [STEP]]
    given = {**kind, "header": head, "inheritedEventCount": 0, "batches": batches}
    written = ask(port, "files/write", **given)
    assert ask(port, "files/read", **kind, **written) == {
        "header": head,
        "inheritedEventCount": 0,
        "events": [TURN, STEP],
        "committedBytes": len(b64decode(written["base64"])),
        "torn": False,
    }


def test_what_it_cannot_write_has_a_kind(port: Connection) -> None:
    kind = {"format": 4, "compression": "none", "inheritedEventCount": 0}
    for head, batch, refused in (
        (header(4, createdAt=-1), [], "invalid-argument"),
        (header(3), [], "invalid-argument"),
        (header(4), [STEP], "seq-mismatch"),
        (header(4), [7], "invalid-event"),
    ):
        assert ask(port, "files/write", **kind, header=head, batches=[batch]) == refused


def test_it_reads_no_nonsense(port: Connection) -> None:
    for data in (b"", b"{", b"[]\n"):
        text = b64encode(data).decode()
        assert ask(port, "files/read", format=4, compression="none", base64=text) == "corrupt"


def test_it_knows_where_a_file_lies(port: Connection) -> None:
    given = {"format": 0, "compression": "zstd"}
    found = ask(port, "files/path", **given, header=header(0, id="s:", cwd="/w"))
    assert found == {"path": "--w--/s~003A/session.jsonl.zstd"}
    assert ask(port, "files/path", **given, header=header(0, id="")) == "invalid-argument"
