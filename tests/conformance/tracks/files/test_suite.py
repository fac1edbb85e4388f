"""The suite finds no fault with the reference, and asks nobody for what is not claimed."""

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from dsh_conformance.generate.files import KINDS
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.reference import reference
from dsh_conformance.profiles import QUICK
from dsh_conformance.sabotage.catalogue import breaking
from dsh_conformance.tracks.files.claims import claimed
from dsh_conformance.tracks.files.suite import files_suite
from dsh_conformance.tracks.registry import SUITES
from dsh_conformance.tracks.store.arena import Arena
from dsh_spec.catalogue import Rule, rule, rules

#: The rules that are held against implementations.
CHECKED = [each for each in rules() if each.track == "files" and each.level == "MUST"]
#: What written files and places show.
ASKED = {"FILE-LAYOUT", "FILE-PROJECT-KEY", "FILE-SEGMENT", "FILE-NAME"}
ASKED |= {"FILE-ROUND-TRIP", "FRAME-BATCH", "SRCPACK-ENCODE"}


@pytest.fixture
def launcher() -> InProcessLauncher:
    return InProcessLauncher(factory=reference)


@pytest.fixture
def capabilities(launcher: InProcessLauncher, tmp_path: Path) -> Capabilities:
    connection = launcher.launch(tmp_path)
    connection.close()
    return connection.capabilities


def test_the_reference_breaks_no_rule(
    launcher: InProcessLauncher, capabilities: Capabilities
) -> None:
    arena = Arena(launcher=launcher, capabilities=capabilities)
    files_suite().survey(arena, evolve(QUICK, examples=12), 1)
    arena.close()
    assert arena.failures == {}
    assert {each.slug for each in CHECKED} == set(arena.exercised)


def test_every_rule_of_the_track_is_checked() -> None:
    assert {each.slug for each in CHECKED} == {*ASKED, *(kind.rule for kind in KINDS)}


@pytest.mark.parametrize("each", CHECKED, ids=lambda each: each.slug)
def test_every_rule_of_the_track_has_a_sabotage(each: Rule) -> None:
    assert breaking(each.slug)


def test_what_is_claimed() -> None:
    claims: Any = {"formats": [4, 0, 9, "1"], "compression": ["zstd", "gzip"]}
    assert claimed(claims) == ((4, "zstd"), (0, "zstd"))
    assert claimed({}) == ()
    assert claimed({"formats": 4, "compression": None}) == ()


def test_what_is_not_claimed_is_not_asked(
    launcher: InProcessLauncher, capabilities: Capabilities
) -> None:
    for formats, compression, asked, left in (
        ([4], ["none"], ["INV-RECOVER", "FILE-NAME"], ["FRAME-ALL", "FRAME-BATCH", "CUT-V0V1"]),
        ([0], ["zstd"], ["FRAME-BATCH", "CUT-V0V1"], ["INV-RECOVER", "ROW-KINDS"]),
        ([3], ["none", "zstd"], ["MIG-RECOVER-V3"], ["FRAME-COMPLETE-STRICT", "ROW-UTF8"]),
        ([3], ["none"], ["MIG-RECOVER-PREFIX"], ["ROW-ONE-VERSION"]),
        ([3, 4], ["none"], ["MIG-RECOVER-PREFIX", "ROW-ONE-VERSION"], []),
    ):
        files: Any = {"formats": formats, "compression": compression}
        those = evolve(capabilities, others={"files": files})
        suite = files_suite()
        assert [s for s in asked if suite.unclaimed(rule(s), launcher, those)] == []
        assert [s for s in left if not suite.unclaimed(rule(s), launcher, those)] == []


def test_laws_without_cases_are_left_out(
    launcher: InProcessLauncher, capabilities: Capabilities
) -> None:
    none = evolve(capabilities, others={"files": {"formats": [], "compression": ["none"]}})
    arena = Arena(launcher=launcher, capabilities=none)
    files_suite().survey(arena, QUICK, 1)
    arena.close()
    assert arena.examples == 0


def test_the_track_is_registered() -> None:
    assert SUITES["files"]().track == "files"
