"""Sabotages of appending: batches that are not what was asked for, or not all of it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import takewhile

from dsh_conformance.implementation.backend import Access, Refuse, StoreHandle
from dsh_conformance.sabotage.reading import numbered
from dsh_conformance.sabotage.wrap import WrappedHandle, WrappedStore
from dsh_reference.repair import closers
from dsh_reference.values import equal
from dsh_spec.events import EVENT_TYPES, structure_event, unstructure_event
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


def seq_of(event: Json) -> float:
    """Return the seq of an event; -1 when it has none."""
    seq = event.get("seq") if isinstance(event, Mapping) else None
    return seq if isinstance(seq, int | float) else -1


class RenumbersBatches(WrappedHandle):
    """A batch is numbered by the store, whatever seqs it carries."""

    def append(self, events: Sequence[Json]) -> None:
        super().append(numbered(events, len(self.read())) if self.writes else events)


class ToleratesGaps(WrappedHandle):
    """A batch that comes too late, or has a gap, is moved up to close the gap."""

    def append(self, events: Sequence[Json]) -> None:
        seqs = [seq_of(event) for event in events]
        is_late = bool(seqs) and seqs == sorted(set(seqs)) and seqs[0] >= len(self.read())
        super().append(numbered(events, len(self.read())) if is_late and self.writes else events)


class AcknowledgesARepeat(WrappedHandle):
    """A batch that the log ends with already is acknowledged once more and not stored again."""

    def append(self, events: Sequence[Json]) -> None:
        known = self.read()
        if self.writes and events and equal(list(known[-len(events) :]), list(events)):
            return
        super().append(events)


class StoresTheNewHalf(WrappedHandle):
    """Of a batch that begins too early, the events that are new are stored."""

    def append(self, events: Sequence[Json]) -> None:
        known = len(self.read())
        is_early = self.writes and bool(events) and 0 <= seq_of(events[0]) < known
        super().append([e for e in events if seq_of(e) >= known] if is_early else events)


class StoresARepeatTwice(WrappedHandle):
    """A batch that the log ends with already is stored behind itself, under new seqs."""

    def append(self, events: Sequence[Json]) -> None:
        known = self.read()
        again = self.writes and events and equal(list(known[-len(events) :]), list(events))
        super().append(numbered(events, len(known)) if again else events)


class MisnamesASeqMismatch(WrappedHandle):
    """A batch with wrong seqs is refused as an event that breaks a rule."""

    def append(self, events: Sequence[Json]) -> None:
        try:
            super().append(events)
        except Refuse as refusal:
            if refusal.kind is RefusalKind.SEQ_MISMATCH:
                raise Refuse(RefusalKind.INVALID_EVENT, "a wrong seq") from None
            raise


class KeepsTheGoodPart(WrappedHandle):
    """A batch that goes wrong half-way is refused, and its first half stays stored."""

    def append(self, events: Sequence[Json]) -> None:
        try:
            super().append(events)
        except Refuse as refusal:
            if refusal.kind is RefusalKind.SEQ_MISMATCH:
                dense = enumerate(events, len(self.read()))
                super().append([e for _, e in takewhile(lambda p: seq_of(p[1]) == p[0], dense)])
            raise


class WedgesAfterARefusal(WrappedHandle):
    """A refused batch stays in the way: every later append through the handle is refused."""

    is_wedged = False

    def append(self, events: Sequence[Json]) -> None:
        if self.is_wedged and events and self.writes and not self.is_closed:
            raise Refuse(RefusalKind.OTHER, "an earlier batch is still waiting")
        try:
            super().append(events)
        except Refuse:
            self.is_wedged = True
            raise


class StoresForNothing(WrappedHandle):
    """An empty batch materialises the session."""

    def append(self, events: Sequence[Json]) -> None:
        super().append(events)
        if not events:
            super().flush()


class RefusesAnEmptyBatch(WrappedHandle):
    """An empty batch is refused as no batch."""

    def append(self, events: Sequence[Json]) -> None:
        super().append(events)
        if not events:
            raise Refuse(RefusalKind.INVALID_ARGUMENT, "the batch is empty")


class _CountingNothing(WrappedHandle):
    store: "CountsEmptyBatches"

    def append(self, events: Sequence[Json]) -> None:
        super().append(events)
        if not events:
            self.store.empty += 1


class CountsEmptyBatches(WrappedStore):
    """An empty batch changes the revision."""

    handle = _CountingNothing
    #: How many there were.
    empty = 0

    def stat(self, session_id: str) -> JsonObject | None:
        found = super().stat(session_id)
        return found and {**found, "revision": f"{found['revision']}.{self.empty}"}

    def list(self) -> Sequence[JsonObject]:
        return [{**one, "revision": f"{one['revision']}.{self.empty}"} for one in super().list()]


class MarksUnknownTypesIgnorable(WrappedHandle):
    """An event of an unknown type is stored as one that readers may skip."""

    def append(self, events: Sequence[Json]) -> None:
        super().append([_marked(event) for event in events])


def _marked(event: Json) -> Json:
    if isinstance(event, dict) and event.get("type") not in EVENT_TYPES:
        return {**event, "ignorable": True}
    return event


class CallsUnknownTypesCorrupt(WrappedStore):
    """A log with an unknown required type is refused as corrupt."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        try:
            return super().open(session_id, access)
        except Refuse as refusal:
            if refusal.rule == "INV-VOCAB":
                raise Refuse(RefusalKind.CORRUPT, "an unknown type") from None
            raise


class ClosesTurnsOnOpen(WrappedStore):
    """Opening a log with an open turn for writing appends the events that close it."""

    def open(self, session_id: str, access: Access) -> StoreHandle:
        handle = super().open(session_id, access)
        if access == "write":
            handle.append(closing(handle.read()))
        return handle


class ClosesTurnsOnRead(WrappedHandle):
    """A read of a log with an open turn shows the events that would close it."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        right = super().read(offset, length)
        whole = super().read()
        at_end = offset + len(right) == len(whole) and length is None
        return [*right, *closing(whole)] if at_end else right


class ClosesTurnsOnClose(WrappedHandle):
    """Closing the write handle of a log with an open turn appends the events that close it."""

    def close(self) -> None:
        if self.writes and not self.is_closed:
            with suppress(Refuse):
                super().append(closing(self.read()))
        super().close()


def closing(events: Sequence[Json]) -> list[Json]:
    """Return the events that close the open turn of a log, if it has one."""
    read = [structure_event(event) for event in events if isinstance(event, dict)]
    return [dict(unstructure_event(event)) for event in closers(read)]
