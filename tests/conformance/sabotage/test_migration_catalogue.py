"""The sabotages of the migration track: each rule has one, and each is caught by its own rule."""

from pathlib import Path

import pytest
from attrs import evolve

from dsh_conformance.certify import script
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.reference import reference
from dsh_conformance.profiles import QUICK
from dsh_conformance.replay import replay
from dsh_conformance.sabotage.catalogue import Benign, Sabotage, benign, breaking, sabotages
from dsh_conformance.sabotage.run import hunted, run, surveyed
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


def called(name: str) -> Sabotage:
    """Return the sabotage of this name."""
    return next(each for each in sabotages("migration") if each.name == name)


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
def test_a_counterexample_can_be_shown_again(name: str, tmp_path: Path) -> None:
    sabotage = called(name)
    found = hunted(sabotage, QUICK, seed=0)
    failure = next(each for each in found.failures if each.evidence.rule == sabotage.rule)
    lines = tuple(script(failure))
    wrong = InProcessLauncher(factory=sabotage.factory)
    again = replay(lines, wrong, launched(wrong, tmp_path))
    assert (again.verdict, again.rule) == ("broken", sabotage.rule)
    assert again.expected == failure.evidence.expected
    right = InProcessLauncher(factory=reference)
    assert replay(lines, right, launched(right, tmp_path)).verdict == "kept"


def launched(launcher: InProcessLauncher, workspace: Path) -> Capabilities:
    """Return the capabilities of a port that lived for a moment."""
    connection = launcher.launch(workspace)
    connection.close()
    return connection.capabilities


def test_the_matrix_of_a_track_names_it() -> None:
    report = run(BRIEF, 0, ("stops-where-nothing-is-to-do",), tracks=("migration",))
    assert [(each.track, each.rule, each.caught) for each in report.sabotages] == [
        ("migration", "MIG-ADJACENT", True)
    ]
    assert run(BRIEF, 0, ("stops-where-nothing-is-to-do",), tracks=("store",)).sabotages == ()
