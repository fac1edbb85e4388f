"""The small things that a session does, one module a theme, and which of them comes next.

One byte ranks the beats, and the first that is possible in the state is taken.  So the byte keeps
its meaning while shrinking takes earlier events away, which it would not if it counted off the
beats that are possible.

Byte 0 is a rest.  The next bytes name each beat once, for shrinking to end at: where that beat is
impossible, something harmless happens in its place, and can be taken away in its turn.  Then come
some more rests, and bytes that rank all beats at random by their weights.
"""

from itertools import accumulate
from random import Random

from dsh_conformance.generate.beats import messages, records, requests, surface, tools, turns
from dsh_conformance.generate.beats.beat import Beat
from dsh_conformance.generate.state import State

#: All of them; the earlier ones are the simpler ones.
BEATS: tuple[Beat, ...] = (
    *turns.BEATS,
    *messages.BEATS,
    *tools.BEATS,
    *surface.BEATS,
    *requests.BEATS,
    *records.BEATS,
)


#: What can happen anywhere and changes nothing for others.
_HARMLESS = next(beat for beat in BEATS if beat.name == "stranger")
#: How many bytes are rests.
_RESTS = 64


def next_beat(byte: int, state: State) -> Beat | None:
    """Return the beat that a byte settles in a state, or nothing for a rest."""
    return next((beat for beat in _RANKS[byte] if beat.possible(state)), None)


def simplest_beat(state: State) -> Beat:
    """Return the simplest beat that is possible in a state."""
    return next(beat for beat in BEATS if beat.possible(state))


def _ranked(byte: int) -> tuple[Beat, ...]:
    named = byte - 1
    if 0 <= named < len(BEATS):
        return (BEATS[named], _HARMLESS)
    if named < len(BEATS) + _RESTS:
        return ()
    return _by_weight(byte)


def _by_weight(byte: int) -> tuple[Beat, ...]:
    """Rank all beats: first the one whose share of the bytes this is, the others at random."""
    share = 255 - (len(BEATS) + _RESTS)
    place = (255 - byte) * sum(beat.weight for beat in BEATS) // share
    first = next(at for at, upto in enumerate(_UPTO) if place < upto)
    drawn = Random(byte)  # noqa: S311 - a fixed shuffle, no secret
    keys = {beat: drawn.random() ** (1 / beat.weight) for beat in BEATS}
    return (BEATS[first], *sorted(BEATS, key=lambda beat: -keys[beat]))


_UPTO = tuple(accumulate(beat.weight for beat in BEATS))
_RANKS = tuple(map(_ranked, range(256)))

__all__ = ["BEATS", "Beat", "next_beat", "simplest_beat"]
