"""Finding golden runs: the smallest run that tells a sabotage from a right implementation.

The suite finds the run on the sabotage; the looks after its steps are left out where it breaks the
same rule without them.  What it demands is then shown to the real runtime, and only what that
keeps is written as read off it.  A run that cannot be shown to any is a person's to work out.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import evolve, frozen

from dsh_conformance.certify import script
from dsh_conformance.golden.case import NEWEST, Finding
from dsh_conformance.golden.runs import RUNS, STORES, Run, check_runs
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.outcome import Fault
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.profiles import Profile
from dsh_conformance.replay import replay
from dsh_conformance.report import jsonreport
from dsh_conformance.sabotage.catalogue import Sabotage
from dsh_conformance.sabotage.run import hunted
from dsh_conformance.tracks import PURE
from dsh_spec.values import JsonObject

#: What a store claims of its artifacts, by the implementation that is wrapped.
_ARTIFACTS: Final = {base: artifacts for (_, artifacts), base in STORES.items()}
#: The lines that look at a session's file.
_LOOKS: Final = ("artifact", "damage")


@frozen(kw_only=True)
class Recorded:
    """What came of the search for a run."""

    #: The run; nothing where the sabotage was not caught by the rule that it breaks.
    run: Run | None
    #: Where the run is not kept, or by whom it could not be judged.
    findings: tuple[Finding, ...] = ()


def record(sabotage: Sabotage, profile: Profile, seed: int, real: Sequence[Launcher]) -> Recorded:
    """Look for the run of a sabotage, and show it to *real* runtimes; raises `Fault`."""
    found = hunted(sabotage, profile, seed)
    broken = [each for each in found.failures if each.evidence.rule == sabotage.rule]
    if not broken:
        return Recorded(run=None)
    head, *rest = script(broken[0])
    run = Run(rule=sabotage.rule, lines=(_head(head, rest, sabotage), *rest))
    run = slim(run, sabotage)
    findings = [each for _, every in check_runs([run]) for each in every]
    for launcher in real:
        for _, every in check_runs([run], launcher):
            findings.extend(every)
            if not every:
                return Recorded(run=_confirmed(run, launcher), findings=tuple(findings))
    return Recorded(run=run, findings=tuple(findings))


def bites(run: Run, sabotage: Sabotage) -> bool:
    """Say whether the sabotage breaks the run's rule; one that cannot be driven does not."""
    launcher = InProcessLauncher(factory=sabotage.factory, describe=sabotage.name)
    try:
        result = replay(run.lines, launcher, smoke(launcher))
    except Fault:
        return False
    return result.verdict == "broken" and result.rule == run.rule


def is_kept(run: Run) -> bool:
    """Say whether the right implementation of this project that the run is for keeps it."""
    return not any(every for _, every in check_runs([run]))


def text(run: Run) -> bytes:
    """Return the file of a run."""
    return "".join(map(jsonreport.line, run.lines)).encode()


def write_run(run: Run, where: Path) -> Path:
    """Write a run below *where*, and return its place."""
    path = where / RUNS / f"{run.rule.lower()}.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text(run))
    return path


def _head(head: JsonObject, rest: Iterable[JsonObject], sabotage: Sabotage) -> JsonObject:
    kept = {key: head[key] for key in ("script", "rule", "steps")}
    return {**kept, "sabotage": sabotage.name, "needs": _needs(list(rest), sabotage)}


def _needs(lines: Sequence[Mapping[str, Any]], sabotage: Sabotage) -> JsonObject:
    if sabotage.track != "store":
        return {"track": sabotage.track, "formats": sorted(set(_formats(lines)))}
    seam = "store" if sabotage.base.startswith("seam-") else "handle"
    needs: JsonObject = {
        "track": "store",
        "seam": seam,
        "formats": [0 if seam == "store" else NEWEST],
    }
    if any(line["do"] in _LOOKS for line in lines):
        return {**needs, "artifacts": _ARTIFACTS[sabotage.base]}
    return needs


def _formats(lines: Sequence[Mapping[str, Any]]) -> Iterable[int]:
    for params in (line["params"] for line in lines if line["do"] == "call"):
        if "format" in params:
            yield params["format"]
        if "to" in params:
            yield params["to"]


def slim(run: Run, sabotage: Sabotage) -> Run:
    """Leave out the looks that the run does not need, by which a right implementation is kept."""
    for number in range(len(run.lines) - 1, 0, -1):
        if run.lines[number].get("view"):
            less = evolve(run, lines=run.lines[:number] + run.lines[number + 1 :])
            if bites(less, sabotage) and is_kept(less):
                run = less
    return run


def _confirmed(run: Run, launcher: Launcher) -> Run:
    version = smoke(launcher, PURE).implementation.version
    provenance: JsonObject = {"kind": "real-runtime", "version": version}
    return evolve(run, lines=({**run.head, "provenance": provenance}, *run.lines[1:]))
