"""The judge of migrations: what the real runtime makes of an old log, and whether we make the same.

The runtime migrates in memory when a log is opened for reading, and writes nothing.
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.dsh import launcher
from dsh_conformance.implementation.outcome import Ok, Refused
from dsh_reference.files import log_path
from dsh_reference.migrate import child_fact, is_child, migrate
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.values import dump, equal
from dsh_spec.values import Json


@frozen(kw_only=True)
class Verdict:
    """What became of a log: the log of v4, or the kind of the refusal."""

    #: The kind of the refusal, if it was refused.
    refused: str | None = None
    #: What was said of it.
    message: str = ""
    #: The logical header.
    header: Json = None
    #: The cut.
    inherited: int = 0
    #: The events of v4.
    events: Sequence[Json] = ()

    def agrees(self, other: "Verdict") -> bool:
        """Tell whether two verdicts are one."""
        return (
            self.refused == other.refused
            and equal(self.header, other.header)
            and self.inherited == other.inherited
            and equal(self.events, other.events)
        )


class Judge:
    """The real runtime on one workspace, where old logs are put, read and taken away again."""

    def __init__(self, connection: Connection, workspace: Path) -> None:
        self._connection = connection
        self._workspace = workspace

    def real(
        self,
        log: SessionLog,
        rows: Sequence[Mapping[str, Any]] | None = None,
        children: Sequence[SessionLog] = (),
    ) -> Verdict:
        """Return what the runtime makes of a log, written as *rows* if given, with its children."""
        for child in children:
            self._put(child, child.events)
        self._put(log, log.events if rows is None else rows)
        try:
            return self._read(str(log.header["id"]))
        finally:
            for entry in self._workspace.iterdir():
                shutil.rmtree(entry)

    def difference(
        self,
        log: SessionLog,
        rows: Sequence[Mapping[str, Any]] | None = None,
        children: Sequence[SessionLog] = (),
    ) -> str | None:
        """Say how the runtime and the reference differ over a log, or nothing."""
        real, ours = self.real(log, rows, children), reference(log, children)
        if real.agrees(ours):
            return None
        return f"the runtime: {_said(real)}\nthe reference: {_said(ours)}"

    def _put(self, log: SessionLog, rows: Sequence[Mapping[str, Any]]) -> None:
        header = {"type": "session", **log.header}
        if header["version"] in (0, 1) and header.pop("isSeeded"):
            header["seedLength"] = log.inherited
        lines = [dump(row) + "\n" for row in (header, *rows)]
        path = self._workspace / log_path(log.header, "none")
        path.parent.mkdir(parents=True)
        path.write_text("".join(lines), "utf-8")

    def _read(self, name: str) -> Verdict:
        match self._connection.call("store/open", {"id": name, "access": "read"}):
            case Refused(kind=kind, message=message):
                return Verdict(refused=str(kind), message=message)
            case Ok({"handle": int() as handle, "header": header, "inheritedEventCount": int(cut)}):
                read = self._connection.call("store/read", {"handle": handle})
                self._connection.call("store/close", {"handle": handle})
                assert isinstance(read, Ok)
                assert isinstance(read.value, dict)
                return Verdict(header=header, inherited=cut, events=read.value["events"])
        raise AssertionError


def reference(log: SessionLog, logs: Sequence[SessionLog] = ()) -> Verdict:
    """Return what the reference makes of a log, of whose children *logs* may be."""
    name = str(log.header["id"])
    children = [child_fact(each.header, each) for each in logs if is_child(each.header, name)]
    moved = migrate(log, children=children)
    if isinstance(moved, Refusal):
        return Verdict(refused=str(moved.kind), message=str(moved))
    return Verdict(header=moved.header, inherited=moved.inherited, events=moved.events)


def _said(verdict: Verdict) -> str:
    if verdict.refused is not None:
        return f"{verdict.refused}: {verdict.message}"
    return "\n  ".join([f"cut {verdict.inherited}", *map(json.dumps, verdict.events)])


@pytest.fixture(scope="session")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    workspace = tmp_path_factory.mktemp("migration")
    connection = launcher({"compression": "none"}).launch(workspace)
    yield Judge(connection, workspace)
    connection.close()
