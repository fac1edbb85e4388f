"""One run on the directories of a store: what was put there, and what must become of it."""

from collections.abc import Mapping, Sequence

from attrs import define, evolve, field, frozen

from dsh_conformance.implementation.capabilities import Artifacts, compression_of
from dsh_conformance.tracks.store.course import StakesOf
from dsh_conformance.tracks.store.encoding import encoding_of
from dsh_conformance.tracks.store.expect import Check, Equals
from dsh_conformance.tracks.store.run import Run
from dsh_conformance.tracks.store.script import Files, Place
from dsh_reference.files import Compression, LogFile, log_name, log_path, parse_log_name
from dsh_reference.header import VERSION
from dsh_reference.migrate import (
    ChildFact,
    child_fact,
    is_child,
    migrate_header,
    upgrade,
    verify,
)
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.store import Session, Trouble
from dsh_spec.values import JsonObject

#: What continues any log of the present format.
PING: JsonObject = {"type": "plugin:acme/ping", "time": 0, "data": {}, "ignorable": True}
_NOTHING: Mapping[str, bytes] = {}


@frozen(kw_only=True)
class Home:
    """The directory of one session."""

    #: Its path from the workspace.
    path: str
    #: The files that were put there, by name.
    placed: Mapping[str, bytes] = _NOTHING
    #: Whether the store may have written there: the session was opened for writing, or made here.
    touched: bool = False
    #: The rule that other events than those of the model break; empty for that of the operation.
    rule: str = ""
    #: The rule that other logs than those of the model break.
    named: str = "MIG-WRITE-PUBLISH"
    #: The rule that a change of a placed file breaks, once the store may have written.
    kept: str = "MIG-RETAIN"

    @property
    def logs(self) -> Sequence[str]:
        """The placed files that are logs by their names."""
        return [name for name in self.placed if parse_log_name(name) is not None]


@define(kw_only=True)
class DiskRun(Run):
    """The state of one run."""

    #: The directory of each session that the suite knows of.
    homes: dict[str, Home] = field(factory=dict, init=False)
    #: The log of each session that was placed, in the format in which it was written.
    logs: dict[str, SessionLog | Refusal] = field(factory=dict, init=False)

    @property
    def artifacts(self) -> Artifacts:
        """How the store's files are encoded."""
        artifacts = self.arena.claims.artifacts
        assert artifacts is not None
        return artifacts

    @property
    def compression(self) -> Compression:
        """The same, as the names of files have it."""
        return compression_of(self.artifacts)

    def batch(self, session_id: str) -> list[JsonObject]:
        """Return a batch that continues any session."""
        session = self.world.session(session_id, "main")
        return [{**PING, "seq": 0 if session is None else len(session.events)}]

    def older(self) -> Sequence[str]:
        """Return the sessions that can be read and are not of the present format."""
        return [key for key in self.readable() if not self.world.stored[key].published]

    def present(self) -> Sequence[str]:
        """Return the sessions that can be read and are of the present format."""
        return [key for key in self.readable() if self.world.stored[key].published]

    def put(self, header: JsonObject, files: Mapping[str, bytes], says: str) -> Home:
        """Put files into the directory of a session, and return what is known of it now."""
        session_id = str(header["id"])
        directory = log_path(header, self.compression).rpartition("/")[0]
        home = self.homes.get(session_id, Home(path=directory))
        for number, (name, content) in enumerate(files.items(), start=1):
            line = says if number == len(files) else ""
            self.player.play(Place(path=f"{directory}/{name}", content=content, says=line))
        self.homes[session_id] = evolve(home, placed={**home.placed, **files})
        return self.homes[session_id]

    def found(self, log: SessionLog, content: bytes, rule: str) -> Session:
        """Return the session that a right store makes of a file with an older log in it."""
        assert log.format < self.format
        read = encoding_of(self.artifacts, log.format).read(content)
        session_id = str(log.header["id"])
        stored = _as_log(read)
        self.logs[session_id] = stored
        moved = stored if isinstance(stored, Refusal) else self.migrated(stored)
        header = migrate_header(log.header, to=self.format)
        assert not isinstance(header, Refusal)
        if isinstance(moved, Refusal):
            trouble = Trouble(rule=rule, kinds=(moved.kind,))
            return Session(header=header, kept=True, published=False, trouble=trouble)
        wrong = verify(moved)
        return Session(
            header=header,
            inherited=moved.inherited,
            events=moved.events,
            flushed=len(moved.events),
            kept=True,
            published=False,
            barred=None if wrong is None else Trouble(rule=wrong.rule, kinds=(wrong.kind,)),
        )

    def migrated(self, log: SessionLog) -> SessionLog | Refusal:
        """Return an older log as the present format has it, with the children that are stored."""
        children = self._children(str(log.header["id"])) if self.format == VERSION else ()
        return upgrade(log, to=self.format, children=children)

    def related(self, log: SessionLog) -> bool:
        """Whether a log would be the parent or the child of one that is there, or its own."""
        mine, session_id = log.header, str(log.header["id"])
        others = [session.header for session in self.world.stored.values()]
        return any(
            is_child(mine, str(other["id"])) or is_child(other, session_id)
            for other in (mine, *others)
        )

    def _children(self, parent: str) -> tuple[ChildFact, ...]:
        stored = self.world.stored
        return tuple(
            child_fact(stored[key].header, log)
            for key, log in self.logs.items()
            if key in stored and is_child(stored[key].header, parent)
        )

    def look(self, stakes: StakesOf) -> None:
        """Compare what the implementation shows, and what lies in the directories."""
        if self.over:
            return
        super().look(stakes)
        for session_id, home in self.homes.items():
            if home.placed and session_id in self.world.stored:
                self.inspect(session_id)

    def inspect(self, session_id: str, publishing: str = "") -> None:
        """Look at the directory of a session; *publishing* is the rule of what was just done."""
        home, session = self.homes[session_id], self.world.stored[session_id]
        kept = publishing if publishing and home.kept == "MIG-RETAIN" else home.kept
        kept = kept if home.touched else "MIG-READ-NO-PUBLISH"
        checks = (Check(kept, Equals(("changed",), [])), *self._names(home, session, publishing))
        growing = tuple(self._grown(session))
        self.player.play(Files(directory=home.path, but=growing, checks=checks))

    def _names(self, home: Home, session: Session, publishing: str) -> Sequence[Check]:
        if not home.touched:
            silent = Check("MIG-READ-NO-PUBLISH", Equals(("files",), sorted(home.placed)))
            return (silent, Check("MIG-READ-NO-PUBLISH", Equals(("lock",), False)))  # noqa: FBT003
        names = {*home.logs, *self._grown(session)}
        return (Check(publishing or home.named, Equals(("logs",), sorted(names))),)

    def _grown(self, session: Session) -> Sequence[str]:
        """Return the name of the log that the store itself writes."""
        return (log_name(self.format, self.compression),) if session.published else ()


def _as_log(read: LogFile | Refusal) -> SessionLog | Refusal:
    if isinstance(read, Refusal):
        return read
    return SessionLog(header=read.header, inherited=read.inherited, events=read.events)
