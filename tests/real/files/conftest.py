"""The judge of older files: what the real runtime reads in one, before it migrates it.

The runtime shows a v0 to v3 log only as the v4 log that it becomes.
So the logs here are of rows whose migration is known: records pass through one for one, a run of
chunks becomes one attempt whose stream has them all, and the first step of a log before v3 gets a
system message.
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
from dsh_reference.files import Compression, log_name, read_log
from dsh_reference.refusal import Refusal
from dsh_spec.catalogue import Format

#: How many events were read, or the kind of the refusal.
Verdict: TypeAlias = int | str


class Judge:
    """The real runtime on one workspace, where logs are put, read and taken away again."""

    def __init__(self, connection: Connection, workspace: Path, compression: Compression) -> None:
        self._connection = connection
        self._directory = workspace / "_no-cwd" / "s1"
        self._compression: Compression = compression

    def write(self, format: Format, *batches: Sequence[Any], **members: Any) -> bytes:  # noqa: A002
        """Return a log, written with no code of the project but for the frames.

        A row that is bytes is a line as it is.
        """
        seeded = {} if format < 2 else {"isSeeded": False}
        header = {"type": "session", "version": format, "id": "s1", "createdAt": 1, **seeded}
        rows = [{**header, "delegationDepth": 0, **members}]
        frame = Zstd().frame if self._compression == "zstd" else bytes
        return b"".join(frame(_lines(batch)) for batch in (rows, *batches))

    def real(self, log: bytes, format: Format) -> Verdict:  # noqa: A002
        """Return what the runtime makes of a log that is named as one of *format*."""
        self._directory.mkdir(parents=True)
        (self._directory / log_name(format, self._compression)).write_bytes(log)
        try:
            return self._read()
        finally:
            shutil.rmtree(self._directory.parent)

    def ours(self, log: bytes, format: Format) -> Verdict:  # noqa: A002
        """Return what the reference makes of it."""
        inflate = Zstd().inflate()
        read = read_log(log, compression=self._compression, decompressor=inflate, format=format)
        return str(read.kind) if isinstance(read, Refusal) else len(read.events)

    def agree(self, log: bytes, format: Format) -> Verdict:  # noqa: A002
        """Return the verdict on which both agree; fails where they do not."""
        real, ours = self.real(log, format), self.ours(log, format)
        assert ours == real
        return real

    def _read(self) -> Verdict:
        match self._connection.call("store/open", {"id": "s1", "access": "read"}):
            case Refused(kind=kind):
                return str(kind)
            case Ok({"handle": int() as handle}):
                read = self._connection.call("store/read", {"handle": handle})
                self._connection.call("store/close", {"handle": handle})
                assert isinstance(read, Ok)
                assert isinstance(read.value, dict)
                return sum(map(_members, read.value["events"]))
        raise AssertionError


def _lines(rows: Sequence[Any]) -> bytes:
    lines = (row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows)
    return b"".join(line + b"\n" for line in lines)


def _members(event: Any) -> int:
    """Return how many events of an older log an event of v4 stands for."""
    if event["type"] == "system/message":
        return 0 if event["data"]["message"]["id"].startswith("v2-to-v3-system-") else 1
    if event["type"] != "assistant/attempt":
        return 1
    return sum(len(run.get("texts", run.get("args", [0]))) for run in event["data"]["stream"])


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
