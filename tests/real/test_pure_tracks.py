"""The tracks migration and files of the runtimes that write formats 3 and 4."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.outcome import Fault, Ok
from dsh_spec.values import JsonObject

TURN: JsonObject = {"type": "turn/start", "seq": 0, "time": 1, "data": {"turn": 1}}
STEP: JsonObject = {"type": "step/start", "seq": 1, "time": 2, "data": {"turn": 1, "step": 1}}
HELLO: JsonObject = {
    "type": "user/message",
    "seq": 2,
    "time": 3,
    "data": {
        "id": "m",
        "role": "user",
        "content": [{"type": "text", "text": "hello"}],
        "source": {"kind": "user"},
    },
    "surfaceOp": "append",
}
LOG = (TURN, STEP, HELLO)


def header(version: Any, **more: Any) -> dict[str, Any]:
    basis = {"id": "s", "createdAt": 1, "isSeeded": False, "delegationDepth": 0}
    return {"version": version, **basis, **more}


@pytest.fixture(params=[3, 4])
def format_(request: pytest.FixtureRequest) -> int:
    number: int = request.param
    return number


@pytest.fixture
def subject(format_: int, request: pytest.FixtureRequest) -> Connection:
    connection: Connection = request.getfixturevalue("runtime" if format_ == 4 else "runtime_v3")
    return connection


def ask(subject: Connection, method: str, **params: Any) -> Any:
    """Return the result, or the kind of the refusal."""
    outcome = subject.call(method, params)
    return outcome.value if isinstance(outcome, Ok) else str(outcome.kind)


def migrate(subject: Connection, head: object, *events: Any, to: int = 4, **more: Any) -> Any:
    given = {"inheritedEventCount": 0, "to": to, "children": [], **more}
    return ask(subject, "migration/migrate", header=head, events=list(events), **given)


def test_what_is_claimed(subject: Connection, format_: int) -> None:
    claimed = subject.capabilities
    assert claimed.store is not None
    assert claimed.store.format == format_
    assert claimed.store.migrates_from == tuple(range(format_))
    assert claimed.others["migration"] == {"from": list(range(format_)), "to": format_}
    assert claimed.others["files"] == {"formats": [format_], "compression": ["none", "zstd"]}


def test_every_older_format_is_migrated(subject: Connection, format_: int) -> None:
    for version in range(format_):
        migrated = migrate(subject, header(version), *LOG, to=format_)
        assert migrated["header"] == header(format_)
        assert migrated["inheritedEventCount"] == 0
        # The edge from v2 puts an empty prompt at the head (facts: migration §3.2).
        inserted = ["system/message"] if version < 3 else []
        types = [event["type"] for event in migrated["events"]]
        assert types == ["turn/start", "step/start", *inserted, "user/message"]


def test_a_seeded_log_keeps_its_cut(subject: Connection, format_: int) -> None:
    marker = {"type": "session/end-seed", "seq": 1, "time": 2, "data": {}}
    seeded = header(0, isSeeded=True)
    migrated = migrate(subject, seeded, TURN, marker, to=format_, inheritedEventCount=1)
    assert migrated["inheritedEventCount"] == 1
    assert migrated["events"][1]["data"] == {"inherited": True}


def test_children_are_listed(runtime: Connection) -> None:
    child = {"childId": "c", "childCreatedAt": 4, "descriptorCount": 0, "descriptor": None}
    migrated = migrate(runtime, header(3), TURN, children=[child])
    listed = {"version": 1, "childId": "c", "childCreatedAt": 4, "mode": "unknown"}
    assert migrated["events"][1]["data"] == listed


def test_without_children_nobody_has_looked_for_them(runtime: Connection) -> None:
    asked = {"header": header(3), "events": [TURN], "inheritedEventCount": 0, "to": 4}
    assert ask(runtime, "migration/migrate", **asked) == "unsupported-migration"


@pytest.mark.parametrize(
    ("head", "events", "kind"),
    [
        (header(5), [], "unsupported-format"),
        (header("0"), [], "corrupt"),
        (header(-1), [], "corrupt"),
        (None, [], "corrupt"),
        (header(0, createdAt=-1), [], "corrupt"),
        (header(0, x=1), [], "corrupt"),
        (header(0, isSeeded=None), [], "corrupt"),
        (header(2, isSeeded=True), [], "corrupt"),
        (header(0), [{**TURN, "type": "x/y"}], "unsupported-migration"),
        (header(0), [{**TURN, "data": {"turn": 2}}], "unsupported-migration"),
        (header(2), [{**TURN, "seq": 1}], "corrupt"),
        (header(2), [{"type": "turn/start", "seq": 0, "time": 1}], "corrupt"),
    ],
    ids=ascii,
)
def test_what_is_not_migrated_has_a_kind(
    subject: Connection, format_: int, head: Any, events: Any, kind: str
) -> None:
    assert migrate(subject, head, *events, to=format_) == kind


def test_a_count_that_the_log_contradicts_is_corrupt(subject: Connection, format_: int) -> None:
    assert migrate(subject, header(0), TURN, to=format_, inheritedEventCount=1) == "corrupt"
    assert migrate(subject, header(2), TURN, to=format_, inheritedEventCount=1) == "corrupt"


def test_another_target_is_no_refusal(own_runtime: Connection) -> None:
    with pytest.raises(Fault, match="JSON-RPC error -32602: this runtime migrates to format 4"):
        migrate(own_runtime, header(0), to=2)


@pytest.mark.parametrize("compression", ["none", "zstd"])
def test_what_is_written_is_read(subject: Connection, format_: int, compression: str) -> None:
    kind = {"format": format_, "compression": compression}
    head = header(format_, cwd="/w")
    batches = [[TURN], [], [STEP, HELLO]]
    given = {**kind, "header": head, "inheritedEventCount": 0, "batches": batches}
    written = ask(subject, "files/write", **given)
    read = ask(subject, "files/read", **kind, **written)
    size = len(base64.b64decode(written["base64"]))
    assert read == {
        "header": head,
        "inheritedEventCount": 0,
        "events": list(LOG),
        "committedBytes": size,
        "torn": False,
    }


def test_what_cannot_be_written_has_a_kind(subject: Connection, format_: int) -> None:
    kind = {"format": format_, "compression": "none", "inheritedEventCount": 0}
    for head, batch, refused in (
        (header(format_, createdAt=-1), [], "invalid-argument"),
        (header(format_, cwd={"$hostile": "nan"}), [], "not-json"),
        (header(format_), [STEP], "seq-mismatch"),
        (header(format_), [{**TURN, "type": "tool/code-dispatch"}], "invalid-event"),
    ):
        assert ask(subject, "files/write", **kind, header=head, batches=[batch]) == refused


@pytest.mark.parametrize(
    ("compression", "path"),
    [("none", "--w--/s~003A/session.v4.jsonl"), ("zstd", "--w--/s~003A/session.v4.jsonl.zstd")],
)
def test_where_a_file_lies(runtime: Connection, compression: str, path: str) -> None:
    head = header(4, id="s:", cwd="/w")
    given = {"format": 4, "compression": compression, "header": head}
    assert ask(runtime, "files/path", **given) == {"path": path}
    assert ask(runtime, "files/path", **{**given, "header": header(4, id="")}) == "invalid-argument"


def _lines(format_: int, *rows: JsonObject) -> list[bytes]:
    first = {"type": "session", **header(format_)}
    return [json.dumps(row).encode() + b"\n" for row in (first, *rows)]


def _read(subject: Connection, format_: int, compression: str, data: bytes) -> Any:
    text = base64.b64encode(data).decode()
    return ask(subject, "files/read", format=format_, compression=compression, base64=text)


def test_a_torn_line_is_not_committed(subject: Connection, format_: int) -> None:
    lines = _lines(format_, TURN, STEP)
    whole = b"".join(lines)
    for missing in (1, 5, len(lines[-1]) - 1):
        read = _read(subject, format_, "none", whole[:-missing])
        assert read["events"] == [TURN]
        assert (read["committedBytes"], read["torn"]) == (len(whole) - len(lines[-1]), True)


def test_zeros_behind_the_last_line_are_torn(subject: Connection, format_: int) -> None:
    whole = b"".join(_lines(format_, TURN))
    read = _read(subject, format_, "none", whole + bytes(3))
    assert (read["committedBytes"], read["torn"]) == (len(whole), True)


def test_what_a_torn_frame_yields_is_recovered(subject: Connection, format_: int) -> None:
    first, *rest = map(Zstd().frame, _lines(format_, TURN, STEP))
    read = _read(subject, format_, "zstd", b"".join([first, *rest])[:-1])
    assert read["events"] == [TURN, STEP]
    assert (read["committedBytes"], read["torn"]) == (len(first) + len(rest[0]), True)


@pytest.mark.parametrize("compression", ["none", "zstd"])
@pytest.mark.parametrize("data", [b"", b"{", b"\0" * 9, b"[]\n"], ids=ascii)
def test_what_has_no_header_is_corrupt(
    subject: Connection, format_: int, compression: str, data: bytes
) -> None:
    assert _read(subject, format_, compression, data) == "corrupt"


def _put_v0(workspace: Path, *events: JsonObject) -> Path:
    place = workspace / "_no-cwd" / "s"
    place.mkdir(parents=True)
    first = {"type": "session", "version": 0, "id": "s", "createdAt": 1, "delegationDepth": 0}
    text = "".join(json.dumps(row) + "\n" for row in (first, *events))
    (place / "session.jsonl").write_text(text, "utf-8")
    return place


def test_a_store_says_that_there_is_no_migration(ask: Any, workspace: Path) -> None:
    _put_v0(workspace, {**TURN, "type": "x/y"})
    assert ask("open", id="s", access="read") == "unsupported-migration"


def test_opening_an_older_log_for_writing_publishes_it(ask: Any, workspace: Path) -> None:
    place = _put_v0(workspace, TURN)
    old = (place / "session.jsonl").read_bytes()
    handle = ask("open", id="s", access="write")["handle"]
    assert (place / "session.v4.jsonl").read_bytes().count(b"\n") == 2
    assert (place / "session.jsonl").read_bytes() == old
    ask("close", handle=handle)


def test_the_runtime_derives_and_closes(subject: Connection, format_: int) -> None:
    given: JsonObject = {"format": format_, "events": list(LOG)}
    assert ask(subject, "core/derive", **given) == {"messages": [HELLO["data"]]}
    closed = ask(subject, "core/closers", **given, cause="interrupted")
    assert [event["type"] for event in closed["events"]] == ["step/end", "turn/end"]
