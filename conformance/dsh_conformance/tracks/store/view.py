"""The look that is taken after every step: the implementation shows what the model says.

Every session is stat'ed, opened and read through a fresh handle and through every handle that is
open already, the list is compared with the stats, and artifacts are compared byte for byte.
A difference is blamed on the rule that the last step put at stake: `Stakes` says which.
"""

from collections.abc import Mapping

from attrs import define, evolve, field, frozen

from dsh_conformance.implementation.host import PLANTED, PLANTED_IN_RESULT
from dsh_conformance.implementation.outcome import Ok, Refused
from dsh_conformance.tracks.store.asking import ask, count_check
from dsh_conformance.tracks.store.expect import (
    Check,
    Counts,
    Dense,
    Equals,
    Extends,
    Keeps,
    ListedAs,
    Located,
    NewRevision,
    NoClosers,
    SameBytes,
    SameRevision,
    Untouched,
)
from dsh_conformance.tracks.store.player import Player
from dsh_conformance.tracks.store.script import Artifact, Call
from dsh_reference.store import (
    Close,
    Decision,
    Handle,
    ListAll,
    Open,
    Read,
    Session,
    Stat,
    World,
    decide,
)
from dsh_spec.values import Json


@frozen(kw_only=True)
class Stakes:
    """What a step did to one session, and the rules that a difference afterwards breaks."""

    #: The rule broken by events that are missing or too many.
    count: str
    #: The rule broken by events that differ.
    content: str = "STORE-APPEND-ONLY"
    #: Whether the revision must be the same, must differ, or may do either.
    revision: str = "same"
    #: The rule broken by a revision that is another and must not be.
    unchanged: str = "STORE-REVISION-STABLE"
    #: Whether the artifact must be the same, must extend what it was, may do either (any), or was
    #: damaged, in which case whoever damaged it has said how much of it is committed.
    artifact: str = "same"
    #: The rule broken by a refusal to open, where it is not that of the operation.
    refusal: str = ""


#: The step only looked.
LOOKED = Stakes(count="STORE-NO-REPAIR-ON-READ")
#: The step was about another session.
ELSEWHERE = Stakes(count="STORE-ISOLATION", content="STORE-ISOLATION")
#: A batch was accepted.
APPENDED = Stakes(
    count="STORE-FRESH", content="STORE-LOSSLESS-JSON", revision="new", artifact="extends"
)
#: A batch was refused.
REFUSED = Stakes(
    count="STORE-BATCH-ALL-OR-NOTHING-ON-REFUSAL",
    content="STORE-BATCH-ALL-OR-NOTHING-ON-REFUSAL",
    unchanged="STORE-BATCH-ALL-OR-NOTHING-ON-REFUSAL",
)
#: An empty batch was accepted.
EMPTY = Stakes(count="STORE-EMPTY-APPEND", unchanged="STORE-EMPTY-APPEND")
#: The session was flushed.
FLUSHED = Stakes(count="STORE-FRESH", revision="any", artifact="extends")
#: A session was created, or a handle closed.
TURNED = Stakes(count="STORE-LAZY-CREATE", revision="any", artifact="any")
#: A seeded session was flushed before its seed was appended.
RUINED = Stakes(count="STORE-SEEDED-FLUSH", revision="any", artifact="any")
#: A session was created under an id that is taken.
CLAIMED = Stakes(count="STORE-NO-CLOBBER", content="STORE-NO-CLOBBER", unchanged="STORE-NO-CLOBBER")
#: The writer of a stored session was closed.
CLOSED = Stakes(count="STORE-CLOSE-KEEPS", revision="any", artifact="extends")
#: The process ended in order and started again.
RESTARTED = Stakes(
    count="STORE-CLOSE-KEEPS",
    content="STORE-CLOSE-KEEPS",
    revision="any",
    artifact="extends",
)
#: The process was killed and started again, or the other one was.
KILLED = Stakes(
    count="STORE-DURABLE",
    content="STORE-DURABLE",
    revision="any",
    artifact="any",
)


