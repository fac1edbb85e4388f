"""The sabotages of the files track: there are enough, and what catches one can be shown again."""

from collections.abc import Callable

import pytest
from attrs import evolve

from dsh_conformance.profiles import QUICK
from dsh_conformance.sabotage.catalogue import Benign, benign, sabotages
from dsh_conformance.sabotage.run import surveyed

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
def test_a_counterexample_can_be_shown_again(name: str, shown_again: Callable[..., None]) -> None:
    shown_again(name)
