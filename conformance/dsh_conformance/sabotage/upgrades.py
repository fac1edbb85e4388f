"""Sabotages of what becomes of logs of older formats.

The base is `jsonl`, plain or compressed.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from dsh_conformance.backends.jsonl import JsonlStorage
from dsh_conformance.backends.jsonl_writer import Packing
from dsh_conformance.backends.older import Older
from dsh_conformance.backends.store import Store
from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.implementation.backend import Access, Refuse, StoreBackend, StoreHandle
from dsh_conformance.sabotage.wrap import WrappedHandle, WrappedStore
from dsh_reference.files import (
    LogFile,
    batch_lines,
    header_line,
    log_name,
    parse_log_name,
    read_log,
)
from dsh_reference.header import VERSION
from dsh_reference.migrate import ChildFact, is_child
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


class _Upgrading(WrappedStore):
    """Does something wrong when a session whose log is older is opened."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        path = self.locate(session_id)
        parsed = parse_log_name(Path(path).name) if path else None
        if path is None or parsed is None or parsed[0] >= VERSION:
            return super().open(session_id, access)
        return self.upgrade(session_id, access, Path(path))

    def upgrade(self, session_id: str, access: Access, path: Path) -> StoreHandle:
        """Open the session whose older log lies at *path*."""
        raise NotImplementedError

    def rightly(self, session_id: str, access: Access) -> StoreHandle:
        """Open a session as the right backend does."""
        return WrappedStore.open(self, session_id, access)


def _newest(path: Path) -> Path:
    """Return where the log of the present format lies beside an older plain one."""
    return path.with_name(log_name(VERSION, "none"))


class PublishesOnRead(_Upgrading):
    """Opening an older log for reading publishes it too."""

    def upgrade(self, session_id: str, access: Access, path: Path) -> StoreHandle:  # noqa: ARG002
        if access == "read" and self.writer(session_id) is None:
            try:
                self.inner.open(session_id, "write").close()
            except Refuse:
                return self.rightly(session_id, access)
        return self.rightly(session_id, access)


class LocksOnRead(_Upgrading):
    """Opening an older log for reading leaves a lock file."""

    def upgrade(self, session_id: str, access: Access, path: Path) -> StoreHandle:
        path.with_name("session.lock").touch()
        return self.rightly(session_id, access)


class ForgetsToPublish(_Upgrading):
    """What an older log comes to is never linked to its name."""

    def upgrade(self, session_id: str, access: Access, path: Path) -> StoreHandle:
        handle = self.rightly(session_id, access)
        _newest(path).unlink(missing_ok=True)
        return handle


class LeavesHalfALog(_Upgrading):
    """A migration that is refused leaves the header of the log that it began to write."""

    def upgrade(self, session_id: str, access: Access, path: Path) -> StoreHandle:
        try:
            return self.rightly(session_id, access)
        except Refuse:
            header = self.stat(session_id) or {}
            if access == "write" and isinstance(header.get("header"), dict):
                _newest(path).write_bytes(header_line(_object(header["header"])))
            raise


class ReplacesTheOlderLog(_Upgrading):
    """The published log takes the place of the older one."""

    def upgrade(self, session_id: str, access: Access, path: Path) -> StoreHandle:
        handle = self.rightly(session_id, access)
        if access == "write":
            path.unlink()
        return handle


class PublishesAFrameForEachEvent(_Upgrading):
    """A published log has a frame for each event."""

    def upgrade(self, session_id: str, access: Access, path: Path) -> StoreHandle:
        handle = self.rightly(session_id, access)
        if access == "write":
            handle.close()
            texts = [header_line(handle.header), *map(_line, self._events(session_id))]
            target = path.with_name(log_name(VERSION, "zstd"))
            target.write_bytes(b"".join(map(Zstd().frame, texts)))
            handle = self.rightly(session_id, access)
        return handle

    def _events(self, session_id: str) -> Sequence[Json]:
        handle = self.inner.open(session_id, "read")
        events = handle.read()
        handle.close()
        return events


class PublishesUnverified(_Upgrading):
    """A log is published although an answer in it says something else than its stream."""

    def upgrade(self, session_id: str, access: Access, path: Path) -> StoreHandle:
        try:
            return self.rightly(session_id, access)
        except Refuse as refusal:
            if refusal.rule != "MIG-VERIFY":
                raise
        reader = self.inner.open(session_id, "read")
        _newest(path).write_bytes(_file(reader))
        reader.close()
        return self.rightly(session_id, access)


class PublishesWhatItRead(_Upgrading):
    """What was migrated for reading is published, whatever was appended to the older log since."""

    def begin(self) -> None:
        self.read: dict[str, bytes] = {}

    def upgrade(self, session_id: str, access: Access, path: Path) -> StoreHandle:
        if access == "write" and session_id in self.read and self.writer(session_id) is None:
            _newest(path).write_bytes(self.read[session_id])
        handle = self.rightly(session_id, access)
        if access == "read":
            self.read.setdefault(session_id, _file(handle))
        return handle


