"""The JSONL backend and logs of older formats, as their builds left them."""

from pathlib import Path

import pytest

from dsh_conformance.backends import disk, older
from dsh_conformance.backends.jsonl import jsonl
from dsh_conformance.implementation.backend import Refuse
from dsh_reference.files import batch_lines, header_line, log_path
from dsh_reference.migrate import migrate
from dsh_reference.session_log import SessionLog
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject

HEADER: JsonObject = {
    "version": 0,
    "id": "s1",
    "createdAt": 1,
    "isSeeded": False,
    "delegationDepth": 0,
}
EVENTS: tuple[JsonObject, ...] = (
    {"type": "turn/start", "seq": 0, "time": 1, "data": {"turn": 1}},
    {"type": "step/start", "seq": 1, "time": 2, "data": {"turn": 1, "step": 1}},
)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / log_path(HEADER, "none")
    path.parent.mkdir(parents=True)
    path.write_bytes(header_line(HEADER) + batch_lines(EVENTS, format=0))
    return path


def expected() -> SessionLog:
    moved = migrate(SessionLog(header=HEADER, inherited=0, events=EVENTS))
    assert isinstance(moved, SessionLog)
    return moved


def test_reading_shows_the_present_format_and_writes_nothing(old: Path, tmp_path: Path) -> None:
    store, before = jsonl(tmp_path, {}), old.read_bytes()
    handle = store.open("s1", "read")
    assert handle.header == expected().header
    assert handle.read() == list(expected().events)
    assert [snapshot["formatStatus"] for snapshot in store.list()] == ["migration-required"]
    assert [path.name for path in old.parent.iterdir()] == ["session.jsonl"]
    assert old.read_bytes() == before


def test_writing_publishes_once(old: Path, tmp_path: Path) -> None:
    store, before = jsonl(tmp_path, {}), old.read_bytes()
    store.open("s1", "write").close()
    published = old.with_name("session.v4.jsonl")
    log = expected()
    assert published.read_bytes() == header_line(log.header) + batch_lines(log.events)
    inode = published.stat().st_ino
    store.open("s1", "write").close()
    assert published.stat().st_ino == inode
    assert old.read_bytes() == before
    names = ["session.jsonl", "session.lock", "session.v4.jsonl"]
    assert sorted(path.name for path in old.parent.iterdir()) == names


@pytest.mark.parametrize("same", [True, False])
def test_a_log_that_appears_meanwhile_counts_if_it_is_the_same(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, same: bool
) -> None:
    """MIG-CONFLICT, which shows only from inside."""
    target, publish = old.with_name("session.v4.jsonl"), disk.publish

    def outrun(path: Path, content: bytes, *rest: object) -> None:
        target.write_bytes(content if same else content[:-1])
        publish(path, content)

    monkeypatch.setattr(older, "publish", outrun)
    store = jsonl(tmp_path, {})
    if same:
        assert store.open("s1", "write").read() == list(expected().events)
        return
    with pytest.raises(Refuse) as caught:
        store.open("s1", "write")
    assert (caught.value.kind, caught.value.rule) == (RefusalKind.CORRUPT, "MIG-CONFLICT")


def test_a_log_that_changes_meanwhile_is_not_published(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MIG-DRIFT, as far as it shows only from inside."""
    ended: JsonObject = {"type": "step/end", "seq": 2, "time": 3, "data": {"turn": 1, "step": 1}}
    publish = disk.publish

    def outrun(path: Path, content: bytes, *rest: object) -> None:
        with old.open("ab") as file:
            file.write(batch_lines([ended], format=0))
        publish(path, content, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(older, "publish", outrun)
    store = jsonl(tmp_path, {})
    with pytest.raises(Refuse) as caught:
        store.open("s1", "write")
    assert caught.value.rule == "MIG-DRIFT"
    assert not old.with_name("session.v4.jsonl").exists()
    monkeypatch.setattr(older, "publish", publish)
    assert store.open("s1", "write").read()[-1] == {**ended, "seq": 3}
