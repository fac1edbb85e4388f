"""Plays the lines of a run against the implementation, checks every answer, and keeps the record.

The state machine invents lines and a replay reads them from a file; both are played here, so that a
counterexample comes to the same verdict in both.
"""

from collections.abc import Container, Mapping
from pathlib import Path

from attrs import define, field

from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.outcome import Diagnosis, Fault, Ok, Outcome, Refused
from dsh_conformance.tracks.store.answers import look
from dsh_conformance.tracks.store.arena import Arena, Failure, leave, move
from dsh_conformance.tracks.store.expect import Check, Inside, holds
from dsh_conformance.tracks.store.ground import Ground
from dsh_conformance.tracks.store.script import (
    Artifact,
    Call,
    Damage,
    Files,
    Life,
    Line,
    Lock,
    Outside,
    Place,
    Workspace,
    expectation_json,
)
from dsh_conformance.tracks.store.violation import Abandoned, Evidence, violation_of
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json


@define(kw_only=True)
class Player:
    """One run in progress."""

    #: The surroundings.
    arena: Arena
    #: All lines played so far.
    lines: list[Line] = field(factory=list)
    #: What earlier answers gave.
    bindings: dict[str, Json | bytes] = field(factory=dict)
    #: How many steps were begun.
    steps: int = 0
    _sandbox: Path = field(init=False)
    _ground: Ground = field(init=False)
    _alive: dict[str, Connection] = field(factory=dict, init=False)
    #: Where each session's file lay last: of a damaged one the implementation may not know it.
    _paths: dict[str, str] = field(factory=dict, init=False)
    #: The name of the workspace that those lie in.
    _open: str = field(default="w", init=False)

    def __attrs_post_init__(self) -> None:
        """Make the run's sandbox."""
        self._sandbox = self.arena.sandbox()
        self._ground = Ground(workspace=self._workspace)

    @property
    def alive(self) -> Container[str]:
        """The names of the running processes."""
        return self._alive

    def play(self, line: Line) -> Outcome:
        """Do what the line says and check the answer; raises the rule's violation."""
        self.lines.append(line)
        match line:
            case Call():
                return self._call(line)
            case Life():
                return self._life(line)
            case Workspace(name=name, process=process):
                leave(self._alive[process])
                move(self._alive[process], self._workspace(name))
                if name != self._open:
                    self._paths.clear()
                    self._open = name
                return Ok(None)
            case Artifact():
                return self._artifact(line)
            case Damage():
                return self._damage(line)
            case Outside(checks=checks):
                outcome = Ok({"inside": self._nothing_outside()})
                self._check(checks, outcome)
                return outcome
            case Place() | Files() | Lock():
                outcome = Ok(self._ground.use(line))
                self._check(() if isinstance(line, Place) else line.checks, outcome)
                return outcome

    def abort(self) -> None:
        """Kill the processes: one of them could not be driven."""
        for connection in self._alive.values():
            connection.kill()
        self._alive.clear()

    def end(self) -> None:
        """Give the processes back and remove the sandbox."""
        self._ground.leave()
        try:
            for process, connection in self._alive.items():
                self.arena.release(process, connection)
        finally:
            self._alive.clear()
            self.arena.discard(self._sandbox)

    def _call(self, line: Call) -> Outcome:
        params = dict(line.params)
        handle = params.get("handle")
        if isinstance(handle, str):
            bound = self.bindings.get(handle)
            params["handle"] = bound if isinstance(bound, int) else -1
        outcome = self._alive[line.process].call(line.method, params)
        self._check(line.checks, outcome)
        if isinstance(outcome, Ok):
            for name, path in line.keeps.items():
                self.bindings[name] = look(outcome.value, path)
        return outcome

    def _life(self, line: Life) -> Outcome:
        if line.event == "start":
            workspace = self._workspace(line.workspace)
            self._alive[line.process] = self.arena.connect(line.process, workspace)
            return Ok(None)
        ending = self._alive.pop(line.process)
        if line.event == "stop":
            ending.close()
        else:
            ending.kill()
        return Ok(None)

    def _artifact(self, line: Artifact) -> Outcome:
        path = self._locate(line.session, line.process)
        content = path.read_bytes() if path is not None and path.is_file() else None
        self.bindings["artifact"] = content
        outcome = Ok({"bytes": None if content is None else len(content)})
        self._check(line.checks, outcome)
        if line.keeps:
            self.bindings[line.keeps] = content
        return outcome

    def _damage(self, line: Damage) -> Outcome:
        path = self._locate(line.session, line.process)
        if path is None:
            what = f"store/locate names no file for session {line.session!r}, which was damaged"
            raise Fault(Diagnosis(blame="adapter", what=what))
        path.write_bytes(line.content)
        return Ok(None)

    def _locate(self, session: str, process: str) -> Path | None:
        """Ask where a session's file lies; outside the workspace is a breach of `STORE-ID-SAFE`."""
        outcome = self._alive[process].call("store/locate", {"id": session})
        path = look(outcome.value, ("path",)) if isinstance(outcome, Ok) else None
        path = path or self._paths.get(session)
        if not isinstance(path, str):
            return None
        inside = Path(path).resolve().is_relative_to(self._sandbox.resolve())
        self._check((Check("STORE-ID-SAFE", Inside()),), Ok({"inside": inside}))
        self._paths[session] = path
        return Path(path)

    def _nothing_outside(self) -> bool:
        """Say whether the sandbox holds workspaces and nothing else, at every level above them."""
        deep = self._sandbox / "a" / "b"
        levels = [(self._sandbox, {"a"}), (self._sandbox / "a", {"b"}), (deep, {"v", "w"})]
        return all({p.name for p in level.iterdir()} <= names for level, names in levels)

    def _workspace(self, name: str) -> Path:
        workspace = self._sandbox / "a" / "b" / name
        workspace.mkdir(parents=True, exist_ok=True)
        return workspace

    def _check(self, checks: tuple[Check, ...], outcome: Outcome) -> None:
        for check in checks:
            if not holds(check.expects, outcome, self.bindings):
                self._broken(check, outcome)
            self.arena.exercised[check.rule] += 1

    def _broken(self, check: Check, outcome: Outcome) -> None:
        actual = outcome_json(outcome)
        evidence = Evidence(
            rule=check.rule, expected=expectation_json(check.expects), actual=actual
        )
        self.arena.note(Failure(evidence=evidence, lines=tuple(self.lines)))
        if self.arena.hunts(check.rule):
            raise violation_of(check.rule)(evidence)
        raise Abandoned(check.rule)


def outcome_json(outcome: Outcome) -> Json:
    """Return an answer as a report shows it: without words that differ from run to run."""
    match outcome:
        case Ok(value):
            return {"result": _masked(value)}
        case Refused(kind=kind):
            return {"refusal": str(RefusalKind(kind))}


#: Members whose values are the implementation's own and differ from run to run.
_OWN = frozenset({"revision", "handle", "path"})


def _masked(value: Json) -> Json:
    match value:
        case Mapping():
            return {k: "..." if k in _OWN else _masked(v) for k, v in value.items()}
        case list() | tuple():
            return [_masked(item) for item in value]
        case _:
            return value
