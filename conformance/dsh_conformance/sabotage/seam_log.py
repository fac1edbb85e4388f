"""Sabotages of the log on the store seam: what is taken, and what is read back."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from dsh_conformance.implementation.backend import Refuse, SessionData
from dsh_conformance.sabotage.seam_wrap import WrappedSeamStore, objects
from dsh_reference.store.seam import is_retired
from dsh_reference.values import dump, not_json, parse
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


class _Reading(WrappedSeamStore):
    """Shows events changed, whichever way they are read."""

    def load(self, session_id: str) -> SessionData:
        return self.shown(session_id, self.inner.load(session_id))

    def inspect(self, session_id: str) -> SessionData:
        return self.shown(session_id, self.inner.inspect(session_id))

    def read_from(self, session_id: str, from_seq: int) -> SessionData:
        return self.shown(session_id, self.inner.read_from(session_id, from_seq))

    def shown(self, session_id: str, found: SessionData) -> SessionData:  # noqa: ARG002 - for those that look at it
        """Return what is shown of what was found."""
        return SessionData(header=found.header, events=self.events(objects(found.events)))

    def events(self, events: Sequence[JsonObject]) -> Sequence[Json]:
        """Return the events that are shown."""
        return events


class SeamStripsNul(_Reading):
    """Every U+0000 in a payload is gone."""

    def events(self, events: Sequence[JsonObject]) -> Sequence[Json]:
        return [{**event, "data": _stripped(event.get("data"))} for event in events]


def _stripped(value: Json) -> Json:
    match value:
        case Mapping():
            return {key.replace("\x00", ""): _stripped(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_stripped(inner) for inner in value]
        case str():
            return value.replace("\x00", "")
        case _:
            return value


class SeamNumbersFromOne(_Reading):
    """Events are numbered from 1."""

    def events(self, events: Sequence[JsonObject]) -> Sequence[Json]:
        return [{**event, "seq": cast("int", event["seq"]) + 1} for event in events]


class SeamThinsTheLog(_Reading):
    """Events that are marked ignorable are left out, and the others close up."""

    def events(self, events: Sequence[JsonObject]) -> Sequence[Json]:
        kept = [event for event in events if event.get("ignorable") is not True]
        first = cast("int", events[0]["seq"]) if events else 0
        return [{**event, "seq": seq} for seq, event in enumerate(kept, first)]


class ReadsOldShapesAsTheyAre(_Reading):
    """Events of the format's early days are shown as they were written."""

    def begin(self) -> None:
        self._raw: dict[tuple[str, Json], str] = {}

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        super().append(session_id, events)
        self._raw |= {(session_id, event["seq"]): dump(event) for event in objects(events)}

    def shown(self, session_id: str, found: SessionData) -> SessionData:
        texts = [self._raw.get((session_id, e["seq"]), dump(e)) for e in objects(found.events)]
        return SessionData(header=found.header, events=cast("Sequence[Json]", [*map(parse, texts)]))


class MintsIdsWithoutTheSession(_Reading):
    """A message from before there were ids gets one that two sessions may share."""

    def events(self, events: Sequence[JsonObject]) -> Sequence[Json]:
        return [cast("Json", _renamed(event)) for event in events]


def _renamed(value: Any) -> Any:
    if isinstance(value, str) and value.startswith("legacy-message:"):
        return f"legacy-message:{value.rpartition(':')[2]}"
    if isinstance(value, dict):
        return {key: _renamed(inner) for key, inner in value.items()}
    return [_renamed(inner) for inner in value] if isinstance(value, list) else value


class SeamReadsOnce(WrappedSeamStore):
    """Stored events are read once and kept until the session is loaded again."""

    def begin(self) -> None:
        self._read: dict[str, Sequence[str]] = {}

    def load(self, session_id: str) -> SessionData:
        self._read.pop(session_id, None)
        return super().load(session_id)

    def read_from(self, session_id: str, from_seq: int) -> SessionData:
        if session_id not in self._read:
            self._read[session_id] = [dump(e) for e in super().read_from(session_id, 0).events]
        found = super().read_from(session_id, from_seq)
        kept = [parse(text) for text in self._read[session_id][from_seq:]]
        return SessionData(header=found.header, events=cast("Sequence[Json]", kept))


class ReadsPastTheSeq(WrappedSeamStore):
    """Reading from a seq begins behind that seq, unless it is the first."""

    def read_from(self, session_id: str, from_seq: int) -> SessionData:
        found = super().read_from(session_id, from_seq)
        return found if not from_seq else super().read_from(session_id, from_seq + 1)


