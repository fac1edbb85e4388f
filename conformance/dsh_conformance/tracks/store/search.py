"""Looks for runs that break a rule, and makes them small.

*Surveying* tries all the runs of a profile; a breach is noted, ends its run, and the search goes
on, so that every rule gets its verdict.  *Hunting* looks for a breach of given rules only, with the
same seed, and lets Hypothesis make it smaller.  The smallest breach that was ever seen is kept, so
nothing depends on what Hypothesis shows last.
"""

from pathlib import Path

from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase
from hypothesis.errors import Flaky
from hypothesis.reporting import with_reporter
from hypothesis.stateful import run_state_machine_as_test

from dsh_conformance.profiles import Profile
from dsh_conformance.tracks.store.arena import Arena
from dsh_conformance.tracks.store.machine import machine_in
from dsh_conformance.tracks.store.violation import Violation

#: How many runs are spent on making one counterexample smaller.
SHRINKING = 250


def survey(arena: Arena, profile: Profile, number: int) -> None:
    """Try all runs of the profile; raises `Fault`."""
    arena.hunted = frozenset()
    _search(arena, profile, number, phases=(Phase.generate,), database=None)


def hunt(
    arena: Arena,
    profile: Profile,
    number: int,
    rules: frozenset[str] | None = None,
    database: Path | None = None,
    *,
    shrink: bool = True,
) -> None:
    """Find a breach of the rules (nothing: of any rule) and make it small; raises `Fault`."""
    arena.hunted = rules
    phases = (Phase.reuse, Phase.generate, *([Phase.shrink] if shrink else []))
    stored = None if database is None else DirectoryBasedExampleDatabase(database)
    try:
        _search(arena, profile, number, phases=phases, database=stored)
    except (Violation, Flaky):
        pass
    finally:
        arena.allowance = None


def _search(
    arena: Arena,
    profile: Profile,
    number: int,
    *,
    phases: tuple[Phase, ...],
    database: ExampleDatabase | None,
) -> None:
    machine = seed(number)(machine_in(arena, profile))
    chosen = settings(
        max_examples=profile.examples,
        stateful_step_count=profile.steps,
        deadline=None,
        database=database,
        derandomize=False,
        phases=phases,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    with with_reporter(lambda _: None):
        run_state_machine_as_test(machine, settings=chosen)
