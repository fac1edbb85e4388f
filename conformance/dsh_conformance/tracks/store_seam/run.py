"""One run: the world as the model has it, and what may follow in each of its sessions."""

from collections.abc import Sequence

from attrs import define, evolve, field

from dsh_conformance.generate.headers import write_header
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.tape import Tape
from dsh_conformance.implementation.outcome import Ok, Outcome
from dsh_conformance.tracks.store.course import Course, StakesOf
from dsh_conformance.tracks.store.pen import Pen
from dsh_conformance.tracks.store.script import Workspace
from dsh_conformance.tracks.store_seam.asking import ask
from dsh_conformance.tracks.store_seam.view import SeamView
from dsh_reference.store.seam import Operation, Stored, World, decide, end
from dsh_spec.catalogue import Format
from dsh_spec.values import Json, JsonObject

#: How many sessions a run has at most; more of them find nothing more.
MOST_SESSIONS = 4


@define(kw_only=True)
class SeamRun(Course):
    """The state of one run."""

    #: Takes the looks.
    view: SeamView = field(init=False)
    #: What the model says.
    world: World = field(init=False)
    #: The worlds of the workspaces that are not open, by name.
    elsewhere: dict[str, World] = field(factory=dict, init=False)
    #: The pens, by workspace.
    pens: dict[str, Pen] = field(factory=dict, init=False)

    def begin(self) -> None:
        """Set up the model and the view."""
        self.world = self.empty
        self.view = SeamView(player=self.player)

    def look(self, stakes: StakesOf) -> None:
        """Compare what the implementation shows with what the model says."""
        self.view.look(self.world, stakes)

    @property
    def format(self) -> Format:
        """The format that the store writes."""
        return self.arena.claims.format

    @property
    def empty(self) -> World:
        """The world of an empty workspace."""
        return World(format=self.format, durable=self.arena.claims.durable)

    @property
    def pen(self) -> Pen:
        """The pen of the open workspace."""
        if self.workspace not in self.pens:
            self.pens[self.workspace] = Pen(format=self.format)
        return self.pens[self.workspace]

    def do(self, operation: Operation, says: str = "", *, rule: str = "") -> Outcome:
        """Perform an operation; the world follows the answer.

        *rule* names the rule at stake where the model cannot know it.
        """
        decision = decide(self.world, operation)
        outcome = self.player.play(
            ask(operation, evolve(decision, rule=rule or decision.rule), says=says)
        )
        after = decision.accepted if isinstance(outcome, Ok) else decision.refused
        assert after is not None, "the check of the answer let a wrong answer pass"
        self.world = after
        return outcome

    def reopen(self, says: str = "") -> None:
        """Have the process begin anew on the open workspace, which it knows nothing of then."""
        self.player.play(Workspace(name=self.workspace, says=says))
        self.world = end(self.world, "main")
        self.view.forget()

    def header(self, tape: Tape, session_id: str) -> Raw:
        """Return a header of the store's format."""
        header = write_header(tape, session_id, seeded=False)
        header["version"] = self.format
        if self.format < 2:
            del header["isSeeded"]
        return header

    def readable(self) -> Sequence[str]:
        """Return the stored sessions that can be read."""
        return [key for key, found in self.world.stored.items() if found.trouble is None]

    def troubled(self) -> Sequence[str]:
        """Return the stored sessions that cannot be read."""
        return [key for key, found in self.world.stored.items() if found.trouble is not None]

    def reserved(self) -> Sequence[str]:
        """Return the ids that are reserved and nothing more."""
        mine = [key for owner, key in self.world.reserved if owner == "main"]
        return [key for key in mine if key not in self.world.stored]

    def writable(self) -> Sequence[str]:
        """Return the sessions that take a batch, reserved ones first."""
        return [*self.reserved(), *self.readable()]

    def knows(self, session_id: str) -> bool:
        """Say whether the instance appends to the session as it stands."""
        return self.world.knows(session_id, "main")

    def events(self, session_id: str) -> Sequence[Json]:
        """Return the events behind which the next batch goes."""
        found = self.world.stored.get(session_id)
        if found is None:
            return ()
        return found.events if self.knows(session_id) else found.repaired().events

    def stored(self, session_id: str) -> Stored:
        """Return a session that is stored."""
        return self.world.stored[session_id]

    def batch(self, session_id: str, *, antique: bool = False) -> list[JsonObject]:
        """Return a batch that continues a session validly."""
        events = self.events(session_id)
        return list(self.pen.batch(self.draw, session_id, events, antique=antique))
