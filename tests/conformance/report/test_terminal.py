"""The report as people read it."""

from io import StringIO
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, SearchStrategy
from rich.console import Console

from dsh_conformance.implementation.outcome import Diagnosis
from dsh_conformance.report.invocation import Invocation
from dsh_conformance.report.terminal import print_report
from dsh_conformance.report.verdict import Report, RuleVerdict, overall
from dsh_spec.catalogue import rules


def _shown(report: Report, invocation: Invocation | None = None, *, colour: bool = False) -> str:
    written = StringIO()
    console = Console(
        file=written, width=80, force_terminal=colour, highlight=False, markup=False, emoji=False
    )
    print_report(report, invocation or Invocation(), console)
    return "".join(f"{line.rstrip()}\n" for line in written.getvalue().splitlines())


def test_everything_at_once(colourful: Report) -> None:
    invocation = Invocation(impl="box", config={"a": "b c"}, directory=Path("out"))
    assert (
        _shown(colourful, invocation)
        == """\
box 7 (go)
store track, profile quick, seed 4: 150 examples, 2000 steps, 2.5 s

   1 passed
   1 failed
   1 stale expectation
   1 not exercised
   1 expected failure
   1 not claimed

FAILED  A-BROKEN
  rule       This rule is not in the catalogue.
  broken by  the smallest run found, 2 steps:
             1. create session "a" as handle 1
             2. append event 1 to handle 1

      expected                              actual
   ≠  {"refusal": "seq-mismatch"}           {"result": {}}

  replay it  dsh-conformance replay out/scripts/A-BROKEN.jsonl --impl box --config 'a=b c'

STALE EXPECTATION  A-STALE
  rule       This rule is not in the catalogue.
  announced  that it is broken: ticket 2
  found      kept in all 9 checks; withdraw the expectation

NOT EXERCISED
  often enough: A-IDLE (1)
  Mend the failures first: a run ends where it breaks a rule.

EXPECTED FAILURES
  A-KNOWN: ticket 1

Not claimed: needs a lock (1).

Note: crash points are not tested

Not conformant: 1 rule broken, 1 expected to fail but kept, 1 exercised too
seldom, 1 broken as expected.
"""
    )


def test_a_failure_quotes_the_rule_and_why_it_is_there(colourful: Report) -> None:
    real = rules()[0]
    broken = evolve(colourful.rules[1], rule=real.slug)
    words = " ".join(_shown(evolve(colourful, rules=(broken,))).split())
    assert " ".join(real.statement.split()) in words
    assert " ".join(real.why.split()) in words
    assert "add --report DIR to keep this run" in words


def test_rules_that_a_good_backend_left_alone_are_quoted(colourful: Report) -> None:
    idle = evolve(colourful.rules[2], rule=rules()[0].slug)
    words = " ".join(_shown(evolve(colourful, rules=(idle,))).split())
    assert f"1 of 3 {idle.rule}: {' '.join(rules()[0].statement.split())}" in words
    assert "A deeper --profile may get there" in words


def test_a_good_end(colourful: Report) -> None:
    kept = (colourful.rules[0],)
    report = evolve(colourful, rules=kept, verdict=overall(kept), notes=())
    assert _shown(report).endswith("Conformant: 1 rule claimed, exercised and kept.\n")


def test_not_driven(colourful: Report) -> None:
    fault = Diagnosis(blame="adapter", what="it hung in store/open", stderr_tail="one\ntwo\x1b[2J")
    report = evolve(colourful, implementation=None, rules=(), verdict="not-driven", fault=fault)
    assert (
        _shown(evolve(report, notes=()))
        == """\
unknown implementation
store track, profile quick, seed 4

Not driven: adapter: it hung in store/open
    one
    two\\u001b[2J
"""
    )


@given(data=st.data())
def test_nothing_that_is_shown_moves_the_cursor(
    reports: SearchStrategy[Report], data: DataObject
) -> None:
    shown = _shown(data.draw(reports))
    assert all(line.isprintable() for line in shown.split("\n"))


@given(data=st.data())
def test_colour_adds_no_words(reports: SearchStrategy[Report], data: DataObject) -> None:
    report = data.draw(reports)
    assert _shown(report, colour=True).count(closing_word(report)) >= 1


def closing_word(report: Report) -> str:
    return {"conformant": "Conformant", "not-conformant": "Not", "not-driven": "Not driven"}[
        report.verdict
    ]


@pytest.mark.parametrize(
    ("invocation", "command"),
    [
        (Invocation(impl="jsonl"), None),
        (
            Invocation(impl="jsonl", directory=Path("a b")),
            "dsh-conformance replay 'a b/scripts/R.jsonl' --impl jsonl",
        ),
        (
            Invocation(command=("node", "my adapter.mjs", "--", "-x"), directory=Path("out")),
            "dsh-conformance replay out/scripts/R.jsonl -- node 'my adapter.mjs' -- -x",
        ),
    ],
)
def test_the_replay_command_can_be_copied(invocation: Invocation, command: str | None) -> None:
    assert invocation.replay("R") == command


def test_reasons_are_counted(colourful: Report) -> None:
    absent = [
        RuleVerdict(rule=f"R-{at}", track="store", verdict="not-claimed", reason=reason)
        for at, reason in enumerate(("needs a lock", "needs artifacts", "needs a lock"))
    ]
    report = evolve(colourful, rules=(colourful.rules[1], *absent))
    assert "Not claimed: needs a lock (2); needs artifacts (1)." in _shown(report)
