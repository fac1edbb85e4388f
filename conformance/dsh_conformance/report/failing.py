"""A failure as a person reads it: the rule, the smallest run, expected beside actual."""

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from dsh_conformance.report.beside import beside
from dsh_conformance.report.demand import comparable
from dsh_conformance.report.explain import statement, why
from dsh_conformance.report.invocation import Invocation
from dsh_conformance.report.printable import printable
from dsh_conformance.report.verdict import Counterexample, RuleVerdict
from dsh_spec.values import Json


def print_failure(each: RuleVerdict, invocation: Invocation, console: Console) -> None:
    """Write a failed rule whole."""
    print_rule("FAILED", each.rule, console)
    print_pair("why", why(each.rule), console)
    if each.counterexample is not None:
        _print_counterexample(each.counterexample, console)
    _print_replay(each.rule, invocation, console)


def print_stale(each: RuleVerdict, console: Console) -> None:
    """Write an expectation that has to be withdrawn."""
    print_rule("STALE EXPECTATION", each.rule, console)
    print_pair("announced", f"that it is broken: {printable(each.reason or '')}", console)
    print_pair("found", f"kept in all {each.exercised} checks; withdraw the expectation", console)


def print_rule(verdict: str, slug: str, console: Console) -> None:
    """Write the rule that a section is about."""
    console.print()
    console.print(Text(f"{verdict}  {slug}", style="bold red"))
    print_pair("rule", statement(slug), console)


def print_pair(label: str, text: str, console: Console) -> None:
    """Write a label and its text, the text wrapped to stand right of the label."""
    if not text:
        return
    table = Table.grid(padding=(0, 2))
    table.add_column(width=9)
    table.add_column(ratio=1)
    table.add_row(Text(label, style="dim"), Text(text))
    console.print(Padding(table, (0, 0, 0, 2)))


def _print_counterexample(found: Counterexample, console: Console) -> None:
    steps = "1 step" if found.steps == 1 else f"{found.steps} steps"
    print_pair("broken by", f"the smallest run found, {steps}:", console)
    console.print(Padding(_numbered(found.narrative), (0, 0, 0, 13)))
    console.print(Padding(side_by_side(found.expected, found.actual), (1, 0, 0, 2)))


def _numbered(lines: Sequence[str]) -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right")
    table.add_column(ratio=1, overflow="fold")
    for at, line in enumerate(lines, start=1):
        table.add_row(Text(f"{at}."), Text(printable(line)))
    return table


def side_by_side(expected: Json, actual: Json) -> Table:
    """Return the two values as a table, with a mark at every line in which they differ."""
    table = Table(box=None, padding=(0, 1), expand=True, show_edge=False)
    table.add_column("")
    table.add_column("expected", ratio=1, overflow="fold")
    table.add_column("actual", ratio=1, overflow="fold")
    for row in beside(*comparable(expected, actual)):
        mark, style = ("≠", "red") if row.differs else ("", "")
        table.add_row(Text(mark), Text(row.expected), Text(row.actual), style=style)
    return table


def _print_replay(slug: str, invocation: Invocation, console: Console) -> None:
    """Write the command that replays a failure, on one line so that it can be copied."""
    command = invocation.replay(slug)
    hint = command or "add --report DIR to keep this run as a script that can be replayed"
    console.print()
    console.print(Text.assemble("  ", ("replay it", "dim"), "  ", hint), soft_wrap=True)
