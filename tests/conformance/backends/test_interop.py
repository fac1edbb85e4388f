"""The JSONL backend beside the real runtime: each reads, continues and locks the other's logs."""

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import pytest

from dsh_conformance.backends.jsonl import jsonl
from dsh_conformance.implementation.backend import Refuse, StoreBackend
from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.dsh import launcher
from dsh_conformance.implementation.outcome import Ok, Refused
from dsh_reference.files import LogFile, load
from dsh_reference.values import equal
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

COMPRESSIONS = ("none", "zstd")
GOLDEN = files("dsh_spec") / "golden" / "v4"
HEADER: dict[str, Json] = {
    "version": 4,
    "id": "s1",
    "createdAt": 1,
    "cwd": "/w",
    "isSeeded": False,
    "delegationDepth": 0,
}


class Real:
    """The runtime, asked for one thing at a time."""

    def __init__(self, compression: str) -> None:
        self.compression = compression
        self.launch = launcher({"compression": compression}).launch
        self.connection: Connection | None = None

    def start(self, workspace: Path) -> None:
        """Begin on a workspace, in the same process as long as it lives."""
        if self.connection is None:
            self.connection = self.launch(workspace)
        else:
            self.ask("store/closeWorkspace")
            self.ask("store/openWorkspace", workspace=str(workspace))

    def ask(self, method: str, **params: Json) -> Any:
        """Return the result, or the kind of the refusal."""
        assert self.connection is not None
        outcome = self.connection.call(method, params)
        match outcome:
            case Ok(value=value):
                return value
            case Refused(kind=kind):
                return kind

    def events(self, session_id: str = "s1") -> Any:
        """Return what a new read handle gives, or the kind of the refusal."""
        opened = self.ask("store/open", id=session_id, access="read")
        if isinstance(opened, RefusalKind):
            return opened
        read = self.ask("store/read", handle=opened["handle"])
        self.ask("store/close", handle=opened["handle"])
        return read if isinstance(read, RefusalKind) else read["events"]


@pytest.fixture(scope="module", params=COMPRESSIONS)
def runtime(request: pytest.FixtureRequest) -> Iterator[Real]:
    made = Real(request.param)
    yield made
    if made.connection is not None:
        made.connection.close()


@pytest.fixture
def real(runtime: Real, tmp_path: Path) -> Real:
    runtime.start(tmp_path)
    return runtime


@pytest.fixture
def ours(runtime: Real, tmp_path: Path) -> Iterator[StoreBackend]:
    store = jsonl(tmp_path, {"compression": runtime.compression})
    yield store
    store.shutdown()


def our_events(store: StoreBackend, session_id: str = "s1") -> Any:
    """Return what a new read handle of ours gives, or the kind of the refusal."""
    try:
        handle = store.open(session_id, "read")
        events = handle.read()
        handle.close()
    except Refuse as refusal:
        return refusal.kind
    return events


def torture() -> list[Json]:
    """Events with every kind of string and number, and with a long list of sources."""
    texts = ["\ud83d", "\ude00x", "a\0b", "\u2028\u2029\u0085", "\U0001f600", "", "\x7f", '\\"/']
    numbers: list[Json] = [0, -1, 2**53 - 1, 0.1, 5e-324, 1e21, 1.7976931348623157e308, 1e-7]
    keys: dict[str, Json] = {text: [text, None, True, {}] for text in [*texts, "__proto__"]}
    data: list[Json] = [{"keys": keys}, numbers, None, [[[[]]]]]
    return [
        {"type": "plugin:x", "seq": seq, "time": -seq, "data": value, "ignorable": True}
        for seq, value in enumerate(data)
    ]


@pytest.mark.parametrize("session_id", ["s1", "..", "a/b", "~", "\ud800", "ä", "x" * 200])
def test_we_read_and_continue_what_the_runtime_wrote(
    real: Real, ours: StoreBackend, session_id: str
) -> None:
    events = torture()
    header = {**HEADER, "id": session_id, "agentPreset": "\ud83d", "cwd": "/a b/\ud800/ü"}
    handle = real.ask("store/create", header=header)["handle"]
    assert real.ask("store/append", handle=handle, events=events[:2]) == {}
    assert real.ask("store/close", handle=handle) == {}
    writer = ours.open(session_id, "write")
    assert equal(writer.header, header)
    assert equal(writer.read(), events[:2])
    writer.append(events[2:])
    writer.close()
    assert equal(real.events(session_id), events)


def test_the_runtime_reads_and_continues_what_we_wrote(real: Real, ours: StoreBackend) -> None:
    events = torture()
    header = {**HEADER, "origin": "subagent", "parentSession": "\0", "delegationDepth": 3}
    writer = ours.create(header)
    writer.append(events[:2])
    writer.close()
    opened = real.ask("store/open", id="s1", access="write")
    assert equal(opened["header"], header)
    assert real.ask("store/append", handle=opened["handle"], events=events[2:]) == {}
    assert real.ask("store/close", handle=opened["handle"]) == {}
    assert equal(our_events(ours), events)
    assert equal(real.events(), events)


