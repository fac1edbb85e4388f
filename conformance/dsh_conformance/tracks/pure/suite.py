"""The suite of a track of pure methods: its laws, tried one after the other.

Surveying gives each law its share of the profile's runs.
Reducing asks only the laws by which the rule was seen to be broken.
"""

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import define, field
from hypothesis import Phase, given, seed
from hypothesis.errors import Flaky, HypothesisWarning
from hypothesis.reporting import with_reporter

from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.profiles import Profile
from dsh_conformance.tracks.pure.law import Law, try_case
from dsh_conformance.tracks.search import HUNTING, SURVEYING, batches, searching
from dsh_conformance.tracks.store.arena import Arena
from dsh_conformance.tracks.store.search import SHRINKING
from dsh_conformance.tracks.store.violation import Violation
from dsh_spec.catalogue import Rule, rules
from dsh_spec.values import JsonObject

#: How many runs a pure track gets for each example of a profile: a run is a call or two.
RUNS = 12
#: In how many parts the runs of a hunt are tried.
TURNS = 10
#: By how much the seeds of two parts differ.
_STRIDE = 15_485_863


@define(kw_only=True)
class PureSuite:
    """The laws of one track."""

    #: The track's name.
    track: str
    #: Its laws.
    laws: tuple[Law[Any], ...]
    #: The member of the claims that names the formats.
    formats: str
    #: Which law was seen to break which rules.
    _broken: dict[str, set[str]] = field(factory=dict, init=False)

    def rules(self, _capabilities: Capabilities) -> tuple[Rule, ...]:
        """Return the rules of the track."""
        return tuple(each for each in rules() if each.track == self.track)

    def unclaimed(self, rule: Rule, _launcher: Launcher, capabilities: Capabilities) -> str | None:
        """Say why a rule is not asked of an implementation."""
        if rule.level == "MAY":
            return "optional: an implementation may do either"
        last = 4 if rule.until is None else rule.until
        claimed = numbers(self.claims(capabilities).get(self.formats))
        if any(rule.since <= number <= last for number in claimed):
            return None
        return f"needs a format from v{rule.since} to v{last}"

    def claims(self, capabilities: Capabilities) -> JsonObject:
        """Return what is claimed of the track."""
        found = capabilities.others.get(self.track)
        return found if isinstance(found, Mapping) else {}

    def survey(
        self,
        arena: Arena,
        profile: Profile,
        number: int,
        lacking: frozenset[str] = frozenset(),  # noqa: ARG002 - any law may show any rule
    ) -> None:
        """Try all runs of the profile; raises `Fault`."""
        arena.hunted = frozenset()
        for place, law in enumerate(self.laws):
            known = frozenset(arena.failures)
            self._search(law, arena, self._share(law, profile), number + place)
            self._broken.setdefault(law.name, set()).update(arena.failures.keys() - known)

    def hunt(
        self, arena: Arena, profile: Profile, number: int, wanted: frozenset[str] | None = None
    ) -> None:
        """Look for a breach of the rules (nothing: of any rule), by all laws in turn.

        The runs of the profile are parted, so that no law has to wait for the end of another.
        Raises `Fault`.
        """
        arena.hunted = wanted
        for turn in range(TURNS):
            for place, law in enumerate(self.laws):
                examples = -(-self._share(law, profile) // TURNS)
                try:
                    self._search(law, arena, examples, number + place + turn * _STRIDE)
                except (Violation, Flaky):
                    return

    def reduce(
        self,
        arena: Arena,
        profile: Profile,
        number: int,
        wanted: frozenset[str],
        database: Path | None = None,
    ) -> None:
        """Make the breach of one of the rules small that was seen; raises `Fault`."""
        arena.hunted = wanted
        arena.allowance = profile.examples * RUNS + SHRINKING
        places = [*enumerate(self.laws)]
        suspects = [each for each in places if self._broken.get(each[1].name, set()) & wanted]
        try:
            for place, law in suspects or places:
                examples = self._share(law, profile)
                self._search(
                    law, arena, examples, number + place, phases=HUNTING, database=database
                )
        except (Violation, Flaky):
            pass
        finally:
            arena.allowance = None

    def _share(self, law: Law[Any], profile: Profile) -> int:
        """Return how many of the profile's runs a law gets."""
        parts = sum(each.weight for each in self.laws)
        return max(1, profile.examples * RUNS * law.weight // parts)

    def _search(
        self,
        law: Law[Any],
        arena: Arena,
        examples: int,
        number: int,
        *,
        phases: tuple[Phase, ...] = SURVEYING,
        database: Path | None = None,
    ) -> None:
        arena.moves = False
        cases = law.cases(self.claims(arena.capabilities))
        if cases is None:
            return

        def trial(case: Any) -> None:
            try_case(law, arena, case)

        for share, own_seed in batches(examples, number):
            chosen = searching(examples=share, phases=phases, database=database)
            with with_reporter(lambda _: None), warnings.catch_warnings():
                # A case is as large as a log, and nobody reads it in Hypothesis's words.
                warnings.simplefilter("ignore", HypothesisWarning)
                seed(own_seed)(chosen(given(case=cases)(trial)))()


def numbers(value: object) -> tuple[int, ...]:
    """Return the numbers of a member of the claims; none where it is no list."""
    return tuple(n for n in value if isinstance(n, int)) if isinstance(value, list | tuple) else ()
