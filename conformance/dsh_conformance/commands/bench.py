"""``bench``: how fast the suite is; for its developers."""

from collections.abc import Mapping

import click
from rich.table import Table

from dsh_conformance.bench import Measurement, measure
from dsh_conformance.commands import options
from dsh_conformance.commands.consoles import result_console
from dsh_conformance.commands.driving import find
from dsh_conformance.profiles import Profile

#: What is measured by default.
BUILT_IN = ("memory", "jsonl", "sqlite")


@click.command("bench", hidden=True, short_help="Measure the suite itself.")
@click.argument("impls", nargs=-1)
@options.profile
@options.seed
@options.config
def command(impls: tuple[str, ...], profile: Profile, seed: int, config: Mapping[str, str]) -> int:
    """Certify IMPLS, the small built-in backends by default, and say where the time went."""
    table = Table(box=None, padding=(0, 1), show_edge=False)
    table.add_column("implementation")
    for name in ("seconds", "examples/s", "calls", "calls/s", "in calls", "start, stop", "suite"):
        table.add_column(name, justify="right")
    for impl in impls or BUILT_IN:
        table.add_row(impl, *_cells(measure(find(impl, (), config, None), profile, seed)))
    with result_console() as out:
        out.print(table)
    return 0


def _cells(found: Measurement) -> tuple[str, ...]:
    return (
        f"{found.seconds:.1f}",
        f"{found.rate:.1f}",
        str(found.calls),
        f"{found.calls / found.seconds:.0f}",
        f"{found.calling / found.seconds:.0%}",
        f"{found.living / found.seconds:.0%}",
        f"{found.own:.0%}",
    )
