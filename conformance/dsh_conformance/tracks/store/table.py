"""A table of moves: which steps there are, when each is possible, and how often it is made."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from attrs import field, frozen

from dsh_conformance.generate.tape import Tape
from dsh_conformance.tracks.store.course import Course, StakesOf

R = TypeVar("R", bound=Course)

_PRIME = 2**16 + 1


@frozen
class Move(Generic[R]):
    """One kind of step."""

    #: How often it is made, relative to the others.
    weight: int
    #: Whether it is possible now.
    may: Callable[[R], bool]
    #: The step.
    step: Callable[[R, Tape], StakesOf]


@frozen
class Table(Generic[R]):
    """Every move, the plainest first."""

    #: The moves.
    moves: Sequence[Move[R]]
    #: Each as often as it is made, with a multiplier that scatters choices.
    _places: Sequence[tuple[Move[R], int]] = field(init=False)

    @_places.default
    def _scattered(self) -> Sequence[tuple[Move[R], int]]:
        repeated = [move for move in self.moves for _ in range(move.weight)]
        return [(move, pow(75, place + 1, _PRIME)) for place, move in enumerate(repeated)]

    def chosen(self, choice: int, run: R) -> Move[R]:
        """Return the move that a choice (0 to 65535) means now.

        Each choice ranks all moves, and the first possible one is made: so a choice keeps its
        meaning when Hypothesis takes earlier steps away.  0 ranks them as they stand.
        """
        ranked = sorted(self._places, key=lambda place: choice * place[1] % _PRIME)
        return next(move for move, _ in ranked if move.may(run))
