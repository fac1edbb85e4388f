"""The real runtime is certified like any other implementation, plain and compressed."""

import pytest

from dsh_conformance.certify import Terms, certify
from dsh_conformance.implementation.deviations import known
from dsh_conformance.implementation.names import resolve
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.profiles import QUICK, Profile
from dsh_conformance.report.verdict import exit_status
from dsh_conformance.tracks.store.arena import Arena
from dsh_conformance.tracks.store.suite import StoreSuite

#: The core has a test of its own, and what does not depend on how files are kept is asked once.
TRACKS = {"none": ("store", "migration", "files"), "zstd": ("store",)}


@pytest.mark.parametrize("compression", TRACKS)
def test_the_real_runtime_breaks_no_rule_but_those_that_are_known(compression: str) -> None:
    launcher = resolve("dsh", (), {"compression": compression}, deadline=60)
    capabilities = smoke(launcher)
    expected = known(capabilities.implementation)
    terms = Terms(profile=QUICK, seed=0, xfail=expected, tracks=TRACKS[compression])
    report = certify(launcher, capabilities, terms)
    judged = {each.rule: each.verdict for each in report.rules if each.verdict != "not-claimed"}
    assert {rule for rule, verdict in judged.items() if verdict != "passed"} == set(expected)
    assert exit_status(report) == 0


#: Part of a certification: few runs, and no search for what they happen not to exercise.
SMALL = Profile(name="small", examples=24, steps=14, lives=1, at_least=1)
#: How many rules those runs check at least.
MOST_RULES = 50


def test_runs_on_the_store_of_format_3_break_no_other_rule_either(older_runtimes: None) -> None:
    launcher = resolve("dsh-v3", (), {}, deadline=60)
    capabilities = smoke(launcher, ("store",))
    suite = StoreSuite()
    claimed = {
        rule.slug
        for rule in suite.rules(capabilities)
        if suite.unclaimed(rule, launcher, capabilities) is None
    }
    arena = Arena(launcher=launcher, capabilities=capabilities)
    try:
        suite.survey(arena, SMALL, 0)
    finally:
        arena.close()
    assert set(arena.failures) <= set(known(capabilities.implementation))
    assert len(claimed & set(arena.exercised)) >= MOST_RULES
    assert {"MIG-WRITE-PUBLISH", "STORE-VERSION-GATE"} <= set(arena.exercised)
    assert "MIG-FACTS-COLLECT" not in claimed
