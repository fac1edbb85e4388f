"""A law, and one trial of it."""

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from attrs import define, field, frozen
from hypothesis.strategies import SearchStrategy

from dsh_conformance.implementation.outcome import Fault, Ok, Outcome
from dsh_conformance.tracks.store.arena import Arena
from dsh_conformance.tracks.store.expect import Check
from dsh_conformance.tracks.store.player import Player
from dsh_conformance.tracks.store.script import Call, Life
from dsh_conformance.tracks.store.violation import Abandoned
from dsh_spec.values import JsonObject

_Case = TypeVar("_Case")


@define(kw_only=True)
class Trial:
    """The calls about one case."""

    #: The surroundings.
    arena: Arena
    _player: Player = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Start the implementation, or take up the one that runs."""
        self._player = Player(arena=self.arena)
        self._player.play(Life(event="start"))

    def call(self, method: str, params: JsonObject, *checks: Check, says: str) -> Outcome:
        """Call a method and check the answer, check by check; the first that fails tells.

        *says* is the line for people.  A method that the implementation leaves out of its claims
        is not called, and nothing is checked.
        """
        if not self._is_answered(method):
            return Ok({})
        self._player.steps += 1
        self.arena.steps += 1
        return self._player.play(Call(method=method, params=params, checks=checks, says=says))

    def _is_answered(self, method: str) -> bool:
        claims = self.arena.capabilities.others.get(method.partition("/")[0])
        named = claims.get("methods") if isinstance(claims, Mapping) else None
        return not isinstance(named, list | tuple) or method in named

    def end(self) -> None:
        """Give the implementation back."""
        self._player.end()

    def abort(self) -> None:
        """Kill the implementation: it could not be driven."""
        self._player.abort()


@frozen(kw_only=True)
class Law(Generic[_Case]):
    """Something that holds for every case."""

    #: Its name, in words joined by hyphens.
    name: str
    #: The cases, given what is claimed of the track; nothing when the claims leave none.
    cases: Callable[[JsonObject], SearchStrategy[_Case] | None]
    #: Asks about one case, and raises the violation of a rule.
    check: Callable[[Trial, _Case], None]
    #: How many parts of the track's runs it gets.
    weight: int = 1


def try_case(law: Law[_Case], arena: Arena, case: _Case) -> None:
    """Try one case; raises a hunted violation, and `Fault`."""
    if not arena.begin():
        return
    trial = Trial(arena=arena)
    try:
        law.check(trial, case)
    except Abandoned:
        pass
    except Fault:
        trial.abort()
        raise
    finally:
        trial.end()
