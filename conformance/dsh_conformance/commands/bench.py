"""``bench``: how fast the suite is, and how fast large logs are read; for its developers."""

from collections.abc import Mapping

import click
from rich.table import Table

from dsh_conformance.bench.logs import TASKS, Cost
from dsh_conformance.bench.logs import measure as measure_logs
from dsh_conformance.bench.suite import Measurement, measure
from dsh_conformance.commands import options
from dsh_conformance.commands.consoles import result_console
from dsh_conformance.commands.driving import find
from dsh_conformance.profiles import Profile

#: What is measured by default.
BUILT_IN = ("memory", "jsonl", "sqlite")
#: How many events the logs have by default.
SIZES = (1_000, 10_000, 100_000, 1_000_000)
_MEGA = 1 << 20


@click.group("bench", hidden=True, short_help="Measure the suite itself.")
def command() -> None:
    """Measure how fast the suite is, and how fast large logs are read."""


@command.command("suite", short_help="Certify, and say where the time went.")
@click.argument("impls", nargs=-1)
@options.profile
@options.seed
@options.config
def suite(impls: tuple[str, ...], profile: Profile, seed: int, config: Mapping[str, str]) -> int:
    """Certify IMPLS, the small built-in backends by default, and say where the time went."""
    table = _table("implementation")
    for name in ("seconds", "examples/s", "calls", "calls/s", "in calls", "start, stop", "suite"):
        table.add_column(name, justify="right")
    for impl in impls or BUILT_IN:
        table.add_row(impl, *_cells(measure(find(impl, (), config, None), profile, seed)))
    with result_console() as out:
        out.print(table)
    return 0


@command.command("logs", short_help="Read and migrate large logs, beside the real runtime.")
@click.option(
    "--events",
    "sizes",
    type=click.IntRange(min=1),
    multiple=True,
    default=SIZES,
    show_default=True,
    metavar="N",
    help="How many events a log has; may be repeated.",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    metavar="N",
    help="How often each is measured; the largest once.",
)
@click.option("--alone", is_flag=True, help="Leave the real runtime out.")
def logs(sizes: tuple[int, ...], repeats: int, *, alone: bool) -> int:
    """Lint a long session and fold it, migrate its twin of v0, and say what that takes.

    All figures are medians of fresh processes.  Times are CPU times, and leave the start of the
    processes out; ratios are to the real runtime opening the same file, by CPU time, by wall time,
    and by the wall time of whole processes.
    """
    costs = list(measure_logs(sizes, repeats=repeats, beside_runtime=not alone))
    with result_console() as out:
        for task in TASKS:
            out.print(_costs([cost for cost in costs if cost.task == task]))
            out.print()
    return 0


def _costs(costs: list[Cost]) -> Table:
    table = _table(costs[0].task)
    stages = costs[0].stages
    columns = ("MiB", *stages, "all", "µs/event", "growth", "peak MiB", "runtime", "ratios")
    for name in columns:
        table.add_column(name, justify="right")
    for cost in costs:
        each = cost.cpu / cost.events
        table.add_row(
            f"{cost.events:,}",
            f"{cost.size / _MEGA:.1f}",
            *(f"{cost.stage(name):.2f}" for name in stages),
            f"{cost.cpu:.2f}",
            f"{each * 1e6:.1f}",
            f"{each / (costs[0].cpu / costs[0].events):.2f}",
            f"{cost.peak:.0f}",
            *_beside(cost),
        )
    return table


def _beside(cost: Cost) -> tuple[str, str]:
    cpu, wall, whole = cost.opening_cpu, cost.opening_wall, cost.whole_ratio
    if cpu is None or wall is None or whole is None:
        return "", ""
    by_cpu = f"{cost.cpu / cpu:.1f}" if cpu > 0 else "-"
    return f"{cpu:.2f}", f"{by_cpu} {cost.wall / wall:.1f} {whole:.1f}"


def _table(first: str) -> Table:
    table = Table(box=None, padding=(0, 1), show_edge=False)
    table.add_column(first)
    return table


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
