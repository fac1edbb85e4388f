"""The look that is taken after every step: the implementation shows what the model says.

The order matters, since a look must not change what it looks at, and one of them may.
First the lists, the stored events and the revisions are compared with what the step should have
left; then every session is inspected; then revisions, and the stored events of the sessions that
the step was about and a repair would change, are compared once more: what differs now was done by
looking.
"""

from collections.abc import Mapping

from attrs import define, evolve, field

from dsh_conformance.implementation.host import PLANTED, PLANTED_IN_RESULT
from dsh_conformance.tracks.store.expect import (
    Accepted,
    Check,
    Counts,
    Dense,
    Equals,
    Extends,
    HeaderIs,
    HoldsLog,
    Keeps,
    Located,
    NewRevision,
    NoClosers,
    SameBytes,
    SameRevision,
    Untouched,
)
from dsh_conformance.tracks.store.player import Player
from dsh_conformance.tracks.store.script import Artifact, Call
from dsh_conformance.tracks.store.view import ELSEWHERE, Stakes
from dsh_conformance.tracks.store_seam.asking import ask
from dsh_reference.store.seam import (
    Inspect,
    ListAll,
    ListSnapshots,
    Operation,
    ReadFrom,
    Stored,
    World,
    decide,
)
from dsh_spec.values import Json, JsonObject

#: The step only looked.
LOOKED = Stakes(
    count="STORE-NO-REPAIR-ON-READ",
    content="STORE-NO-REPAIR-ON-READ",
    unchanged="STORE-NO-REPAIR-ON-READ",
)
#: An id was reserved.
RESERVED = Stakes(count="STORE-LAZY-CREATE", content="STORE-LAZY-CREATE", revision="any")
#: A session was created under an id that is taken.
CLAIMED = Stakes(count="STORE-NO-CLOBBER", content="STORE-NO-CLOBBER", unchanged="STORE-NO-CLOBBER")
#: A batch was accepted by an instance that knew the session.
APPENDED = Stakes(
    count="STORE-FRESH", content="STORE-LOSSLESS-JSON", revision="new", artifact="extends"
)
#: A batch was accepted by an instance that had to adopt the session.
ADOPTED = Stakes(
    count="STORE-APPEND-ADOPTS", content="STORE-APPEND-ADOPTS", revision="new", artifact="extends"
)
#: A batch was refused.
REFUSED = Stakes(
    count="STORE-BATCH-ALL-OR-NOTHING-ON-REFUSAL",
    content="STORE-BATCH-ALL-OR-NOTHING-ON-REFUSAL",
    unchanged="STORE-BATCH-ALL-OR-NOTHING-ON-REFUSAL",
)
#: An empty batch was accepted.
EMPTY = Stakes(count="STORE-EMPTY-APPEND", unchanged="STORE-EMPTY-APPEND")
#: A load committed a repair.
REPAIRED = Stakes(
    count="STORE-CLOSERS-ON-LOAD",
    content="STORE-CLOSERS-ON-LOAD",
    revision="new",
    artifact="extends",
)
#: A load had nothing to commit.
CLEAN = Stakes(count="STORE-CLOSERS-ONCE", unchanged="STORE-CLOSERS-ONCE")
#: The process ended in order and started again.
RESTARTED = Stakes(count="STORE-CLOSE-KEEPS", content="STORE-CLOSE-KEEPS", revision="any")
#: The process was killed and started again.
KILLED = Stakes(count="STORE-DURABLE", content="STORE-DURABLE", revision="any")


