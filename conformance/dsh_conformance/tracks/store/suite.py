"""The suite of the store track, handle seam."""

from pathlib import Path
from typing import Literal

from attrs import frozen

from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.profiles import Profile
from dsh_conformance.tracks.store.arena import Arena
from dsh_conformance.tracks.store.search import reduce, survey
from dsh_spec.catalogue import Rule, rules


@frozen
class StoreSuite:
    """A state machine held against the model store."""

    #: The track's name.
    track: Literal["store"] = "store"

    def rules(self, _capabilities: Capabilities) -> tuple[Rule, ...]:
        """Return the rules of the seam, in the order of the catalogue."""
        return store_rules()

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
        }
        missing = [need for need in rule.needs if not has[need]]
        return f"needs {' and '.join(missing)}" if missing else None

    def survey(self, arena: Arena, profile: Profile, seed: int) -> None:
        """Try all runs of the profile; raises `Fault`."""
        survey(arena, profile, seed)

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


def store_rules() -> tuple[Rule, ...]:
    """Return the rules of the store track, handle seam, in the order of the catalogue."""
    return tuple(r for r in rules() if r.track == "store" and r.seam in (None, "handle"))
