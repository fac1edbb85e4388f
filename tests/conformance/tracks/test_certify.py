"""What a certification says about backends that are right, and about one that is wrong."""

import json
from collections.abc import Callable

import pytest

from dsh_conformance.implementation.backend import Factory
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.profiles import Profile
from dsh_conformance.replay import replay
from dsh_conformance.report.jsonreport import checker
from dsh_conformance.report.verdict import Report, RuleVerdict, exit_status
from dsh_conformance.tracks.store.arena import Arena
from dsh_conformance.tracks.store.suite import StoreSuite, store_rules

Judge = Callable[..., Report]


def verdict_on(report: Report, slug: str) -> RuleVerdict:
    return next(each for each in report.rules if each.rule == slug)


def test_a_right_backend_breaks_no_rule(judge: Judge, right: Factory) -> None:
    report = judge(right)
    assert [each.rule for each in report.rules if each.counterexample] == []
    assert {each.rule for each in report.rules} == {each.slug for each in store_rules()}


def test_a_wrong_backend_fails_by_the_rule_that_it_breaks(judge: Judge, wrong: Factory) -> None:
    found = verdict_on(judge(wrong), "STORE-LIST-COMPLETE")
    assert found.verdict == "failed"
    assert found.counterexample is not None
    assert found.counterexample.steps == 1
    assert found.counterexample.narrative[0].startswith("create session")


def test_its_script_is_well_formed_and_replays_to_the_same_rule(
    judge: Judge, wrong: Factory, right: Factory
) -> None:
    example = verdict_on(judge(wrong), "STORE-LIST-COMPLETE").counterexample
    assert example is not None
    lines = [json.loads(json.dumps(line)) for line in example.script]
    for line in lines:
        checker("script")(line)
    launcher = InProcessLauncher(factory=wrong)
    again = replay(lines, launcher, smoke(launcher))
    assert (again.verdict, again.rule) == ("broken", "STORE-LIST-COMPLETE")
    launcher = InProcessLauncher(factory=right)
    assert replay(lines, launcher, smoke(launcher)).verdict == "kept"


def test_an_announced_failure_is_no_failure_and_a_stale_one_is(
    judge: Judge, wrong: Factory, right: Factory
) -> None:
    report = judge(wrong, STORE_LIST_COMPLETE="it forgets")
    assert verdict_on(report, "STORE-LIST-COMPLETE").verdict == "expected-failure"
    report = judge(right, STORE_LIST_COMPLETE="it forgets")
    assert verdict_on(report, "STORE-LIST-COMPLETE").verdict == "stale-expectation"
    assert exit_status(report) == 1


class Late(StoreSuite):
    """The checks of the store, of which the first runs show nothing."""

    rounds = 0

    def survey(
        self, arena: Arena, profile: Profile, seed: int, lacking: frozenset[str] = frozenset()
    ) -> None:
        type(self).rounds += 1
        if self.rounds == 1:
            arena.exercised.update({each.slug: 9 for each in self.rules(arena.capabilities)})
            return
        assert lacking == {"STORE-LIST-COMPLETE"}
        super().survey(arena, profile, seed, lacking)


def test_what_is_expected_is_looked_for_before_it_is_called_stale(
    judge: Judge, wrong: Factory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dsh_conformance.certify.suites", lambda *_: (Late(),))
    report = judge(wrong, STORE_LIST_COMPLETE="it forgets")
    assert verdict_on(report, "STORE-LIST-COMPLETE").verdict == "expected-failure"
    assert Late.rounds == 2


def test_a_seed_reproduces_everything_but_the_times(judge: Judge, wrong: Factory) -> None:
    one, two = judge(wrong, seed=3), judge(wrong, seed=3)
    assert one.rules == two.rules
    assert (one.examples, one.steps) == (two.examples, two.steps)
    assert judge(wrong, seed=4).rules != one.rules
