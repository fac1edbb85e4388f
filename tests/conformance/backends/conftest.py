"""Backends on a fresh workspace, and a real log to put in them."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib.resources import files
from pathlib import Path

import pytest

from dsh_conformance.backends.jsonl import jsonl
from dsh_conformance.backends.memory import memory
from dsh_conformance.backends.sqlite import sqlite
from dsh_conformance.implementation.backend import StoreBackend
from dsh_reference.files import LogFile, load
from dsh_spec.values import Json

#: How a test names a backend and its configuration.
NAMES = ("memory", "jsonl", "zstd", "sqlite")


def make(name: str, workspace: Path) -> StoreBackend:
    """Start the named backend on a workspace."""
    if name == "zstd":
        return jsonl(workspace, {"compression": "zstd"})
    return {"memory": memory, "jsonl": jsonl, "sqlite": sqlite}[name](workspace, {})


@pytest.fixture
def header() -> dict[str, Json]:
    return {
        "version": 4,
        "id": "s1",
        "createdAt": 1,
        "cwd": "/w",
        "isSeeded": False,
        "delegationDepth": 0,
    }


@pytest.fixture
def turns() -> tuple[list[Json], list[Json]]:
    """Two batches, each a whole turn of six events."""
    golden = files("dsh_spec") / "golden/v4/files-plain-two-turns/log.jsonl"
    log = load(golden.read_bytes(), compression="none")
    assert isinstance(log, LogFile)
    return list(log.events[:6]), list(log.events[6:])


@pytest.fixture
def make_store() -> Callable[[str, Path], StoreBackend]:
    return make


@pytest.fixture(params=NAMES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StoreBackend]:
    """Each backend in turn."""
    made = make(request.param, tmp_path)
    yield made
    made.shutdown()


@pytest.fixture(params=NAMES[1:])
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], StoreBackend]:
    """Start each durable backend, again and again, on one workspace."""
    return partial(make, request.param, tmp_path)
