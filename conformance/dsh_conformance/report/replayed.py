"""What became of a replayed script, as a person reads it."""

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from dsh_conformance.replay import ReplayResult
from dsh_conformance.report.explain import statement
from dsh_conformance.report.failing import side_by_side
from dsh_conformance.report.printable import printable


def print_replay(result: ReplayResult, console: Console) -> None:
    """Write *result* to *console*."""
    if result.verdict == "kept":
        console.print(Text(f"Kept: every answer is as {printable(result.rule)} demands."))
        return
    console.print(Text(f"Broken: {printable(result.rule)}, at line {result.line} of the script."))
    console.print(Padding(Text(statement(result.rule)), (0, 0, 0, 2)))
    console.print(Padding(side_by_side(result.expected, result.actual), (1, 0, 0, 2)))
