"""A Python backend in the suite's own process: quick, and its objects are at hand.

Every call goes through the same lines, host and schemas as over stdio, so that a backend cannot
tell the difference, except that a *kill* is only its own `crash`.
"""

import io
from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen

from dsh_conformance.implementation.answer import MisconductError
from dsh_conformance.implementation.backend import Factory
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.conversation import Conversation
from dsh_conformance.implementation.host import Host, answer_line
from dsh_conformance.implementation.outcome import Diagnosis, Fault, Outcome
from dsh_spec.values import JsonObject


@frozen(kw_only=True)
class InProcessLauncher:
    """Starts instances of a Python backend here."""

    #: What makes the backend.
    factory: Factory
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


class InProcessConnection:
    """One instance."""

    def __init__(self, host: Host, workspace: Path) -> None:
        self._host: Host | None = host
        self._log = io.StringIO()
        # The first fault is the one that tells; whoever calls again gets it again.
        self._diagnosis: Diagnosis | None = None
        self._conversation = Conversation(self._transmit)
        try:
            self._capabilities = self._conversation.initialize(workspace)
        except MisconductError as error:
            raise self._fault(error) from None

    @property
    def capabilities(self) -> Capabilities:
        """What the backend claims."""
        return self._capabilities

    def call(self, method: str, params: JsonObject) -> Outcome:
        """Call one method, marks for values outside JSON already made; raises `Fault`."""
        try:
            return self._conversation.call(method, params)
        except MisconductError as error:
            raise self._fault(error) from None

    def close(self) -> None:
        """End the backend in order; raises `Fault`."""
        host = self._running()
        self._host = None
        try:
            host.shutdown()
        except Exception as error:
            what = f"failed to shut down: {type(error).__name__}: {error}"
            raise self._fault(MisconductError("implementation", what)) from error

    def kill(self) -> None:
        """Drop the backend."""
        host, self._host = self._host, None
        if host is not None:
            host.crash()

    def _transmit(self, request: bytes, _method: str) -> bytes:
        return answer_line(self._running(), request, self._log)

    def _running(self) -> Host:
        if self._host is None:
            raise MisconductError("suite", "was called after its end")
        return self._host

    def _fault(self, error: MisconductError) -> Fault:
        self.kill()
        if self._diagnosis is None:
            self._diagnosis = Diagnosis(
                blame=error.blame, what=error.what, stderr_tail=self._log.getvalue()
            )
        return Fault(self._diagnosis)
