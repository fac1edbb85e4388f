"""A right store-seam backend in a wrapping that passes everything on."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from dsh_conformance.implementation.backend import SessionData, StoreSeamBackend
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_spec.values import Json, JsonObject


class WrappedSeamStore:
    """A backend that passes everything on, on one workspace."""

    def __init__(self, inner: StoreSeamBackend, workspace: Path) -> None:
        #: The right backend.
        self.inner = inner
        #: The directory that it works in.
        self.workspace = workspace
        self.begin()

    def begin(self) -> None:
        """Prepare what a sabotage remembers."""

    @property
    def capabilities(self) -> Capabilities:
        """Claim what the right backend claims."""
        return self.inner.capabilities

    def create(self, header: JsonObject) -> None:
        """Create rightly."""
        self.inner.create(header)

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        """Append rightly."""
        self.inner.append(session_id, events)

    def load(self, session_id: str) -> SessionData:
        """Load rightly."""
        return self.inner.load(session_id)

    def inspect(self, session_id: str) -> SessionData:
        """Inspect rightly."""
        return self.inner.inspect(session_id)

    def read_from(self, session_id: str, from_seq: int) -> SessionData:
        """Read rightly."""
        return self.inner.read_from(session_id, from_seq)

    def list(self) -> Sequence[JsonObject]:
        """List rightly."""
        return self.inner.list()

    def list_snapshots(self) -> Sequence[JsonObject]:
        """List rightly."""
        return self.inner.list_snapshots()

    def locate(self, session_id: str) -> str | None:
        """Locate rightly."""
        return self.inner.locate(session_id)

    def shutdown(self) -> None:
        """End rightly."""
        self.inner.shutdown()

    def crash(self) -> None:
        """Die rightly."""
        self.inner.crash()

    def stored(self, session_id: str) -> Sequence[JsonObject]:
        """Return the stored events of a session."""
        return objects(self.inner.read_from(session_id, 0).events)

    def pending(self, session_id: str) -> Sequence[JsonObject]:
        """Return the closers that a load would commit."""
        whole = objects(self.inner.inspect(session_id).events)
        return whole[len(self.stored(session_id)) :]

    def path(self, session_id: str) -> Path | None:
        """Return the session's file."""
        found = self.locate(session_id)
        return None if found is None else Path(found)


def objects(events: Sequence[Json]) -> Sequence[JsonObject]:
    """Return events as objects, which they are."""
    return [event for event in events if isinstance(event, Mapping)]
