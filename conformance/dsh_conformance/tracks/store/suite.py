"""The suite of the store track, for either seam."""

from pathlib import Path
from typing import Literal

from attrs import frozen

from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.profiles import Profile
from dsh_conformance.tracks.store.arena import Arena
from dsh_conformance.tracks.store.search import hunt, reduce, survey
from dsh_spec.catalogue import Rule, Seam, rules


@frozen
class StoreSuite:
    """A state machine held against the model store."""

    #: The track's name.
    track: Literal["store"] = "store"

    def rules(self, capabilities: Capabilities) -> tuple[Rule, ...]:
        """Return the rules of the seam and the format, in the order of the catalogue."""
        claims = capabilities.store
        return store_rules() if claims is None else store_rules(claims.seam, claims.format)

    def unclaimed(self, rule: Rule, launcher: Launcher, capabilities: Capabilities) -> str | None:
        """Say why a rule is not asked of an implementation; nothing when it is."""
        if rule.level == "MAY":
            return "optional: a store may do either"
        claims = capabilities.store
        has = {
            "artifacts": claims is not None and claims.artifacts is not None,
            "durable": claims is not None and claims.durable,
            "cross-process-lock": claims is not None and claims.cross_process_lock,
            "hostile-values": capabilities.hostile_values,
            "restart": True,
            "second-process": launcher.can_share,
            "in-process": launcher.in_process,
            "cancellation": False,
            "inside": False,
            "layout": claims is not None and claims.layout,
            "migrates": claims is not None and claims.layout and bool(claims.migrates_from),
        }
        missing = [need for need in rule.needs if not has[need]]
        return f"needs {' and '.join(missing)}" if missing else None

    def survey(
        self, arena: Arena, profile: Profile, seed: int, lacking: frozenset[str] = frozenset()
    ) -> None:
        """Try all runs of the profile; raises `Fault`."""
        survey(arena, profile, seed, lacking)

    def hunt(
        self, arena: Arena, profile: Profile, seed: int, rules: frozenset[str] | None = None
    ) -> None:
        """Look for one breach of the rules; raises `Fault`."""
        hunt(arena, profile, seed, rules, shrink=False)

    def reduce(
        self,
        arena: Arena,
        profile: Profile,
        seed: int,
        rules: frozenset[str],
        database: Path | None = None,
    ) -> None:
        """Make the breach of one of the rules small that was seen; raises `Fault`."""
        reduce(arena, profile, seed, rules, database)


def store_rules(seam: Seam = "handle", format: int = 4) -> tuple[Rule, ...]:  # noqa: A002 - the word of the specification
    """Return the rules of the store track for a seam and a format, as the catalogue has them."""
    return tuple(
        each
        for each in rules()
        if each.track == "store"
        and each.seam in (None, seam)
        and each.since <= format
        and (each.until is None or format <= each.until)
    )
