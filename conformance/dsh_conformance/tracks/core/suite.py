"""The suite of the core track."""

from typing import Any

from attrs import define

from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.profiles import Profile
from dsh_conformance.tracks.core.claims import NEWEST, claimed
from dsh_conformance.tracks.core.laws import LAWS
from dsh_conformance.tracks.core.methods import lacking
from dsh_conformance.tracks.pure.law import Law
from dsh_conformance.tracks.pure.suite import PureSuite
from dsh_spec.catalogue import Rule

#: How many runs the track gets for each example of a profile.
RUNS = 30
#: The areas whose rules are those of stored logs, but for these.
_STORED = ("log", "header")
_ASKED_OF_ALL = frozenset({"ENV-ACCEPTED-FROZEN", "HDR-ID-MATCH", "HDR-IMMUTABLE", "IGN-MEANING"})
#: What a stored log of the newest format shows, though it is of another area.
_ALSO_STORED = frozenset({"SURF-HEAD-V4", "REPAIR-ADMISSIBLE"})


@define(kw_only=True)
class CoreSuite(PureSuite):
    """The laws of the core; stored logs are judged in the newest format only.

    Methods that an implementation does not claim are never called.
    """

    def _share(self, law: Law[Any], profile: Profile) -> int:
        """There are many laws, and a run is quick: each gets some runs of the smallest profile."""
        parts = sum(each.weight for each in self.laws)
        return max(1, profile.examples * RUNS * law.weight // parts)

    def unclaimed(self, rule: Rule, launcher: Launcher, capabilities: Capabilities) -> str | None:
        """Say why a rule is not asked of an implementation."""
        if "hostile-values" in rule.needs and not capabilities.hostile_values:
            return "needs an adapter that can build values outside JSON"
        formats = claimed(self.claims(capabilities))
        if NEWEST not in formats and _is_of_stored_logs(rule):
            return f"is asked of stored logs of v{NEWEST}, which is not claimed"
        return super().unclaimed(rule, launcher, capabilities) or lacking(
            rule, self.claims(capabilities)
        )


def _is_of_stored_logs(rule: Rule) -> bool:
    if rule.slug in _ALSO_STORED:
        return True
    return rule.area in _STORED and rule.slug not in _ASKED_OF_ALL


def core_suite() -> CoreSuite:
    """Return the suite."""
    return CoreSuite(track="core", laws=LAWS, formats="formats")
