"""Runs the suite against every sabotage and every benign variation: the kill matrix.

Each is judged by the suite of its track, in this machine's own processes, several at once, with the
implementation in process: a second instance beside the first stands for a second process, and a
kill is the backend's `crash`.
The search for a breach of any rule ends with the first one.  One run of the profile may miss what
is rare, so up to `ROUNDS` of them are tried, and the number of examples tells how many it took.
If that was not the rule that the sabotage is meant to break, a second search asks for that rule.
What was found is then made smaller, unless it is short already.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from attrs import frozen

from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.outcome import Fault
from dsh_conformance.implementation.places import with_layout
from dsh_conformance.profiles import Profile
from dsh_conformance.report.progress import Progress, Silent
from dsh_conformance.report.verdict import BenignResult, SabotageReport, SabotageResult
from dsh_conformance.sabotage.catalogue import Benign, Sabotage, Variation, benign, sabotages
from dsh_conformance.tracks.registry import SUITES
from dsh_conformance.tracks.store.arena import Arena, Failure

#: A failing run of so few steps is not made smaller.
SHORT = 3
#: How many runs of the profile are tried at most, and by how much their seeds differ.
ROUNDS = 5
_STRIDE = 1_000_003


@frozen(kw_only=True)
class Findings:
    """What a search on one variation found."""

    #: The smallest failing run of each rule, the rule that was found first in front.
    failures: tuple[Failure, ...]
    #: How many runs it took to see the first breach, or were tried in vain.
    examples: int
    #: Why the backend could not be driven to the end, where it could not.
    fault: str = ""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that were broken."""
        return tuple(failure.evidence.rule for failure in self.failures)


def run(
    profile: Profile,
    seed: int,
    only: Sequence[str] = (),
    progress: Progress | None = None,
    tracks: Sequence[str] = (),
) -> SabotageReport:
    """Return the kill matrix of the tracks, or of all.

    *only* names the sabotages, all and the benign ones when empty.
    """
    progress = progress or Silent()
    chosen = [each for each in sabotages(*tracks) if each.name in only or not only]
    variations: list[Variation] = [*chosen, *(() if only else benign(*tracks))]
    progress.started(len(variations), "implementations")
    sabotaged: list[SabotageResult] = []
    harmless: list[BenignResult] = []
    with _workers(len(variations)) as pool:
        waiting = [pool.submit(judge, each.name, profile, seed) for each in variations]
        for done, future in enumerate(waiting, start=1):
            result, fault = future.result()
            if fault:
                progress.note(f"{result.name} could not be driven: {fault}")
            if isinstance(result, SabotageResult):
                sabotaged.append(result)
            else:
                harmless.append(result)
            progress.example(done)
    return SabotageReport(
        profile=profile.name, seed=seed, sabotages=tuple(sabotaged), benign=tuple(harmless)
    )


@contextmanager
def _workers(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Give as many processes as there are processors, and drop what waits when one job fails."""
    count = max(1, min(os.cpu_count() or 1, jobs))
    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def judge(name: str, profile: Profile, seed: int) -> tuple[SabotageResult | BenignResult, str]:
    """Return what becomes of one variation, and why it could not be driven if it could not."""
    began = monotonic()
    variation = next(each for each in (*sabotages(), *benign()) if each.name == name)
    if isinstance(variation, Benign):
        seen = surveyed(variation, profile, seed)
        passed = not seen.failures and not seen.fault
        return BenignResult(name=name, passed=passed, by=seen.rules), seen.fault
    assert isinstance(variation, Sabotage)
    found = hunted(variation, profile, seed)
    result = SabotageResult(
        name=name,
        rule=variation.rule,
        track=variation.track,
        caught=bool(found.failures),
        by=found.rules,
        examples=found.examples,
        steps=min((failure.steps for failure in found.failures), default=0),
        seconds=round(monotonic() - began, 3),
    )
    return result, found.fault


def surveyed(variation: Variation, profile: Profile, seed: int) -> Findings:
    """Try all the runs of the profile on a variation."""
    suite = SUITES[variation.track]()
    with _arena(variation) as arena:
        return _findings(arena, lambda: suite.survey(arena, profile, seed))


def hunted(variation: Sabotage, profile: Profile, seed: int) -> Findings:
    """Look for a breach of any rule, then, if that was another, for one of the declared rule."""
    suite = SUITES[variation.track]()

    def search() -> None:
        for number in range(ROUNDS):
            suite.hunt(arena, profile, seed + number * _STRIDE)
            if arena.failures:
                break
        if arena.failures and variation.rule not in arena.failures:
            suite.hunt(arena, profile, seed, frozenset({variation.rule}))
        if any(failure.steps > SHORT for failure in arena.failures.values()):
            suite.reduce(arena, profile, seed, frozenset(arena.failures))

    with _arena(variation) as arena:
        return _findings(arena, search)


@contextmanager
def _arena(variation: Variation) -> Iterator[Arena]:
    launcher = InProcessLauncher(factory=variation.factory, describe=variation.name)
    with TemporaryDirectory() as directory:
        probe = launcher.launch(Path(directory))
        arena = Arena(launcher=launcher, capabilities=with_layout(probe, Path(directory)))
        probe.close()
        try:
            yield arena
        finally:
            arena.close()


def _findings(arena: Arena, search: Callable[[], None]) -> Findings:
    fault = ""
    try:
        search()
    except Fault as error:
        fault = error.diagnosis.what
    return Findings(
        failures=tuple(arena.failures.values()),
        examples=arena.caught_after or arena.examples,
        fault=fault,
    )
