"""Sabotages of reading: the log is right, and a read shows something else."""

from collections.abc import Mapping, Sequence
from copy import deepcopy

from dsh_conformance.implementation.backend import Refuse, StoreHandle
from dsh_conformance.sabotage.wrap import WrappedHandle, WrappedStore
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


def type_of(event: Json) -> Json:
    """Return the type of an event."""
    return event.get("type") if isinstance(event, Mapping) else None


def numbered(events: Sequence[Json], first: int) -> list[Json]:
    """Return copies of the events with the seqs from *first* on."""
    return [{**e, "seq": n} for n, e in enumerate(events, first) if isinstance(e, Mapping)]


class ReadsOneTooMany(WrappedHandle):
    """A read with a length returns one event more than that."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        return super().read(
            offset, length + 1 if isinstance(length, int) and length > 0 else length
        )


class IgnoresTheLength(WrappedHandle):
    """A read returns everything from its offset on, whatever its length."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        events = super().read(offset, length)
        return events if length is None else super().read(offset)


class CountsOffsetsFromOne(WrappedHandle):
    """An offset is taken for a position that is counted from one."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        return super().read(offset - 1 if offset >= 1 else offset, length)


class RefusesToReadPastTheEnd(WrappedHandle):
    """A read whose offset is past the end is refused instead of giving nothing."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        events = super().read(offset, length)
        if offset > len(super().read()):
            raise Refuse(RefusalKind.INVALID_ARGUMENT, "past the end")
        return events


class SlicesFromTheEnd(WrappedHandle):
    """A negative offset counts from the end, as it does in a Python slice."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        if offset == -1:
            return super().read()[offset:]
        return super().read(offset, length)


class TruncatesFractions(WrappedHandle):
    """The fraction of an offset or a length is cut off."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        return super().read(int(offset), None if length is None else int(length))


class NumbersFromTheOffset(WrappedHandle):
    """The events of a slice are numbered from 0 whatever its offset."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        return numbered(super().read(offset, length), 0)


class NumbersFromOne(WrappedHandle):
    """Events are numbered by their row, counted from one."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        return numbered(super().read(offset, length), offset + 1)


class ReadsNewestFirst(WrappedHandle):
    """Events come newest first."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        return super().read(offset, length)[::-1]


class GoesBack(WrappedHandle):
    """A second look at the whole of a log that has not grown misses the last event."""

    seen = 0

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        events = super().read(offset, length)
        if offset or length is not None:
            return events
        grown, self.seen = len(events) > self.seen, len(events)
        return events if grown else events[:-1]


class ReadsOnce(WrappedHandle):
    """A read handle reads its log once and shows it ever after."""

    cache: Sequence[Json] | None = None

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        events = super().read(offset, length)
        if self.writes:
            return events
        if self.cache is None:
            self.cache = super().read()
        return deepcopy(self.cache[offset : None if length is None else offset + length])


class HandsOutItsOwnObjects(WrappedHandle):
    """Every read through a handle returns the same objects, with what the caller did to them."""

    cache: Sequence[Json] = ()

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        events = super().read(offset, length)
        whole = super().read()
        self.cache = [*self.cache, *whole[len(self.cache) :]]
        return list(self.cache[offset : offset + len(events)])


class _Keeping(WrappedHandle):
    """Keeps the events that it was given instead of copies."""

    store: "KeepsTheCallersEvents"

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        kept = self.store.kept
        events = super().read(offset, length)
        return [
            deepcopy(kept.get((self.session_id, seq), event))
            for seq, event in enumerate(events, offset)
        ]

    def append(self, events: Sequence[Json]) -> None:
        first = len(super().read()) if self.writes else 0
        super().append(events)
        for seq, event in enumerate(events, first):
            self.store.kept[self.session_id, seq] = event


class KeepsTheCallersEvents(WrappedStore):
    """The log holds the caller's own objects, which the caller may change afterwards."""

    handle = _Keeping

    def begin(self) -> None:
        #: The events by session and seq.
        self.kept: dict[tuple[str, int], Json] = {}


class KeepsTheCallersHeader(WrappedStore):
    """The snapshot of a session holds the caller's own header, which the caller may change."""

    def begin(self) -> None:
        #: The headers by session.
        self.kept: dict[Json, JsonObject] = {}

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> StoreHandle:
        handle = super().create(header, inherited_event_count)
        self.kept[header["id"]] = header
        return handle

    def stat(self, session_id: str) -> JsonObject | None:
        found = super().stat(session_id)
        return found and {**found, "header": self.kept.get(session_id, found["header"])}


class ThinsTheLog(WrappedHandle):
    """Events that are marked ignorable are left out, and the rest is numbered anew."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        right = super().read(offset, length)
        needed = [e for e in super().read() if isinstance(e, dict) and "ignorable" not in e]
        return numbered(needed, 0)[offset : offset + len(right)]


class LosesTheIgnorableMark(WrappedHandle):
    """The mark `ignorable` is not among the columns and comes back from nowhere."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        events = [e for e in super().read(offset, length) if isinstance(e, dict)]
        return [{k: v for k, v in event.items() if k != "ignorable"} for event in events]


class EmptiesFinishedStreams(WrappedHandle):
    """Once a turn has ended the streams of its answers are emptied to save space."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        events = super().read(offset, length)
        ends = [n for n, e in enumerate(super().read(), -offset) if type_of(e) == "turn/end"]
        return [
            _streamless(event) if ends and n < ends[-1] else event for n, event in enumerate(events)
        ]


def _streamless(event: Json) -> Json:
    if isinstance(event, dict) and isinstance(event["data"], dict) and "stream" in event["data"]:
        return {**event, "data": {**event["data"], "stream": []}}
    return event