@define(kw_only=True)
class View:
    """Takes the look, and remembers what has to be compared from one look to the next."""

    #: The run.
    player: Player
    #: How many events each open handle has shown.
    seen: dict[str, int] = field(factory=dict)
    #: Sessions whose revision and artifact were kept, with the committed length of the artifact.
    kept: set[str] = field(factory=set)
    #: Sessions whose artifact was kept, with the number of committed bytes in it.
    committed: dict[str, int] = field(factory=dict)
    #: The bytes of those artifacts: as long as nobody touches them, a torn tail stays torn.
    contents: dict[str, Json | bytes] = field(factory=dict)
    _fresh: int = 0

    def look(self, world: World, stakes: Mapping[str, Stakes], rest: Stakes = ELSEWHERE) -> None:
        """Compare every session, the list, and the artifacts."""
        sessions = world.sessions("main")
        for session_id, session in sessions.items():
            self._stat(world, session_id, session, stakes.get(session_id, rest))
        for session_id in stakes:
            if session_id not in sessions:
                self._absent(world, session_id, stakes[session_id])
        self._list(world, sessions)
        for session_id, session in sessions.items():
            self._session(world, session_id, session, stakes.get(session_id, rest))

    def forget(self) -> None:
        """Drop what only one instance promises to keep: revisions and handles."""
        self.seen.clear()
        self.kept.clear()

    def _session(self, world: World, session_id: str, session: Session, stakes: Stakes) -> None:
        self._open_and_read(world, session_id, session, stakes)
        for name, handle in world.handles.items():
            if handle.session == session_id and self._readable(handle):
                self._read(world, name, session, stakes, fresh=False)
        nameless = session.trouble is not None and session.trouble.header
        stored = not world.is_pending(session_id, "main") and not nameless and session.published
        if self.player.arena.claims.artifacts and stored:
            self._artifact(session_id, session, stakes)

    def _readable(self, handle: Handle) -> bool:
        return handle.is_open and not handle.orphaned and handle.process == "main"

    def _stat(self, world: World, session_id: str, session: Session, stakes: Stakes) -> None:
        operation = Stat(session=session_id)
        call = ask(operation, decide(world, operation), view=True)
        if call.checks:
            counted = "STORE-FRESH" if stakes.count == LOOKED.count else stakes.count
            if _has_open_turn(session):
                counted = "STORE-NO-CLOSERS-IN-BACKEND"
            more = [count_check(counted, len(session.events))]
            if session_id in self.kept and session.published:
                more += _revision_checks(session_id, stakes)
            pending = world.is_pending(session_id, "main")
            rule = "STORE-PENDING-VISIBLE" if pending else stakes.count
            present = Check(rule, Equals(("snapshot", "header", "id"), session_id))
            call = _with(call, (present, *call.checks[1:], *more))
        if isinstance(self.player.play(_keeping(call, session_id)), Ok):
            self.kept.add(session_id)

    def _open_and_read(
        self, world: World, session_id: str, session: Session, stakes: Stakes
    ) -> None:
        self._fresh += 1
        name = f"main.v{self._fresh}"
        operation = Open(handle=name, session=session_id, access="read")
        decision = _blamed(decide(world, operation), session, stakes)
        outcome = self.player.play(ask(operation, decision, view=True))
        if isinstance(outcome, Refused) or decision.accepted is None:
            return
        self._read(decision.accepted, name, session, stakes, fresh=True)
        if len(session.events) > 1 and stakes is not ELSEWHERE:
            slice_ = Read(handle=name, offset=len(session.events) // 2, length=1)
            self.player.play(ask(slice_, decide(decision.accepted, slice_), view=True))
        closing = Close(handle=name)
        self.player.play(ask(closing, decide(decision.accepted, closing), view=True))

    def _read(
        self, world: World, name: str, session: Session, stakes: Stakes, *, fresh: bool
    ) -> None:
        operation = Read(handle=name)
        decision = decide(world, operation)
        call = ask(operation, decision, view=True)
        if decision.refused is None:
            call = _with(call, self._read_checks(name, session, stakes, fresh=fresh))
        self.player.play(call)
        self.seen[name] = len(session.events)

    def _read_checks(
        self, name: str, session: Session, stakes: Stakes, *, fresh: bool
    ) -> tuple[Check, ...]:
        count = len(session.events)
        checks = [Check("STORE-DENSE-SEQ", Dense(0))]
        ignorable = _ignorable(session)
        if ignorable:
            checks.append(Check("STORE-IGNORABLE-KEPT", Keeps(ignorable)))
        if self.player.arena.launcher.in_process:
            checks.append(Check("STORE-SNAPSHOT-ARGS", Untouched(PLANTED)))
            checks.append(Check("STORE-APPEND-ONLY", Untouched(PLANTED_IN_RESULT)))
        if _has_open_turn(session):
            checks.append(Check("STORE-NO-CLOSERS-IN-BACKEND", NoClosers(count)))
        if not fresh:
            checks.append(Check("STORE-MONOTONIC-READ", Counts(self.seen.get(name, 0))))
        rule = stakes.count if fresh or stakes.count != "STORE-NO-REPAIR-ON-READ" else "STORE-FRESH"
        checks.append(Check(rule, Counts(count, count)))
        checks.append(Check(stakes.content, Equals(("events",), session.events)))
        return tuple(checks)

    def _absent(self, world: World, session_id: str, stakes: Stakes) -> None:
        operation = Stat(session=session_id)
        call = ask(operation, decide(world, operation), view=True)
        gone = Check(stakes.count, Equals(("snapshot",), None))
        self.player.play(_with(call, (gone,)))
        self.kept.discard(session_id)
        self.committed.pop(session_id, None)
        self.contents.pop(session_id, None)

    def _list(self, world: World, sessions: Mapping[str, Session]) -> None:
        operation = ListAll()
        call = ask(operation, decide(world, operation), view=True)
        if call.checks:
            agree = [
                Check("STORE-STAT-LIST-AGREE", ListedAs(key, value.header, f"revision of {key}"))
                for key, value in sessions.items()
            ]
            call = _with(call, (*call.checks, *agree))
        self.player.play(call)

    def _artifact(self, session_id: str, session: Session, stakes: Stakes) -> None:
        kept = f"artifact of {session_id}"
        whole = session.events or session.trouble
        rule = "STORE-ARTIFACT-HOLDS-LOG" if whole else "STORE-FLUSH-MATERIALISES"
        checks = [Check(rule, Located())]
        if session_id in self.committed:
            if stakes.artifact == "same":
                checks.append(Check("STORE-NO-REPAIR-ON-READ", SameBytes(kept)))
            elif stakes.artifact == "extends":
                extends = Extends(kept, self.committed[session_id])
                checks.append(Check("STORE-NO-REWRITE", extends))
        self.player.play(Artifact(session=session_id, checks=tuple(checks), keeps=kept))
        content = self.player.bindings[kept]
        if content != self.contents.get(session_id) and stakes.artifact != "damaged":
            assert isinstance(content, bytes)
            self.committed[session_id] = len(content)
        self.contents[session_id] = content


def _revision_checks(session_id: str, stakes: Stakes) -> list[Check]:
    kept = f"revision of {session_id}"
    if stakes.revision == "same":
        return [Check(stakes.unchanged, SameRevision(("snapshot",), kept))]
    if stakes.revision == "new":
        return [Check("STORE-REVISION-CHANGES", NewRevision(("snapshot",), kept))]
    return []


def _blamed(decision: Decision[World], session: Session, stakes: Stakes) -> Decision[World]:
    """Name the rule that a refusal to open would break after this step."""
    if session.trouble is not None:
        return decision
    if stakes.refusal:
        return evolve(decision, rule=stakes.refusal)
    if stakes.artifact == "damaged" or stakes.count in ("STORE-ISOLATION", "STORE-SEEDED-FLUSH"):
        return evolve(decision, rule=stakes.count)
    return decision


def _keeping(call: Call, session_id: str) -> Call:
    return evolve(call, keeps={f"revision of {session_id}": ("snapshot", "revision")})


def _with(call: Call, checks: tuple[Check, ...]) -> Call:
    return evolve(call, checks=checks)


def _ignorable(session: Session) -> tuple[tuple[int, str], ...]:
    """Return seq and type of the events that a reader may skip but a store must keep."""
    return tuple(
        (seq, str(event["type"]))
        for seq, event in enumerate(session.events)
        if isinstance(event, Mapping) and event.get("ignorable") is True
    )


def _has_open_turn(session: Session) -> bool:
    """Say whether the log ends inside a turn, where a meddling store would add closers."""
    for event in reversed(session.events):
        kind = event.get("type") if isinstance(event, Mapping) else None
        if kind in ("turn/start", "turn/end"):
            return kind == "turn/start"
    return False
