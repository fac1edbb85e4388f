"""Whole valid sessions of format v4, written batch by batch.

The store machine asks for one batch at a time (:func:`draw_batch`) and carries the
:class:`~dsh_conformance.generate.state.State` between its steps, so a session can stop anywhere
and every open tail is natural.  Every prefix of an unseeded log is valid as well.

What is drawn is raw events, as new objects but for the parts of earlier events that they rightly
repeat; do not change them.  Everything shrinks towards one `turn/start`.
"""

from typing import TypeAlias

from hypothesis import strategies as st

from dsh_conformance.generate.beats import next_beat, simplest_beat
from dsh_conformance.generate.breaches import POISONS, STRANGERS, Breach
from dsh_conformance.generate.forks import fork
from dsh_conformance.generate.headers import draw_header
from dsh_conformance.generate.state import Raw, State, new_state
from dsh_conformance.generate.tape import Draw, Tape
from dsh_conformance.generate.writer import Writer
from dsh_spec.refusals import RefusalKind

__all__ = [
    "draw_batch",
    "draw_header",
    "draw_seed",
    "new_state",
    "poison",
    "seeds",
    "sessions",
    "write_batch",
]

#: What settles a batch: a byte for each beat, and the particulars of all beats.
Batch: TypeAlias = tuple[bytes, bytes]

#: How many beats a batch has at most.
_BEATS = 4
#: How many bytes settle the particulars of one beat.
_PARTICULARS = 10
#: How many batches a forked parent has at most.
_PARENT = 3
#: By how many ms the clock moves from event to event; wall clocks step backwards (F27).
_PACES = (0, 1, 1, 60_000, -7)
#: The times at which sessions begin, in ms since the epoch; the last leaves room for the clock.
_TIMES = st.sampled_from((0, 1_700_000_000_000, -5, 2**53 - 10**9))

#: Two draws, because beats shrink best without the particulars between them.
_BATCH = st.tuples(
    st.binary(min_size=_BEATS, max_size=_BEATS),
    st.binary(min_size=_BEATS * _PARTICULARS, max_size=_BEATS * _PARTICULARS),
)
_CHOICE = st.binary(min_size=4, max_size=4)
_PARENTS = st.lists(_BATCH, max_size=_PARENT)


def draw_batch(draw: Draw, state: State) -> tuple[State, list[Raw]]:
    """Draw the next one to four beats of a log: its new state, and their events."""
    return write_batch(draw(_BATCH), state)


def write_batch(batch: Batch, state: State) -> tuple[State, list[Raw]]:
    """Write the batch that these bytes settle; zeros make it one simplest event."""
    writer = Writer(state)
    beats, particulars = batch
    for slot, byte in enumerate(beats):
        beat = next_beat(byte, writer.state)
        if beat is not None:
            tape = Tape(particulars[slot * _PARTICULARS : (slot + 1) * _PARTICULARS])
            writer.pace = tape.one_of(_PACES)
            beat.write(writer, tape)
    if not writer.events:
        simplest_beat(state).write(writer, Tape(b""))
    return writer.state, writer.events


def draw_seed(draw: Draw, time: int = 0) -> tuple[State, list[Raw], int]:
    """Draw a forked prefix: the state after the seed, the seed, and its `inheritedEventCount`.

    The seed holds the events copied from a parent that began at *time* (ms since the epoch), the
    inherited marker, and the closers of what the cut left open.  Some parents are forks themselves.
    It shrinks to a fork of nothing, whose seed is the marker alone.
    """
    tape = Tape(draw(_CHOICE))
    state, events, count = new_state(time), list[Raw](), 0
    for _ in range(1 + tape.rarely(3)):
        for batch in draw(_PARENTS):
            state, more = write_batch(batch, state)
            events += more
        count = tape.pick(len(events) + 1)
        state, events = fork(events, count, time=time)
    return state, events, count


def poison(draw: Draw, state: State, *, strangers: bool = False) -> tuple[list[Raw], RefusalKind]:
    """Draw a dense batch that a store takes and every later read refuses, and how it refuses.

    The batch ends with a required event of an unknown type, or with one event that breaks one
    relation between events; valid beats come before it in some batches.  A seeded log must have
    its inherited marker already.
    """
    tape, events = Tape(draw(_CHOICE)), list[Raw]()
    if tape.pick(2):
        state, events = draw_batch(draw, state)
    found = _written(POISONS if tape.pick(2) and not strangers else STRANGERS, state) or _written(
        STRANGERS, state
    )
    event, kind = tape.one_of(found)
    return [*events, event], kind


def _written(breaches: tuple[Breach, ...], state: State) -> list[tuple[Raw, RefusalKind]]:
    """Return the events of those breaches that are possible in a state."""
    events = ((breach.write(state), breach.kind) for breach in breaches)
    return [(event, kind) for event, kind in events if event is not None]


@st.composite
def sessions(draw: st.DrawFn, *, max_batches: int = 8) -> list[list[Raw]]:
    """Whole valid sessions as lists of batches; shrink to one `turn/start`."""
    state = new_state(draw(_TIMES))
    batches: list[list[Raw]] = []
    for batch in draw(st.lists(_BATCH, min_size=1, max_size=max_batches)):
        state, events = write_batch(batch, state)
        batches.append(events)
    return batches


@st.composite
def seeds(draw: st.DrawFn) -> tuple[list[Raw], int]:
    """Forked prefixes with their `inheritedEventCount`; see :func:`draw_seed`."""
    _, events, count = draw_seed(draw, draw(_TIMES))
    return events, count
