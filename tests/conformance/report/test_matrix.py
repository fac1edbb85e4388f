"""The kill matrix as people read it."""

from io import StringIO

from attrs import evolve
from rich.console import Console

from dsh_conformance.report.matrix import conclusion, print_matrix
from dsh_conformance.report.verdict import BenignResult, SabotageReport, SabotageResult

CAUGHT = SabotageResult(
    name="drops-a-flush",
    rule="STORE-DURABLE",
    track="store",
    caught=True,
    by=("STORE-DURABLE", "STORE-DENSE-SEQ"),
    examples=12,
    steps=3,
)
MISSED = evolve(CAUGHT, name="keeps-a-lock", caught=False, by=(), examples=150, steps=0)
REPORT = SabotageReport(
    profile="quick",
    seed=0,
    sabotages=(CAUGHT, MISSED),
    benign=(
        BenignResult(name="slow", passed=True),
        BenignResult(name="other-order", passed=False, by=("STORE-LIST-COMPLETE",)),
    ),
)


def test_the_matrix() -> None:
    written = StringIO()
    print_matrix(REPORT, Console(file=written, width=100, highlight=False))
    lines = [line.rstrip() for line in written.getvalue().splitlines()]
    assert lines == [
        " sabotage       breaks         caught by                       examples  steps",
        " drops-a-flush  STORE-DURABLE  STORE-DURABLE, STORE-DENSE-SEQ        12      3",
        " keeps-a-lock   STORE-DURABLE  NOT CAUGHT                           150",
        "benign slow: let pass",
        "benign other-order: wrongly found fault with, by STORE-LIST-COMPLETE",
        "",
        "1 of 2 sabotages caught.",
        "Median: 12 examples.  A counterexample of at most 8 steps: 1 of 1.",
        "Not caught: keeps-a-lock. A rule that no check defends is a decoration.",
        "Not wrong, and yet complained of: other-order.",
    ]


def test_a_clean_sweep_needs_few_words() -> None:
    clean = evolve(REPORT, sabotages=(CAUGHT,), benign=())
    assert conclusion(clean) == [
        "1 of 1 sabotages caught.",
        "Median: 12 examples.  A counterexample of at most 8 steps: 1 of 1.",
    ]