def test_both_write_the_same_bytes(real: Real, ours: StoreBackend, tmp_path: Path) -> None:
    """In plain text to the byte; compressors may differ, so in Zstandard only what they say."""
    batch = _golden_events("files-packed-sources")
    writer = ours.create({**HEADER, "id": "ours"})
    writer.append(batch)
    writer.close()
    handle = real.ask("store/create", header={**HEADER, "id": "real"})["handle"]
    real.ask("store/append", handle=handle, events=batch)
    real.ask("store/close", handle=handle)
    if real.compression == "none":
        mine = next(tmp_path.glob("*/ours/*.jsonl")).read_bytes().replace(b'"ours"', b'"real"')
        assert mine == next(tmp_path.glob("*/real/*.jsonl")).read_bytes()
    assert equal(our_events(ours, "real"), real.events("ours"))


def test_a_seeded_session_and_an_empty_one(real: Real, ours: StoreBackend) -> None:
    seeded = {**HEADER, "isSeeded": True}
    writer = ours.create(seeded, 6)
    writer.append(_golden_events("files-seeded"))
    writer.close()
    opened = real.ask("store/open", id="s1", access="read")
    assert opened["inheritedEventCount"] == 6
    handle = real.ask("store/create", header={**HEADER, "id": "s2"})["handle"]
    real.ask("store/flush", handle=handle)
    assert our_events(ours, "s2") == []


def test_each_keeps_the_other_from_writing(real: Real, ours: StoreBackend) -> None:
    """FILE-LOCK."""
    writer = ours.create(HEADER)
    writer.flush()
    assert real.ask("store/open", id="s1", access="write") is RefusalKind.ALREADY_OWNED
    assert real.events() == []
    writer.close()
    opened = real.ask("store/open", id="s1", access="write")
    with pytest.raises(Refuse) as caught:
        ours.open("s1", "write")
    assert caught.value.kind is RefusalKind.ALREADY_OWNED
    real.ask("store/close", handle=opened["handle"])
    ours.open("s1", "write").close()


def test_a_killed_runtime_leaves_its_log_to_us(runtime: Real, tmp_path: Path) -> None:
    """STORE-LOCK-FREED-BY-DEATH."""
    connection = runtime.launch(tmp_path)
    made: Any = connection.call("store/create", {"header": HEADER})
    events = torture()
    connection.call("store/append", {"handle": made.value["handle"], "events": events})
    connection.kill()
    writer = jsonl(tmp_path, {"compression": runtime.compression}).open("s1", "write")
    assert equal(writer.read(), events)
    writer.close()


def test_both_read_the_same_from_a_cut_log(real: Real, ours: StoreBackend, tmp_path: Path) -> None:
    """STORE-TORN-TAIL, at each of the last bytes and here and there before."""
    writer = ours.create(HEADER)
    events = _golden_events("files-plain-two-turns")
    writer.append(events[:6])
    writer.append(events[6:])
    writer.close()
    path = Path(str(ours.locate("s1")))
    whole = path.read_bytes()
    for cut in {*range(0, len(whole), 37), *range(len(whole) - 8, len(whole))}:
        path.write_bytes(whole[:cut])
        assert equal(our_events(ours), real.events()), cut


def test_each_cuts_a_torn_tail_off_where_the_other_does(
    real: Real, ours: StoreBackend, tmp_path: Path
) -> None:
    """TORN-BEFORE-APPEND, FRAME-TORN-RECOVER."""
    events = _golden_events("files-plain-two-turns")
    for session_id in ("ours", "real"):
        writer = ours.create({**HEADER, "id": session_id})
        writer.append(events[:6])
        writer.append(events[6:8])
        writer.close()
        path = Path(str(ours.locate(session_id)))
        path.write_bytes(path.read_bytes()[:-1])
    rest = len(our_events(ours, "ours"))
    handle_of_ours = ours.open("ours", "write")
    handle_of_ours.append(events[rest:])
    handle_of_ours.close()
    handle = real.ask("store/open", id="real", access="write")["handle"]
    real.ask("store/append", handle=handle, events=events[rest:])
    real.ask("store/close", handle=handle)
    assert our_events(ours, "real") == real.events("ours") == events


def _golden(compression: str) -> list[Traversable]:
    name = "log.jsonl" if compression == "none" else "log.jsonl.zstd"
    return [
        case / name
        for case in GOLDEN.iterdir()
        if case.name.startswith("files-") and (case / name).is_file()
    ]


def _golden_events(name: str) -> list[Json]:
    log = load((GOLDEN / name / "log.jsonl").read_bytes(), compression="none")
    assert isinstance(log, LogFile)
    return list(log.events)


def test_the_runtime_comes_to_what_the_golden_files_say(runtime: Real, tmp_path: Path) -> None:
    """Each golden file, put in the place of a log, with ours beside it."""
    for log in _golden(runtime.compression):
        workspace = tmp_path / str(log).replace("/", "-")[-60:]
        path = workspace / "--w--" / "s1" / f"session.v4{Path(str(log)).name[3:]}"
        path.parent.mkdir(parents=True)
        path.write_bytes(log.read_bytes())
        runtime.start(workspace)
        ours = jsonl(workspace, {"compression": runtime.compression})
        assert equal(our_events(ours), runtime.events()), log
