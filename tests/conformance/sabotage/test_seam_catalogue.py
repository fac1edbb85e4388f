"""The sabotages of the store seam: each of its rules has one that is wrong on that seam."""

from collections.abc import Callable

import pytest
from attrs import evolve

from dsh_conformance.profiles import QUICK
from dsh_conformance.sabotage.catalogue import sabotages
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
def test_a_counterexample_can_be_shown_again(name: str, shown_again: Callable[..., None]) -> None:
    shown_again(name, evolve(QUICK, examples=60))
