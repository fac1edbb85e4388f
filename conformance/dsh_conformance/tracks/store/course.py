"""What the runs of every seam have in common: steps, the look after each, and their end.

A *step* is a function of the run and a tape of choices.  It performs operations and returns the
stakes: what a difference that shows afterwards would mean.
"""

from collections.abc import Callable, Mapping
from typing import Self, TypeAlias

from attrs import define, evolve, field

from dsh_conformance.generate.tape import Draw, Tape
from dsh_conformance.implementation.outcome import Fault
from dsh_conformance.tracks.store.arena import Arena
from dsh_conformance.tracks.store.expect import Check, Inside
from dsh_conformance.tracks.store.narrative import narrative
from dsh_conformance.tracks.store.player import Player
from dsh_conformance.tracks.store.script import Life, Outside
from dsh_conformance.tracks.store.view import Stakes
from dsh_conformance.tracks.store.violation import Abandoned

#: What a step put at stake, by session.
StakesOf: TypeAlias = Mapping[str, Stakes]


@define(kw_only=True)
class Course:
    """The state of one run, as far as no seam matters."""

    #: The surroundings.
    arena: Arena
    #: Plays the lines.
    player: Player = field(init=False)
    #: The name of the open workspace.
    workspace: str = field(default="w", init=False)
    #: Whether the run has ended: it broke a rule that is not hunted, or it may not take place.
    over: bool = field(default=False, init=False)
    #: Draws the particulars of the present step.
    draw: Draw = field(init=False)
    #: How many more times a process may be ended.
    lives: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        """Start the implementation on an empty workspace."""
        self.player = Player(arena=self.arena)
        self.begin()
        self.over = not self.arena.begin()
        if not self.over:
            self.player.play(Life(event="start"))

    def begin(self) -> None:
        """Set up the model and the view."""
        raise NotImplementedError

    def look(self, stakes: StakesOf) -> None:
        """Compare what the implementation shows with what the model says."""
        raise NotImplementedError

    def take(self, step: Callable[[Self, Tape], StakesOf], tape: Tape, draw: Draw) -> None:
        """Take one step, settled by the tape and by what it draws, and the look after it."""
        if self.over:
            return
        self.player.steps += 1
        self.arena.steps += 1
        self.draw = draw
        try:
            self.look(step(self, tape))
        except Abandoned:
            self.over = True
        except Fault as fault:
            self.over = True
            self.player.abort()
            raise self._located(fault) from fault

    def _located(self, fault: Fault) -> Fault:
        """Say in which step of a run the fault happened."""
        told = narrative(self.player.lines)
        place = f"; this was in step {self.player.steps} of a run: {told[-1]}" if told else ""
        return Fault(evolve(fault.diagnosis, what=fault.diagnosis.what + place))

    def end(self) -> None:
        """End the run; nothing may have been written beside the workspaces."""
        try:
            if not self.over:
                self.player.play(Outside(checks=(Check("STORE-ID-SAFE", Inside()),)))
        except Abandoned:
            self.over = True
        finally:
            self.player.end()
