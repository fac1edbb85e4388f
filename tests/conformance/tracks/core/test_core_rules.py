"""Every rule of the core track is checked, and some wrong core breaks it."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from dsh_conformance.implementation.capabilities import Capabilities, ImplementationInfo
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.reference import reference
from dsh_conformance.profiles import Profile
from dsh_conformance.sabotage.catalogue import breaking, sabotages
from dsh_conformance.tracks.core.suite import core_suite
from dsh_conformance.tracks.store.arena import Arena
from dsh_spec.catalogue import Rule, rules

CORE = [rule for rule in rules() if rule.track == "core" and rule.level == "MUST"]
#: So few runs that each law is tried a few times.
SMALL = Profile(name="small", examples=12, steps=1, lives=1, at_least=1)
INFO = ImplementationInfo(name="port", version="1", language="Python")


@pytest.mark.parametrize("rule", CORE, ids=lambda rule: rule.slug)
def test_every_rule_has_a_wrong_core(rule: Rule) -> None:
    assert breaking(rule.slug)


def test_there_are_enough_wrong_cores() -> None:
    by_hand = [each for each in sabotages("core") if not each.name.startswith("core-takes-")]
    assert len(by_hand) >= 60


def test_the_reference_keeps_every_rule() -> None:
    launcher = InProcessLauncher(factory=reference, describe="the reference")
    with TemporaryDirectory() as directory:
        probe = launcher.launch(Path(directory))
        arena = Arena(launcher=launcher, capabilities=probe.capabilities)
        probe.close()
    try:
        core_suite().survey(arena, SMALL, 1)
    finally:
        arena.close()
    assert arena.failures == {}
    assert len(arena.exercised) > len(CORE) / 2


@pytest.mark.parametrize("version", range(5))
def test_each_format_alone_leaves_rules_to_ask(version: int) -> None:
    suite = core_suite()
    claims = Capabilities(implementation=INFO, store=None, others={"core": {"formats": [version]}})
    launcher = InProcessLauncher(factory=reference, describe="the reference")
    asked = [each.slug for each in CORE if suite.unclaimed(each, launcher, claims) is None]
    assert "SURF-FOLD" in asked
    assert ("REL-TURN" in asked) == (version == 4)
    assert ("FORK-OPEN-TURN" in asked) == (version < 4)
    assert "APP-DATA-JSON" not in asked
