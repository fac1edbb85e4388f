"""Sabotages of ownership: who may write, and until when."""

from collections.abc import Sequence
from pathlib import Path

from dsh_conformance.implementation.backend import Access, Refuse, StoreHandle
from dsh_conformance.sabotage.wrap import WrappedHandle, WrappedStore
from dsh_reference.files import batch_lines
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

#: How a writer is told that another one has the session.
TAKEN = (RefusalKind.ALREADY_OWNED, RefusalKind.ALREADY_EXISTS, RefusalKind.OWNERSHIP_LOST)


class AdmitsASecondWriter(WrappedStore):
    """A session opens for writing while it is open for writing in the same instance."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        writer = self.writer(session_id)
        if access == "write" and writer:
            return self.wrapped(writer.inner, writes=True)
        return super().open(session_id, access)


class AdmitsASecondCreator(WrappedStore):
    """A created session opens for writing beside its creator until its first batch."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        writer = self.writer(session_id)
        if access == "write" and writer and not writer.read():
            return self.wrapped(writer.inner, writes=True)
        return super().open(session_id, access)


class RemovesTheLockFile(WrappedStore):
    """Opening for writing removes a lock file that was there before, as if it were stale."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        path = self.locate(session_id)
        if access == "write" and path and self.writer(session_id) is None:
            Path(path).with_name("session.lock").unlink(missing_ok=True)
        return super().open(session_id, access)


class _Marking(WrappedHandle):
    def close(self) -> None:
        super().close()
        if self.writes:
            mark(self.store, self.session_id).unlink(missing_ok=True)


class LocksByExistence(WrappedStore):
    """A session is locked by a file that exists, and a killed writer leaves it behind."""

    handle = _Marking

    def open(self, session_id: str, access: Access) -> StoreHandle:
        is_free = access == "read" or self.writer(session_id) or not self.locate(session_id)
        if not is_free and mark(self, session_id).exists():
            raise Refuse(RefusalKind.ALREADY_OWNED, "the lock file exists")
        handle = super().open(session_id, access)
        if access == "write":
            mark(self, session_id).touch()
        return handle

    def shutdown(self) -> None:
        for handle in self.handles:
            if not handle.is_closed:
                handle.close()
        super().shutdown()


def mark(store: WrappedStore, session_id: str) -> Path:
    """Return the path of a session's lock file."""
    name = session_id.encode("utf-16-le", "surrogatepass").hex()
    return store.workspace / f"{name}.owned"


class _Losing(WrappedHandle):
    """Does not take a refusal for an answer when another process stored the session first."""

    def append(self, events: Sequence[Json]) -> None:
        try:
            super().append(events)
        except Refuse as refusal:
            if refusal.kind not in TAKEN:
                raise
            self.lost(events)

    def lost(self, events: Sequence[Json]) -> None:
        raise NotImplementedError


class AcknowledgesTheLoser(_Losing):
    """A writer whose session another process stored first has its batch acknowledged and lost."""

    def lost(self, events: Sequence[Json]) -> None:
        pass


class OverwritesTheWinner(_Losing):
    """A writer whose session another process stored first puts its own log in the place."""

    def lost(self, events: Sequence[Json]) -> None:
        path = self.store.locate(self.session_id)
        assert path is not None
        Path(path).unlink()
        super().append(events)


class WritesBehindTheWinner(_Losing):
    """A writer whose session another process stored first appends the same seqs once more."""

    def lost(self, events: Sequence[Json]) -> None:
        path = self.store.locate(self.session_id)
        assert path is not None
        with Path(path).open("ab") as file:
            file.write(batch_lines([event for event in events if isinstance(event, dict)]))


