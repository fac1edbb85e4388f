"""What verdicts come to, and the exit status that follows."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, SearchStrategy

from dsh_conformance.implementation.outcome import Diagnosis
from dsh_conformance.report.verdict import (
    BenignResult,
    Counterexample,
    Report,
    RuleVerdict,
    SabotageReport,
    SabotageResult,
    Verdict,
    exit_status,
    overall,
    sabotage_exit_status,
)

FOUND = Counterexample(steps=0, narrative=(), expected=1, actual=2)


def _judged(*verdicts: Verdict) -> Report:
    rules = tuple(
        RuleVerdict(
            rule=f"R-{at}", track="store", verdict=each, reason="because", counterexample=FOUND
        )
        for at, each in enumerate(verdicts)
    )
    return Report(
        implementation=None,
        tracks=("store",),
        profile="quick",
        seed=0,
        verdict=overall(rules),
        rules=rules,
    )


@pytest.mark.parametrize(
    ("verdicts", "whole", "status"),
    [
        (("passed",), "conformant", 0),
        (("passed", "not-claimed"), "conformant", 0),
        (("passed", "expected-failure"), "not-conformant", 0),
        (("passed", "failed"), "not-conformant", 1),
        (("passed", "not-exercised"), "not-conformant", 1),
        (("passed", "stale-expectation"), "not-conformant", 1),
        (("expected-failure", "failed"), "not-conformant", 1),
        (("not-claimed",), "not-conformant", 1),
        ((), "not-conformant", 1),
    ],
)
def test_the_exit_status_follows_the_verdicts(
    verdicts: tuple[Verdict, ...], whole: str, status: int
) -> None:
    report = _judged(*verdicts)
    assert (report.verdict, exit_status(report)) == (whole, status)


def test_what_could_not_be_driven_ends_with_3() -> None:
    fault = Diagnosis(blame="adapter", what="it hung")
    assert exit_status(evolve(_judged(), verdict="not-driven", fault=fault)) == 3


@given(data=st.data())
def test_exit_status_0_never_hides_a_rule_that_is_not_green(
    reports: SearchStrategy[Report], data: DataObject
) -> None:
    report = data.draw(reports)
    if exit_status(report) == 0:
        assert {each.verdict for each in report.rules} <= {
            "passed",
            "expected-failure",
            "not-claimed",
        }


def test_a_report_cannot_contradict_its_rules() -> None:
    with pytest.raises(ValueError, match="contradicts"):
        evolve(_judged("failed"), verdict="conformant")
    with pytest.raises(ValueError, match="contradicts"):
        evolve(_judged("passed"), verdict="not-driven")


@pytest.mark.parametrize("verdict", ["not-claimed", "expected-failure", "stale-expectation"])
def test_an_exception_needs_a_reason(verdict: Verdict) -> None:
    with pytest.raises(ValueError, match="without a reason"):
        RuleVerdict(rule="R", track="store", verdict=verdict)


def test_a_failure_needs_a_counterexample() -> None:
    with pytest.raises(ValueError, match="without a counterexample"):
        RuleVerdict(rule="R", track="store", verdict="failed")


@pytest.mark.parametrize(
    ("caught", "passed", "status"), [(True, True, 0), (False, True, 1), (True, False, 1)]
)
def test_a_survivor_or_a_false_alarm_fails_the_sabotage_run(
    caught: bool,  # noqa: FBT001
    passed: bool,  # noqa: FBT001
    status: int,
) -> None:
    by = ("R",) if caught else ()
    wrong = SabotageResult(
        name="s", rule="R", track="store", caught=caught, by=by, examples=1, steps=1
    )
    harmless = BenignResult(name="b", passed=passed)
    report = SabotageReport(profile="quick", seed=0, sabotages=(wrong,), benign=(harmless,))
    assert sabotage_exit_status(report) == status


def test_a_sabotage_run_without_sabotages_proves_nothing() -> None:
    assert sabotage_exit_status(SabotageReport(profile="quick", seed=0, sabotages=())) == 1
