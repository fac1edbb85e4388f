"""Looks for runs that break a rule, and makes them small.

*Surveying* tries all the runs of a profile; a breach is noted, ends its run, and the search goes
on, so that every rule gets its verdict.  *Hunting* looks for a breach of given rules only, with the
same seed, and lets Hypothesis make it smaller.  *Reducing* hunts in runs that cannot be long first:
most breaches need few steps, and a short run that is found beats a long one that is cut down.
The smallest breach that was ever seen is kept, so nothing depends on what Hypothesis shows last.
"""

from collections.abc import Sequence
from pathlib import Path

from attrs import evolve
from hypothesis import Phase, seed
from hypothesis.errors import Flaky
from hypothesis.reporting import with_reporter
from hypothesis.stateful import run_state_machine_as_test

from dsh_conformance.profiles import Profile
from dsh_conformance.tracks.search import HUNTING, SURVEYING, batches, searching
from dsh_conformance.tracks.store.arena import Arena
from dsh_conformance.tracks.store.machine import GAMES, ON_DISK, Game, machine_in
from dsh_conformance.tracks.store.violation import Violation
from dsh_spec.catalogue import rule

#: How many runs are spent on making one counterexample smaller, beside those that find it again.
SHRINKING = 250
#: How many moves the runs have in which a short counterexample is looked for.
SHORT = (3, 6)
#: How many such runs are tried for each of these lengths.
TRIES = 150
#: A counterexample of more steps than this is worth the search for a shorter one.
LONG = 8


#: What part of a profile's runs, and of their moves, are on the directories of a store.
_RUNS, _MOVES = (1, 3), (1, 2)
#: What a rule needs that only those runs show.
_DISK = {"layout", "migrates"}


def survey(
    arena: Arena, profile: Profile, number: int, lacking: frozenset[str] = frozenset()
) -> None:
    """Try all runs of the profile; raises `Fault`.

    Where rules are *lacking*, the game is left out that none of them needs.
    """
    arena.hunted = frozenset()
    games = _games(arena, lacking or None)
    if lacking and not any(map(_on_directories, lacking)):
        games = games[-1:]
    for game in games:
        _search(arena, game, profile, number, phases=SURVEYING, database=None)


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
    phases = HUNTING if shrink else HUNTING[:-1]
    allowance = arena.allowance
    try:
        for game in _games(arena, rules):
            arena.allowance = allowance
            _search(arena, game, profile, number, phases=phases, database=database)
    except (Violation, Flaky):
        pass
    finally:
        arena.allowance = None


def reduce(
    arena: Arena,
    profile: Profile,
    number: int,
    rules: frozenset[str],
    database: Path | None = None,
) -> None:
    """Make the breach of one of the rules small that was seen; raises `Fault`."""
    for moves in SHORT:
        if _shortest(arena, rules) <= moves:
            return
        arena.allowance = TRIES
        short = evolve(profile, examples=TRIES, steps=moves)
        hunt(arena, short, number, rules, database)
    if _shortest(arena, rules) > LONG:
        arena.allowance = profile.examples + SHRINKING
        hunt(arena, profile, number, rules, database)


def _shortest(arena: Arena, rules: frozenset[str]) -> int:
    found = (failure.steps for rule, failure in arena.failures.items() if rule in rules)
    return min(found, default=LONG + 1)


def _games(arena: Arena, rules: frozenset[str] | None) -> Sequence[Game]:
    """Return the games in which a breach of the rules, or of any, can show, the quicker first."""
    game = GAMES[arena.claims.seam]
    if not arena.claims.layout:
        return (game,)
    if rules and all(map(_on_directories, rules)):
        return (ON_DISK,)
    return (ON_DISK, game)


def _on_directories(slug: str) -> bool:
    """Tell whether only a run on the directories of a store shows a rule."""
    return not _DISK.isdisjoint(rule(slug).needs)


def _search(
    arena: Arena,
    game: Game,
    profile: Profile,
    number: int,
    *,
    phases: tuple[Phase, ...],
    database: Path | None,
) -> None:
    if game is ON_DISK:
        profile = _on_disk(profile)
    for examples, own_seed in batches(profile.examples, number):
        if arena.allowance == 0:
            return
        machine = seed(own_seed)(machine_in(arena, profile, game))
        chosen = searching(examples=examples, steps=profile.steps, phases=phases, database=database)
        with with_reporter(lambda _: None):
            run_state_machine_as_test(machine, settings=chosen)


def _on_disk(profile: Profile) -> Profile:
    """Return the part of a profile that the runs on directories have."""
    if profile.examples == TRIES:
        return profile
    moves, of = _MOVES
    return evolve(_part(profile, *_RUNS), steps=max(2, profile.steps * moves // of))


def _part(profile: Profile, part: int, whole: int) -> Profile:
    return evolve(profile, examples=max(1, profile.examples * part // whole))
