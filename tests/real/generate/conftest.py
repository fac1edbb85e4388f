"""The judge of generated logs: what the real runtime makes of a session and its children.

Files are written here with no code of the project but for names and JSON text.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest

from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.dsh import launcher
from dsh_conformance.implementation.outcome import Ok, Outcome, Refused
from dsh_reference.files import log_path
from dsh_reference.session_log import SessionLog
from dsh_reference.values import dump


class Judge:
    """The real runtime on one workspace, where logs are put, opened and taken away again."""

    def __init__(self, connection: Connection, workspace: Path) -> None:
        self._connection = connection
        self._workspace = workspace

    def judge(
        self, *logs: SessionLog, access: Literal["read", "write"] = "read"
    ) -> list[Any] | Refused:
        """Return the events of the last of the logs as the runtime migrates them."""
        for log in logs:
            self._put(log)
        try:
            return self._events(str(logs[-1].header["id"]), access)
        finally:
            for directory in self._workspace.iterdir():
                shutil.rmtree(directory)

    def _put(self, log: SessionLog) -> None:
        header: dict[str, Any] = {"type": "session", **log.header}
        if header["version"] < 2 and header.pop("isSeeded"):
            header["seedLength"] = log.inherited
        path = self._workspace / log_path(log.header, "none")
        path.parent.mkdir(parents=True)
        path.write_text("".join(dump(row) + "\n" for row in (header, *log.events)), "utf-8")

    def _events(self, name: str, access: str) -> list[Any] | Refused:
        opened = self._call("open", id=name, access=access)
        if isinstance(opened, Refused):
            return opened
        assert isinstance(opened.value, dict)
        handle = opened.value["handle"]
        read = self._call("read", handle=handle)
        self._call("close", handle=handle)
        assert isinstance(read, Ok)
        assert isinstance(read.value, dict)
        events: list[Any] = read.value["events"]
        return events

    def _call(self, method: str, **params: Any) -> Outcome:
        return self._connection.call(f"store/{method}", params)


@pytest.fixture(scope="session")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    workspace = tmp_path_factory.mktemp("generated")
    connection = launcher({"compression": "none"}).launch(workspace)
    yield Judge(connection, workspace)
    connection.close()
