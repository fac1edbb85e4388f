"""A backend over any storage: ids reserved, logs repaired when they are met, batches in order.

The instance keeps the end of every log that it has created, loaded or appended to.
It appends there without looking again; any other log is read and repaired first.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from attrs import define

from dsh_conformance import __version__
from dsh_conformance.backends.seam.reading import shown, unbuildable
from dsh_conformance.backends.seam.storage import FORMAT, SeamStorage, StoredLog
from dsh_conformance.backends.storage import refuse, refusing_io
from dsh_conformance.implementation.backend import Refuse, SessionData
from dsh_conformance.implementation.capabilities import Capabilities, ImplementationInfo
from dsh_reference.closers import closers_of
from dsh_reference.files import encode_segment
from dsh_reference.refusal import Refusal
from dsh_reference.store.seam import is_retired
from dsh_reference.values import dump, is_count, not_json, parse
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


@define
class _Cursor:
    """Where this instance goes on in a log."""

    end: object
    next_seq: int


class SeamStore:
    """A `StoreSeamBackend` over one storage."""

    def __init__(self, name: str, storage: SeamStorage) -> None:
        self._name = name
        self._storage = storage
        self._reserved: dict[str, str] = {}
        self._known: dict[str, _Cursor] = {}

    @property
    def capabilities(self) -> Capabilities:
        """What it claims."""
        info = ImplementationInfo(name=self._name, version=__version__, language="Python")
        return Capabilities(implementation=info, store=self._storage.claims, hostile_values=True)

    @refusing_io()
    def create(self, header: JsonObject) -> None:
        """Reserve an id (STORE-LAZY-CREATE, STORE-NO-CLOBBER, STORE-CREATED-AT-CHECKED)."""
        _check_json(header)
        if not isinstance(header.get("id"), str):
            raise Refuse(RefusalKind.INVALID_ARGUMENT, "a header needs an id")
        if not is_count(header.get("createdAt")):
            problem = "createdAt must be an integer from 0 to 2^53 - 1"
            raise Refuse(RefusalKind.INVALID_ARGUMENT, problem, "STORE-CREATED-AT-CHECKED")
        key = _key(str(header["id"]))
        if key is None:
            problem = "the empty string is no session id"
            raise Refuse(RefusalKind.INVALID_ARGUMENT, problem, "STORE-ID-SAFE")
        if key in self._reserved or self._storage.exists(key):
            raise Refuse(RefusalKind.ALREADY_EXISTS, f"session {key} exists", "STORE-NO-CLOBBER")
        self._reserved[key] = dump(header)

    @refusing_io()
    def append(self, session_id: str, events: Sequence[Json]) -> None:
        """Append a batch, durably (STORE-CONTIGUOUS-APPEND, STORE-APPEND-ADOPTS)."""
        _check_json(events)
        batch = [_checked(event) for event in events]
        key = _key(session_id)
        if not batch:
            return
        header = self._reserved.get(key or "")
        if key is not None and header is not None:
            _check_seqs(batch, 0)
            self._known[key] = self._published(key, header, batch)
            del self._reserved[key]
            return
        cursor = self._cursor(key, session_id)
        _check_seqs(batch, cursor.next_seq)
        assert key is not None
        cursor.end = self._storage.append(key, cursor.end, batch)
        cursor.next_seq += len(batch)

    @refusing_io()
    def load(self, session_id: str) -> SessionData:
        """Read a log and commit its repair (STORE-CLOSERS-ON-LOAD)."""
        key, log = self._stored(session_id)
        events, closing = _read(log)
        self._known[key] = self._repaired(key, log, closing)
        return SessionData(header=log.header, events=[*events, *closing])

    @refusing_io()
    def inspect(self, session_id: str) -> SessionData:
        """Read a log as `load` would (STORE-INSPECT-VIEW, STORE-NO-REPAIR-ON-READ)."""
        _, log = self._stored(session_id)
        events, closing = _read(log)
        return SessionData(header=log.header, events=[*events, *closing])

    @refusing_io()
    def read_from(self, session_id: str, from_seq: int) -> SessionData:
        """Read stored events alone (STORE-READ-STORED, STORE-READ-ARGS)."""
        if not is_count(from_seq):
            problem = "fromSeq must be an integer from 0 to 2^53 - 1"
            raise Refuse(RefusalKind.INVALID_ARGUMENT, problem, "STORE-READ-ARGS")
        _, log = self._stored(session_id)
        events = _shown(log)
        return SessionData(header=log.header, events=list(events[int(from_seq) :]))

    @refusing_io()
    def list(self) -> Sequence[JsonObject]:
        """Return the headers of all sessions whose header can be read (STORE-LIST-COMPLETE)."""
        return [header for header, _ in self._snapshots()]

    @refusing_io()
    def list_snapshots(self) -> Sequence[JsonObject]:
        """Return their headers and revisions (STORE-LISTS-AGREE)."""
        return [{"header": header, "revision": revision} for header, revision in self._snapshots()]

    @refusing_io()
    def locate(self, session_id: str) -> str | None:
        """Return the path of the session's own artifact file, where it has one."""
        key = _key(session_id)
        return None if key is None else self._storage.locate(key)

    def shutdown(self) -> None:
        """Let go of the storage."""
        self._storage.close()

    def crash(self) -> None:
        """Drop the instance: nothing is buffered, so an orderly end writes no more than this."""
        with suppress(Refuse):
            self.shutdown()

    def _snapshots(self) -> Sequence[tuple[JsonObject, str]]:
        found = []
        for key in self._storage.stored_keys():
            with suppress(Refuse, OSError):
                snapshot = self._storage.snapshot(key)
                found.extend([] if snapshot is None else [snapshot])
        return found

    def _published(self, key: str, header: str, batch: Sequence[JsonObject]) -> _Cursor:
        made = parse(header)
        assert isinstance(made, Mapping)
        end = self._storage.publish(key, made, batch)
        return _Cursor(end=end, next_seq=len(batch))

    def _cursor(self, key: str | None, session_id: str) -> _Cursor:
        """Return where to go on in a stored log, which is repaired when it is met first."""
        if key is not None and key in self._known:
            return self._known[key]
        found, log = self._stored(session_id)
        _, closing = _read(log)
        self._known[found] = self._repaired(found, log, closing)
        return self._known[found]

    def _repaired(self, key: str, log: StoredLog, closing: Sequence[JsonObject]) -> _Cursor:
        """Commit a repair, where there is anything to commit."""
        end = log.end
        if log.torn or closing:
            end = self._storage.append(key, end, closing)
        return _Cursor(end=end, next_seq=len(log.events) + len(closing))

    def _stored(self, session_id: str) -> tuple[str, StoredLog]:
        """Return the log of an id; raises `Refuse` when there is none (STORE-NOT-FOUND)."""
        key = _key(session_id)
        log = None if key is None else self._storage.load(key)
        if key is None or log is None:
            raise Refuse(RefusalKind.NOT_FOUND, "no session has that id", "STORE-NOT-FOUND")
        return key, log


