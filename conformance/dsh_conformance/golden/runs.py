"""Golden runs: for a rule that no log shows, the smallest run that does, with the right answers.

A run is a replay script, so a port in any language plays it as it is.  Its head says besides which
implementations it is for, the sabotage that it tells from a right implementation, and where the
answers come from.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from typing import Any, Final

from attrs import frozen

from dsh_conformance.golden.case import Finding
from dsh_conformance.golden.corpus import root
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.implementation.deviations import known
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.smoke import is_certified, smoke
from dsh_conformance.replay import replay_in
from dsh_conformance.sabotage.catalogue import BACKENDS, Base
from dsh_conformance.tracks import PURE
from dsh_conformance.tracks.pure.suite import numbers
from dsh_conformance.tracks.registry import SUITES
from dsh_conformance.tracks.store.arena import Arena
from dsh_reference.refusal import Refusal
from dsh_reference.values import parse
from dsh_spec.catalogue import rule
from dsh_spec.values import JsonObject

#: The directory of the runs.
RUNS: Final = "runs"
#: The stores here that have artifacts, by their seam and the encoding.
STORES: Final[Mapping[tuple[str, str], Base]] = {
    ("handle", "jsonl"): "jsonl",
    ("handle", "jsonl.zstd"): "jsonl-zstd",
    ("store", "jsonl"): "seam-jsonl",
}


@frozen(kw_only=True)
class Run:
    """A golden run."""

    #: The rule that it shows, which is its name in lower case.
    rule: str
    #: The lines of the script, the head in front.
    lines: tuple[JsonObject, ...]
    #: A digest of its file.
    digest: str = ""

    @property
    def head(self) -> Mapping[str, Any]:
        """What the run is for, and where its answers come from."""
        return self.lines[0]

    @property
    def place(self) -> str:
        """Where it lies."""
        return f"{RUNS}/{self.rule.lower()}"

    @property
    def needs(self) -> Mapping[str, Any]:
        """What an implementation must claim to be shown it: track, seam, artifacts, formats."""
        needs: Mapping[str, Any] = self.head["needs"]
        return needs


def runs(where: Traversable | None = None) -> tuple[Run, ...]:
    """Return every run, by name; raises `ValueError` for a file that is none."""
    directory = (root() if where is None else where) / RUNS
    found = [*directory.iterdir()] if directory.is_dir() else []
    return tuple(_read(each) for each in sorted(found, key=lambda each: each.name))


def _read(file: Traversable) -> Run:
    lines, content = [], file.read_bytes()
    for text in content.splitlines():
        value = parse(text)
        if isinstance(value, Refusal) or not isinstance(value, Mapping):
            problem = f"{RUNS}/{file.name} is no replay script"
            raise ValueError(problem)
        lines.append(value)
    digest = hashlib.sha256(content).hexdigest()
    return Run(rule=str(lines[0]["rule"]), lines=tuple(lines), digest=digest)


def ours(run: Run) -> Launcher:
    """Return the right implementation of this project that a run is for."""
    needs = run.needs
    key = (needs.get("seam", "handle"), needs.get("artifacts", "jsonl"))
    base = STORES[key] if needs["track"] == "store" else "reference"
    factory, config = BACKENDS[base]
    return InProcessLauncher(factory=factory, config=config, describe=base)


def suits(run: Run, launcher: Launcher, capabilities: Capabilities) -> bool:
    """Say whether an implementation claims what the run is for."""
    needs, track = run.needs, run.needs["track"]
    if track == "store":
        claims = capabilities.store
        if claims is None or needs["seam"] != claims.seam or needs["formats"] != [claims.format]:
            return False
        if needs.get("artifacts", claims.artifacts) != claims.artifacts:
            return False
    elif not set(needs["formats"]) <= _formats(capabilities.others.get(track)):
        return False
    suite = SUITES[track]()
    return suite.unclaimed(rule(run.rule), launcher, capabilities) is None


def _formats(claims: object) -> set[int]:
    """Return the formats that the claims of a pure track name."""
    if not isinstance(claims, Mapping):
        return set()
    members = (claims.get("formats"), claims.get("from"), [claims.get("to")])
    return {number for member in members for number in numbers(member)}


def check_runs(
    chosen: Sequence[Run], launcher: Launcher | None = None
) -> Iterator[tuple[Run, list[Finding]]]:
    """Play the runs that an implementation claims to be fit for; raises `Fault`.

    Without a *launcher* each is played on the implementation of this project that it is for.
    """
    if launcher is not None:
        yield from _shown(chosen, launcher)
        return
    for run in chosen:
        played = list(_shown([run], ours(run)))
        unfit = Finding(place=run.place, problem="nothing here claims what it is for")
        yield from played or [(run, [unfit])]


def _shown(chosen: Sequence[Run], launcher: Launcher) -> Iterator[tuple[Run, list[Finding]]]:
    arena = Arena(launcher=launcher, capabilities=_claims(launcher))
    departs = known(arena.capabilities.implementation)
    try:
        for run in chosen:
            if suits(run, launcher, arena.capabilities):
                found = list(_played(run, arena))
                yield run, _unexpected(run, found) if run.rule in departs else found
    finally:
        arena.close()


def _unexpected(run: Run, found: list[Finding]) -> list[Finding]:
    """Return what is wrong where an implementation is known to depart from the run's rule.

    A run that a real runtime kept does not meet the departure; one worked out by hand does.
    """
    if run.head.get("provenance", {}).get("kind") != "hand-worked":
        return found
    if not found:
        return [Finding(place=run.place, problem=f"it keeps {run.rule}, against what is known")]
    return [each for each in found if not each.problem.endswith(f" breaks {run.rule}")]


def _claims(launcher: Launcher) -> Capabilities:
    """Return what is claimed, and probe a store only where this version certifies it."""
    claims = smoke(launcher, PURE)
    return smoke(launcher) if claims.store and is_certified(claims.store) else claims


def _played(run: Run, arena: Arena) -> Iterator[Finding]:
    result = replay_in(arena, run.lines)
    if result.verdict == "broken":
        yield Finding(
            place=run.place,
            problem=f"line {result.line} breaks {result.rule}",
            expected=result.expected,
            actual=result.actual,
        )
