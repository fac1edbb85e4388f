"""A survey that is spread over processes sees what its parts see, and the same again."""

import json
from functools import partial

from attrs import evolve

from dsh_conformance.certify import Terms, certify
from dsh_conformance.implementation.names import resolve
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.profiles import QUICK
from dsh_conformance.report.jsonreport import report_value
from dsh_conformance.report.verdict import Report

SMALL = evolve(QUICK, examples=8, steps=6, lives=0, at_least=1)
FIND = partial(resolve, "memory", (), {})


def judged(workers: int) -> Report:
    launcher = FIND()
    terms = Terms(profile=SMALL, seed=3, workers=workers, find=FIND)
    return certify(launcher, smoke(launcher), terms)


def shown(report: Report) -> str:
    return json.dumps(report_value(evolve(report, started="", seconds=0.0)))


def test_two_shards_try_as_many_runs_as_one_process_and_repeat_themselves() -> None:
    first, again = judged(2), judged(2)
    assert shown(first) == shown(again)
    assert first.examples >= SMALL.examples
    assert not any(each.counterexample for each in first.rules)
    assert sum(each.exercised for each in first.rules) > 0
