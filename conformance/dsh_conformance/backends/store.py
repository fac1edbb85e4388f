"""A backend over any storage: the operations of the service, and who owns what in this instance.

Each session has at most one write handle here, a pending session's creator included.
The storage's writer keeps out the writers of other instances.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from uuid import uuid4

from dsh_conformance import __version__
from dsh_conformance.backends.handle import Handle, WriteHandle
from dsh_conformance.backends.storage import Log, Storage, refuse, refusing_io
from dsh_conformance.implementation.backend import Access, Refuse
from dsh_conformance.implementation.capabilities import Capabilities, ImplementationInfo
from dsh_reference.files import encode_segment
from dsh_reference.header import check_header
from dsh_reference.values import is_count
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject


class Store:
    """A `StoreBackend` over one storage."""

    def __init__(self, name: str, storage: Storage) -> None:
        self._name = name
        self._storage = storage
        self._writers: dict[str, WriteHandle] = {}
        self._handles: set[Handle] = set()

    @property
    def capabilities(self) -> Capabilities:
        """What it claims."""
        info = ImplementationInfo(name=self._name, version=__version__, language="Python")
        return Capabilities(implementation=info, store=self._storage.claims, hostile_values=True)

    @refusing_io()
    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> WriteHandle:
        """Create a pending session (STORE-LAZY-CREATE, STORE-NO-CLOBBER, STORE-HEADER-CHECKED)."""
        refusal = check_header(header, self._storage.claims.format)
        if refusal is not None:
            raise refuse(refusal)
        key = _key(str(header["id"]))
        if key is None:
            problem = "the empty string is no session id"
            raise Refuse(RefusalKind.INVALID_ARGUMENT, problem, "STORE-ID-SAFE")
        inherited = _inherited(header, inherited_event_count)
        if key in self._writers or self._storage.exists(key):
            raise Refuse(RefusalKind.ALREADY_EXISTS, f"session {key} exists", "STORE-NO-CLOBBER")
        revision = f"pending:{uuid4().hex}"
        log = Log(header=dict(header), inherited=inherited, rows=(), revision=revision)
        return self._keep_writer(WriteHandle(key, self._storage, log, self._forget))

    @refusing_io()
    def open(self, session_id: str, access: Access) -> Handle:
        """Open an existing session (STORE-NOT-FOUND, STORE-SINGLE-WRITER)."""
        key = _key(session_id)
        writer = self._writers.get(key) if key else None
        if writer is not None and access == "write":
            problem = f"session {key} has an open write handle"
            raise Refuse(RefusalKind.ALREADY_OWNED, problem, "STORE-SINGLE-WRITER")
        if writer is not None and not writer.is_stored:
            return self._keep(writer.reader(self._forget))
        handle = None if key is None else self._open_stored(key, access)
        if handle is None:
            raise Refuse(RefusalKind.NOT_FOUND, "no session has that id", "STORE-NOT-FOUND")
        return handle

    def flush(self) -> None:
        """Flush every open write handle, all of them even if one refuses (STORE-FLUSH-SERVICE)."""
        _each([handle.flush for handle in self._writers.values()])

    @refusing_io()
    def stat(self, session_id: str) -> JsonObject | None:
        """Return the session's snapshot, or nothing when there is none."""
        key = _key(session_id)
        if key is None:
            return None
        pending = self._pending().get(key)
        return self._storage.snapshot(key) if pending is None else pending.snapshot()

    @refusing_io()
    def list(self) -> Sequence[JsonObject]:
        """Return the snapshots that can be read (STORE-LIST-COMPLETE, STORE-LIST-ISOLATION)."""
        pending = self._pending()
        snapshots = [handle.snapshot() for handle in pending.values()]
        for key in self._storage.stored_keys():
            with suppress(Refuse, OSError):
                snapshot = None if key in pending else self._storage.snapshot(key)
                snapshots.extend([] if snapshot is None else [snapshot])
        return snapshots

    @refusing_io()
    def locate(self, session_id: str) -> str | None:
        """Return the path of the session's own artifact file, where it has one."""
        key = _key(session_id)
        return None if key is None else self._storage.locate(key)

    def shutdown(self) -> None:
        """Close every handle and let go of the storage."""
        _each([*[handle.close for handle in self._handles], self._storage.close])

    def crash(self) -> None:
        """Drop the instance: nothing is buffered, so an orderly end writes no more than this."""
        with suppress(Refuse):
            self.shutdown()

    def _pending(self) -> Mapping[str, WriteHandle]:
        return {key: handle for key, handle in self._writers.items() if not handle.is_stored}

    def _open_stored(self, key: str, access: Access) -> Handle | None:
        if access == "read":
            log = self._storage.load(key)
            return self._keep(Handle(key, self._storage, log, self._forget)) if log else None
        opened = self._storage.open(key)
        if opened is None:
            return None
        log, writer = opened
        handle = WriteHandle(key, self._storage, log, self._forget, writer=writer)
        return self._keep_writer(handle)

    def _keep(self, handle: Handle) -> Handle:
        self._handles.add(handle)
        return handle

    def _keep_writer(self, handle: WriteHandle) -> WriteHandle:
        self._writers[handle.key] = handle
        self._handles.add(handle)
        return handle

    def _forget(self, handle: Handle) -> None:
        self._handles.discard(handle)
        if self._writers.get(handle.key) is handle:
            del self._writers[handle.key]


def _key(session_id: str) -> str | None:
    """Return the id as a path segment, equal for equal UTF-16 strings; nothing for the empty id."""
    return encode_segment(session_id) if session_id else None


def _inherited(header: JsonObject, count: int | None) -> int:
    """Return the inherited count that fits the header (STORE-SEEDED-CREATE)."""
    fits = is_count(count) if header["isSeeded"] is True else count in {None, 0}
    if not fits:
        problem = "a seeded session needs an inheritedEventCount, another one has none"
        raise Refuse(RefusalKind.INVALID_ARGUMENT, problem, "STORE-SEEDED-CREATE")
    return int(count or 0)


def _each(actions: Iterable[Callable[[], None]]) -> None:
    """Do all of them, then raise the first refusal."""
    refusals: list[Refuse] = []
    for act in actions:
        try:
            act()
        except Refuse as refusal:
            refusals.append(refusal)
    if refusals:
        raise refusals[0]
