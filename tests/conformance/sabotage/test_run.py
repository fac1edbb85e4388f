"""The suite catches what is wrong, lets pass what is only different, and can show it again."""

from pathlib import Path

import pytest
from attrs import evolve

from dsh_conformance.certify import script
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.profiles import QUICK
from dsh_conformance.replay import replay
from dsh_conformance.report.verdict import sabotage_exit_status
from dsh_conformance.sabotage.catalogue import BACKENDS, Benign, Sabotage, benign, sabotages
from dsh_conformance.sabotage.run import hunted, run, surveyed

#: Enough to see a complaint that is made often, and quick; `make sabotage` looks harder.
BRIEF = evolve(QUICK, examples=20)
#: Sabotages that are shown again: of reading, of appending, of a file.
SHOWN = ("reads-one-too-many", "stores-the-new-half", "serves-the-prefix")


def launched(launcher: InProcessLauncher, workspace: Path) -> Capabilities:
    """Return the capabilities of a backend that lived for a moment."""
    connection = launcher.launch(workspace)
    connection.close()
    return connection.capabilities


def called(name: str) -> Sabotage:
    """Return the sabotage of this name."""
    return next(each for each in sabotages() if each.name == name)


@pytest.mark.parametrize("variation", benign("store"), ids=lambda each: each.name)
def test_what_is_only_different_passes(variation: Benign) -> None:
    seen = surveyed(variation, BRIEF, seed=1)
    assert (seen.rules, seen.fault) == ((), "")


@pytest.mark.parametrize("name", SHOWN)
def test_a_counterexample_can_be_shown_again(name: str, tmp_path: Path) -> None:
    sabotage = called(name)
    found = hunted(sabotage, QUICK, seed=0)
    failure = next(each for each in found.failures if each.evidence.rule == sabotage.rule)
    lines = tuple(script(failure))
    wrong = InProcessLauncher(factory=sabotage.factory)
    factory, config = BACKENDS[sabotage.base]
    right = InProcessLauncher(factory=factory, config=config)
    again = replay(lines, wrong, launched(wrong, tmp_path))
    assert (again.verdict, again.rule) == ("broken", sabotage.rule)
    assert again.expected == failure.evidence.expected
    assert again.actual == failure.evidence.actual
    assert replay(lines, right, launched(right, tmp_path)).verdict == "kept"


def test_the_matrix_keeps_the_order_of_the_catalogue() -> None:
    chosen = ("hides-the-pending", "creates-on-open")
    report = run(QUICK, 0, chosen)
    assert [each.name for each in report.sabotages] == ["creates-on-open", "hides-the-pending"]
    assert [each.by[0] for each in report.sabotages] == [each.rule for each in report.sabotages]
    assert report.benign == ()
    assert sabotage_exit_status(report) == 0


def test_what_survives_is_no_success() -> None:
    blind = evolve(QUICK, examples=1, steps=1)
    report = run(blind, 0, ("serves-the-prefix",))
    assert [each.name for each in report.survivors] == ["serves-the-prefix"]
    assert sabotage_exit_status(report) == 1
