"""Sabotages of stat and list: snapshots, revisions, and who is named."""

from collections import Counter
from collections.abc import Sequence

from dsh_conformance.implementation.backend import Access, StoreHandle
from dsh_conformance.sabotage.wrap import WrappedHandle, WrappedStore
from dsh_spec.values import Json, JsonObject


class _Revising(WrappedStore):
    """Shows another revision than the right one, in stat and list alike."""

    def stat(self, session_id: str) -> JsonObject | None:
        found = super().stat(session_id)
        return found and self.revised(found)

    def list(self) -> Sequence[JsonObject]:
        return [self.revised(snapshot) for snapshot in super().list()]

    def revised(self, snapshot: JsonObject) -> JsonObject:
        return {**snapshot, "revision": self.revision(snapshot)}

    def revision(self, snapshot: JsonObject) -> str:
        return str(snapshot["revision"])


class NeverRevises(_Revising):
    """The revision is always the same."""

    def revision(self, _snapshot: JsonObject) -> str:
        return "r"


class RevisesEverySecondEvent(_Revising):
    """The revision counts pairs of events, so a batch of one may leave it as it was."""

    def revision(self, snapshot: JsonObject) -> str:
        count = snapshot.get("eventCount")
        return f"r{int(count) // 2}" if isinstance(count, int) else "r"


class RevisesOnStat(_Revising):
    """Every stat of a session changes its revision."""

    def begin(self) -> None:
        #: How many stats there were, by session.
        self.stats: Counter[str] = Counter()

    def stat(self, session_id: str) -> JsonObject | None:
        self.stats[session_id] += 1
        return super().stat(session_id)

    def revision(self, snapshot: JsonObject) -> str:
        return f"{super().revision(snapshot)}.{self.stats[_id_of(snapshot)]}"


class RevisesOnOpen(_Revising):
    """Every open, for reading too, changes the revision."""

    opens = 0

    def open(self, session_id: str, access: Access) -> StoreHandle:
        handle = super().open(session_id, access)
        self.opens += 1
        return handle

    def revision(self, snapshot: JsonObject) -> str:
        return f"{super().revision(snapshot)}.{self.opens}"


class ListsOtherRevisions(WrappedStore):
    """The list gives a session another revision than stat does."""

    def list(self) -> Sequence[JsonObject]:
        return [{**one, "revision": f"list:{one['revision']}"} for one in super().list()]


class ListsShortHeaders(WrappedStore):
    """The headers in the list have the required members only."""

    def list(self) -> Sequence[JsonObject]:
        keys = ("version", "id", "createdAt", "isSeeded")
        return [{**one, "header": _only(one["header"], keys)} for one in super().list()]


def _only(header: Json, keys: Sequence[str]) -> JsonObject:
    return {k: header[k] for k in keys} if isinstance(header, dict) else {}


class ListsOnePage(WrappedStore):
    """The list ends after its first two sessions."""

    def list(self) -> Sequence[JsonObject]:
        return super().list()[:2]


class ListsTwice(WrappedStore):
    """A session that is open for writing is listed twice."""

    def list(self) -> Sequence[JsonObject]:
        right = super().list()
        return [*right, *(one for one in right if self.writer(_id_of(one)))]


class ListsTheErased(WrappedStore):
    """The list goes on naming a session that was closed while empty."""

    def begin(self) -> None:
        #: Every snapshot that was ever listed here, by session.
        self.known: dict[str, JsonObject] = {}

    def list(self) -> Sequence[JsonObject]:
        self.known |= {_id_of(one): one for one in super().list()}
        return [*self.known.values()]


def _id_of(snapshot: JsonObject) -> str:
    header = snapshot["header"]
    return str(header["id"]) if isinstance(header, dict) else ""


class _Lagging(WrappedHandle):
    store: "CountsAtFlush"

    def flush(self) -> None:
        super().flush()
        self.store.counts[self.session_id] = len(self.read())


class CountsAtFlush(WrappedStore):
    """The event count of a snapshot is brought up to date by flushes only."""

    handle = _Lagging

    def begin(self) -> None:
        #: The counts by session.
        self.counts: dict[str, int] = {}

    def stat(self, session_id: str) -> JsonObject | None:
        found = super().stat(session_id)
        return found and {**found, "eventCount": self.counts.get(session_id, 0)}


class _Stamping(WrappedHandle):
    store: "StampsTheLastEvent"

    def close(self) -> None:
        if self.writes and not self.is_closed:
            count = len(self.read())
            self.store.stamped.add((self.session_id, count - 1))
        super().close()

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        events = super().read(offset, length)
        stamped = {seq for session, seq in self.store.stamped if session == self.session_id}
        return [
            {**event, "time": 7} if n in stamped and isinstance(event, dict) else event
            for n, event in enumerate(events, offset)
        ]


class StampsTheLastEvent(WrappedStore):
    """Closing a write handle stamps the last event with the time of the close."""

    handle = _Stamping

    def begin(self) -> None:
        #: The stamped events: session and seq.
        self.stamped: set[tuple[str, int]] = set()
