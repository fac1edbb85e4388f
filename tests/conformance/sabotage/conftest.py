"""What every track asks of its sabotages."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dsh_conformance.certify import script
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.profiles import QUICK, Profile
from dsh_conformance.replay import ReplayResult, replay
from dsh_conformance.sabotage.catalogue import BACKENDS, Sabotage, sabotages
from dsh_conformance.sabotage.run import hunted


def _replayed(launcher: InProcessLauncher, workspace: Path, lines: object) -> ReplayResult:
    connection = launcher.launch(workspace)
    connection.close()
    return replay(lines, launcher, connection.capabilities)  # type: ignore[arg-type]


def _shown_again(sabotage: Sabotage, workspace: Path, profile: Profile) -> None:
    found = hunted(sabotage, profile, seed=0)
    failure = next(each for each in found.failures if each.evidence.rule == sabotage.rule)
    lines = tuple(script(failure))
    again = _replayed(InProcessLauncher(factory=sabotage.factory), workspace, lines)
    assert (again.verdict, again.rule) == ("broken", sabotage.rule)
    assert again.expected == failure.evidence.expected
    assert again.actual == failure.evidence.actual
    factory, config = BACKENDS[sabotage.base]
    right = InProcessLauncher(factory=factory, config=config)
    assert _replayed(right, workspace, lines).verdict == "kept"


@pytest.fixture
def shown_again(tmp_path: Path) -> Callable[..., None]:
    """Catch the sabotage of a name, and replay its counterexample on it and on a right one."""

    def check(name: str, profile: Profile = QUICK) -> None:
        sabotage = next(each for each in sabotages() if each.name == name)
        _shown_again(sabotage, tmp_path, profile)

    return check
