"""What outlives an instance: restarts, SIGKILL, and a second process on the same workspace."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dsh_conformance.implementation.backend import Refuse, StoreBackend
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

Header = dict[str, Json]
Turns = tuple[list[Json], list[Json]]
Start = Callable[[], StoreBackend]

#: A process that appends an event at a time and says each one that was acknowledged, for ever.
APPENDER = """
import sys
from pathlib import Path
from dsh_conformance.backends.jsonl import jsonl
from dsh_conformance.backends.sqlite import sqlite

config = {"compression": "zstd"} if sys.argv[1] == "zstd" else {}
factory = sqlite if sys.argv[1] == "sqlite" else jsonl
store = factory(Path(sys.argv[2]), config)
header = {"version": 4, "id": "s1", "createdAt": 1, "cwd": "/w", "isSeeded": False}
handle, seq = store.create(header), 0
while True:
    data = {"text": "x" * 500}
    event = {"type": "plugin:x", "seq": seq, "time": 0, "data": data, "ignorable": True}
    handle.append([event])
    handle.flush()
    seq += 1
    print(seq, flush=True)
"""


@contextmanager
def appender(backend: str, workspace: Path) -> Iterator["subprocess.Popen[str]"]:
    """Run the appender, and kill it at the end if it was not."""
    command = [sys.executable, "-c", APPENDER, backend, str(workspace)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def acknowledged(process: "subprocess.Popen[str]", until: int = 0) -> int:
    """Return the last count that the appender said, once it is at least *until* or it is dead."""
    assert process.stdout is not None
    last = 0
    for line in process.stdout:
        last = int(line)
        if until and last >= until:
            break
    return last


def kind_of(call: Callable[[], object]) -> RefusalKind:
    with pytest.raises(Refuse) as caught:
        call()
    return caught.value.kind


def test_a_log_is_there_after_a_restart(start: Start, header: Header, turns: Turns) -> None:
    """STORE-CLOSE-KEEPS, STORE-HEADER-KEPT, STORE-NO-CLOSERS-IN-BACKEND."""
    first = start()
    first.create(header).append(turns[0][:3])
    before = first.stat("s1")
    first.shutdown()
    second = start()
    assert second.stat("s1") == before
    writer = second.open("s1", "write")
    assert writer.read() == turns[0][:3]
    writer.append(turns[0][3:])
    assert second.open("s1", "read").read() == turns[0]
    second.shutdown()


def test_an_empty_session_is_there_only_if_it_was_flushed(start: Start, header: Header) -> None:
    """STORE-LAZY-CREATE, STORE-FLUSH-MATERIALISES."""
    first = start()
    first.create(header)
    first.create({**header, "id": "s2"}).flush()
    first.crash()
    second = start()
    assert second.stat("s1") is None
    assert second.open("s2", "write").read() == []
    second.create(header)
    second.shutdown()


def test_a_crash_keeps_what_was_appended(start: Start, header: Header, turns: Turns) -> None:
    first = start()
    first.create(header).append(turns[0])
    first.crash()
    second = start()
    second.open("s1", "write").append(turns[1])
    assert len(second.open("s1", "read").read()) == 12
    second.shutdown()


def test_a_second_instance_reads_but_does_not_write(
    start: Start, header: Header, turns: Turns
) -> None:
    """STORE-CROSS-PROCESS-WRITER, STORE-SECOND-READER."""
    first, second = start(), start()
    writer = first.create(header)
    writer.append(turns[0])
    reader = second.open("s1", "read")
    assert reader.read() == turns[0]
    assert kind_of(lambda: second.open("s1", "write")) is RefusalKind.ALREADY_OWNED
    writer.append(turns[1])
    assert len(reader.read()) == 12
    writer.close()
    second.open("s1", "write").close()
    first.shutdown()
    second.shutdown()


def test_of_two_creators_the_first_to_store_wins(
    start: Start, header: Header, turns: Turns
) -> None:
    """Facts: persistence §4.9: the loser is refused while the winner is open, and after."""
    first, second = start(), start()
    winner, loser = first.create(header), second.create(header)
    winner.append(turns[0])
    assert kind_of(lambda: loser.append(turns[1])) is RefusalKind.ALREADY_OWNED
    winner.close()
    assert kind_of(lambda: loser.append(turns[0])) is RefusalKind.ALREADY_EXISTS
    assert kind_of(loser.flush) is RefusalKind.ALREADY_EXISTS
    loser.close()
    assert second.open("s1", "write").read() == turns[0]
    first.shutdown()
    second.shutdown()


def test_a_loser_of_another_cwd_is_refused_too(start: Start, header: Header, turns: Turns) -> None:
    """STORE-NO-CLOBBER: the same id under another working directory."""
    first, second = start(), start()
    winner, loser = first.create(header), second.create({**header, "cwd": "/elsewhere"})
    winner.append(turns[0])
    winner.close()
    assert kind_of(lambda: loser.append(turns[0])) is RefusalKind.ALREADY_EXISTS
    assert first.open("s1", "read").read() == turns[0]
    first.shutdown()
    second.shutdown()


def test_revisions_of_two_stores_differ(
    make_store: Callable[[str, Path], StoreBackend], header: Header, turns: Turns, tmp_path: Path
) -> None:
    """STORE-REVISION-QUALIFIED: the same session in two workspaces of each backend."""
    revisions = []
    for name in ("memory", "jsonl", "sqlite"):
        for workspace in (tmp_path / f"{name}-1", tmp_path / f"{name}-2"):
            workspace.mkdir()
            store = make_store(name, workspace)
            store.create(header).append(turns[0])
            revisions.append(str(store.list()[0]["revision"]))
            store.shutdown()
    assert len(set(revisions)) == 6


@pytest.mark.parametrize("backend", ["jsonl", "zstd", "sqlite"])
@pytest.mark.parametrize("after", [1, 7, 40])
def test_a_killed_writer_loses_nothing_and_blocks_nobody(
    backend: str, after: int, tmp_path: Path, make_store: Callable[[str, Path], StoreBackend]
) -> None:
    """STORE-DURABLE, STORE-LOCK-FREED-BY-DEATH; at most the batch in flight is there besides."""
    with appender(backend, tmp_path) as process:
        acknowledged(process, until=after)
        store = make_store(backend, tmp_path)
        assert kind_of(lambda: store.open("s1", "write")) is RefusalKind.ALREADY_OWNED
        process.kill()
        said = max(after, acknowledged(process))
    writer = store.open("s1", "write")
    events = writer.read()
    assert said <= len(events) <= said + 1
    assert [e["seq"] for e in events if isinstance(e, dict)] == list(range(len(events)))
    event: Json = {
        "type": "plugin:x",
        "seq": len(events),
        "time": 0,
        "data": 0,
        "ignorable": True,
    }
    writer.append([event])
    assert store.open("s1", "read").read(len(events)) == [event]
    store.shutdown()
