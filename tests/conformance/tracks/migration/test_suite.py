"""The suite finds no fault with the reference, and asks nobody for what is not claimed."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.profiles import QUICK
from dsh_conformance.tracks.migration.laws import LAWS
from dsh_conformance.tracks.migration.suite import MigrationSuite, migration_suite
from dsh_conformance.tracks.registry import SUITES
from dsh_conformance.tracks.store.arena import Arena
from dsh_spec.catalogue import rule

#: Enough for every law to be tried.
BRIEF = evolve(QUICK, examples=6, at_least=1)


class Counting(InProcessLauncher):
    """Counts how often an instance is started."""

    started = 0

    def launch(self, workspace: Path) -> Connection:
        Counting.started += 1
        return super().launch(workspace)


@pytest.fixture
def arena(launcher: InProcessLauncher, capabilities: Capabilities) -> Iterator[Arena]:
    counting = Counting(factory=launcher.factory)
    arena = Arena(launcher=counting, capabilities=capabilities)
    Counting.started = 0
    yield arena
    arena.close()


def test_the_reference_breaks_no_rule(arena: Arena) -> None:
    suite = migration_suite()
    suite.survey(arena, BRIEF, 1)
    assert arena.failures == {}
    assert len(arena.exercised) > 100
    assert arena.steps >= arena.examples >= len(suite.laws)
    assert Counting.started == 1


def test_a_seed_reproduces_a_run(launcher: InProcessLauncher, capabilities: Capabilities) -> None:
    few = MigrationSuite(track="migration", laws=LAWS[:6], formats="from")
    tallies = []
    for _ in range(2):
        arena = Arena(launcher=launcher, capabilities=capabilities)
        few.survey(arena, evolve(BRIEF, examples=1), 5)
        arena.close()
        tallies.append((arena.examples, arena.steps, arena.exercised))
    assert tallies[0] == tallies[1]


def claiming(capabilities: Capabilities, **tracks: Mapping[str, Any]) -> Capabilities:
    return evolve(capabilities, others=tracks)


def unclaimed(slug: str, launcher: InProcessLauncher, capabilities: Capabilities) -> str | None:
    return migration_suite().unclaimed(rule(slug), launcher, capabilities)


def test_what_is_not_claimed_is_not_asked(
    launcher: InProcessLauncher, capabilities: Capabilities
) -> None:
    whole = {"from": [0, 1, 2, 3], "to": 4}
    files = {"formats": [1, 4], "compression": ["none"]}
    for claims, claimed, not_claimed in (
        ({"migration": whole, "files": files}, ["MIG12-REC-PACKED", "MIG01-CLOSED"], []),
        ({"migration": whole}, ["MIG01-CLOSED"], ["MIG12-REC-PACKED"]),
        ({"migration": {"from": [3], "to": 4}}, ["MIG34-KINDS"], ["MIG23-CLOSED", "MIG01-CUT"]),
        ({"migration": {"from": [0, 1], "to": 3}}, [], ["MIG01-CLOSED", "MIG-NEWER"]),
        ({"migration": {}}, [], ["MIG-NEWER"]),
    ):
        those = claiming(capabilities, **claims)
        assert [s for s in claimed if unclaimed(s, launcher, those)] == []
        assert [s for s in not_claimed if not unclaimed(s, launcher, those)] == []


def test_laws_without_cases_are_left_out(arena: Arena) -> None:
    arena.capabilities = claiming(arena.capabilities, migration={"from": [0], "to": 3})
    migration_suite().survey(arena, BRIEF, 1)
    assert (arena.examples, Counting.started) == (0, 0)


def test_the_track_is_registered() -> None:
    assert SUITES["migration"]().track == "migration"
