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


def spread(arena: Arena, track: str, profile: Profile, seed: int, find: Find, workers: int) -> None:
    """Survey in *workers* processes and add what they saw to *arena*; raises `Fault`."""
    share = evolve(profile, examples=-(-profile.examples // workers))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        jobs = [
            pool.submit(_survey, find, arena.capabilities, track, share, seed + n * _STRIDE)
            for n in range(workers)
        ]
        for done, job in enumerate(jobs, start=1):
            _add(arena, job.result())
            arena.progress.example(done * share.examples)


def _add(arena: Arena, shard: Shard) -> None:
    if shard.fault is not None:
        raise Fault(shard.fault)
    arena.examples += shard.examples
    arena.steps += shard.steps
    arena.exercised += shard.exercised
    for failure in shard.failures:
        arena.note(failure)


def _survey(
    find: Find, capabilities: Capabilities, track: str, profile: Profile, seed: int
) -> Shard:
    arena = Arena(launcher=find(), capabilities=capabilities)
    fault = None
    try:
        SUITES[track]().survey(arena, profile, seed)
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
