"""Certifies an implementation: every rule of the tracks that it claims gets its verdict."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from attrs import evolve, field, frozen

from dsh_conformance import __version__
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.implementation.outcome import Diagnosis, Fault
from dsh_conformance.profiles import Profile
from dsh_conformance.report.progress import Progress, Silent
from dsh_conformance.report.verdict import Counterexample, Report, RuleVerdict, Verdict, overall
from dsh_conformance.shards import Find, spread
from dsh_conformance.tracks.registry import SUITES, claimed_tracks, suites
from dsh_conformance.tracks.store.arena import Arena, Failure
from dsh_conformance.tracks.store.narrative import narrative
from dsh_conformance.tracks.store.script import line_json
from dsh_conformance.tracks.suite import Suite
from dsh_spec.catalogue import Rule, rule
from dsh_spec.values import JsonObject

#: How many broken rules get a counterexample made as small as can be; the others show the smallest
#: run that happened to be seen.
MOST_REDUCED = 5

#: How many more times a third of the profile's runs is tried while a rule is exercised too seldom.
MOST_ROUNDS = 5
#: By how much the seeds of these rounds differ.
_STRIDE = 1_000_003


@frozen(kw_only=True)
class Terms:
    """What a certification is asked for."""

    #: How hard to look.
    profile: Profile
    #: The seed; with the profile it reproduces the run.
    seed: int
    #: The rules that are expected to be broken, with the reason.
    xfail: Mapping[str, str] = field(factory=dict)
    #: The tracks to judge; all that are claimed when empty.
    tracks: tuple[str, ...] = ()
    #: Where failing examples are kept.
    database: Path | None = None
    #: Over how many processes the runs are spread.
    workers: int = 1
    #: Finds the launcher in another process; needed for more than one.
    find: Find | None = None


@frozen(kw_only=True)
class _Judgement:
    """What came of one track."""

    #: The verdicts on its rules.
    verdicts: tuple[RuleVerdict, ...]
    #: Runs tried.
    examples: int
    #: Steps taken.
    steps: int


def certify(
    launcher: Launcher,
    capabilities: Capabilities,
    terms: Terms,
    progress: Progress | None = None,
) -> Report:
    """Judge the tracks that are claimed and asked for; raises `Fault` when it cannot be driven."""
    began, started = monotonic(), datetime.now(UTC)
    chosen = suites(capabilities, terms.tracks)
    if not chosen:
        asked = " or ".join(terms.tracks or SUITES)
        claims = ", ".join(claimed_tracks(capabilities)) or "nothing"
        what = f"it claims {claims}, and was to be judged on the {asked} track"
        raise Fault(Diagnosis(blame="suite", what=what))
    judged = [
        _Court(
            suite=suite,
            arena=Arena(
                launcher=launcher, capabilities=capabilities, progress=progress or Silent()
            ),
            terms=terms,
        ).judge()
        for suite in chosen
    ]
    verdicts = tuple(verdict for each in judged for verdict in each.verdicts)
    return Report(
        implementation=capabilities.implementation,
        tracks=tuple(suite.track for suite in chosen),
        profile=terms.profile.name,
        seed=terms.seed,
        started=started.isoformat(timespec="seconds"),
        seconds=round(monotonic() - began, 3),
        verdict=overall(verdicts),
        rules=verdicts,
        examples=sum(each.examples for each in judged),
        steps=sum(each.steps for each in judged),
        notes=tuple(_notes(capabilities, chosen)),
    )


@frozen(kw_only=True)
class _Court:
    """One track of one implementation, about to be judged."""

    #: The checks.
    suite: Suite
    #: The surroundings.
    arena: Arena
    #: What is asked for.
    terms: Terms

    def judge(self) -> _Judgement:
        """Survey, reduce, and return the verdicts; raises `Fault`."""
        arena = self.arena
        try:
            self._survey()
            examples, steps, exercised = arena.examples, arena.steps, arena.exercised.copy()
            self._reduce()
        finally:
            arena.close()
        verdicts = tuple(
            self._verdict(each, exercised[each.slug])
            for each in self.suite.rules(arena.capabilities)
        )
        return _Judgement(verdicts=verdicts, examples=examples, steps=steps)

    def _survey(self) -> None:
        """Try the runs of the profile, and some more while a rule was exercised too seldom.

        An implementation with known deviations ends many runs early, and chance leaves out a rule.
        Chance may also keep an expected failure from showing, which is not stale for that.
        """
        arena, profile = self.arena, self.terms.profile
        self._search(profile, self.terms.seed)
        fewer = evolve(profile, examples=max(1, profile.examples // 3))
        for number in range(1, MOST_ROUNDS + 1):
            lacking = frozenset(self._lacking()) | self._unseen()
            if set(arena.failures) - set(self.terms.xfail) or not lacking:
                return
            names = ", ".join(sorted(lacking)[:3]) + (", ..." if len(lacking) > 3 else "")
            arena.progress.note(f"exercised or broken too seldom: {names}; trying more runs")
            self._search(fewer, self.terms.seed + number * _STRIDE, lacking)

    def _search(self, profile: Profile, seed: int, lacking: frozenset[str] = frozenset()) -> None:
        arena, find, workers = self.arena, self.terms.find, self.terms.workers
        if find is not None and workers > 1:
            spread(arena, self.suite, profile, seed, find, workers, lacking)
        else:
            arena.progress.started(profile.examples)
            self.suite.survey(arena, profile, seed, lacking)
        claimed = [r for r in self.suite.rules(arena.capabilities) if self._unclaimed(r) is None]
        arena.progress.counted(len(claimed) - len(self._lacking()), len(claimed))

    def _lacking(self) -> Sequence[str]:
        """Return the claimed rules that were kept, but exercised too seldom."""
        arena = self.arena
        kept = (
            each.slug
            for each in self.suite.rules(arena.capabilities)
            if self._unclaimed(each) is None and each.slug not in arena.failures
        )
        return [slug for slug in kept if arena.exercised[slug] < self.terms.profile.at_least]

    def _unseen(self) -> set[str]:
        """Return the claimed rules of which a breach is expected and was not seen."""
        mine = self.suite.rules(self.arena.capabilities)
        claimed = {each.slug for each in mine if self._unclaimed(each) is None}
        return (claimed & self.terms.xfail.keys()) - self.arena.failures.keys()

    def _reduce(self) -> None:
        """Make the counterexamples small, one rule after the other."""
        arena = self.arena
        broken = [slug for slug in arena.failures if slug not in self.terms.xfail]
        for slug in broken[:MOST_REDUCED]:
            arena.progress.note(f"{slug} is broken; making the run that shows it smaller")
            self.suite.reduce(
                arena, self.terms.profile, self.terms.seed, frozenset({slug}), self.terms.database
            )

    def _unclaimed(self, each: Rule) -> str | None:
        return self.suite.unclaimed(each, self.arena.launcher, self.arena.capabilities)

    def _verdict(self, each: Rule, exercised: int) -> RuleVerdict:
        failure = self.arena.failures.get(each.slug)
        reason = self._unclaimed(each)
        expected = self.terms.xfail.get(each.slug)

        def said(verdict: Verdict, why: str | None = None) -> RuleVerdict:
            return RuleVerdict(
                rule=each.slug,
                track=each.track,
                verdict=verdict,
                exercised=exercised,
                reason=why,
                counterexample=counterexample(failure) if failure is not None else None,
            )

        if failure is not None:
            return said("failed") if expected is None else said("expected-failure", expected)
        if reason is not None:
            return said("not-claimed", reason)
        if exercised < self.terms.profile.at_least:
            return said("not-exercised")
        return said("passed") if expected is None else said("stale-expectation", expected)


def counterexample(failure: Failure) -> Counterexample:
    """Return a failing run as reports show it."""
    return Counterexample(
        steps=failure.steps,
        narrative=narrative(failure.lines),
        expected=failure.evidence.expected,
        actual=failure.evidence.actual,
        script=tuple(script(failure)),
    )


def script(failure: Failure) -> Iterable[JsonObject]:
    """Return the lines of the replay script of a failing run."""
    slug = failure.evidence.rule
    yield {
        "script": 1,
        "suite": __version__,
        "rule": slug,
        "statement": rule(slug).statement,
        "steps": failure.steps,
    }
    for line in failure.lines:
        yield line_json(line)


def _notes(capabilities: Capabilities, chosen: Sequence[Suite]) -> Iterable[str]:
    judged = {suite.track for suite in chosen}
    for track in sorted(set(claimed_tracks(capabilities)) - judged):
        yield f"the {track} track is claimed, and was not judged in this run"
