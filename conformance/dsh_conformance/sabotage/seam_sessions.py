"""Sabotages of sessions on the store seam: which there are, and what is listed of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, cast

from dsh_conformance.implementation.backend import Refuse, SessionData, StoreSeamBackend
from dsh_conformance.sabotage.seam_wrap import WrappedSeamStore
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


class ListsTheReserved(WrappedSeamStore):
    """The list names sessions that were created and hold nothing."""

    def begin(self) -> None:
        self._created: dict[str, JsonObject] = {}

    def create(self, header: JsonObject) -> None:
        super().create(header)
        self._created[str(header["id"])] = dict(header)

    def list(self) -> Sequence[JsonObject]:
        found = super().list()
        named = {str(header["id"]) for header in found}
        return [*found, *(h for key, h in self._created.items() if key not in named)]


class SeamListsOnePage(WrappedSeamStore):
    """The lists end after two sessions."""

    def list(self) -> Sequence[JsonObject]:
        return super().list()[:2]

    def list_snapshots(self) -> Sequence[JsonObject]:
        return super().list_snapshots()[:2]


class ShowsTheReservedAsEmpty(WrappedSeamStore):
    """A session that was created and holds nothing is shown as an empty log."""

    def begin(self) -> None:
        self._created: dict[str, JsonObject] = {}

    def create(self, header: JsonObject) -> None:
        super().create(header)
        self._created[str(header["id"])] = dict(header)

    def inspect(self, session_id: str) -> SessionData:
        try:
            return super().inspect(session_id)
        except Refuse as refusal:
            header = self._created.get(session_id)
            if refusal.kind is RefusalKind.NOT_FOUND and header is not None:
                return SessionData(header=header, events=[])
            raise


class CreatesTwice(WrappedSeamStore):
    """Creating a session under an id that is taken is taken for the same session."""

    def create(self, header: JsonObject) -> None:
        try:
            super().create(header)
        except Refuse as refusal:
            if refusal.kind is not RefusalKind.ALREADY_EXISTS:
                raise


class ReservesOnRefusal(WrappedSeamStore):
    """An id whose header was refused stays taken."""

    def begin(self) -> None:
        self._taken: set[Json] = set()

    def create(self, header: JsonObject) -> None:
        if header.get("id") in self._taken:
            raise Refuse(RefusalKind.ALREADY_EXISTS, "the id was given out before")
        try:
            super().create(header)
        except Refuse as refusal:
            if refusal.rule == "STORE-CREATED-AT-CHECKED":
                self._taken.add(header.get("id"))
            raise


class RoundsTheTimeOfCreation(WrappedSeamStore):
    """A time of creation that is no count is made one."""

    def create(self, header: JsonObject) -> None:
        time = header.get("createdAt")
        fitting = max(0, int(time)) if isinstance(time, int | float) else 0
        super().create({**header, "createdAt": fitting})


class LosesTheParent(WrappedSeamStore):
    """The header comes back without its parent, from the lists and from a load."""

    def list(self) -> Sequence[JsonObject]:
        return [_orphaned(header) for header in super().list()]

    def list_snapshots(self) -> Sequence[JsonObject]:
        return [
            {**one, "header": _orphaned(cast("JsonObject", one["header"]))}
            for one in super().list_snapshots()
        ]

    def inspect(self, session_id: str) -> SessionData:
        found = super().inspect(session_id)
        return SessionData(header=_orphaned(found.header), events=found.events)


class SnapshotsShortHeaders(WrappedSeamStore):
    """Snapshots leave out the preset and the parent of a session."""

    def list_snapshots(self) -> Sequence[JsonObject]:
        return [
            {**one, "header": _orphaned(cast("JsonObject", one["header"]))}
            for one in super().list_snapshots()
        ]


def _orphaned(header: JsonObject) -> JsonObject:
    return {k: v for k, v in header.items() if k not in ("parentSession", "agentPreset")}


class LoadsTheAbsentAsEmpty(WrappedSeamStore):
    """A session that is not there loads as an empty one."""

    def load(self, session_id: str) -> SessionData:
        try:
            return super().load(session_id)
        except Refuse as refusal:
            if refusal.kind is not RefusalKind.NOT_FOUND:
                raise
            return SessionData(header={"version": 0, "id": session_id, "createdAt": 0}, events=[])


class _Revising(WrappedSeamStore):
    """Gives out revisions of its own."""

    def list_snapshots(self) -> Sequence[JsonObject]:
        return [self._revised(dict(one)) for one in super().list_snapshots()]

    def _revised(self, one: dict[str, Any]) -> JsonObject:
        return {**one, "revision": self.revision(str(one["header"]["id"]), str(one["revision"]))}

    def revision(self, session_id: str, right: str) -> str:
        """Return what is given out for a session in the place of the right revision."""
        raise NotImplementedError


class SeamNeverRevises(_Revising):
    """The revision of a session is that of its first snapshot."""

    def begin(self) -> None:
        self._first: dict[str, str] = {}

    def revision(self, session_id: str, right: str) -> str:
        return self._first.setdefault(session_id, right)


class KeepsTheRevisionOverARepair(_Revising):
    """A load that commits closers leaves the revision as it was."""

    def begin(self) -> None:
        self._before: dict[str, str] = {}
        self._after: dict[str, str] = {}

    def load(self, session_id: str) -> SessionData:
        before = self._found(session_id)
        found = super().load(session_id)
        after = self._found(session_id)
        if before and after and before != after:
            self._before[after] = self._before.get(before, before)
        return found

    def _found(self, session_id: str) -> str:
        mine = [one for one in self.inner.list_snapshots() if self._named(one, session_id)]
        return str(mine[0]["revision"]) if mine else ""

    def _named(self, one: JsonObject, session_id: str) -> bool:
        return cast("JsonObject", one["header"])["id"] == session_id

    def revision(self, session_id: str, right: str) -> str:  # noqa: ARG002
        return self._before.get(right, right)


class RevisesOnInspect(_Revising):
    """An inspection moves the revision."""

    def begin(self) -> None:
        self._looks: dict[str, int] = {}

    def inspect(self, session_id: str) -> SessionData:
        found = super().inspect(session_id)
        self._looks[session_id] = self._looks.get(session_id, 0) + 1
        return found

    def revision(self, session_id: str, right: str) -> str:
        return f"{right}:{self._looks.get(session_id, 0)}"


class CountsAllAppends(_Revising):
    """An append to one session moves the revisions of all."""

    def begin(self) -> None:
        self._appends = 0

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        super().append(session_id, events)
        self._appends += bool(events)

    def revision(self, session_id: str, right: str) -> str:  # noqa: ARG002 - it is the same for all
        return f"{right}:{self._appends}"


class RevisesOnEveryLoad(_Revising):
    """A load moves the revision, also when there is nothing to repair."""

    def begin(self) -> None:
        self._loads: dict[str, int] = {}

    def load(self, session_id: str) -> SessionData:
        found = super().load(session_id)
        self._loads[session_id] = self._loads.get(session_id, 0) + 1
        return found

    def revision(self, session_id: str, right: str) -> str:
        return f"{right}:{self._loads.get(session_id, 0)}"


class CountsRevisions(_Revising):
    """A revision is the number of the events and says nothing of the store."""

    def revision(self, session_id: str, right: str) -> str:
        try:
            return str(len(self.inner.read_from(session_id, 0).events))
        except Refuse:
            return right


class SeamFoldsCase(WrappedSeamStore):
    """Ids that differ only in case name one session."""

    def create(self, header: JsonObject) -> None:
        taken = {str(one["id"]).casefold() for one in self.inner.list()}
        if str(header.get("id")).casefold() in taken:
            raise Refuse(RefusalKind.ALREADY_EXISTS, "the id is taken")
        super().create(header)


class SeamSharesItsMemory(WrappedSeamStore):
    """One memory serves every workspace."""

    shared: ClassVar[dict[Path, StoreSeamBackend]] = {}

    def begin(self) -> None:
        self.inner = self.shared.setdefault(self.workspace.parent, self.inner)

    def shutdown(self) -> None:
        """Keep the memory for the next workspace."""

    def crash(self) -> None:
        self.shared.pop(self.workspace.parent, None)
        super().crash()
