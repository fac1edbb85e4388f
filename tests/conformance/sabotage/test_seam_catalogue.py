"""The sabotages of the store seam: each of its rules has one that is wrong on that seam."""

from pathlib import Path

import pytest
from attrs import evolve

from dsh_conformance.certify import script
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.profiles import QUICK
from dsh_conformance.replay import replay
from dsh_conformance.sabotage.catalogue import BACKENDS, Sabotage, sabotages
from dsh_conformance.sabotage.run import hunted
from dsh_conformance.tracks.store.suite import store_rules
from dsh_spec.catalogue import Rule

SEAM = [each for each in sabotages() if each.base.startswith("seam-")]
RULES = [rule for rule in store_rules("store", 0) if rule.level == "MUST"]
#: Sabotages that are found in little time: of repair, of reading, of appending.
QUICKLY = ("commits-on-inspect", "reads-closers", "seam-renumbers-batches")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.slug)
def test_every_rule_of_the_seam_has_a_sabotage_on_it(rule: Rule) -> None:
    assert [each.name for each in SEAM if each.rule == rule.slug]


def test_there_are_enough() -> None:
    assert len(SEAM) >= 20
    assert {each.rule for each in SEAM} <= {rule.slug for rule in RULES}


@pytest.mark.parametrize("name", QUICKLY)
def test_a_counterexample_can_be_shown_again(name: str, tmp_path: Path) -> None:
    sabotage = next(each for each in SEAM if each.name == name)
    found = hunted(sabotage, evolve(QUICK, examples=60), seed=0)
    failure = next(each for each in found.failures if each.evidence.rule == sabotage.rule)
    again = _replayed(sabotage, tmp_path, script(failure), right=False)
    assert again == ("broken", sabotage.rule)
    assert _replayed(sabotage, tmp_path, script(failure), right=True)[0] == "kept"


def _replayed(
    sabotage: Sabotage, workspace: Path, lines: object, *, right: bool
) -> tuple[str, str]:
    factory, config = BACKENDS[sabotage.base]
    launcher = (
        InProcessLauncher(factory=factory, config=config)
        if right
        else InProcessLauncher(factory=sabotage.factory)
    )
    connection = launcher.launch(workspace)
    connection.close()
    result = replay(tuple(lines), launcher, connection.capabilities)  # type: ignore[arg-type]
    return result.verdict, result.rule
