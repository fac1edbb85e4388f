"""Variations that are not wrong: a check that complains of one asks for too much."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from time import sleep

from dsh_conformance.backends.jsonl import JsonlStorage
from dsh_conformance.backends.jsonl_writer import Packing
from dsh_conformance.backends.store import Store
from dsh_conformance.implementation.backend import Access, Refuse, StoreBackend, StoreHandle
from dsh_conformance.sabotage.wrap import WrappedHandle, WrappedStore
from dsh_reference.admit import admit
from dsh_reference.refusal import Refusal
from dsh_reference.values import not_json
from dsh_spec.values import Json, JsonObject


def turned(value: Json) -> Json:
    """Return a value with the keys of every object in it the other way round."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [turned(item) for item in value] if isinstance(value, list) else value


class TurnsKeysRound(WrappedHandle):
    """Objects come back with their keys in another order."""

    @property
    def header(self) -> JsonObject:
        header = self.inner.header
        return {key: header[key] for key in reversed(list(header))}

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        return [turned(event) for event in super().read(offset, length)]


class _Spaced(Packing):
    """Puts white space into every line."""

    def pack(self, text: bytes) -> bytes:
        lines = text.splitlines(keepends=True)
        return b"".join(b"{ " + line[1:-1] + b" \t\r\n" for line in lines)


def spaces_its_rows(_inner: StoreBackend, workspace: Path) -> StoreBackend:
    """The rows of the file hold white space."""
    return Store("dsh-conformance jsonl", JsonlStorage(workspace, _Spaced("none")))


class ShowsMore(WrappedStore):
    """Snapshots have fields of the store's own."""

    def stat(self, session_id: str) -> JsonObject | None:
        found = super().stat(session_id)
        return found and {**found, "title": "untitled", "acme": {"shard": None}}

    def list(self) -> Sequence[JsonObject]:
        return [{**one, "title": None} for one in super().list()]


class TakesItsTime(WrappedStore):
    """Every open and every stat is slow."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        sleep(0.0002)
        return super().open(session_id, access)

    def stat(self, session_id: str) -> JsonObject | None:
        sleep(0.0002)
        return super().stat(session_id)


class ListsBackwards(WrappedStore):
    """The list is in another order."""

    def list(self) -> Sequence[JsonObject]:
        return super().list()[::-1]


class HashesRevisions(WrappedStore):
    """Revisions are digests."""

    def stat(self, session_id: str) -> JsonObject | None:
        found = super().stat(session_id)
        return found and _hashed(found)

    def list(self) -> Sequence[JsonObject]:
        return [_hashed(snapshot) for snapshot in super().list()]


def _hashed(snapshot: JsonObject) -> JsonObject:
    return {**snapshot, "revision": sha256(str(snapshot["revision"]).encode()).hexdigest()}


class RefusesPoison(WrappedHandle):
    """A batch that would make reads refuse is refused already when it is appended."""

    def append(self, events: Sequence[Json]) -> None:
        if self.writes and events and not_json(events) is None:
            self._judge([*self.read(), *events])
        super().append(events)

    def _judge(self, events: Sequence[Json]) -> None:
        seqs = [event["seq"] for event in events if isinstance(event, Mapping)]
        verdict = admit(self.header, self.inherited_event_count, events)
        if seqs == list(range(len(events))) and isinstance(verdict, Refusal):
            raise Refuse(verdict.kind, verdict.problem, verdict.rule)
