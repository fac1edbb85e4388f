"""Certifies an implementation: every rule of the tracks that it claims gets its verdict."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from attrs import evolve

from dsh_conformance import __version__
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.profiles import Profile
from dsh_conformance.report.progress import Progress, Silent
from dsh_conformance.report.verdict import Counterexample, Report, RuleVerdict, Verdict, overall
from dsh_conformance.tracks.store.arena import Arena, Failure
from dsh_conformance.tracks.store.narrative import narrative
from dsh_conformance.tracks.store.script import line_json
from dsh_conformance.tracks.store.search import SHRINKING, hunt, survey
from dsh_spec.catalogue import Rule, rule, rules
from dsh_spec.values import JsonObject

#: How many broken rules get a counterexample made as small as can be; the others show the smallest
#: run that happened to be seen.
MOST_HUNTED = 5

#: How many more times a third of the profile's runs is tried while a rule is exercised too seldom.
MOST_ROUNDS = 5
#: By how much the seeds of these rounds differ.
_STRIDE = 1_000_003


def certify(
    launcher: Launcher,
    capabilities: Capabilities,
    *,
    profile: Profile,
    seed: int,
    xfail: Mapping[str, str],
    progress: Progress | None = None,
    database: Path | None = None,
) -> Report:
    """Judge the store track; raises `Fault` when the implementation cannot be driven.

    *xfail* names the rules that are expected to be broken, with the reason.
    """
    began, started = monotonic(), datetime.now(UTC)
    progress = progress or Silent()
    arena = Arena(launcher=launcher, capabilities=capabilities, progress=progress)
    try:
        progress.started(profile.examples)
        _survey(arena, profile, seed, xfail)
        examples, steps, exercised = arena.examples, arena.steps, arena.exercised.copy()
        _hunt_all(arena, profile, seed, xfail, database)
    finally:
        arena.close()
    verdicts = tuple(
        _verdict(each, arena, exercised[each.slug], profile, xfail) for each in store_rules()
    )
    return Report(
        implementation=capabilities.implementation,
        tracks=("store",),
        profile=profile.name,
        seed=seed,
        started=started.isoformat(timespec="seconds"),
        seconds=round(monotonic() - began, 3),
        verdict=overall(verdicts),
        rules=verdicts,
        examples=examples,
        steps=steps,
        notes=tuple(_notes(capabilities)),
    )


def store_rules() -> tuple[Rule, ...]:
    """Return the rules of the store track, handle seam, in the order of the catalogue."""
    return tuple(r for r in rules() if r.track == "store" and r.seam in (None, "handle"))


def unclaimed(each: Rule, launcher: Launcher, capabilities: Capabilities) -> str | None:
    """Say why a rule is not asked of an implementation; nothing when it is."""
    claims = capabilities.store
    has = {
        "artifacts": claims is not None and claims.artifacts is not None,
        "durable": claims is not None and claims.durable,
        "cross-process-lock": claims is not None and claims.cross_process_lock,
        "hostile-values": capabilities.hostile_values,
        "restart": True,
        "second-process": launcher.can_share,
        "in-process": launcher.in_process,
        "cancellation": False,
    }
    if each.level == "MAY":
        return "optional: a store may do either"
    missing = [need for need in each.needs if not has[need]]
    return f"needs {' and '.join(missing)}" if missing else None


def _survey(arena: Arena, profile: Profile, seed: int, xfail: Mapping[str, str]) -> None:
    """Try the runs of the profile, and some more while a rule was exercised too seldom.

    An implementation with known deviations ends many runs early, and chance leaves out a rule.
    """
    survey(arena, profile, seed)
    fewer = evolve(profile, examples=max(1, profile.examples // 3))
    for number in range(1, MOST_ROUNDS + 1):
        if set(arena.failures) - set(xfail) or not _lacking(arena, profile):
            return
        arena.progress.note("some rules were exercised too seldom; trying more runs")
        survey(arena, fewer, seed + number * _STRIDE)


def _lacking(arena: Arena, profile: Profile) -> Sequence[str]:
    """Return the claimed rules that were kept, but exercised too seldom."""
    claimed = (r for r in store_rules() if unclaimed(r, arena.launcher, arena.capabilities) is None)
    kept = (each.slug for each in claimed if each.slug not in arena.failures)
    return [slug for slug in kept if arena.exercised[slug] < profile.at_least]


def _hunt_all(
    arena: Arena, profile: Profile, seed: int, xfail: Mapping[str, str], database: Path | None
) -> None:
    """Make the counterexamples small, one rule after the other."""
    broken = [slug for slug in arena.failures if slug not in xfail]
    for slug in broken[:MOST_HUNTED]:
        arena.progress.note(f"{slug} is broken; making the run that shows it smaller")
        arena.allowance = profile.examples + SHRINKING
        hunt(arena, profile, seed, frozenset({slug}), database)


def _verdict(
    each: Rule, arena: Arena, exercised: int, profile: Profile, xfail: Mapping[str, str]
) -> RuleVerdict:
    failure = arena.failures.get(each.slug)
    reason = unclaimed(each, arena.launcher, arena.capabilities)
    expected = xfail.get(each.slug)

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
    if exercised < profile.at_least:
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


def _notes(capabilities: Capabilities) -> Iterable[str]:
    for track in sorted(capabilities.others):
        yield f"the {track} track is claimed; this version of the suite does not certify it"
