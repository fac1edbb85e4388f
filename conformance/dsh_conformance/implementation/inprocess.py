"""A Python backend in the suite's own process: quick, and its objects are at hand.

Every call goes through the same lines, host and schemas as over stdio, so that a backend cannot
tell the difference, except that a *kill* is only its own `crash`.
"""

import io
from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen

from dsh_conformance.implementation.answer import MisconductError
from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.host import AnyFactory, Host, answer_line
from dsh_conformance.implementation.talking import Talking


@frozen(kw_only=True)
class InProcessLauncher:
    """Starts instances of a Python backend here."""

    #: What makes the backend.
    factory: AnyFactory
    #: Its configuration.
    config: Mapping[str, str] = field(factory=dict)
    #: The words by which a person named it.
    describe: str = "a Python backend in process"

    @property
    def can_share(self) -> bool:
        """A second instance beside the first stands for a second process."""
        return True

    @property
    def in_process(self) -> bool:
        """The backend lives here."""
        return True

    def launch(self, workspace: Path) -> Connection:
        """Make a backend on *workspace*; raises `Fault`."""
        return InProcessConnection(Host(self.factory, self.config), workspace)


class InProcessConnection(Talking):
    """One instance."""

    def __init__(self, host: Host, workspace: Path) -> None:
        self._host: Host | None = host
        self._log = io.StringIO()
        super().__init__(self._transmit, workspace)

    def kill(self) -> None:
        """Drop the backend."""
        host, self._host = self._host, None
        if host is not None:
            host.crash()

    def _finish(self) -> None:
        host = self._running()
        self._host = None
        try:
            host.shutdown()
        except Exception as error:
            what = f"failed to shut down: {type(error).__name__}: {error}"
            raise MisconductError("implementation", what) from error

    def _transmit(self, request: bytes, _method: str) -> bytes:
        return answer_line(self._running(), request, self._log)

    def _running(self) -> Host:
        if self._host is None:
            raise MisconductError("suite", "was called after its end")
        return self._host

    def _tail(self) -> str:
        return self._log.getvalue()