class SeamSlicesFromTheEnd(WrappedSeamStore):
    """A negative or fractional seq is made a count and read from."""

    def read_from(self, session_id: str, from_seq: int) -> SessionData:
        return super().read_from(session_id, min(abs(int(from_seq)), 2**53 - 1))


class SeamHandsOutItsOwnObjects(WrappedSeamStore):
    """Reading hands out the objects that are read from again the next time."""

    def begin(self) -> None:
        self._cache: dict[str, tuple[int, Sequence[Json]]] = {}

    def inspect(self, session_id: str) -> SessionData:
        found = super().inspect(session_id)
        size, kept = self._cache.get(session_id, (-1, found.events))
        if size != len(found.events):
            size, kept = self._cache[session_id] = (len(found.events), found.events)
        return SessionData(header=found.header, events=kept)


class SeamKeepsTheCallersEvents(WrappedSeamStore):
    """The caller's own events are shown for as long as the instance lives."""

    def begin(self) -> None:
        self._mine: dict[tuple[str, Json], Json] = {}

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        super().append(session_id, events)
        self._mine |= {(session_id, event["seq"]): event for event in objects(events)}

    def inspect(self, session_id: str) -> SessionData:
        found = super().inspect(session_id)
        events = [self._mine.get((session_id, e["seq"]), e) for e in objects(found.events)]
        return SessionData(header=found.header, events=events)


class SeamRenumbersBatches(WrappedSeamStore):
    """A batch is stored where the log ends, whatever seqs it has."""

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        try:
            super().append(session_id, events)
        except Refuse as refusal:
            if refusal.kind is not RefusalKind.SEQ_MISMATCH:
                raise
            end = self._end(session_id)
            super().append(
                session_id, [{**e, "seq": n} for n, e in enumerate(objects(events), end)]
            )

    def _end(self, session_id: str) -> int:
        try:
            return len(self.inner.read_from(session_id, 0).events)
        except Refuse:
            return 0


class SeamKeepsTheGoodPart(WrappedSeamStore):
    """Of a batch that is refused for its seqs the part before the fault is stored."""

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        try:
            super().append(session_id, events)
        except Refuse as refusal:
            if refusal.kind is RefusalKind.SEQ_MISMATCH:
                self._salvage(session_id, events)
            raise

    def _salvage(self, session_id: str, events: Sequence[Json]) -> None:
        for count in range(len(events) - 1, 0, -1):
            try:
                super().append(session_id, events[:count])
            except Refuse:
                continue
            return


class RefusesNothingForTheAbsent(WrappedSeamStore):
    """An empty batch for a session that is not there is refused."""

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        super().append(session_id, events)
        if not events:
            self.inner.inspect(session_id)


class CreatesOnAppend(WrappedSeamStore):
    """Appending to a session that is not there creates it."""

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        try:
            super().append(session_id, events)
        except Refuse as refusal:
            if refusal.kind is not RefusalKind.NOT_FOUND:
                raise
            version = self.capabilities.store.format if self.capabilities.store else 0
            super().create({"version": version, "id": session_id, "createdAt": 0})
            super().append(session_id, events)


class TakesRetiredEvents(WrappedSeamStore):
    """Retired events are taken, and thrown away."""

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        if not_json(events) is None and any(map(is_retired, objects(events))):
            return
        super().append(session_id, events)


class SeamMarksUnknownTypesIgnorable(WrappedSeamStore):
    """An event of a type that the store does not know is stored as ignorable."""

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        if not_json(events) is not None:
            super().append(session_id, events)
            return
        super().append(session_id, [_marked(event) for event in events])


def _marked(event: Json) -> Json:
    strange = isinstance(event, Mapping) and str(event.get("type")).startswith("acme/")
    return {**cast("JsonObject", event), "ignorable": True} if strange else event


class SeamWritesNullForNoJson(WrappedSeamStore):
    """Values outside JSON are stored as null."""

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        if not_json(events) is not None:
            events = [{**e, "data": None} for e in objects(events)]
            events = [
                {k: v for k, v in e.items() if k not in ("surfaceOp", "sourceEventSeqs")}
                for e in objects(events)
            ]
        super().append(session_id, events)


class ServesTheUnbuildable(WrappedSeamStore):
    """A log that no session can be built from is shown as it is stored."""

    def inspect(self, session_id: str) -> SessionData:
        try:
            return super().inspect(session_id)
        except Refuse as refusal:
            if refusal.kind is RefusalKind.CORRUPT and refusal.rule == "STORE-REFUSES-BROKEN-LOG":
                return self.inner.read_from(session_id, 0)
            raise