class LocksReadersOut(WrappedStore):
    """A session that another process writes does not open for reading."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        if access == "read" and self.writer(session_id) is None:
            try:
                self.inner.open(session_id, "write").close()
            except Refuse as refusal:
                if refusal.kind is RefusalKind.ALREADY_OWNED:
                    raise
        return super().open(session_id, access)


class DropsAppendsOfReaders(WrappedHandle):
    """An append through a read handle is acknowledged and dropped."""

    def append(self, events: Sequence[Json]) -> None:
        if self.writes or self.is_closed:
            super().append(events)


class AppendsForReaders(WrappedHandle):
    """An append through a read handle is carried out by the session's writer."""

    def append(self, events: Sequence[Json]) -> None:
        writer = self.store.writer(self.session_id)
        if writer is None or self.is_closed or self.writes:
            super().append(events)
        else:
            writer.append(events)


class FlushesForReaders(WrappedHandle):
    """A flush through a read handle is accepted."""

    def flush(self) -> None:
        if self.writes or self.is_closed:
            super().flush()


class TakesNothingFromReaders(WrappedHandle):
    """An empty batch through a read handle is accepted."""

    def append(self, events: Sequence[Json]) -> None:
        if self.writes or self.is_closed or events:
            super().append(events)


class ReadsAfterClose(WrappedHandle):
    """A closed handle still reads."""

    last: Sequence[Json] = ()

    def close(self) -> None:
        if not self.is_closed:
            try:
                self.last = self.read()
            except Refuse:
                self.last = ()
        super().close()

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        if self.is_closed:
            return self.last[offset : None if length is None else offset + length]
        return super().read(offset, length)


class TakesNothingAfterClose(WrappedHandle):
    """A closed handle accepts an empty batch."""

    def append(self, events: Sequence[Json]) -> None:
        if events or not self.is_closed:
            super().append(events)


class FlushesAfterClose(WrappedHandle):
    """A flush of a closed handle is accepted."""

    def flush(self) -> None:
        if not self.is_closed:
            super().flush()


class DrainsAfterClose(WrappedHandle):
    """A batch through a closed write handle is still stored if nobody else writes by then."""

    def append(self, events: Sequence[Json]) -> None:
        if self.is_closed and self.writes and self.store.stat(self.session_id):
            drain = self.store.inner.open(self.session_id, "write")
            drain.append(events)
            drain.close()
        else:
            super().append(events)


class ClosesOnce(WrappedHandle):
    """Closing a closed handle is refused."""

    def close(self) -> None:
        if self.is_closed:
            raise Refuse(RefusalKind.CLOSED, "the handle is closed")
        super().close()


class ClosesTheNextWriter(WrappedHandle):
    """Closing a closed write handle closes the one that was opened after it."""

    def close(self) -> None:
        writer = self.store.writer(self.session_id) if self.is_closed and self.writes else None
        if writer is not None:
            writer.inner.close()
        super().close()


class KeepsTheClaim(WrappedHandle):
    """A write handle whose session is stored keeps it from other writers after its close."""

    def close(self) -> None:
        if not (self.writes and not self.is_closed and self.read()):
            super().close()
        self.is_closed = True

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        self._check()
        return super().read(offset, length)

    def append(self, events: Sequence[Json]) -> None:
        self._check()
        super().append(events)

    def flush(self) -> None:
        self._check()
        super().flush()

    def _check(self) -> None:
        if self.is_closed:
            raise Refuse(RefusalKind.CLOSED, "the handle is closed")


class KeepsTheClaimOfAFailure(WrappedStore):
    """An open for writing that was refused leaves the session owned."""

    def begin(self) -> None:
        #: The sessions that nobody can open for writing any more.
        self.claimed: set[str] = set()

    def open(self, session_id: str, access: Access) -> StoreHandle:
        if access == "write" and session_id in self.claimed:
            raise Refuse(RefusalKind.ALREADY_OWNED, "the session has an open write handle")
        try:
            return super().open(session_id, access)
        except Refuse as refusal:
            if access == "write" and refusal.kind not in (*TAKEN, RefusalKind.NOT_FOUND):
                self.claimed.add(session_id)
            raise
