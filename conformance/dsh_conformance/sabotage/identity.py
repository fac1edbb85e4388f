"""Sabotages of identity: which session an id means, and where it lies."""

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from dsh_conformance.implementation.backend import Access, StoreHandle
from dsh_conformance.sabotage.wrap import WrappedHandle, WrappedStore
from dsh_spec.values import JsonObject


class _Renamed(WrappedHandle):
    """Shows the id that the session was opened under."""

    shown = ""

    @property
    def header(self) -> JsonObject:
        return {**self.inner.header, "id": self.shown}


class _Colliding(WrappedStore):
    """Keeps a session under another id, which two ids may share."""

    handle = _Renamed

    def begin(self) -> None:
        #: The ids that were asked for, by the ids that they are kept under.
        self.asked: dict[str, str] = {}

    def kept(self, session_id: str) -> str:
        """Return the id that a session is kept under."""
        return session_id

    def _named(self, handle: StoreHandle, session_id: str) -> StoreHandle:
        assert isinstance(handle, _Renamed)
        handle.shown = session_id
        return handle

    def _shown(self, snapshot: JsonObject, session_id: str | None = None) -> JsonObject:
        header = snapshot["header"]
        assert isinstance(header, dict)
        kept = str(header["id"])
        return {**snapshot, "header": {**header, "id": session_id or self.asked.get(kept, kept)}}

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> StoreHandle:
        session_id = str(header["id"])
        kept = self.kept(session_id)
        handle = super().create({**header, "id": kept}, inherited_event_count)
        self.asked[kept] = session_id
        return self._named(handle, session_id)

    def open(self, session_id: str, access: Access) -> StoreHandle:
        return self._named(super().open(self.kept(session_id), access), session_id)

    def stat(self, session_id: str) -> JsonObject | None:
        found = super().stat(self.kept(session_id))
        return found and self._shown(found, session_id)

    def list(self) -> Sequence[JsonObject]:
        return [self._shown(snapshot) for snapshot in super().list()]


class FoldsCase(_Colliding):
    """Ids that differ in case only are one session, as on a file system that ignores case."""

    def kept(self, session_id: str) -> str:
        return session_id.lower()


class ComposesIds(_Colliding):
    """Ids that are equal in normalisation form C are one session."""

    def kept(self, session_id: str) -> str:
        return unicodedata.normalize("NFC", session_id)


class ReplacesSlashes(_Colliding):
    """Slashes and backslashes in an id become underscores, so that two ids meet."""

    def kept(self, session_id: str) -> str:
        return session_id.replace("/", "_").replace("\\", "_")


class TrimsIds(_Colliding):
    """Blanks and dots at the end of an id are dropped, as some file systems do."""

    def kept(self, session_id: str) -> str:
        return session_id.rstrip(" .") or session_id


class EscapesTheWorkspace(WrappedStore):
    """A session's index file is named by its id as it stands, so that dots climb out."""

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> StoreHandle:
        handle = super().create(header, inherited_event_count)
        session_id = str(header["id"])
        if session_id.startswith("../"):
            (self.workspace / session_id).touch()
        return handle


class SharesItsMemory(WrappedStore):
    """A stat also finds what the process has created in another workspace."""

    #: Snapshots by workspace and session, for each directory of workspaces.
    known: ClassVar[dict[Path, dict[tuple[Path, str], JsonObject]]] = {}

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> StoreHandle:
        handle = super().create(header, inherited_event_count)
        session_id = str(header["id"])
        found = super().stat(session_id)
        if found is not None:
            self.known.setdefault(self.workspace.parent, {})[self.workspace, session_id] = found
        return handle

    def stat(self, session_id: str) -> JsonObject | None:
        near = self.known.get(self.workspace.parent, {})
        elsewhere = (
            snapshot
            for (workspace, known), snapshot in near.items()
            if workspace != self.workspace and known == session_id
        )
        return super().stat(session_id) or next(elsewhere, None)
