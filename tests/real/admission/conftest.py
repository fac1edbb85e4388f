"""The judge: what the real runtime makes of a log, and whether the reference makes the same of it.

A verdict is "admitted" with the events that were read, or the kind of the refusal.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.dsh import launcher
from dsh_conformance.implementation.outcome import Ok, Refused
from dsh_reference.files import Compression, load
from dsh_reference.refusal import Refusal
from dsh_reference.values import equal
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

#: The word or the kind, and the events where there are any.
Verdict: TypeAlias = tuple[str, list[Json]]

ADMITTED = "admitted"
HEADER: JsonObject = {
    "type": "session",
    "version": 4,
    "id": "s1",
    "createdAt": 1,
    "delegationDepth": 0,
}


class Judge:
    """The real runtime on one workspace, where logs are put, read and taken away again."""

    def __init__(self, connection: Connection, workspace: Path, compression: Compression) -> None:
        self._connection = connection
        self._workspace = workspace
        self._compression: Compression = compression
        self._name = "session.v4.jsonl" + (".zstd" if compression == "zstd" else "")

    def write(self, batches: Sequence[Sequence[Any]], *, seeded: bool = False) -> bytes:
        """Return a log of rows, written with no code of the project but for the frames."""
        header = {**HEADER, "isSeeded": seeded}
        parts = [
            "".join(json.dumps(row) + "\n" for row in rows).encode()
            for rows in ([header], *batches)
        ]
        frame = Zstd().frame if self._compression == "zstd" else bytes
        return b"".join(map(frame, parts))

    def verdict(self, log: bytes) -> Verdict:
        """Return what the runtime makes of a log."""
        directory = self._workspace / self._project(log) / "s1"
        directory.mkdir(parents=True)
        (directory / self._name).write_bytes(log)
        try:
            return self._read()
        finally:
            shutil.rmtree(directory.parent)

    def admits(self, log: bytes, events: Sequence[Json]) -> bool:
        """Tell whether the runtime and the reference both read exactly these events."""
        verdict = (ADMITTED, list(events))
        return _alike(self.verdict(log), verdict) and _alike(verdict, self._reference(log))

    def difference(self, log: bytes, *, known: bool = True) -> str | None:
        """Say how the verdicts differ, or nothing where they agree or the difference is *known*."""
        real, ours = self.verdict(log), self._reference(log)
        if _alike(real, ours) or (known and _known(real, ours)):
            return None
        said = str(ours) if isinstance(ours, Refusal) else ours[0]
        return f"the runtime: {real[0]}; the reference: {said}"

    def _read(self) -> Verdict:
        match self._connection.call("store/open", {"id": "s1", "access": "read"}):
            case Refused(kind=kind):
                return str(kind), []
            case Ok({"handle": int() as handle}):
                read = self._connection.call("store/read", {"handle": handle})
                self._connection.call("store/close", {"handle": handle})
                assert isinstance(read, Ok)
                assert isinstance(read.value, dict)
                return ADMITTED, list(read.value["events"])
        raise AssertionError

    def _reference(self, log: bytes) -> Verdict | Refusal:
        read = load(log, compression=self._compression, decompressor=Zstd().inflate())
        return read if isinstance(read, Refusal) else (ADMITTED, list(read.events))

    def _project(self, log: bytes) -> str:
        """Return the directory to which the header's cwd leads, where there is such a header."""
        text = Zstd().inflate().start(log) if self._compression == "zstd" else log
        assert isinstance(text, bytes)
        try:
            cwd = json.loads(text.split(b"\n", 1)[0])["cwd"]
        except (ValueError, TypeError, KeyError):
            return "_no-cwd"
        return "--w--" if cwd == "/w" else "_no-cwd"


def _alike(one: Verdict, other: Verdict | Refusal) -> bool:
    word, events = (str(other.kind), []) if isinstance(other, Refusal) else other
    return one[0] == word and equal(one[1], events)


def _known(real: Verdict, ours: Verdict | Refusal) -> bool:
    """Tell whether a difference is of a kind that `test_known_differences` shows."""
    match real, ours:
        case ("corrupt", _), Refusal(kind=RefusalKind.UNSUPPORTED_FORMAT):
            return True
        case (word, _), Refusal(kind=RefusalKind.CORRUPT, rule=rule, problem=problem):
            return word == ADMITTED and (problem.startswith("data") or rule == "JSON-WHERE")
    return False


def _judge(compression: Compression, workspace: Path) -> Iterator[Judge]:
    connection = launcher({"compression": compression}).launch(workspace)
    yield Judge(connection, workspace, compression)
    connection.close()


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    yield from _judge("none", tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="session")
def framed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    yield from _judge("zstd", tmp_path_factory.mktemp("framed"))