class PublishesAgain(WrappedStore):
    """Each opening for writing publishes the older log anew."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        path = self.locate(session_id) if access == "write" else None
        older = [f for f in _logs(path) if f.name != log_name(VERSION, "none")]
        if path and older and not self.writer(session_id) and _sound(older[-1]):
            Path(path).unlink() if Path(path) not in older else None
        return super().open(session_id, access)


class CleansUpOlderLogs(WrappedHandle):
    """Closing a writer removes the older logs of its session."""

    def close(self) -> None:
        path = self.store.locate(self.session_id) if self.writes else None
        super().close()
        for log in _logs(path):
            if log != Path(str(path)):
                log.unlink()


class CallsTheUnmigratableCorrupt(WrappedStore):
    """A log that has no way to the present format is called damaged."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        try:
            return super().open(session_id, access)
        except Refuse as refusal:
            if refusal.kind is RefusalKind.UNSUPPORTED_MIGRATION:
                raise Refuse(RefusalKind.CORRUPT, "the log is damaged") from None
            raise


class CallsDamageUnmigratable(_Upgrading):
    """An older log that is damaged is said to have no way to the present format."""

    def upgrade(self, session_id: str, access: Access, path: Path) -> StoreHandle:  # noqa: ARG002
        try:
            return self.rightly(session_id, access)
        except Refuse as refusal:
            if refusal.kind is RefusalKind.CORRUPT and refusal.rule != "MIG-VERIFY":
                raise Refuse(RefusalKind.UNSUPPORTED_MIGRATION, "no way leads on") from None
            raise


class _Childless(Older):
    def children(self, parent: str) -> Iterator[ChildFact]:  # noqa: ARG002
        yield from ()


class _Strict(Older):
    def children(self, parent: str) -> Iterator[ChildFact]:
        for artifact in self._artifacts():
            header, _ = self._peek(artifact)
            if isinstance(header, dict) and is_child(header, parent):
                self._read(artifact)
        yield from super().children(parent)


def _with(kind: type[Older], workspace: Path) -> StoreBackend:
    storage = JsonlStorage(workspace.absolute(), Packing("none"))
    right = storage.older
    storage.older = kind(right._layout, right._packing, right._peek, right._read)  # noqa: SLF001
    return Store("dsh-conformance jsonl", storage)


def lists_no_children(_inner: StoreBackend, workspace: Path) -> StoreBackend:
    """A migrated session lists no child that it did not list itself."""
    return _with(_Childless, workspace)


def fails_for_a_child(_inner: StoreBackend, workspace: Path) -> StoreBackend:
    """A damaged child keeps its parent from being migrated."""
    return _with(_Strict, workspace)


class NeedsTheParent(_Upgrading):
    """A fork is migrated only where its parent is there and can be read."""

    def upgrade(self, session_id: str, access: Access, path: Path) -> StoreHandle:  # noqa: ARG002
        snapshot = self.stat(session_id) or {}
        header = _object(snapshot.get("header"))
        parent = header.get("parentSession")
        if header.get("isSeeded") and isinstance(parent, str):
            self.inner.open(parent, "read").close()
        return self.rightly(session_id, access)


class CutsTheOlderLog(_Upgrading):
    """The torn end of an older log is cut off when the log is published."""

    def upgrade(self, session_id: str, access: Access, path: Path) -> StoreHandle:
        handle = self.rightly(session_id, access)
        log = read_log(path.read_bytes(), compression="none", format=None)
        if access == "write" and isinstance(log, LogFile):
            os.truncate(path, log.committed_bytes)
        return handle


class RefusesTornOlderLogs(_Upgrading):
    """An older log with a torn end is refused."""

    def upgrade(self, session_id: str, access: Access, path: Path) -> StoreHandle:
        log = read_log(path.read_bytes(), compression="none", format=None)
        if isinstance(log, LogFile) and log.torn:
            raise Refuse(RefusalKind.CORRUPT, f"{path.name} ends within a record")
        return self.rightly(session_id, access)


def _logs(path: str | None) -> Sequence[Path]:
    """Return the logs beside a located one, the oldest first."""
    found = sorted(Path(path).parent.iterdir()) if path else []
    return [each for each in found if parse_log_name(each.name) is not None]


def _sound(path: Path) -> bool:
    return isinstance(read_log(path.read_bytes(), compression="none", format=None), LogFile)


def _file(handle: StoreHandle) -> bytes:
    return header_line(handle.header) + batch_lines([_object(event) for event in handle.read()])


def _line(event: Json) -> bytes:
    return batch_lines([_object(event)])


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
