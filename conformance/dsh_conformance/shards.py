"""A survey spread over processes: each gets a part of the runs, with a seed of its own.

What a run says depends on the profile, the seed and the number of shards, and on nothing else.
"""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeAlias

from attrs import evolve, frozen

from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.implementation.outcome import Diagnosis, Fault
from dsh_conformance.profiles import Profile
from dsh_conformance.tracks.registry import SUITES
from dsh_conformance.tracks.store.arena import Arena, Failure
from dsh_conformance.tracks.suite import Suite

#: Finds the launcher once more, in another process.
Find: TypeAlias = Callable[[], Launcher]

#: By how much the seeds of two shards differ.
_STRIDE = 7_368_787


@frozen(kw_only=True)
class Shard:
    """What one process saw."""

    #: Runs tried.
    examples: int
    #: Steps taken.
    steps: int
    #: How often each rule was checked.
    exercised: Counter[str]
    #: The smallest run that broke each rule.
    failures: tuple[Failure, ...]
    #: Why the implementation could not be driven to the end, where it could not.
    fault: Diagnosis | None = None


def spread(
    arena: Arena,
    suite: Suite,
    profile: Profile,
    seed: int,
    find: Find,
    workers: int,
    lacking: frozenset[str] = frozenset(),
) -> None:
    """Survey in this process and in others, *workers* in all; raises `Fault`.

    *arena* shows how far this process is, and holds in the end what all of them saw.
    """
    share = evolve(profile, examples=-(-profile.examples // workers))
    arena.progress.started(share.examples, f"examples in each of {workers} processes")
    with ProcessPoolExecutor(workers - 1, mp_context=get_context("spawn")) as pool:
        jobs = [
            pool.submit(
                _survey, find, arena.capabilities, suite.track, share, seed + n * _STRIDE, lacking
            )
            for n in range(1, workers)
        ]
        suite.survey(arena, share, seed, lacking)
        for job in jobs:
            _add(arena, job.result())


def _add(arena: Arena, shard: Shard) -> None:
    if shard.fault is not None:
        raise Fault(shard.fault)
    arena.examples += shard.examples
    arena.steps += shard.steps
    arena.exercised += shard.exercised
    for failure in shard.failures:
        arena.note(failure)


def _survey(
    find: Find,
    capabilities: Capabilities,
    track: str,
    profile: Profile,
    seed: int,
    lacking: frozenset[str],
) -> Shard:
    arena = Arena(launcher=find(), capabilities=capabilities)
    fault = None
    try:
        SUITES[track]().survey(arena, profile, seed, lacking)
    except Fault as error:
        fault = error.diagnosis
    finally:
        arena.close()
    return Shard(
        examples=arena.examples,
        steps=arena.steps,
        exercised=arena.exercised,
        failures=tuple(arena.failures.values()),
        fault=fault,
    )
