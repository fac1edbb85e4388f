"""What every track's suite offers to a certification."""

from pathlib import Path
from typing import Protocol

from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.profiles import Profile
from dsh_conformance.tracks.store.arena import Arena
from dsh_spec.catalogue import Rule


class Suite(Protocol):
    """The checks of one track."""

    @property
    def track(self) -> str:
        """The track's name."""

    def rules(self, capabilities: Capabilities) -> tuple[Rule, ...]:
        """Return the rules that it may judge, in the order of the catalogue."""

    def unclaimed(self, rule: Rule, launcher: Launcher, capabilities: Capabilities) -> str | None:
        """Say why a rule is not asked of an implementation; nothing when it is."""

    def survey(
        self, arena: Arena, profile: Profile, seed: int, lacking: frozenset[str] = frozenset()
    ) -> None:
        """Try all runs of the profile; breaches are noted.  Raises `Fault`.

        Where *lacking* names rules, runs that cannot show any of them may be left out.
        """

    def hunt(
        self, arena: Arena, profile: Profile, seed: int, rules: frozenset[str] | None = None
    ) -> None:
        """Look for one breach of the rules, of any when there are none.  Raises `Fault`."""

    def reduce(
        self,
        arena: Arena,
        profile: Profile,
        seed: int,
        rules: frozenset[str],
        database: Path | None = None,
    ) -> None:
        """Make the breach of one of the rules small that was seen.  Raises `Fault`."""
