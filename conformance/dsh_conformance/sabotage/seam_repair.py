"""Sabotages of repair on the store seam: closers that are wrong, missing, early or too many."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

from dsh_conformance.implementation.backend import Refuse, SessionData
from dsh_conformance.sabotage.seam_wrap import WrappedSeamStore, objects
from dsh_spec.values import Json, JsonObject


class LoadsWithoutCommitting(WrappedSeamStore):
    """A load shows the closers and stores none of them."""

    def load(self, session_id: str) -> SessionData:
        return self.inner.inspect(session_id)


class LoadsTheLogUnclosed(WrappedSeamStore):
    """A load stores the closers and returns the events without them."""

    def load(self, session_id: str) -> SessionData:
        before = self.inner.read_from(session_id, 0)
        self.inner.load(session_id)
        return before


class _Closing(WrappedSeamStore):
    """Stores closers of its own making; the base knows every session, so it adds none."""

    def load(self, session_id: str) -> SessionData:
        closing = self.pending(session_id)
        if closing:
            self.inner.append(session_id, self.changed(closing))
        return self.inner.load(session_id)

    def changed(self, closing: Sequence[JsonObject]) -> Sequence[JsonObject]:
        """Return what is stored in the place of the right closers."""
        return [self.event(event) for event in closing]

    def event(self, event: JsonObject) -> JsonObject:
        """Return what is stored in the place of one of them."""
        return event


class EndsTheTurnFirst(_Closing):
    """The closers stand the other way round: the end of the turn comes first."""

    def changed(self, closing: Sequence[JsonObject]) -> Sequence[JsonObject]:
        seqs = [event["seq"] for event in closing]
        return [{**e, "seq": seq} for e, seq in zip(reversed(closing), seqs, strict=True)]


class EndsTheTurnAlone(_Closing):
    """The turn is ended, its step and its calls are left as they are."""

    def changed(self, closing: Sequence[JsonObject]) -> Sequence[JsonObject]:
        return [{**closing[-1], "seq": closing[0]["seq"]}]


class StampsClosersWithNow(_Closing):
    """Closers carry the time of the repair and not that of the last event."""

    def event(self, event: JsonObject) -> JsonObject:
        return {**event, "time": 1_800_000_000_000}


class SaysAborted(_Closing):
    """An interrupted turn ends as one that its user aborted."""

    def event(self, event: JsonObject) -> JsonObject:
        if event["type"] != "turn/end":
            return event
        data = cast("dict[str, Any]", event["data"])
        return {
            **event,
            "data": {**data, "reason": {"kind": "aborted", "reason": {"kind": "user"}}},
        }


class _Answering(_Closing):
    """Stores other results for the calls without one."""

    def event(self, event: JsonObject) -> JsonObject:
        if event["type"] != "tool/result":
            return event
        return self.result(cast("dict[str, Any]", event))

    def result(self, event: dict[str, Any]) -> JsonObject:
        """Return the result that is stored."""
        raise NotImplementedError


class NamesResultsByTheCall(_Answering):
    """The id of a synthetic result leaves out the seq, so that two of them may share it."""

    def result(self, event: dict[str, Any]) -> JsonObject:
        data = event["data"]
        name = str(data["message"]["id"]).rpartition("-")[0]
        return {**event, "data": {**data, "message": {**data["message"], "id": name}}}


class CallsEveryCallStarted(_Answering):
    """A call that never started is answered as one whose outcome is unknown."""

    def result(self, event: dict[str, Any]) -> JsonObject:
        error = {"name": "ToolOutcomeUnknownError", "code": "TOOL_OUTCOME_UNKNOWN"}
        return {**event, "data": {**event["data"], "error": error}}


class CitesNoCall(_Answering):
    """A synthetic result of a started call does not cite the call."""

    def result(self, event: dict[str, Any]) -> JsonObject:
        return {key: value for key, value in event.items() if key != "sourceEventSeqs"}


class ClosesInTheNewestShape(_Answering):
    """Closers have the shape of format v4: a message of role tool and no block around it."""

    def result(self, event: dict[str, Any]) -> JsonObject:
        message = event["data"]["message"]
        (block,) = message["content"]
        lifted = {key: block[key] for key in ("toolCallId", "isError", "content")}
        return {
            **event,
            "data": {**event["data"], "message": {**message, "role": "tool", **lifted}},
        }


class ClosesOnEveryLoad(WrappedSeamStore):
    """A load ends the last turn once more if it was interrupted."""

    def load(self, session_id: str) -> SessionData:
        before = self.stored(session_id)
        if before and _interrupted(before[-1]):
            again = {**before[-1], "seq": len(before)}
            self.inner.append(session_id, [again])
        return self.inner.load(session_id)


def _interrupted(event: JsonObject) -> bool:
    match event:
        case {"type": "turn/end", "data": {"reason": {"kind": "interrupted"}}}:
            return True
    return False


class InspectsTheStoredOnly(WrappedSeamStore):
    """An inspection shows an open turn as it is stored."""

    def inspect(self, session_id: str) -> SessionData:
        self.inner.inspect(session_id)
        return self.inner.read_from(session_id, 0)


class CommitsOnInspect(WrappedSeamStore):
    """An inspection stores the closers that it shows."""

    def inspect(self, session_id: str) -> SessionData:
        return self.inner.load(session_id)


class CommitsOnRead(WrappedSeamStore):
    """Reading stored events repairs the log behind it."""

    def read_from(self, session_id: str, from_seq: int) -> SessionData:
        found = self.inner.read_from(session_id, from_seq)
        with suppress(Refuse):
            self.inner.load(session_id)
        return found


class ReadsClosers(WrappedSeamStore):
    """Reading stored events shows the closers of an open turn behind them."""

    def read_from(self, session_id: str, from_seq: int) -> SessionData:
        found = self.inner.read_from(session_id, from_seq)
        try:
            whole = self.inner.inspect(session_id).events
        except Refuse:
            return found
        return SessionData(header=found.header, events=list(whole[from_seq:]))


class ClosesUnderAWriter(WrappedSeamStore):
    """Every third append closes the turn that it leaves open."""

    def begin(self) -> None:
        self._appends = 0

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        super().append(session_id, events)
        self._appends += bool(events)
        if events and self._appends % 3 == 0:
            with suppress(Refuse):
                self.inner.load(session_id)


class ContinuesTheOpenTurn(WrappedSeamStore):
    """The first append to a stored session follows its events, and its open turn stays open."""

    def begin(self) -> None:
        self._known: set[str] = set()

    def create(self, header: JsonObject) -> None:
        super().create(header)
        self._known.add(str(header["id"]))

    def load(self, session_id: str) -> SessionData:
        found = super().load(session_id)
        self._known.add(session_id)
        return found

    def append(self, session_id: str, events: Sequence[Json]) -> None:
        if session_id in self._known or not events:
            super().append(session_id, events)
            return
        seqs = [event.get("seq") for event in objects(events)]
        closing = self.pending(session_id)
        self._known.add(session_id)
        if not closing or seqs[:1] != [len(self.stored(session_id))]:
            super().append(session_id, events)
            return
        end = len(self.inner.inspect(session_id).events)
        super().append(session_id, [{**e, "seq": n} for n, e in enumerate(objects(events), end)])
