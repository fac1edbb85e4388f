"""Sabotages of the directories: files that are none of a store's business, and those that are.

The base is `jsonl`, plain or compressed.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from dsh_conformance.implementation.backend import Access, Refuse, StoreHandle
from dsh_conformance.sabotage.files import Served, loaded
from dsh_conformance.sabotage.wrap import WrappedHandle, WrappedStore
from dsh_reference.files import encode_segment, log_name, log_path, parse_log_name
from dsh_reference.header import VERSION
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

_LOCK = "session.lock"


class TidiesDirectories(WrappedStore):
    """Opening a session for writing removes what is neither its log nor its lock."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        handle = super().open(session_id, access)
        for path in _strangers(self.locate(session_id)) if access == "write" else ():
            path.unlink()
        return handle


class TripsOverForeignFiles(WrappedStore):
    """A session with a file in its directory that is none of its own is refused."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        if _strangers(self.locate(session_id)):
            raise Refuse(RefusalKind.CORRUPT, "what is this file?")
        return super().open(session_id, access)


class FallsBackToAnOlderLog(WrappedStore):
    """Where the newest log is unreadable or too new, the one before it is served."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        try:
            return super().open(session_id, access)
        except Refuse as refusal:
            path = self.locate(session_id)
            home = Path(path).parent if path else None
            log = home / log_name(VERSION, "none") if home else None
            served = loaded(log.read_bytes()) if log and log.is_file() else None
            if access == "write" or served is None or refusal.rule == "STORE-IDENTITY-BOUND":
                raise
            return self.wrapped(Served(served), writes=False)


class ReadsTheOldestLog(WrappedStore):
    """Of several logs of a session the oldest is served."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        path = self.locate(session_id)
        present = Path(path) if path else None
        older = [p for p in present.parent.iterdir() if _is_older(p)] if present else []
        if access == "write" or not older or present in older or present is None:
            return super().open(session_id, access)
        aside = present.rename(f"{present}.aside")
        try:
            handle = super().open(session_id, access)
            handle.read()
        finally:
            aside.rename(present)
        return handle


class ReplacesWhatIsThere(WrappedHandle):
    """The first batch of a session replaces a log that has appeared under its name."""

    def append(self, events: Sequence[Json]) -> None:
        try:
            super().append(events)
        except Refuse as refusal:
            if refusal.kind is not RefusalKind.ALREADY_EXISTS:
                raise
            (self.store.workspace / log_path(self.header, "none")).unlink(missing_ok=True)
            super().append(events)


class _Overlooking(WrappedStore):
    """Serves its own logs where the root as a whole must be refused for a rule."""

    #: The rule.
    overlooks = ""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        try:
            return super().open(session_id, access)
        except Refuse as refusal:
            pattern = f"*/{encode_segment(session_id)}/session.v4.jsonl"
            found = sorted(self.workspace.glob(pattern))
            log = loaded(found[0].read_bytes()) if found else None
            if refusal.rule != self.overlooks or log is None:
                raise
            return self.wrapped(Served(log), writes=access == "write")

    def list(self) -> Sequence[JsonObject]:
        try:
            return super().list()
        except Refuse as refusal:
            if refusal.rule != self.overlooks:
                raise
            return []


class TakesTheFirstHome(_Overlooking):
    """Of two directories of one session the first is taken."""

    overlooks = "FILE-ONE-HOME"


class OverlooksTheOtherEncoding(_Overlooking):
    """Logs in the other encoding are overlooked."""

    overlooks = "FILE-ONE-ENCODING"


class OverlooksFlatLogs(_Overlooking):
    """Logs that lie directly in a project directory are overlooked."""

    overlooks = "FILE-FLAT-REFUSED"


class RemovesTheLock(WrappedHandle):
    """Closing a writer removes the lock file."""

    def close(self) -> None:
        path = self.store.locate(self.session_id) if self.writes and not self.is_closed else None
        super().close()
        if path:
            Path(path).with_name(_LOCK).unlink(missing_ok=True)


class ReplacesTheLock(WrappedStore):
    """A writer that has locked the lock file puts another in its place."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        handle = super().open(session_id, access)
        path = self.locate(session_id) if access == "write" else None
        if path:
            other = Path(path).with_name("session.lock.new")
            other.touch()
            other.replace(Path(path).with_name(_LOCK))
        return handle


class BreaksLocks(WrappedStore):
    """A lock that another process holds is taken for one that was left behind."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        try:
            return super().open(session_id, access)
        except Refuse as refusal:
            path = self.locate(session_id)
            taken = refusal.kind is RefusalKind.ALREADY_OWNED
            if not taken or path is None or self.writer(session_id):
                raise
            Path(path).with_name(_LOCK).unlink(missing_ok=True)
            return super().open(session_id, access)


class CutsTornTailsForWriters(WrappedStore):
    """Opening a log for writing cuts its torn tail off at once."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        path = self.locate(session_id) if access == "write" else None
        log = loaded(Path(path).read_bytes()) if path else None
        if path and log and log.torn:
            os.truncate(path, log.committed_bytes)
        return super().open(session_id, access)


def _strangers(path: str | None) -> Sequence[Path]:
    """Return the files beside a log that are neither logs nor locks."""
    found = sorted(Path(path).parent.iterdir()) if path else []
    return [p for p in found if p.name != _LOCK and parse_log_name(p.name) is None]


def _is_older(path: Path) -> bool:
    parsed = parse_log_name(path.name)
    return parsed is not None and parsed[0] < VERSION
