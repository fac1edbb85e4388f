"""Sabotages of creation: when a session begins to exist, and what is kept of its header."""

import posixpath
from collections.abc import Sequence

from dsh_conformance.implementation.backend import Access, Refuse, StoreHandle
from dsh_conformance.sabotage.wrap import WrappedHandle, WrappedStore
from dsh_reference.header import check_header
from dsh_reference.values import not_json
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


def is_pending(snapshot: JsonObject) -> bool:
    """Say whether the built-in store has nothing of the session in its storage."""
    return str(snapshot["revision"]).startswith("pending:")


class HidesThePending(WrappedStore):
    """A created session has no snapshot before its first batch."""

    def stat(self, session_id: str) -> JsonObject | None:
        found = super().stat(session_id)
        return None if found is None or is_pending(found) else found


class ListsTheStoredOnly(WrappedStore):
    """The list names a created session only from its first batch on."""

    def list(self) -> Sequence[JsonObject]:
        return [one for one in super().list() if not is_pending(one)]


class RefusesToReadThePending(WrappedStore):
    """A created session does not open for reading before its first batch."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        found = super().stat(session_id)
        if access == "read" and found and is_pending(found):
            raise Refuse(RefusalKind.NOT_FOUND, "nothing is stored yet")
        return super().open(session_id, access)


class WritesTheHeaderEagerly(WrappedStore):
    """Creating a session stores its header at once."""

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> StoreHandle:
        handle = super().create(header, inherited_event_count)
        if header["isSeeded"] is False:
            handle.flush()
        return handle


class KeepsTheIdOfTheErased(WrappedStore):
    """The id of a session that was closed while empty stays taken."""

    def begin(self) -> None:
        #: Every id that was ever created here.
        self.taken: set[Json] = set()

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> StoreHandle:
        handle = super().create(header, inherited_event_count)
        if header["id"] in self.taken:
            handle.close()
            raise Refuse(RefusalKind.ALREADY_EXISTS, "the id was used before")
        self.taken.add(header["id"])
        return handle


class OpensOnCreate(WrappedStore):
    """Creating a session under an id that is taken opens the session that has it."""

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> StoreHandle:
        try:
            return super().create(header, inherited_event_count)
        except Refuse as refusal:
            if refusal.kind is RefusalKind.ALREADY_EXISTS:
                return super().open(str(header["id"]), "read")
            raise


class CreatesOnOpen(WrappedStore):
    """Opening an id that names no session creates one."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        if super().stat(session_id) is None and access == "write":
            header: JsonObject = {"version": 4, "id": session_id, "createdAt": 0, "isSeeded": False}
            return super().create(header)
        return super().open(session_id, access)


class CallsTheAbsentCorrupt(WrappedStore):
    """An id that names no session is refused as corrupt."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        try:
            return super().open(session_id, access)
        except Refuse as refusal:
            if refusal.kind is RefusalKind.NOT_FOUND:
                raise Refuse(RefusalKind.CORRUPT, "no header") from None
            raise


class _Reheading(WrappedStore):
    """Creates a session with another header than the one that was given."""

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> StoreHandle:
        return super().create(self.header(header), inherited_event_count)

    def header(self, header: JsonObject) -> JsonObject:
        return header


class DropsTheAgentPreset(_Reheading):
    """The header's `agentPreset` is not kept."""

    def header(self, header: JsonObject) -> JsonObject:
        return {k: v for k, v in header.items() if k != "agentPreset"}


class NormalisesTheDirectory(_Reheading):
    """The header's `cwd` is brought into its shortest spelling."""

    def header(self, header: JsonObject) -> JsonObject:
        cwd = header.get("cwd")
        return {**header, "cwd": posixpath.normpath(cwd)} if isinstance(cwd, str) else header


class KeepsTimesInSeconds(_Reheading):
    """The header's `createdAt` is kept in whole seconds."""

    def header(self, header: JsonObject) -> JsonObject:
        created = header.get("createdAt")
        whole = isinstance(created, int) and created >= 0
        return {**header, "createdAt": created // 1000 * 1000} if whole else header  # type: ignore[operator]


class CorrectsHeaders(_Reheading):
    """A header that is not valid is put right instead of refused."""

    def header(self, header: JsonObject) -> JsonObject:
        if not_json(header) is not None or check_header(header) is None:
            return header
        return {"version": 4, "id": header["id"], "createdAt": 0, "isSeeded": False}


class IgnoresUnknownHeaderKeys(_Reheading):
    """Keys that no header has are left out of a header instead of refused."""

    def header(self, header: JsonObject) -> JsonObject:
        if not_json(header) is not None:
            return header
        return {k: v for k, v in header.items() if k not in ("extra", "seedLength")}


class UpgradesHeaders(_Reheading):
    """A header of an older version is taken for one of the present version."""

    def header(self, header: JsonObject) -> JsonObject:
        return {**header, "version": 4} if header.get("version") == 3 else header


class GuessesTheSeedCount(WrappedStore):
    """A seeded session without a count is taken to have inherited nothing."""

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> StoreHandle:
        is_seeded = header.get("isSeeded") is True
        guess = 0 if is_seeded and inherited_event_count is None else inherited_event_count
        return super().create(header, guess)


class IgnoresTheSeedCount(WrappedStore):
    """The count that is given for an unseeded session is ignored."""

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> StoreHandle:
        is_seeded = header.get("isSeeded") is True
        return super().create(header, inherited_event_count if is_seeded else None)


class CountsTheMarker(WrappedHandle):
    """The inherited count of an opened session counts the marker behind the inherited events."""

    @property
    def inherited_event_count(self) -> int:
        right = self.inner.inherited_event_count
        return right + 1 if self.header["isSeeded"] is True else right


class _Cutless(WrappedHandle):
    store: "ForgetsTheCut"

    @property
    def inherited_event_count(self) -> int:
        known = self.session_id in self.store.created
        return self.inner.inherited_event_count if known else 0


class ForgetsTheCut(WrappedStore):
    """The inherited count is known to the instance that created the session, and 0 to others."""

    handle = _Cutless

    def begin(self) -> None:
        #: What was created here.
        self.created: set[Json] = set()

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> StoreHandle:
        self.created.add(header["id"])
        return super().create(header, inherited_event_count)


class _Bricking(WrappedHandle):
    bricked = False

    def flush(self) -> None:
        try:
            super().flush()
        except Refuse as refusal:
            self.bricked = refusal.rule == "STORE-SEEDED-FLUSH"
            if not self.bricked:
                raise

    def append(self, events: Sequence[Json]) -> None:
        super().append(events)
        self.bricked = False


class BricksASeededFlush(WrappedStore):
    """A flush before the inherited marker is stored leaves a session that does not open."""

    handle = _Bricking

    def open(self, session_id: str, access: Access) -> StoreHandle:
        writer = self.writer(session_id)
        if isinstance(writer, _Bricking) and writer.bricked and access == "read":
            raise Refuse(RefusalKind.CORRUPT, "the inherited marker is missing")
        return super().open(session_id, access)


class _FlushingTheFull(WrappedHandle):
    def flush(self) -> None:
        if self.writes and not self.is_closed and not self.read():
            return
        super().flush()


class IgnoresTheFlushOfNothing(WrappedStore):
    """A flush of an empty session does nothing."""

    handle = _FlushingTheFull

    def flush(self) -> None:
        for handle in self.handles:
            if handle.writes and not handle.is_closed:
                handle.flush()