@define(kw_only=True)
class SeamView:
    """Takes the look, and remembers what has to be compared from one look to the next."""

    #: The run.
    player: Player
    #: Sessions whose revision was kept.
    kept: set[str] = field(factory=set)
    #: How many bytes of each session's artifact are committed.
    committed: dict[str, int] = field(factory=dict)
    #: The bytes of those artifacts.
    contents: dict[str, Json | bytes] = field(factory=dict)

    def look(self, world: World, stakes: Mapping[str, Stakes]) -> None:
        """Compare every session, the lists, and the artifacts."""
        gone = [key for key in stakes if key not in world.stored]
        for session_id in dict.fromkeys((*self._reserved(world), *gone)):
            self._absent(world, session_id, stakes.get(session_id, ELSEWHERE))
        self._list(world)
        for session_id, session in world.stored.items():
            self._stored(world, session_id, session, stakes.get(session_id, ELSEWHERE))
        self._snapshots(world, stakes)
        for session_id, session in world.stored.items():
            self._inspected(world, session_id, session, stakes.get(session_id, ELSEWHERE))
        self._snapshots(world, dict.fromkeys(world.stored, LOOKED))
        for session_id, session in world.stored.items():
            if session_id in stakes and session.trouble is None and session.needs_repair:
                self._stored(world, session_id, session, LOOKED)
            touched = session_id in stakes
            stake = stakes.get(session_id, ELSEWHERE)
            self._artifact(session_id, session, stake, touched=touched)

    def holds(self, session: Stored, *, whole: bool) -> Check:
        """Demand that an artifact holds the log of a session, and nothing else if *whole*."""
        artifacts = self.player.arena.claims.artifacts
        assert artifacts is not None
        rule = "STORE-REPAIR-CUTS-TAIL" if whole else "STORE-ARTIFACT-HOLDS-LOG"
        header = _as_read(session.header)
        return Check(rule, HoldsLog(artifacts, header, session.events, session.format, whole))

    def forget(self) -> None:
        """Drop what only one instance promises to keep: revisions."""
        self.kept.clear()

    def _reserved(self, world: World) -> tuple[str, ...]:
        mine = (key for owner, key in world.reserved if owner == "main")
        return tuple(key for key in mine if key not in world.stored)

    def _ask(self, world: World, operation: Operation, *more: Check, rule: str = "") -> Call:
        """Return the request for a look, *rule* being what a difference breaks."""
        decision = decide(world, operation)
        call = ask(operation, evolve(decision, rule=rule or decision.rule), view=True)
        return evolve(call, checks=(*call.checks, *more)) if decision.refused is None else call

    def _list(self, world: World) -> None:
        headers = [
            Check("STORE-HEADER-KEPT", HeaderIs(("headers", key), session.header))
            for key, session in world.stored.items()
        ]
        self.player.play(self._ask(world, ListAll(), *headers))

    def _snapshots(self, world: World, stakes: Mapping[str, Stakes]) -> None:
        checks: list[Check] = []
        for key, session in world.stored.items():
            agree = HeaderIs(("snapshots", key, "header"), session.header)
            checks.append(Check("STORE-LISTS-AGREE", agree))
            if key in self.kept:
                checks += _revision_checks(key, stakes.get(key, ELSEWHERE))
        call = self._ask(world, ListSnapshots(), *checks)
        paths = {_revision(key): ("snapshots", key, "revision") for key in world.stored}
        self.player.play(evolve(call, keeps=paths if call.checks else {}))
        self.kept = set(world.stored) if call.checks else set()

    def _stored(self, world: World, session_id: str, session: Stored, stakes: Stakes) -> None:
        """Compare the stored events: closers have no place among them."""
        operation = ReadFrom(session=session_id)
        blamed = stakes.count if session.trouble is None else ""
        call = self._ask(world, operation, rule=blamed)
        if session.trouble is None:
            call = evolve(call, checks=(*call.checks[:2], *self._content(session, stakes)))
        self.player.play(call)

    def _content(self, session: Stored, stakes: Stakes) -> tuple[Check, ...]:
        events, count = session.view, len(session.events)
        antique = events != session.events
        checks = [
            Check("STORE-DENSE-SEQ", Dense(0)),
            *self._ignorable(events),
            *self._planted(),
            *_open_turn(session, stakes),
            Check(stakes.count, Counts(count, count)),
            Check("STORE-LEGACY-READ" if antique else stakes.content, Equals(("events",), events)),
        ]
        return tuple(checks)

    def _ignorable(self, events: tuple[Json, ...]) -> list[Check]:
        kinds = tuple(
            (seq, str(event["type"]))
            for seq, event in enumerate(events)
            if isinstance(event, Mapping) and event.get("ignorable") is True
        )
        return [Check("STORE-IGNORABLE-KEPT", Keeps(kinds))] if kinds else []

    def _planted(self) -> list[Check]:
        if not self.player.arena.launcher.in_process:
            return []
        return [
            Check("STORE-SNAPSHOT-ARGS", Untouched(PLANTED)),
            Check("STORE-APPEND-ONLY", Untouched(PLANTED_IN_RESULT)),
        ]

    def _absent(self, world: World, session_id: str, stakes: Stakes) -> None:
        rule = stakes.count if stakes is not ELSEWHERE else ""
        for operation in (Inspect(session=session_id), ReadFrom(session=session_id)):
            self.player.play(self._ask(world, operation, rule=rule))
        self.committed.pop(session_id, None)
        self.contents.pop(session_id, None)

    def _inspected(self, world: World, session_id: str, session: Stored, stakes: Stakes) -> None:
        call = self._ask(world, Inspect(session=session_id))
        if session.trouble is None:
            accepted, *content = call.checks
            if stakes is ELSEWHERE or stakes.artifact == "damaged":
                accepted = Check(stakes.count, Accepted())
            call = evolve(call, checks=(accepted, *self._planted(), *content))
        self.player.play(call)

    def _artifact(self, session_id: str, session: Stored, stakes: Stakes, *, touched: bool) -> None:
        nameless = session.trouble is not None and session.trouble.header
        if self.player.arena.claims.artifacts is None or nameless:
            return
        kept = f"artifact of {session_id}"
        checks = [Check("STORE-ARTIFACT-HOLDS-LOG", Located())]
        if session_id in self.committed:
            if stakes.artifact == "same":
                checks.append(Check("STORE-NO-REPAIR-ON-READ", SameBytes(kept)))
            elif stakes.artifact == "extends":
                extends = Extends(kept, self.committed[session_id])
                checks.append(Check("STORE-NO-REWRITE", extends))
        if touched and session.trouble is None:
            checks.append(self.holds(session, whole=False))
            checks += [] if session.torn else [self.holds(session, whole=True)]
        self.player.play(Artifact(session=session_id, checks=tuple(checks), keeps=kept))
        content = self.player.bindings[kept]
        if content != self.contents.get(session_id) and stakes.artifact != "damaged":
            assert isinstance(content, bytes)
            self.committed[session_id] = len(content)
        self.contents[session_id] = content


def _as_read(header: JsonObject) -> JsonObject:
    """Return a header as readers of files show it: the oldest two formats seed by a length."""
    if "isSeeded" in header:
        return header
    shown = {key: value for key, value in header.items() if key != "seedLength"}
    return {**shown, "isSeeded": "seedLength" in header}


def _open_turn(session: Stored, stakes: Stakes) -> list[Check]:
    """An open turn shows as it is stored: nobody has closed it, and no reader does."""
    if not session.closers:
        return []
    rule = stakes.count if stakes is LOOKED else "STORE-READ-STORED"
    return [Check(rule, NoClosers(len(session.events)))]


def _revision(session_id: str) -> str:
    return f"revision of {session_id}"


def _revision_checks(session_id: str, stakes: Stakes) -> list[Check]:
    at, kept = ("snapshots", session_id), _revision(session_id)
    if stakes.revision == "same":
        return [Check(stakes.unchanged, SameRevision(at, kept))]
    if stakes.revision == "new":
        return [Check("STORE-REVISION-CHANGES", NewRevision(at, kept))]
    return []
