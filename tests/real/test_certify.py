"""The real runtime is certified like any other implementation, plain and compressed."""

import pytest

from dsh_conformance.certify import Terms, certify
from dsh_conformance.implementation.deviations import known
from dsh_conformance.implementation.names import resolve
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.profiles import QUICK, Profile
from dsh_conformance.report.verdict import exit_status

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


#: Enough for every rule to be exercised, and no more.
SMALL = Profile(name="small", examples=24, steps=16, lives=1, at_least=1)


def test_so_does_the_store_of_format_3(older_runtimes: None) -> None:
    launcher = resolve("dsh-v3", (), {}, deadline=60)
    capabilities = smoke(launcher, ("store",))
    expected = known(capabilities.implementation)
    terms = Terms(profile=SMALL, seed=0, xfail=expected, tracks=("store",))
    report = certify(launcher, capabilities, terms)
    judged = {each.rule: each.verdict for each in report.rules if each.verdict != "not-claimed"}
    assert {rule for rule, verdict in judged.items() if verdict != "passed"} == set(expected)
    assert exit_status(report) == 0
    assert "MIG-WRITE-PUBLISH" in judged
    assert "MIG-FACTS-COLLECT" not in judged
