"""The search: level by level, each level spread over processes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import get_context
from typing import TypeAlias

from attrs import frozen

from dsh_conformance.exhaust.expanding import Tally, Word, expand
from dsh_conformance.exhaust.implementation import Find, reference
from dsh_conformance.exhaust.look import Ask
from dsh_conformance.exhaust.shapes import ALPHABETS, begun
from dsh_conformance.implementation.outcome import Diagnosis, Fault

#: How many logs are given to a process at a time.
SHARE = 64

_Seen: TypeAlias = tuple[list[Word], Tally]
_Spread: TypeAlias = Callable[[Sequence[Word]], Iterable[_Seen]]


@frozen(kw_only=True)
class Scope:
    """Which logs are tried."""

    #: The name of the alphabet.
    alphabet: str
    #: How many events are tried behind the opening.
    depth: int
    #: The name of the opening; empty for the alphabet's own.
    opening: str = ""

    @property
    def begins(self) -> str:
        """The name of the opening."""
        return self.opening or ALPHABETS[self.alphabet].opening


@frozen(kw_only=True)
class Level:
    """All logs of one length."""

    #: How many events they have behind the opening.
    depth: int
    #: What was seen of them.
    tally: Tally


def exhaust(scope: Scope, *, find: Find = reference, workers: int = 1) -> Iterator[Level]:
    """Try every log of a scope, the short ones first; ends behind a level with a breach.

    *find* is called once in each process.  Raises `Fault`.
    """
    if workers == 1:
        ask = find()
        yield from _levels(scope, lambda words: map(partial(_expanded, scope, ask), _shares(words)))
        return
    spawn = get_context("spawn")
    with ProcessPoolExecutor(workers, spawn) as pool:
        work = partial(_expanded_there, scope, find)
        yield from _levels(scope, lambda words: map(_unharmed, pool.map(work, _shares(words))))


def _levels(scope: Scope, spread: _Spread) -> Iterator[Level]:
    words: list[Word] = [()]
    for depth in range(1, scope.depth + 1):
        tally = Tally()
        longer: list[Word] = []
        for found, seen in spread(words):
            longer.extend(found)
            tally.add(seen)
        yield Level(depth=depth, tally=tally)
        if tally.breaches:
            return
        words = longer


def _shares(words: Sequence[Word]) -> Iterator[list[Word]]:
    rest = iter(words)
    while share := list(islice(rest, SHARE)):
        yield share


def _expanded(scope: Scope, ask: Ask, words: Sequence[Word]) -> _Seen:
    return expand(ask, ALPHABETS[scope.alphabet].shapes, begun(scope.begins), words)


#: What this process asks, if it is one of several.
_asked: list[Ask] = []


def _expanded_there(scope: Scope, find: Find, words: Sequence[Word]) -> _Seen | Diagnosis:
    """Do it in this process; a `Fault` would end it, and is told instead."""
    try:
        if not _asked:
            _asked.append(find())
        return _expanded(scope, _asked[0], words)
    except Fault as fault:
        return fault.diagnosis


def _unharmed(seen: _Seen | Diagnosis) -> _Seen:
    if isinstance(seen, Diagnosis):
        raise Fault(seen)
    return seen
