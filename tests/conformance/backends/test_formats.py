"""The backends of the handle seam in format v3."""

from pathlib import Path
from typing import cast

import pytest

from dsh_conformance.backends import named
from dsh_conformance.implementation.backend import Refuse, StoreBackend
from dsh_reference.files import batch_lines, header_line, log_path
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject

HEADER: JsonObject = {
    "version": 3,
    "id": "s",
    "createdAt": 0,
    "isSeeded": False,
    "delegationDepth": 0,
}
TURN: JsonObject = {"type": "turn/start", "seq": 0, "time": 1, "data": {"turn": 1}}


def made(name: str, workspace: Path) -> StoreBackend:
    store = getattr(named, name)(workspace, {"format": "3"})
    assert hasattr(store, "open")
    return cast("StoreBackend", store)


@pytest.mark.parametrize("name", ["memory", "jsonl", "sqlite"])
def test_a_store_of_v3_takes_its_own_headers_alone(name: str, tmp_path: Path) -> None:
    store = made(name, tmp_path)
    claims = store.capabilities.store
    assert claims is not None
    assert claims.format == 3
    handle = store.create(HEADER)
    handle.append([TURN])
    handle.close()
    assert store.open("s", "read").read() == [TURN]
    with pytest.raises(Refuse):
        store.create({**HEADER, "id": "t", "version": 4})


@pytest.mark.parametrize("name", ["memory", "jsonl", "sqlite"])
def test_the_store_seam_has_no_such_option(name: str, tmp_path: Path) -> None:
    with pytest.raises(Refuse):
        getattr(named, name)(tmp_path, {"seam": "store", "format": "3"})


def test_files_are_those_of_v3(tmp_path: Path) -> None:
    handle = made("jsonl", tmp_path).create(HEADER)
    handle.append([TURN])
    path = tmp_path / log_path(HEADER, "none")
    assert path.name == "session.v3.jsonl"
    assert path.read_bytes() == header_line(HEADER) + batch_lines([TURN], format=3)


def test_an_older_log_is_published_as_v3(tmp_path: Path) -> None:
    old = {**HEADER, "version": 2}
    path = tmp_path / log_path(old, "none")
    path.parent.mkdir(parents=True)
    path.write_bytes(header_line(old) + batch_lines([TURN], format=2))
    store = made("jsonl", tmp_path)
    store.open("s", "write").close()
    assert sorted(each.name for each in path.parent.glob("*.jsonl")) == [
        "session.v2.jsonl",
        "session.v3.jsonl",
    ]


def test_a_log_of_v4_is_newer(tmp_path: Path) -> None:
    newer = {**HEADER, "version": 4}
    path = tmp_path / log_path(newer, "none")
    path.parent.mkdir(parents=True)
    path.write_bytes(header_line(newer))
    with pytest.raises(Refuse) as caught:
        made("jsonl", tmp_path).open("s", "read")
    assert caught.value.kind is RefusalKind.UNSUPPORTED_FORMAT
