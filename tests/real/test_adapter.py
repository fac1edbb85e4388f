"""The adapter over the real runtime: values go in and come out whole, refusals have their kinds."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.outcome import Fault
from dsh_spec.values import JsonObject

Ask = Callable[..., Any]

#: The protocol's list.
HOSTILE_NAMES = (
    "undefined", "nan", "infinity", "-infinity", "-0", "bigint", "function", "symbol", "cycle",
    "sparse-array", "class-instance", "date", "map", "set",
)  # fmt: skip

HEADER: JsonObject = {"version": 4, "id": "s", "createdAt": 1, "isSeeded": False, "cwd": "/w"}


def event(seq: int, data: object = 1, **more: object) -> dict[str, object]:
    """Return an event of a plugin, which may hold any data."""
    return {"type": "x/y", "seq": seq, "time": 1, "data": data, "ignorable": True, **more}


@pytest.fixture
def handle(ask: Ask) -> int:
    handle: int = ask("create", header=HEADER)["handle"]
    return handle


def test_a_whole_life(ask: Ask, handle: int, workspace: Path) -> None:
    assert ask("stat", id="s")["snapshot"]["header"] == HEADER
    assert ask("locate", id="s") == {"path": None}
    assert ask("append", handle=handle, events=[event(0), event(1)]) == {}
    assert ask("read", handle=handle, offset=1) == {"events": [event(1)]}
    assert ask("read", handle=handle, length=1) == {"events": [event(0)]}
    assert ask("flush", handle=handle) == {}
    assert ask("flush") == {}
    path = Path(ask("locate", id="s")["path"])
    assert path.is_relative_to(workspace)
    assert path.read_bytes().count(b"\n") == 3
    assert ask("close", handle=handle) == {}
    opened = ask("open", id="s", access="read")
    assert opened["header"] == {**HEADER, "delegationDepth": 0}
    assert opened["inheritedEventCount"] == 0
    (snapshot,) = ask("list")["snapshots"]
    assert snapshot == ask("stat", id="s")["snapshot"]


def test_a_session_is_located_by_a_fresh_instance(ask: Ask, handle: int, workspace: Path) -> None:
    ask("flush", handle=handle)
    path = ask("locate", id="s")
    ask("closeWorkspace")
    ask("openWorkspace", workspace=str(workspace))
    assert ask("locate", id="s") == path
    assert ask("locate", id="nobody") == {"path": None}


def test_a_session_with_a_damaged_header_is_still_located(ask: Ask, handle: int) -> None:
    ask("flush", handle=handle)
    found = ask("locate", id="s")
    Path(found["path"]).write_bytes(b"{")
    assert ask("stat", id="s") == {"snapshot": None}
    assert ask("locate", id="s") == found


def test_the_second_workspace_of_a_life_is_as_fresh_as_the_first(
    ask: Ask, handle: int, tmp_path: Path, workspace: Path
) -> None:
    ask("append", handle=handle, events=[event(0)])
    other = tmp_path / "other"
    other.mkdir()
    ask("closeWorkspace")
    ask("openWorkspace", workspace=str(other))
    assert ask("list") == {"snapshots": []}
    assert ask("create", header=HEADER) == {"handle": 1}
    ask("closeWorkspace")
    ask("openWorkspace", workspace=str(workspace))
    assert ask("open", id="s", access="write")["handle"] == 1


@pytest.mark.parametrize("name", HOSTILE_NAMES)
@pytest.mark.parametrize("place", ["event", "data", "deep", "member", "second event"])
def test_values_outside_json_are_built_and_refused(
    ask: Ask, handle: int, name: Any, place: str
) -> None:
    hostile = {"$hostile": name}
    events: list[Any] = {
        "event": [hostile],
        "data": [event(0, hostile)],
        "deep": [event(0, [{"__proto__": {"a": [hostile]}}])],
        "member": [event(0, surfaceOp=hostile)],
        "second event": [event(0), event(1, {"a": hostile})],
    }[place]
    assert ask("append", handle=handle, events=events) == "not-json"
    assert ask("append", handle=handle, events=[event(0)]) == {}


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_headers_outside_json_are_built_and_refused(ask: Ask, name: Any) -> None:
    hostile = {"$hostile": name}
    assert ask("create", header={**HEADER, "parentSession": hostile}) == "not-json"
    assert ask("create", header=hostile) == "not-json"


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ({"$literal": {"$hostile": "nan"}}, {"$hostile": "nan"}),
        ({"$literal": {"$hostile": {"$literal": {"$literal": 1}}}}, {"$hostile": {"$literal": 1}}),
        ({"$literal": {"$literal": {"a": 1}}}, {"$literal": {"a": 1}}),
        ([{"__proto__": {"$literal": {"$literal": 1}}}], [{"__proto__": {"$literal": 1}}]),
    ],
    ids=ascii,
)
def test_payloads_that_look_like_marks_come_back(
    ask: Ask, handle: int, sent: Any, stored: Any
) -> None:
    assert ask("append", handle=handle, events=[event(0, sent)]) == {}
    assert ask("read", handle=handle) == {"events": [event(0, stored)]}


@pytest.mark.parametrize(
    "data",
    [
        {"$hostile": "nan", "b": 1},
        {"__proto__": {"a": 1}, "constructor": 2, "": 3, "1": 4, "0": 5},
        "\x00 \ud800 \udc00\ud800 \u2028\u2029 \U0001f600 \ufeff",
        {"\u2028": "\r\n"},
        [1e21, 5e-324, 2**53 + 2, 0.1, -1],
        [None, True, [], {}, ""],
    ],
    ids=ascii,
)
def test_json_comes_back_equal(ask: Ask, handle: int, data: Any) -> None:
    assert ask("append", handle=handle, events=[event(0, data)]) == {}
    assert ask("read", handle=handle) == {"events": [event(0, data)]}


@pytest.mark.parametrize(
    ("text", "shown"), [("1e400", {"$hostile": "infinity"}), ("-1e400", {"$hostile": "-infinity"})]
)
def test_a_stored_number_beyond_json_is_shown(ask: Ask, handle: int, text: str, shown: Any) -> None:
    ask("append", handle=handle, events=[event(0)])
    with Path(ask("locate", id="s")["path"]).open("a", encoding="utf-8") as file:
        file.write(f'{{"type":"x/y","seq":1,"time":1,"data":[{text}],"ignorable":true}}\n')
    reader = ask("open", id="s", access="read")["handle"]
    assert ask("read", handle=reader, offset=1) == {"events": [event(1, [shown])]}


def test_a_stored_negative_zero_is_shown(ask: Ask, handle: int) -> None:
    ask("append", handle=handle, events=[event(0)])
    with Path(ask("locate", id="s")["path"]).open("a", encoding="utf-8") as file:
        file.write('{"type":"x/y","seq":1,"time":1,"data":-0,"ignorable":true}\n')
    reader = ask("open", id="s", access="read")["handle"]
    (read,) = ask("read", handle=reader, offset=1)["events"]
    assert str(read["data"]) == "-0.0"


def test_deep_values_come_back(ask: Ask, handle: int) -> None:
    data: list[Any] = []
    for _ in range(480):
        data = [data]
    assert ask("append", handle=handle, events=[event(0, data)]) == {}
    assert ask("read", handle=handle) == {"events": [event(0, data)]}


def test_refusals_have_their_kinds(ask: Ask, handle: int) -> None:
    assert ask("open", id="nobody", access="read") == "not-found"
    assert ask("create", header=HEADER) == "already-exists"
    assert ask("open", id="s", access="write") == "already-owned"
    assert ask("append", handle=handle, events=[event(1)]) == "seq-mismatch"
    assert ask("read", handle=handle, offset=-1) == "invalid-argument"
    assert ask("read", handle=handle, length=1.5) == "invalid-argument"
    reader = ask("open", id="s", access="read")["handle"]
    assert ask("append", handle=reader, events=[]) == "read-only"
    assert ask("flush", handle=reader) == "read-only"
    ask("close", handle=reader)
    assert ask("read", handle=reader) == "closed"
    assert ask("flush", handle=reader) == "closed"
    assert ask("close", handle=reader) == {}


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": 3},
        {"version": "4"},
        {"extra": 1},
        {"cwd": "relative"},
        {"cwd": None},
        {"createdAt": -1},
        {"isSeeded": True},
        {"origin": "user"},
        {"id": ""},
    ],
    ids=ascii,
)
def test_a_wrong_header_is_an_invalid_argument(
    ask: Ask, handle: int, wrong: dict[str, object]
) -> None:
    ask("flush", handle=handle)
    assert ask("create", header={**HEADER, "id": "t", **wrong}) == "invalid-argument"


def test_an_id_too_long_for_the_disk_is_an_io_refusal(ask: Ask, handle: int) -> None:
    ask("flush", handle=handle)
    assert ask("create", header={**HEADER, "id": "x" * 300}) == "io"


def test_the_refusals_of_a_flush_of_the_service_share_a_kind(ask: Ask) -> None:
    assert ask("create", header={**HEADER, "id": "x" * 300}) == {"handle": 1}
    assert ask("flush") == "io"


RETIRED = {
    "id": "m",
    "role": "user",
    "content": [{"type": "text", "text": "t"}],
    "source": {"kind": "plugin", "plugin": "p"},
}


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        ("user/message", RETIRED),
        ("tool/code-dispatch", {}),
        ("request/header", {"header": {"system": "x"}}),
    ],
)
def test_an_event_that_v4_retired_is_an_invalid_event(
    ask: Ask, handle: int, type_: str, data: object
) -> None:
    start = {"type": "turn/start", "seq": 0, "time": 1, "data": {"turn": 1}}
    poison = {"type": type_, "seq": 1, "time": 1, "data": data, "surfaceOp": "append"}
    assert ask("append", handle=handle, events=[start, poison]) == "invalid-event"
    assert ask("append", handle=handle, events=[start]) == {}


def _damaged(ask: Ask, workspace: Path, old: bytes, new: bytes) -> None:
    handle = ask("create", header=HEADER)["handle"]
    ask("append", handle=handle, events=[event(0)])
    path = Path(ask("locate", id="s")["path"])
    ask("closeWorkspace")
    path.write_bytes(path.read_bytes().replace(old, new))
    ask("openWorkspace", workspace=str(workspace))


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (b'"version":4', b'"version":5', "unsupported-format"),
        (b'"version":4', b'"version":3', "unsupported-format"),
        (b'"id":"s"', b'"id":"t"', "corrupt"),
        (b'"cwd":"/w"', b'"cwd":"/v"', "corrupt"),
    ],
)
def test_a_foreign_header_has_one_kind_for_open_and_stat(
    ask: Ask, workspace: Path, old: bytes, new: bytes, kind: str
) -> None:
    _damaged(ask, workspace, old, new)
    assert ask("open", id="s", access="read") == kind
    assert ask("open", id="s", access="write") == kind
    assert ask("stat", id="s") == kind
    assert ask("list") == kind


def test_an_unknown_required_type_is_unsupported(ask: Ask, workspace: Path) -> None:
    _damaged(ask, workspace, b',"ignorable":true', b"")
    assert ask("open", id="s", access="read") == "unsupported-format"


def test_a_broken_log_is_corrupt(ask: Ask, workspace: Path) -> None:
    _damaged(ask, workspace, b'"type":"x/y"', b'"type":"turn/start"')
    assert ask("open", id="s", access="read") == "corrupt"


def test_a_log_that_shrank_is_corrupt(ask: Ask, handle: int) -> None:
    ask("append", handle=handle, events=[event(0), event(1)])
    assert len(ask("read", handle=handle)["events"]) == 2
    path = Path(ask("locate", id="s")["path"])
    path.write_bytes(path.read_bytes()[:-1])
    assert ask("read", handle=handle) == "corrupt"


@pytest.mark.parametrize(
    "params",
    [
        {"handle": 99, "events": []},
        {"handle": 1, "events": [{"$hostile": "dragon"}]},
        {"handle": 1, "events": [{"$literal": 7}]},
    ],
    ids=ascii,
)
def test_a_request_that_the_protocol_does_not_know_is_no_refusal(
    own_runtime: Connection, params: dict[str, Any]
) -> None:
    own_runtime.call("store/create", {"header": HEADER})
    with pytest.raises(Fault, match="JSON-RPC error -32602"):
        own_runtime.call("store/append", params)
