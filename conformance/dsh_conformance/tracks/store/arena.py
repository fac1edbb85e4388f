"""Where runs take place: the processes, the directories, and the tally of one certification.

A process is reused from one run to the next by opening another workspace in it, since starting one
costs more than a whole run.  Each run has a sandbox directory of its own; its workspaces lie deep
in it, so that a path which climbs out of a workspace is still seen.
"""

import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from attrs import define, field, frozen

from dsh_conformance.implementation.capabilities import Capabilities, StoreClaims
from dsh_conformance.implementation.connection import Connection, Launcher
from dsh_conformance.implementation.outcome import Diagnosis, Fault, Ok
from dsh_conformance.report.progress import Progress, Silent
from dsh_conformance.tracks.store.script import Line
from dsh_conformance.tracks.store.violation import Evidence


@frozen(kw_only=True)
class Failure:
    """One run that broke a rule."""

    #: What was seen at its end.
    evidence: Evidence
    #: The run.
    lines: tuple[Line, ...]

    @property
    def steps(self) -> int:
        """How many things were done, the looks of the suite aside."""
        return sum(1 for line in self.lines if getattr(line, "says", ""))

    @property
    def size(self) -> tuple[int, int, int]:
        """By this the smallest run is chosen."""
        return self.steps, len(self.lines), len(repr(self.lines))


@define(kw_only=True)
class Arena:
    """The lasting surroundings of the runs of one certification."""

    #: How the implementation is started.
    launcher: Launcher
    #: What it claims.
    capabilities: Capabilities
    #: Who wants to know how far it is.
    progress: Progress = field(factory=Silent)
    #: The rules whose breach is a counterexample to be made smaller.  A breach of any other rule is
    #: noted and ends its run, and the search goes on.  Nothing means every rule.
    hunted: frozenset[str] | None = None
    #: How many more runs may be tried; once it is 0 every run is empty.  Nothing means no bound.
    allowance: int | None = None
    #: How many runs had begun when the first breach was seen; 0 before that.
    caught_after: int = 0
    #: How often each rule was checked.
    exercised: Counter[str] = field(factory=Counter)
    #: The smallest run that broke each rule.
    failures: dict[str, Failure] = field(factory=dict)
    #: Runs begun.
    examples: int = 0
    #: Steps taken.
    steps: int = 0
    #: Whether each run has a workspace of its own; runs of pure methods share one.
    moves: bool = field(init=False)
    _idle: dict[str, Connection] = field(factory=dict, init=False)
    _root: Path = field(init=False)
    _runs: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        """Make the directory that holds all sandboxes."""
        self.moves = self.capabilities.store is not None
        self._root = Path(tempfile.mkdtemp(prefix="dsh-conformance-"))

    @property
    def claims(self) -> StoreClaims:
        """The claims of the store track."""
        claims = self.capabilities.store
        if claims is None:
            raise Fault(Diagnosis(blame="adapter", what="the adapter claims no store track"))
        return claims

    def begin(self) -> bool:
        """Count a run; says whether it may take place."""
        if self.allowance is not None:
            if self.allowance == 0:
                return False
            self.allowance -= 1
        self.examples += 1
        self.progress.example(self.examples)
        return True

    def hunts(self, rule: str) -> bool:
        """Say whether a breach of the rule is what is looked for."""
        return self.hunted is None or rule in self.hunted

    def sandbox(self) -> Path:
        """Return a fresh directory for one run, or the one that all share."""
        self._runs += 1 if self.moves else 0
        sandbox = self._root / str(self._runs)
        sandbox.mkdir(exist_ok=not self.moves)
        return sandbox

    def discard(self, sandbox: Path) -> None:
        """Remove a run's directory."""
        if not self.moves:
            return
        shutil.rmtree(sandbox, ignore_errors=True)

    def connect(self, process: str, workspace: Path) -> Connection:
        """Return an instance on *workspace*: an idle one that moves there, or a new one."""
        idle = self._idle.pop(process, None)
        if idle is None:
            return self.launcher.launch(workspace)
        if self.moves:
            move(idle, workspace)
        return idle

    def release(self, process: str, connection: Connection) -> None:
        """Keep an instance for the next run."""
        if self.moves:
            leave(connection)
        self._idle[process] = connection

    def note(self, failure: Failure) -> None:
        """Keep the smallest failing run of each rule."""
        if not self.caught_after:
            self.caught_after = self.examples
        rule = failure.evidence.rule
        known = self.failures.get(rule)
        if known is None or failure.size < known.size:
            self.failures[rule] = failure

    def close(self) -> None:
        """End every process and remove every directory."""
        try:
            for connection in self._idle.values():
                connection.kill()
        finally:
            self._idle.clear()
            shutil.rmtree(self._root, ignore_errors=True)


def move(connection: Connection, workspace: Path) -> None:
    """Open a workspace in a process that has none open."""
    _must(connection, "store/openWorkspace", {"workspace": str(workspace)})


def leave(connection: Connection) -> None:
    """Close the workspace that a process has open."""
    _must(connection, "store/closeWorkspace", {})


def _must(connection: Connection, method: str, params: Mapping[str, str]) -> None:
    outcome = connection.call(method, params)
    if not isinstance(outcome, Ok):
        what = f"{method} was refused ({outcome.kind}: {outcome.message}); it must always succeed"
        raise Fault(Diagnosis(blame="adapter", what=what))
