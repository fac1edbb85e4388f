"""What is the same of every connection: it is initialised once, and its first fault stays."""

from abc import ABC, abstractmethod
from pathlib import Path

from dsh_conformance.implementation.answer import MisconductError
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.conversation import Conversation, Transmit
from dsh_conformance.implementation.outcome import Diagnosis, Fault, Outcome
from dsh_spec.values import JsonObject


class Talking(ABC):
    """A connection over whatever carries its lines."""

    def __init__(self, transmit: Transmit, workspace: Path) -> None:
        # The first fault is the one that tells; whoever calls again gets it again.
        self._diagnosis: Diagnosis | None = None
        self._conversation = Conversation(transmit)
        try:
            self._capabilities = self._conversation.initialize(workspace)
        except MisconductError as error:
            raise self._fault(error) from None

    @property
    def capabilities(self) -> Capabilities:
        """What it answered to ``initialize``."""
        return self._capabilities

    def call(self, method: str, params: JsonObject) -> Outcome:
        """Call one method, marks for values outside JSON already made; raises `Fault`."""
        try:
            return self._conversation.call(method, params)
        except MisconductError as error:
            raise self._fault(error) from None

    def close(self) -> None:
        """End it in order; raises `Fault`."""
        try:
            self._finish()
        except MisconductError as error:
            raise self._fault(error) from error.__cause__

    @abstractmethod
    def kill(self) -> None:
        """End it at once; a second time does nothing."""

    @abstractmethod
    def _finish(self) -> None:
        """End it in order; raises `MisconductError`."""

    @abstractmethod
    def _tail(self) -> str:
        """Return the last that it wrote for people."""

    def _fault(self, error: MisconductError) -> Fault:
        self.kill()
        if self._diagnosis is None:
            self._diagnosis = Diagnosis(
                blame=error.blame, what=error.what, stderr_tail=self._tail()
            )
        return Fault(self._diagnosis)
