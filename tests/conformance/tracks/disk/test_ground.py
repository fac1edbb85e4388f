"""What the suite does to directories itself, and what it sees there."""

import fcntl
from collections.abc import Iterator
from pathlib import Path

import pytest

from dsh_conformance.tracks.store.ground import LOCK, Ground
from dsh_conformance.tracks.store.script import Files, Lock, Place


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    made = Ground(workspace=lambda name: tmp_path / name)
    yield made
    made.leave()


def test_files_are_placed_and_their_changes_are_seen(ground: Ground, tmp_path: Path) -> None:
    for name in ("session.jsonl", "session.v4.jsonl", "notes.txt"):
        ground.use(Place(path=f"p/s/{name}", content=b"one"))
    home = tmp_path / "w" / "p" / "s"
    (home / "session.jsonl").write_bytes(b"two")
    (home / "session.v4.jsonl").write_bytes(b"two")
    (home / "notes.txt").unlink()
    (home / LOCK).touch()
    logs = ["session.jsonl", "session.v4.jsonl"]
    assert ground.use(Files(directory="p/s", but=("session.v4.jsonl",))) == {
        "files": logs,
        "logs": logs,
        "changed": ["notes.txt", "session.jsonl"],
        "lock": True,
    }


def test_an_absent_directory_has_no_files(ground: Ground) -> None:
    found = ground.use(Files(directory="nowhere"))
    assert found == {"files": [], "logs": [], "changed": [], "lock": False}


def test_a_lock_is_tried_held_and_let_go(ground: Ground, tmp_path: Path) -> None:
    home = tmp_path / "w" / "s"
    home.mkdir(parents=True)
    tried = Lock(directory="s", does="try")
    assert ground.use(tried) == {"exists": False, "same": True, "free": True}
    ground.use(Lock(directory="s", does="hold"))
    with (home / LOCK).open("w") as file, pytest.raises(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    ground.use(Lock(directory="s", does="let-go"))
    with (home / LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        assert ground.use(tried) == {"exists": True, "same": True, "free": False}


def test_another_file_in_the_place_of_a_lock_is_seen(ground: Ground, tmp_path: Path) -> None:
    home = tmp_path / "w" / "s"
    home.mkdir(parents=True)
    (home / LOCK).touch()
    ground.use(Lock(directory="s", does="try"))
    (home / "other").touch()
    (home / "other").replace(home / LOCK)
    assert ground.use(Lock(directory="s", does="try"))["same"] is False
