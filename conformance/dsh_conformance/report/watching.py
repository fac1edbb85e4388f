"""Progress for people: a bar on a terminal, a line now and then elsewhere.

It goes to stderr, so that stdout carries the result alone.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import define, field
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.text import Text

from dsh_conformance.report.printable import printable
from dsh_conformance.report.progress import Progress

#: How many seconds pass between two lines.
PERIOD = 10.0


@contextmanager
def watching(console: Console) -> Iterator[Progress]:
    """Give a `Progress` that shows on *console* while the context lasts."""
    if not console.is_terminal:
        yield Lines(console=console)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rules]}"),
        TimeElapsedColumn(),
    )
    with Bars(*columns, console=console, transient=True) as bars:
        yield Bar(bars=bars)


@define(kw_only=True)
class Bar:
    """A bar that moves."""

    #: What draws it.
    bars: Bars

    def started(self, total: int, unit: str = "examples") -> None:
        """Show the bar."""
        for task in self.bars.task_ids:
            self.bars.remove_task(task)
        self.bars.add_task(unit, total=total, rules="")

    def example(self, n: int) -> None:
        """Move the bar."""
        for task in self.bars.task_ids:
            self.bars.update(task, completed=n)

    def counted(self, exercised: int, claimed: int) -> None:
        """Show how many rules were exercised."""
        for task in self.bars.task_ids:
            self.bars.update(task, rules=f"{exercised} of {claimed} rules exercised")

    def note(self, text: str) -> None:
        """Write a line above the bar."""
        self.bars.console.print(Text(printable(text)))


@define(kw_only=True)
class Lines:
    """A line when work begins, one every few seconds, and every note."""

    #: Where they go.
    console: Console
    #: What tells the time, in seconds.
    clock: Callable[[], float] = time.monotonic
    _unit: str = field(default="examples", init=False)
    _total: int = field(default=0, init=False)
    _rules: str = field(default="", init=False)
    _began: float = field(default=0.0, init=False)
    _last: float = field(default=0.0, init=False)

    def started(self, total: int, unit: str = "examples") -> None:
        """Write how much lies ahead."""
        self._unit, self._total = unit, total
        self._began = self._last = self.clock()
        self._write(f"up to {total} {unit}")

    def example(self, n: int) -> None:
        """Write how far the work has come, if the last line is old enough."""
        now = self.clock()
        if now - self._last >= PERIOD:
            self._last = now
            done = f"{n} of {max(n, self._total)} {self._unit}"
            self._write(f"{done}{self._rules}, {now - self._began:.0f} s")

    def counted(self, exercised: int, claimed: int) -> None:
        """Remember it for the next line."""
        self._rules = f", {exercised} of {claimed} rules exercised"

    def note(self, text: str) -> None:
        """Write it."""
        self._write(printable(text))

    def _write(self, text: str) -> None:
        self.console.print(Text(text), soft_wrap=True)
