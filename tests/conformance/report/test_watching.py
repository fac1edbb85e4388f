"""Progress outside a terminal: few lines, and none that repeats."""

from io import StringIO

from rich.console import Console

from dsh_conformance.report.watching import PERIOD, Bar, Lines, watching


def test_lines_are_few() -> None:
    written = StringIO()
    now = iter([0.0, 1.0, PERIOD, PERIOD + 1, 2 * PERIOD])
    lines = Lines(console=Console(file=written, width=20), clock=lambda: next(now))
    lines.started(150)
    lines.example(1)
    lines.counted(3, 44)
    lines.example(70)
    lines.note("found\x07")
    lines.example(71)
    lines.example(140)
    assert written.getvalue().splitlines() == [
        "up to 150 examples",
        "70 of 150 examples, 3 of 44 rules exercised, 10 s",
        "found\\u0007",
        "140 of 150 examples, 3 of 44 rules exercised, 20 s",
    ]


def test_a_terminal_gets_a_bar() -> None:
    console = Console(file=StringIO(), force_terminal=True, width=100)
    with watching(console) as progress:
        assert isinstance(progress, Bar)
        progress.started(150)
        progress.example(75)
        progress.counted(3, 44)
        progress.note("found one")
        assert [(task.completed, task.total) for task in progress.bars.tasks] == [(75, 150)]


def test_anything_else_gets_lines() -> None:
    with watching(Console(file=StringIO())) as progress:
        assert isinstance(progress, Lines)
