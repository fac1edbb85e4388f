"""One run: the world as the model has it, and what the generators need to remember."""

from collections.abc import Callable, Sequence
from typing import TypeAlias, cast

from attrs import define, evolve, field

from dsh_conformance.generate.closing import ended_turn
from dsh_conformance.generate.following import follow
from dsh_conformance.generate.headers import write_header
from dsh_conformance.generate.sessions import draw_batch, draw_seed, poison
from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.tape import Tape
from dsh_conformance.implementation.outcome import Ok, Outcome
from dsh_conformance.tracks.store.asking import ask
from dsh_conformance.tracks.store.course import Course, StakesOf
from dsh_conformance.tracks.store.pen import Pen
from dsh_conformance.tracks.store.view import ELSEWHERE, View
from dsh_reference.header import VERSION
from dsh_reference.store import (
    Close,
    Handle,
    Open,
    Operation,
    Promises,
    Session,
    World,
    decide,
)
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

#: One step of a run.
Step: TypeAlias = "Callable[[Run, Tape], StakesOf]"

#: What can follow even in a log that no grammar can follow.
_PING: JsonObject = {"type": "plugin:acme/ping", "time": 0, "data": {}, "ignorable": True}

#: How many sessions and handles a run has at most; more of them find nothing more.
MOST_SESSIONS, MOST_HANDLES = 4, 5


