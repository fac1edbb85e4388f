"""Which beat comes next: one byte settles it.

One byte ranks the beats, and the first that is possible in the state is taken.  So the byte keeps
its meaning while shrinking takes earlier events away, which it would not if it counted off the
beats that are possible.

Byte 0 is a rest.  The next bytes name each beat once, for shrinking to end at: where that beat is
impossible, something harmless happens in its place, and can be taken away in its turn.  Then come
some more rests, and bytes that rank all beats at random by their weights.
"""

from collections.abc import Sequence
from itertools import accumulate
from random import Random

from dsh_conformance.generate.beats.beat import Beat
from dsh_conformance.generate.state import State


class Ranking:
    """Beats ranked by every byte."""

    def __init__(self, beats: Sequence[Beat], harmless: str, rests: int = 64) -> None:
        """Rank *beats*, of which the earlier ones are the simpler ones.

        *harmless* names one that can happen anywhere and changes nothing for others; *rests* bytes
        are rests.
        """
        #: All of them.
        self.beats = tuple(beats)
        self._harmless = next(beat for beat in beats if beat.name == harmless)
        self._rests = rests
        self._upto = tuple(accumulate(beat.weight for beat in beats))
        self._ranks = tuple(map(self._ranked, range(256)))

    def next_beat(self, byte: int, state: State) -> Beat | None:
        """Return the beat that a byte settles in a state, or nothing for a rest."""
        return next((beat for beat in self._ranks[byte] if beat.possible(state)), None)

    def simplest_beat(self, state: State) -> Beat:
        """Return the simplest beat that is possible in a state."""
        return next(beat for beat in self.beats if beat.possible(state))

    def _ranked(self, byte: int) -> tuple[Beat, ...]:
        named = byte - 1
        if 0 <= named < len(self.beats):
            return (self.beats[named], self._harmless)
        if named < len(self.beats) + self._rests:
            return ()
        return self._by_weight(byte)

    def _by_weight(self, byte: int) -> tuple[Beat, ...]:
        """Rank all beats: first the one whose share of the bytes this is, the others at random."""
        share = 255 - (len(self.beats) + self._rests)
        place = (255 - byte) * self._upto[-1] // share
        first = next(at for at, upto in enumerate(self._upto) if place < upto)
        drawn = Random(byte)  # noqa: S311 - a fixed shuffle, no secret
        keys = {beat: drawn.random() ** (1 / beat.weight) for beat in self.beats}
        return (self.beats[first], *sorted(self.beats, key=lambda beat: -keys[beat]))
