"""Which suite judges which track."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.tracks.core.suite import core_suite
from dsh_conformance.tracks.files.suite import files_suite
from dsh_conformance.tracks.migration.suite import migration_suite
from dsh_conformance.tracks.store.suite import StoreSuite
from dsh_conformance.tracks.suite import Suite

#: What makes the suite of a track that this version certifies.
SUITES: Mapping[str, Callable[[], Suite]] = MappingProxyType(
    {"store": StoreSuite, "migration": migration_suite, "files": files_suite, "core": core_suite}
)


def claimed_tracks(capabilities: Capabilities) -> tuple[str, ...]:
    """Return the tracks that an implementation claims."""
    store = () if capabilities.store is None else ("store",)
    return (*store, *capabilities.others)


def suites(capabilities: Capabilities, asked: tuple[str, ...]) -> tuple[Suite, ...]:
    """Return the suites of the tracks that are both claimed and asked for; asked nothing: all."""
    claimed = claimed_tracks(capabilities)
    return tuple(
        make()
        for track, make in SUITES.items()
        if track in claimed and (not asked or track in asked)
    )
