"""The state machine: the steps that users of a store can take, in any order.

There is one rule, and a table of moves behind it.  Hypothesis switches half of a machine's rules
off for a whole run, which suits rules that are independent; here nearly every move needs what
another one brought about, and runs that cannot create or append find nothing.  See
``docs/adr/0014-one-rule-and-a-table-of-moves.md``.

What the moves do stands in `steps` and `endings` (one process), `rivals` (a second one) and `harm`
(damage to artifacts).  After every one the view of the implementation is compared with the model
(`view`).

Runs on the directories of a store (`disk`) are a game of their own: they need a store whose files
lie as documented, and whoever has none makes the same runs as ever.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from attrs import frozen
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from dsh_conformance.generate.tape import Tape
from dsh_conformance.profiles import Profile
from dsh_conformance.tracks.store.arena import Arena
from dsh_conformance.tracks.store.course import Course
from dsh_conformance.tracks.store.disk.moves import chosen as chosen_on_disk
from dsh_conformance.tracks.store.disk.run import DiskRun
from dsh_conformance.tracks.store.moves import chosen
from dsh_conformance.tracks.store.run import Run
from dsh_conformance.tracks.store.table import Move
from dsh_conformance.tracks.store_seam.moves import chosen as chosen_of_seam
from dsh_conformance.tracks.store_seam.run import SeamRun
from dsh_spec.catalogue import Seam

#: The bytes that settle the choices of one step; one draw, since draws are what costs.
TAPES = st.binary(min_size=20, max_size=20).map(Tape)
#: Which move it is.
CHOICES = st.integers(0, 2**16 - 1)
#: Draws what generators need beyond that.
DATA = st.data()


@frozen
class Game:
    """What the runs of one seam are."""

    #: Begins a run.
    begin: Callable[[Arena], Course]
    #: Returns the move that a choice means in a run of this seam.
    chosen: Callable[[int, Any], Move[Any]]


#: The runs of each seam.
GAMES: Mapping[Seam, Game] = MappingProxyType(
    {
        "handle": Game(lambda arena: Run(arena=arena), chosen),
        "store": Game(lambda arena: SeamRun(arena=arena), chosen_of_seam),
    }
)


#: The runs on the directories of a store.
ON_DISK = Game(lambda arena: DiskRun(arena=arena), chosen_on_disk)


class StoreMachine(RuleBasedStateMachine):
    """Runs of a store, by the seam that it claims."""

    #: The surroundings; `machine_in` sets them, the profile and the game.
    arena: Arena
    profile: Profile
    game: Game

    def __init__(self) -> None:
        super().__init__()
        self.run = self.game.begin(self.arena)

    def teardown(self) -> None:
        """End the run."""
        self.run.end()

    @initialize(data=DATA)
    def grant(self, data: st.DataObject) -> None:
        """Settle how many times a process may be ended in this run."""
        self.run.lives = data.draw(st.integers(0, self.profile.lives))

    @rule(choice=CHOICES, tape=TAPES, data=DATA)
    def move(self, choice: int, tape: Tape, data: st.DataObject) -> None:
        """Make one of the moves that are possible now."""
        if not self.run.over:
            self.run.take(self.game.chosen(choice, self.run).step, tape, data.draw)


def machine_in(surroundings: Arena, depth: Profile, played: Game) -> type[StoreMachine]:
    """Return the class of machines that play a game in these surroundings."""

    class Machine(StoreMachine):
        arena = surroundings
        profile = depth
        game = played

    return Machine
