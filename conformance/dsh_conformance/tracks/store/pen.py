"""Logs under the pen: what may follow in each session of a run, in the store's own format.

The generators write whole logs and keep their states; a run needs a batch at a time, and comes back
to a session after a repair or after damage.  So the pen keeps the state after every event of a
session, and goes on from where the log ends now.
"""

from collections.abc import Sequence
from functools import cache
from typing import cast

from attrs import define, evolve, field
from hypothesis import strategies as st

from dsh_conformance.generate.beats import Beat, Ranking, messages, surface, tools, turns
from dsh_conformance.generate.beats.beat import always
from dsh_conformance.generate.closing import close_turn, end_turn
from dsh_conformance.generate.following import follow
from dsh_conformance.generate.formats.messages import speaking
from dsh_conformance.generate.formats.poisons import poisons
from dsh_conformance.generate.formats.seeds import inherit
from dsh_conformance.generate.formats.state import PastState, past
from dsh_conformance.generate.formats.writer import PastWriter
from dsh_conformance.generate.payloads import payload
from dsh_conformance.generate.state import Raw, State, new_state
from dsh_conformance.generate.tape import Draw, Tape
from dsh_conformance.generate.writer import Writer
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

#: How many beats a batch has at most.
_BEATS = 4
#: How many bytes settle the particulars of one beat, and how its events are spelled.
_PARTICULARS, _WHIMS = 16, 6
_CHOICES = st.binary(min_size=_BEATS, max_size=_BEATS)
_DETAILS = st.binary(min_size=_BEATS * _PARTICULARS, max_size=_BEATS * _PARTICULARS)
_SPELLINGS = st.binary(min_size=_BEATS * _WHIMS, max_size=_BEATS * _WHIMS)

#: By how many ms the clock moves from event to event; wall clocks step backwards (F27).
_PACES = (0, 1, 1, 60_000, -7)
#: When sessions begin, in ms since the epoch.
_BEGINNING = 1_700_000_000_000
#: What leads into a turn that a crash may leave open.
_LEADING = ("start turn", "start step", "head", "assistant message", "tool call")


@define(kw_only=True)
class Pen:
    """Writes the sessions of one workspace."""

    #: The format.
    format: Format
    #: Whether sessions read back just as they were written, so that what is read tells them apart
    #: from what was only going to be written.
    exact: bool = False
    _ranking: Ranking = field(init=False)
    #: The states before and after each event, by session.
    _states: dict[str, list[State]] = field(factory=dict, init=False)
    #: The events between those states, by session.
    _events: dict[str, list[Json]] = field(factory=dict, init=False)

    @_ranking.default
    def _chosen(self) -> Ranking:
        return _ranking(self.format)

    def batch(
        self, draw: Draw, session_id: str, events: Sequence[Json], *, antique: bool = False
    ) -> list[Raw]:
        """Return one to a few events that follow *events* validly.

        *antique* has some of them told in the words of format v0's early days.
        """
        choices, details = draw(_CHOICES), draw(_DETAILS)
        spellings = draw(_SPELLINGS) if antique else b""
        writer = self._writer(session_id, events)
        for slot, byte in enumerate(choices):
            beat = self._ranking.next_beat(byte, writer.state)
            if beat is not None:
                _perform(beat, writer, slot, details, spellings)
        if not writer.events:
            _perform(self._ranking.simplest_beat(writer.state), writer, 0, b"", b"")
        return self._taken(session_id, events, writer)

    def open_turn(self, draw: Draw, session_id: str, events: Sequence[Json]) -> list[Raw]:
        """Return events that leave a turn open, mostly with calls that have no result."""
        details, writer = draw(_DETAILS), self._writer(session_id, events)
        beats = {beat.name: beat for beat in self._ranking.beats}
        for slot, name in enumerate(_LEADING):
            if name in beats and beats[name].possible(writer.state):
                _perform(beats[name], writer, slot, details, b"")
        if not writer.events:
            _remark(writer, Tape(details))
        return self._taken(session_id, events, writer)

    def ended_turn(self, session_id: str, events: Sequence[Json]) -> list[Raw]:
        """Return events with the end of a turn among them, after which none is open."""
        writer = self._writer(session_id, events)
        end_turn(writer)
        return self._taken(session_id, events, writer)

    def seed(self, draw: Draw, session_id: str) -> tuple[list[Raw], int]:
        """Return what a session inherits, with its marker behind it, and how much that is."""
        choices = draw(_CHOICES)
        tape = Tape(choices)
        parent = PastWriter(past(self._first(session_id)))
        for _ in range(tape.pick(3)):
            details, beats = draw(_DETAILS), draw(_CHOICES)
            for slot, byte in enumerate(beats):
                beat = self._ranking.next_beat(byte, parent.state)
                if beat is not None:
                    _perform(beat, parent, slot, details, b"")
        count = tape.pick(min(len(parent.events), 255) + 1)
        child = inherit(parent, count, tape)
        self._states[session_id] = [*child.states, child.state]
        self._events[session_id] = list(child.events)
        return child.events, count

    def poison(
        self, draw: Draw, session_id: str, events: Sequence[Json], *, strangers: bool
    ) -> tuple[list[Raw], RefusalKind]:
        """Return events that a store may take, the last of which every reader refuses, and how."""
        tape = Tape(draw(_CHOICES))
        before = self.batch(draw, session_id, events) if tape.pick(2) else []
        state = past(self._writer(session_id, (*events, *before)).state)
        event, kind = tape.one_of(poisons(state, strangers=strangers or tape.pick(2) == 0))
        return [*before, event], kind

    def _writer(self, session_id: str, events: Sequence[Json]) -> Writer:
        """Return a writer that goes on after *events*."""
        states = self._states.setdefault(session_id, [self._first(session_id)])
        del states[self._known(session_id, events) + 1 :]
        while len(states) <= len(events):
            states += _followed(states[-1], events[len(states) - 1 :])
        return _writer(states[-1])

    def _known(self, session_id: str, events: Sequence[Json]) -> int:
        """Return how many of the events are those between the states, and remember them all."""
        known = self._events.get(session_id, [])
        self._events[session_id] = list(events)
        if not self.exact:
            return len(events)
        pairs = enumerate(zip(known, events, strict=False))
        same = min(len(known), len(events))
        return next((at for at, (mine, theirs) in pairs if mine != theirs), same)

    def _taken(self, session_id: str, events: Sequence[Json], writer: Writer) -> list[Raw]:
        """Return what was written; note its states, for the case that it is appended."""
        self._states[session_id][len(events) :] = [
            *_states(writer, self._states[session_id][len(events)]),
            writer.state,
        ]
        self._events[session_id] = [*events, *writer.events]
        return writer.events

    def _first(self, session_id: str) -> State:
        if self.format == 4:
            return new_state(_BEGINNING)
        return PastState(time=_BEGINNING, format=self.format, session=session_id, author=session_id)


