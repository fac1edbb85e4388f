"""How Hypothesis is made to search: its settings, the same for every track."""

from collections.abc import Iterator
from pathlib import Path

from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase

#: Surveying only generates; hunting also reuses what failed before and makes it smaller.
SURVEYING: tuple[Phase, ...] = (Phase.generate,)
HUNTING: tuple[Phase, ...] = (Phase.reuse, Phase.generate, Phase.shrink)
#: How many examples one search has.  From the eleventh on five of six are copies of the one before
#: in which a part stands twice, and a copy of a run shows next to nothing new.
FRESH = 10
#: By how much the seeds of two searches differ.
_STRIDE = 15_485_863


def batches(examples: int, number: int) -> Iterator[tuple[int, int]]:
    """Split *examples* into searches; yields how many each has, and its seed."""
    for turn, begun in enumerate(range(0, examples, FRESH)):
        yield min(FRESH, examples - begun), number + turn * _STRIDE


def searching(
    *, examples: int, phases: tuple[Phase, ...], database: Path | None = None, steps: int = 1
) -> settings:
    """Return the settings of one search; the seed comes from the caller, nothing from outside."""
    stored: ExampleDatabase | None = None
    if database is not None:
        stored = DirectoryBasedExampleDatabase(database)
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=stored,
        derandomize=False,
        phases=phases,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
