"""The two seams between the suite and what it drives."""

from pathlib import Path
from typing import Protocol

from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.outcome import Outcome
from dsh_spec.values import JsonObject


class Connection(Protocol):
    """One running instance of the implementation."""

    @property
    def capabilities(self) -> Capabilities:
        """What it answered to ``initialize``."""

    def call(self, method: str, params: JsonObject) -> Outcome:
        """Call one method of the adapter protocol.

        Raises `Fault` when there is no answer that the protocol allows.
        """

    def close(self) -> None:
        """End it in order: no more input, then wait for exit status 0; raises `Fault` otherwise."""

    def kill(self) -> None:
        """End it as a crash would: SIGKILL to its process group, or in process, drop it."""


class Launcher(Protocol):
    """How to start instances of one implementation."""

    @property
    def describe(self) -> str:
        """The words by which a person named it."""

    @property
    def can_share(self) -> bool:
        """Whether two instances can be had at once on one workspace."""

    @property
    def in_process(self) -> bool:
        """Whether instances live in this very process, where arguments can be shared with them."""

    def launch(self, workspace: Path) -> Connection:
        """Start an instance on *workspace*, initialised; raises `Fault`."""
