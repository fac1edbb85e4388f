"""A right backend in a wrapping that passes everything on: a sabotage changes one thing in it."""

from collections.abc import Sequence
from pathlib import Path

from dsh_conformance.implementation.backend import Access, StoreBackend, StoreHandle
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_spec.values import Json, JsonObject


class WrappedHandle:
    """A handle that passes everything on."""

    def __init__(self, store: "WrappedStore", inner: StoreHandle, *, writes: bool) -> None:
        #: The wrapped store that gave this handle out.
        self.store = store
        #: The right handle.
        self.inner = inner
        #: Whether it was opened for writing.
        self.writes = writes
        #: Whether it was closed.
        self.is_closed = False

    @property
    def session_id(self) -> str:
        """The session's id."""
        return str(self.inner.header["id"])

    @property
    def header(self) -> JsonObject:
        """Return the right header."""
        return self.inner.header

    @property
    def inherited_event_count(self) -> int:
        """Return the right count."""
        return self.inner.inherited_event_count

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        """Read rightly."""
        return self.inner.read(offset, length)

    def append(self, events: Sequence[Json]) -> None:
        """Append rightly."""
        self.inner.append(events)

    def flush(self) -> None:
        """Flush rightly."""
        self.inner.flush()

    def close(self) -> None:
        """Close rightly."""
        self.inner.close()
        self.is_closed = True


class WrappedStore:
    """A backend that passes everything on, on one workspace."""

    #: What its handles are wrapped in.
    handle: type[WrappedHandle] = WrappedHandle

    def __init__(
        self, inner: StoreBackend, workspace: Path, handle: type[WrappedHandle] | None = None
    ) -> None:
        #: The right backend.
        self.inner = inner
        #: The directory that it works in.
        self.workspace = workspace
        #: The handles that were given out, oldest first.
        self.handles: list[WrappedHandle] = []
        if handle is not None:
            self.handle = handle
        self.begin()

    def begin(self) -> None:
        """Prepare what a sabotage remembers."""

    @property
    def capabilities(self) -> Capabilities:
        """Claim what the right backend claims."""
        return self.inner.capabilities

    def wrapped(self, inner: StoreHandle, *, writes: bool) -> WrappedHandle:
        """Return a handle in its wrapping."""
        made = self.handle(self, inner, writes=writes)
        self.handles.append(made)
        return made

    def writer(self, session_id: str) -> WrappedHandle | None:
        """Return the open write handle of a session, where there is one."""
        mine = (h for h in self.handles if h.writes and not h.is_closed)
        return next((h for h in mine if h.session_id == session_id), None)

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> StoreHandle:
        """Create rightly."""
        return self.wrapped(self.inner.create(header, inherited_event_count), writes=True)

    def open(self, session_id: str, access: Access) -> StoreHandle:
        """Open rightly."""
        return self.wrapped(self.inner.open(session_id, access), writes=access == "write")

    def flush(self) -> None:
        """Flush rightly."""
        self.inner.flush()

    def stat(self, session_id: str) -> JsonObject | None:
        """Stat rightly."""
        return self.inner.stat(session_id)

    def list(self) -> Sequence[JsonObject]:
        """List rightly."""
        return self.inner.list()

    def locate(self, session_id: str) -> str | None:
        """Locate rightly."""
        return self.inner.locate(session_id)

    def shutdown(self) -> None:
        """End rightly."""
        self.inner.shutdown()

    def crash(self) -> None:
        """Die rightly."""
        self.inner.crash()
