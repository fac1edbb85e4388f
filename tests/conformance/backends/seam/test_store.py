"""The built-in store-seam backends: one contract over memory, files and a database."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from dsh_conformance.backends import named
from dsh_conformance.backends.seam.store import SeamStore
from dsh_conformance.implementation.backend import Refuse, StoreSeamBackend
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject

HEADER: JsonObject = {"version": 0, "id": "a", "createdAt": 1, "cwd": "/w"}
CONFIGS: dict[str, dict[str, str]] = {
    "memory": {},
    "jsonl": {},
    "jsonl, zstd": {"compression": "zstd"},
    "sqlite": {},
}

#: A memory has no second instance.
SHARED = pytest.mark.parametrize(
    "opened", [name for name in CONFIGS if name != "memory"], indirect=True
)

#: Opens one more instance on the same workspace.
Open = Callable[[], StoreSeamBackend]


@pytest.fixture(params=CONFIGS)
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    name: str = request.param
    factory: Any = getattr(named, name.partition(",")[0])
    config = {**CONFIGS[name], "seam": "store"}

    def make() -> StoreSeamBackend:
        backend: StoreSeamBackend = factory(tmp_path, config)
        return backend

    return make


def event(kind: str, seq: int, **data: Any) -> JsonObject:
    return {"type": kind, "seq": seq, "time": 100 + seq, "data": data}


OPEN_TURN = [event("turn/start", 0, turn=1), event("step/start", 1, turn=1, step=1)]


def kinds(events: Sequence[Any]) -> list[str]:
    return [each["type"] for each in events]


def revision(backend: StoreSeamBackend) -> object:
    (one,) = backend.list_snapshots()
    return one["revision"]


def written(backend: StoreSeamBackend) -> StoreSeamBackend:
    backend.create(HEADER)
    backend.append("a", OPEN_TURN)
    return backend


def test_a_created_session_is_nowhere(opened: Open) -> None:
    backend = opened()
    backend.create(HEADER)
    assert backend.list() == []
    with pytest.raises(Refuse, match="no session"):
        backend.inspect("a")


def test_a_load_commits_what_an_inspection_shows(opened: Open) -> None:
    backend = written(opened())
    before = revision(backend)
    shown = backend.inspect("a").events
    assert kinds(shown) == ["turn/start", "step/start", "step/end", "turn/end"]
    assert len(backend.read_from("a", 0).events) == 2
    assert revision(backend) == before
    assert backend.load("a").events == shown
    assert backend.read_from("a", 0).events == shown
    after = revision(backend)
    assert after != before
    assert backend.load("a").events == shown
    assert revision(backend) == after


@SHARED
def test_the_next_instance_appends_behind_the_repair(opened: Open) -> None:
    written(opened()).shutdown()
    backend = opened()
    with pytest.raises(Refuse) as refused:
        backend.append("a", [event("turn/start", 2, turn=2)])
    assert refused.value.kind is RefusalKind.SEQ_MISMATCH
    backend.append("a", [event("turn/start", 4, turn=2)])
    assert kinds(backend.read_from("a", 2).events) == ["step/end", "turn/end", "turn/start"]


@SHARED
def test_the_second_creator_is_refused(opened: Open) -> None:
    first = opened()
    first.create(HEADER)
    second = opened()
    second.create(HEADER)
    second.append("a", OPEN_TURN)
    with pytest.raises(Refuse):
        first.append("a", OPEN_TURN[:1])
    assert len(second.read_from("a", 0).events) == 2


@SHARED
def test_an_instance_that_is_behind_is_refused(opened: Open) -> None:
    first = written(opened())
    second = opened()
    second.load("a")
    with pytest.raises(Refuse):
        first.append("a", [event("step/end", 2, turn=1, step=1)])


def test_a_seed_is_a_length(opened: Open) -> None:
    backend = opened()
    backend.create({**HEADER, "seedLength": 1})
    backend.append("a", OPEN_TURN)
    (header,) = backend.list()
    assert header["seedLength"] == 1
    assert "isSeeded" not in header


def test_a_torn_tail_goes_with_a_load(tmp_path: Path) -> None:
    backend = written(_jsonl(tmp_path))
    path = Path(str(backend.locate("a")))
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"type":"ste')
    backend = _jsonl(tmp_path)
    assert len(backend.inspect("a").events) == 4
    assert path.read_bytes() == whole + b'{"type":"ste'
    backend.load("a")
    assert path.read_bytes().startswith(whole)
    assert path.read_bytes().endswith(b'"reason":{"kind":"interrupted"}}}\n')


def test_what_was_recovered_from_a_torn_frame_is_kept(tmp_path: Path) -> None:
    backend = _jsonl(tmp_path, compression="zstd")
    backend.create(HEADER)
    backend.append("a", [event("feedback/record", n, text="f") for n in range(3)])
    path = Path(str(backend.locate("a")))
    path.write_bytes(path.read_bytes()[:-1])
    again = _jsonl(tmp_path, compression="zstd")
    found = again.load("a").events
    assert len(found) == 3
    assert _jsonl(tmp_path, compression="zstd").read_from("a", 0).events == found


def test_a_log_of_a_later_format_is_unsupported(tmp_path: Path) -> None:
    path = Path(str(written(_jsonl(tmp_path)).locate("a")))
    path.write_bytes(path.read_bytes().replace(b'"version":0', b'"version":2', 1))
    with pytest.raises(Refuse) as refused:
        _jsonl(tmp_path).load("a")
    assert refused.value.kind is RefusalKind.UNSUPPORTED_FORMAT


@pytest.mark.parametrize("name", ["memory", "jsonl", "sqlite"])
def test_an_unknown_seam_is_wrong_use(name: str, tmp_path: Path) -> None:
    with pytest.raises(Refuse, match=r"seam=handle\|store"):
        getattr(named, name)(tmp_path, {"seam": "both"})


def _jsonl(workspace: Path, **config: str) -> StoreSeamBackend:
    backend = named.jsonl(workspace, {"seam": "store", **config})
    assert isinstance(backend, SeamStore)
    return backend
