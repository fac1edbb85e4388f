"""The search finds differences of a kind once, at their smallest, and leaves known ones alone."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, cast

import pytest
from click.testing import CliRunner

from dsh_conformance.cli import main
from dsh_conformance.commands import differential as command
from dsh_conformance.differential import hunt as hunting
from dsh_conformance.differential.hunt import Survey, hunt
from dsh_conformance.differential.judgement import Difference, Judgement
from dsh_conformance.differential.lab import Lab
from dsh_conformance.differential.specimen import Specimen

ADMITTED = Judgement(verdict="admitted")


class Bench:
    """A lab in which *judge* says how a runtime differs."""

    def __init__(self, judge: Callable[[Specimen], str | None]) -> None:
        self._judge = judge

    def compare(self, specimen: Specimen) -> tuple[Difference | None, Judgement]:
        says = self._judge(specimen)
        if says is None:
            return None, ADMITTED
        found = Difference(aspect="verdict", reference="admitted", runtime=says, name="dsh")
        return found, ADMITTED


def searched(judge: Callable[[Specimen], str | None], **more: Any) -> Survey:
    given = {"examples": 100, "seed": 1, **more}
    return hunt(cast("Lab", Bench(judge)), 3, **given)


def test_where_nothing_differs_nothing_is_found() -> None:
    survey = searched(lambda _: None)
    assert not survey.findings
    assert survey.verdicts["admitted"] >= 100


def test_a_difference_is_made_small() -> None:
    survey = searched(lambda each: "no" if each.log.events else None)
    (finding,) = survey.findings
    assert len(finding.specimen.log.events) == 1
    assert finding.specimen.compression == "none"


def test_kinds_are_told_apart_and_no_kind_comes_twice() -> None:
    def judge(specimen: Specimen) -> str | None:
        if specimen.torn:
            return f"torn by {specimen.torn}"
        return "framed" if specimen.compression == "zstd" else None

    survey = searched(judge)
    assert {each.difference.runtime.split()[0] for each in survey.findings} == {"torn", "framed"}
    assert len(survey.findings) == 2


def test_the_search_stops_in_time() -> None:
    def judge(specimen: Specimen) -> str:
        return "no" + "!" * len(specimen.data)

    assert len(searched(judge, most=2, examples=5).findings) == 2


def test_what_is_known_is_counted_and_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    class Known:
        name = "old-quirk"

    monkeypatch.setattr(hunting, "explanation", lambda *_: Known)
    survey = searched(lambda each: "no" if each.torn else None)
    assert not survey.findings
    assert survey.met["old-quirk"] > 0


@pytest.mark.parametrize(("says", "status"), [(None, 0), ("it refuses", 1)])
def test_the_command_reports_and_ends_accordingly(
    monkeypatch: pytest.MonkeyPatch, says: str | None, status: int
) -> None:
    monkeypatch.setattr(command, "lab", lambda: nullcontext(Bench(lambda _: says)))
    ended = CliRunner().invoke(main, ["differential", "--format", "2", "--examples", "10"])
    assert ended.exit_code == status
    assert "format 2: " in ended.output
    assert ("the runtime:   it refuses" in ended.output) is (says is not None)
    assert ("no unexplained differences" in ended.output) is (says is None)


def test_a_format_that_does_not_exist_is_wrong_use() -> None:
    assert CliRunner().invoke(main, ["differential", "--format", "5"]).exit_code == 2