@cache
def _ranking(version: Format) -> Ranking:
    """Return the beats whose events every store of a format takes."""
    heads = [beat for beat in messages.BEATS if beat.name in ("head", "system message")]
    beats = (
        *turns.BEATS,
        *(heads if version == 3 else ()),
        *(messages.BEATS if version == 4 else speaking(version)),
        *tools.BEATS,
        *(beat for beat in surface.BEATS if beat.name in ("rewrite", "splice")),
        Beat("remark", 4, always, _remark),
    )
    return Ranking(beats, harmless="remark")


def _remark(writer: Writer, tape: Tape) -> None:
    """Somebody else's event, which readers keep and look away from."""
    writer.emit("plugin:acme/ping", payload(tape), ignorable=True)


def _perform(beat: Beat, writer: Writer, slot: int, details: bytes, spellings: bytes) -> None:
    tape = Tape(details[slot * _PARTICULARS : (slot + 1) * _PARTICULARS])
    if isinstance(writer, PastWriter):
        writer.whims = Tape(spellings[slot * _WHIMS : (slot + 1) * _WHIMS])
    writer.pace = tape.one_of(_PACES)
    beat.write(writer, tape)


def _writer(state: State) -> Writer:
    return PastWriter(state) if isinstance(state, PastState) else Writer(state)


def _states(writer: Writer, before: State) -> Sequence[State]:
    """Return the state before each event that was written; *before* is the first of them."""
    if isinstance(writer, PastWriter):
        return writer.states
    states = [before]
    for event in writer.events[:-1]:
        states.append(follow(states[-1], event))
    return states[: len(writer.events)]


def _followed(state: State, events: Sequence[Json]) -> Sequence[State]:
    """Return the states after the first of these events that somebody else wrote.

    They are the closers of what was open, as far as they look like them; else one event that
    changes nothing.
    """
    writer = _writer(state)
    close_turn(writer, "interrupted")
    closing = writer.events
    if closing and [_kind(event) for event in events[: len(closing)]] == list(map(_kind, closing)):
        return [*_states(writer, state), writer.state][1:]
    return [evolve(state, seq=state.seq + 1)]


def _kind(event: Json) -> Json:
    return cast("Raw", event).get("type")
