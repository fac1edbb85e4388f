"""The sabotages of the migration track: each rule has one, and each is caught by its own rule."""

from collections.abc import Callable

import pytest
from attrs import evolve

from dsh_conformance.profiles import QUICK
from dsh_conformance.sabotage.catalogue import Benign, benign, breaking, sabotages
from dsh_conformance.sabotage.run import run, surveyed
from dsh_spec.catalogue import Rule, rules

TRACK = [each for each in rules() if each.track == "migration" and each.level == "MUST"]
#: Enough to see a complaint that is made often, and quick; `make sabotage` looks harder.
BRIEF = evolve(QUICK, examples=3)
#: Sabotages that are found in little time: of a result, of a refusal, of a request, of a memory.
QUICKLY = (
    "numbers-prompts",
    "takes-types-of-any-time",
    "reads-newer-logs",
    "migrates-a-log-once",
)
#: The field reports of logs that were lost at an upgrade.
FIELD = ("F08", "F10", "F12", "F14", "F15", "F17", "F18", "F19", "F20", "F27")


@pytest.mark.parametrize("rule", TRACK, ids=lambda rule: rule.slug)
def test_every_rule_of_the_track_has_a_sabotage(rule: Rule) -> None:
    assert breaking(rule.slug)


def test_there_are_enough() -> None:
    assert len(sabotages("migration")) >= 140
    assert len(benign("migration")) >= 3
    assert all(each.base == "reference" for each in sabotages("migration"))


@pytest.mark.parametrize("report", FIELD)
def test_every_loss_at_an_upgrade_has_a_sabotage(report: str) -> None:
    assert any(report in each.like for each in sabotages("migration"))


@pytest.mark.parametrize("variation", benign("migration"), ids=lambda each: each.name)
def test_what_is_only_different_passes(variation: Benign) -> None:
    seen = surveyed(variation, BRIEF, seed=1)
    assert (seen.rules, seen.fault) == ((), "")


@pytest.mark.parametrize("name", QUICKLY)
def test_a_counterexample_can_be_shown_again(name: str, shown_again: Callable[..., None]) -> None:
    shown_again(name)


def test_the_matrix_of_a_track_names_it() -> None:
    report = run(BRIEF, 0, ("stops-where-nothing-is-to-do",), tracks=("migration",))
    assert [(each.track, each.rule, each.caught) for each in report.sabotages] == [
        ("migration", "MIG-ADJACENT", True)
    ]
    assert run(BRIEF, 0, ("stops-where-nothing-is-to-do",), tracks=("store",)).sabotages == ()
