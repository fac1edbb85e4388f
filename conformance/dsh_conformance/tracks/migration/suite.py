"""The suite of the migration track."""

from collections.abc import Mapping

from attrs import define

from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.tracks.migration.claims import PACKING, claimed
from dsh_conformance.tracks.migration.laws import LAWS
from dsh_conformance.tracks.migration.laws.packed import RULE
from dsh_conformance.tracks.pure.suite import PureSuite
from dsh_spec.catalogue import Rule
from dsh_spec.values import Json, JsonObject


@define(kw_only=True)
class MigrationSuite(PureSuite):
    """The laws of migration; only the way to the newest format is judged."""

    def unclaimed(self, rule: Rule, launcher: Launcher, capabilities: Capabilities) -> str | None:
        """Say why a rule is not asked of an implementation."""
        if not claimed(self.claims(capabilities)):
            return "needs a migration to v4 from an older format"
        if rule.slug == RULE and not self._packing(capabilities):
            return "needs the files track for v0 or v1 too"
        return super().unclaimed(rule, launcher, capabilities)

    def claims(self, capabilities: Capabilities) -> JsonObject:
        """Return what is claimed of the track, and of files with packed rows."""
        return {**super().claims(capabilities), PACKING: self._packing(capabilities)}

    def _packing(self, capabilities: Capabilities) -> list[Json]:
        files = capabilities.others.get("files")
        formats = files.get("formats") if isinstance(files, Mapping) else None
        listed = formats if isinstance(formats, list | tuple) else ()
        return [number for number in listed if number in (0, 1)]


def migration_suite() -> MigrationSuite:
    """Return the suite."""
    return MigrationSuite(track="migration", laws=LAWS, formats="from")
