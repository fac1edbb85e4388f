"""The contract of a persistence backend written in Python (handle seam, format v4).

A *factory* takes the workspace directory and the configuration and returns a `StoreBackend`.
Events and headers are plain JSON values (dict, list, str, int, float, bool, None).
An operation that is refused raises `Refuse`; any other exception is a crash of the backend.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from dsh_conformance.implementation.capabilities import Capabilities
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

#: How a session is opened.
Access: TypeAlias = Literal["read", "write"]


class Refuse(Exception):  # noqa: N818 - it is raised to refuse, and a refusal is no error
    """The backend refuses the operation."""

    def __init__(self, kind: RefusalKind, message: str, rule: str | None = None) -> None:
        super().__init__(message)
        #: The protocol's kind.
        self.kind = kind
        #: The rule that is kept by refusing, where there is one.
        self.rule = rule


class StoreHandle(Protocol):
    """One open session."""

    @property
    def header(self) -> JsonObject:
        """The session's logical header, as it was created."""

    @property
    def inherited_event_count(self) -> int:
        """How many leading events were inherited from a parent; 0 for an unseeded session."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        """Return the events from seq *offset*, at most *length* of them."""

    def append(self, events: Sequence[Json]) -> None:
        """Append a batch whose seqs continue the log."""

    def flush(self) -> None:
        """Make every appended event survive a crash; materialise an empty session."""

    def close(self) -> None:
        """Give the handle up; closing twice is allowed."""


class StoreBackend(Protocol):
    """One instance of a backend on one workspace."""

    @property
    def capabilities(self) -> Capabilities:
        """What it claims."""

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> StoreHandle:
        """Create a session and return its write handle."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        """Open an existing session."""

    def flush(self) -> None:
        """Flush every open write handle."""

    def stat(self, session_id: str) -> JsonObject | None:
        """Return the session's snapshot (header, revision, ...), or nothing when there is none."""

    def list(self) -> Sequence[JsonObject]:
        """Return the snapshots of all sessions, in any order."""

    def locate(self, session_id: str) -> str | None:
        """Return the path of the session's own artifact file, where it has one."""

    def shutdown(self) -> None:
        """End the instance in order: close what is open, let go of locks and files."""

    def crash(self) -> None:
        """Drop the instance as a killed process would: nothing more is written, locks fall."""


#: What makes a backend: the workspace directory and its configuration.
Factory: TypeAlias = Callable[[Path, Mapping[str, str]], StoreBackend]
