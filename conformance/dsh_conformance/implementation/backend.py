"""The contracts of a persistence backend written in Python: one for each seam.

A *factory* takes the workspace directory and the configuration and returns a `StoreBackend`, or for
the older contract, in which sessions are named by id and a load repairs, a `StoreSeamBackend`.
Events and headers are plain JSON values (dict, list, str, int, float, bool, None).
An operation that is refused raises `Refuse`; any other exception is a crash of the backend.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from attrs import frozen

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


@frozen(kw_only=True)
class SessionData:
    """What a store-seam backend reads of one session."""

    #: The session's logical header, as it was created.
    header: JsonObject
    #: The events that were asked for.
    events: Sequence[Json]


@runtime_checkable
class StoreSeamBackend(Protocol):
    """One instance of a store-seam backend on one workspace."""

    @property
    def capabilities(self) -> Capabilities:
        """What it claims."""

    def create(self, header: JsonObject) -> None:
        """Reserve the session's id and store nothing."""

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        """Append a batch whose seqs continue the log, durably."""

    def load(self, session_id: str) -> SessionData:
        """Read the session and commit its repair: cut its torn tail, close its open turn."""

    def inspect(self, session_id: str) -> SessionData:
        """Read what `load` would return, and commit nothing."""

    def read_from(self, session_id: str, from_seq: int) -> SessionData:
        """Read the stored events from seq *from_seq* on."""

    def list(self) -> Sequence[JsonObject]:
        """Return the headers of all stored sessions, in any order."""

    def list_snapshots(self) -> Sequence[JsonObject]:
        """Return ``{header, revision}`` of all stored sessions, in any order."""

    def locate(self, session_id: str) -> str | None:
        """Return the path of the session's own artifact file, where it has one."""

    def shutdown(self) -> None:
        """End the instance in order."""

    def crash(self) -> None:
        """Drop the instance as a killed process would: nothing more is written."""


#: What makes a backend: the workspace directory and its configuration.
Factory: TypeAlias = Callable[[Path, Mapping[str, str]], StoreBackend]
#: What makes a store-seam backend.
SeamFactory: TypeAlias = Callable[[Path, Mapping[str, str]], StoreSeamBackend]
