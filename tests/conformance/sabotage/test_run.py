"""The suite catches what is wrong, lets pass what is only different, and can show it again."""

from collections.abc import Callable

import pytest
from attrs import evolve

from dsh_conformance.profiles import QUICK
from dsh_conformance.report.verdict import sabotage_exit_status
from dsh_conformance.sabotage.catalogue import Benign, benign
from dsh_conformance.sabotage.run import run, surveyed

#: Enough to see a complaint that is made often, and quick; `make sabotage` looks harder.
BRIEF = evolve(QUICK, examples=20)
#: Sabotages that are shown again: of reading, of appending, of a file.
SHOWN = ("reads-one-too-many", "stores-the-new-half", "serves-the-prefix")


@pytest.mark.parametrize("variation", benign("store"), ids=lambda each: each.name)
def test_what_is_only_different_passes(variation: Benign) -> None:
    seen = surveyed(variation, BRIEF, seed=1)
    assert (seen.rules, seen.fault) == ((), "")


@pytest.mark.parametrize("name", SHOWN)
def test_a_counterexample_can_be_shown_again(name: str, shown_again: Callable[..., None]) -> None:
    shown_again(name)


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
