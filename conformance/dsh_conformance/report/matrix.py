"""The kill matrix as a person reads it: which sabotage was caught, by what, how soon."""

from collections.abc import Sequence
from statistics import median

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dsh_conformance.report.verdict import SabotageReport, SabotageResult

#: How many steps a counterexample may have and still be read at a glance.
SHORT = 8


def print_matrix(report: SabotageReport, console: Console) -> None:
    """Write *report* to *console*: a row for each sabotage, then what it comes to."""
    console.print(_table(report.sabotages))
    for each in report.benign:
        what = "let pass" if each.passed else f"wrongly found fault with, by {', '.join(each.by)}"
        console.print(Text(f"benign {each.name}: {what}", style="" if each.passed else "bold red"))
    console.print()
    for line in conclusion(report):
        console.print(Text(line))


def _table(sabotages: Sequence[SabotageResult]) -> Table:
    table = Table(box=None, padding=(0, 1), show_edge=False)
    for name in ("sabotage", "breaks", "caught by"):
        table.add_column(name, overflow="fold")
    table.add_column("examples", justify="right")
    table.add_column("steps", justify="right")
    for each in sabotages:
        caught = ", ".join(each.by) if each.caught else "NOT CAUGHT"
        steps = str(each.steps) if each.caught else ""
        style = "" if each.caught else "bold red"
        table.add_row(each.name, each.rule, caught, str(each.examples), steps, style=style)
    return table


def conclusion(report: SabotageReport) -> list[str]:
    """Return what the matrix comes to, in a few sentences."""
    caught = [each for each in report.sabotages if each.caught]
    lines = [f"{len(caught)} of {len(report.sabotages)} sabotages caught."]
    if caught:
        examples = median(each.examples for each in caught)
        short = sum(each.steps <= SHORT for each in caught)
        lines.append(
            f"Median: {examples:g} examples."
            f"  A counterexample of at most {SHORT} steps: {short} of {len(caught)}."
        )
    if report.survivors:
        names = ", ".join(each.name for each in report.survivors)
        lines.append(f"Not caught: {names}. A rule that no check defends is a decoration.")
    if report.wronged:
        names = ", ".join(each.name for each in report.wronged)
        lines.append(f"Not wrong, and yet complained of: {names}.")
    return lines