def _key(session_id: str) -> str | None:
    """Return the id as a path segment; nothing for the empty id."""
    return encode_segment(session_id) if session_id else None


def _check_json(value: object) -> None:
    refusal = not_json(value)
    if refusal is not None:
        raise refuse(refusal)


def _checked(event: Json) -> JsonObject:
    """Return what may stand in a batch (STORE-RETIRED-REFUSED)."""
    if not isinstance(event, Mapping):
        raise Refuse(RefusalKind.INVALID_EVENT, "an event must be an object")
    if is_retired(event):
        problem = f"events such as this {event['type']} are not taken any more"
        raise Refuse(RefusalKind.INVALID_EVENT, problem, "STORE-RETIRED-REFUSED")
    return event


def _check_seqs(batch: Sequence[JsonObject], next_seq: int) -> None:
    for index, event in enumerate(batch):
        seq = event.get("seq")
        if not is_count(seq) or seq != next_seq + index:
            problem = f"expected seq {next_seq + index} at index {index}, got {dump(seq)[:40]}"
            raise Refuse(RefusalKind.SEQ_MISMATCH, problem, "STORE-CONTIGUOUS-APPEND")


def _shown(log: StoredLog) -> tuple[JsonObject, ...]:
    return _right(shown(log.events, str(log.header["id"])))


def _read(log: StoredLog) -> tuple[tuple[JsonObject, ...], tuple[JsonObject, ...]]:
    """Return the events of a log as a session is built from them, and its closers."""
    events = _shown(log)
    refusal = unbuildable(events)
    if refusal is not None:
        raise refuse(refusal)
    return events, closers_of(events, format=FORMAT)


def _right(found: tuple[JsonObject, ...] | Refusal) -> tuple[JsonObject, ...]:
    if isinstance(found, Refusal):
        raise refuse(found)
    return found