@define(kw_only=True)
class Run(Course):
    """The state of one run."""

    #: Takes the looks.
    view: View = field(init=False)
    #: What the model says.
    world: World = field(init=False)
    #: The worlds of the workspaces that are not open, by name.
    elsewhere: dict[str, World] = field(factory=dict, init=False)
    #: The events of the sessions that were written to, and the grammar's states after them.
    states: dict[str, tuple[Sequence[Json], State]] = field(factory=dict, init=False)
    #: The pens that write in a format before v4, by workspace.
    pens: dict[str, Pen] = field(factory=dict, init=False)
    _named: int = field(default=0, init=False)

    def begin(self) -> None:
        """Set up the model and the view."""
        self.world = World(promises=self.promises)
        self.view = View(player=self.player)

    @property
    def format(self) -> Format:
        """The format of the logs that the store writes."""
        return self.arena.claims.format

    @property
    def pen(self) -> Pen:
        """The pen of the open workspace, in a format before v4."""
        if self.workspace not in self.pens:
            self.pens[self.workspace] = Pen(format=self.format, exact=True)
        return self.pens[self.workspace]

    @property
    def promises(self) -> Promises:
        """What the store claims, as the model needs it."""
        claims = self.arena.claims
        return Promises(
            format=claims.format,
            durable=claims.durable,
            cross_process_lock=claims.cross_process_lock,
        )

    def look(self, stakes: StakesOf) -> None:
        """Compare what the implementation shows with what the model says."""
        self.view.look(self.world, stakes, ELSEWHERE)

    def do(
        self, operation: Operation, says: str = "", *, rule: str = "", view: bool = False
    ) -> Outcome:
        """Perform an operation; the world follows the answer.

        *rule* names the rule at stake where the model cannot know it.
        """
        decision = decide(self.world, operation)
        if rule:
            decision = evolve(decision, rule=rule)
        call = ask(operation, decision, says=says, view=view)
        outcome = self.player.play(call)
        after = decision.accepted if isinstance(outcome, Ok) else decision.refused
        assert after is not None, "the check of the answer let a wrong answer pass"
        self.world = after
        return outcome

    def attempt(self, operation: Operation, says: str) -> bool:
        """Perform an operation that may be refused even if the model would accept it."""
        decision = decide(self.world, operation)
        outcome = self.player.play(evolve(ask(operation, decision, says=says), checks=()))
        accepted = isinstance(outcome, Ok) and decision.accepted is not None
        if decision.accepted is not None and accepted:
            self.world = decision.accepted
        return accepted

    def name(self, process: str = "main") -> str:
        """Return a new name for a handle."""
        self._named += 1
        return f"{process}.h{self._named}"

    def handles(self, fits: Callable[[Handle], bool]) -> Sequence[str]:
        """Return the names of the first process's handles that fit, oldest first."""
        mine = {key: h for key, h in self.world.handles.items() if h.process == "main"}
        return [name for name, handle in mine.items() if fits(handle)]

    def open_handles(self) -> Sequence[str]:
        """Return the names of the open handles."""
        return self.handles(lambda handle: handle.is_open)

    def writers(self) -> Sequence[str]:
        """Return the open write handles of sessions that can be read."""
        return [
            name
            for name in self.handles(lambda handle: handle.is_open and handle.writes)
            if self.session_of(name).trouble is None
        ]

    def session_of(self, name: str) -> Session:
        """Return the session of a handle."""
        handle = self.world.handles[name]
        found = self.world.session(handle.session, handle.process)
        return found or Session(header={"id": handle.session})

    def readable(self) -> Sequence[str]:
        """Return the sessions in storage that can be read."""
        return [key for key, found in self.world.stored.items() if found.trouble is None]

    def let_go(self, session_id: str) -> None:
        """Close every handle of a session."""
        for name in self.handles(lambda h: h.is_open and h.session == session_id):
            self.do(Close(handle=name), f"close a handle of session {session_id!r}")

    def reader(self, session_id: str) -> str:
        """Return an open read handle of a session, opening one if there is none."""
        for name in self.handles(lambda h: _reads(h, session_id)):
            return name
        name = self.name()
        says = f"open session {session_id!r} to read"
        self.do(Open(handle=name, session=session_id, access="read"), says)
        return name

    def writer(self, session_id: str) -> str:
        """Return the open write handle of a session, opening one if there is none."""
        for name in self.handles(lambda h: h.is_open and h.writes and h.session == session_id):
            return name
        name = self.name()
        says = f"open session {session_id!r} to write"
        self.do(Open(handle=name, session=session_id, access="write"), says)
        return name

    def batch(self, session_id: str) -> list[JsonObject]:
        """Return a batch that continues a session validly, as far as it can be continued."""
        session = self.world.session(session_id, "main")
        if session is not None and session.trouble is not None:
            return [{**_PING, "seq": len(session.events)}]
        if self.format < VERSION:
            return list(self.pen.batch(self.draw, session_id, self.events(session_id)))
        return list(draw_batch(self.draw, self.state(session_id))[1])

    def header(self, tape: Tape, session_id: str, *, seeded: bool = False) -> Raw:
        """Return a valid header for a session."""
        return write_header(tape, session_id, seeded=seeded, version=self.format)

    def seed(self, session_id: str) -> tuple[list[Raw], int]:
        """Return a seed for a session, and how many events of it are inherited."""
        if self.format < VERSION:
            return self.pen.seed(self.draw, session_id)
        _, events, inherited = draw_seed(self.draw)
        return events, inherited

    def poison(self, session_id: str, *, strangers: bool) -> tuple[list[Raw], RefusalKind]:
        """Return a batch that a store may take and that every reader refuses, and how."""
        if self.format < VERSION:
            events = self.events(session_id)
            return self.pen.poison(self.draw, session_id, events, strangers=strangers)
        return poison(self.draw, self.state(session_id), strangers=strangers)

    def ended_turn(self, session_id: str) -> list[Raw]:
        """Return events that end a turn of a session, and leave none open."""
        if self.format < VERSION:
            return self.pen.ended_turn(session_id, self.events(session_id))
        return ended_turn(self.state(session_id))

    def events(self, session_id: str) -> Sequence[Json]:
        """Return the events of a session."""
        session = self.world.session(session_id, "main")
        return session.events if session is not None else ()

    def state(self, session_id: str) -> State:
        """Return the grammar's state of a session: what may follow its events."""
        events = self.events(session_id)
        # A crash may have taken the end of a log, or all of it, before others wrote on.
        past, state = self.states.get(session_id, ((), State()))
        if past != events[: len(past)]:
            past, state = (), State()
        for event in events[len(past) :]:
            state = follow(state, cast("Raw", event))
        self.states[session_id] = events, state
        return state


def _reads(handle: Handle, session_id: str) -> bool:
    here = handle.session == session_id and not handle.orphaned
    return here and handle.is_open and not handle.writes
