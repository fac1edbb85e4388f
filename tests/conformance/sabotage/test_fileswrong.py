"""The sabotages of the files track: there are enough, and what catches one can be shown again."""

from pathlib import Path

import pytest
from attrs import evolve

from dsh_conformance.certify import script
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.profiles import QUICK
from dsh_conformance.replay import replay
from dsh_conformance.sabotage.catalogue import BACKENDS, Benign, Sabotage, benign, sabotages
from dsh_conformance.sabotage.run import hunted, surveyed

#: One of reading rows, of reading frames, of reading headers, of writing, and of placing.
SHOWN = (
    "adds-no-gaps",
    "cuts-bad-frames-off",
    "takes-policies",
    "writes-one-frame",
    "percent-encodes",
)
#: The reports of lost files that each need a copy.
FIELD = ("F03", "F04", "F05", "F06", "F07", "F12", "F13", "F15", "F16", "F20", "F24", "F25", "F26")


def launched(launcher: InProcessLauncher, workspace: Path) -> Capabilities:
    connection = launcher.launch(workspace)
    connection.close()
    return connection.capabilities


def called(name: str) -> Sabotage:
    return next(each for each in sabotages("files") if each.name == name)


def test_there_are_enough() -> None:
    assert len(sabotages("files")) >= 80
    assert len(benign("files")) >= 4


@pytest.mark.parametrize("report", FIELD)
def test_every_report_of_a_lost_file_has_a_sabotage(report: str) -> None:
    assert any(report in each.like for each in sabotages("files"))


@pytest.mark.parametrize("variation", benign("files"), ids=lambda each: each.name)
def test_what_is_only_different_passes(variation: Benign) -> None:
    seen = surveyed(variation, evolve(QUICK, examples=10), seed=1)
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
    assert replay(lines, right, launched(right, tmp_path)).verdict == "kept"
