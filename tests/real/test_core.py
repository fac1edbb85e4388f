"""The session cores of the real runtimes, each in the format that it writes."""

from pathlib import Path
from typing import Any

import pytest

from dsh_conformance.certify import Terms, certify
from dsh_conformance.implementation.names import resolve
from dsh_conformance.implementation.outcome import Ok
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.profiles import Profile
from dsh_spec.values import JsonObject

#: So few runs that the larger laws are tried some dozen times, and each of the others once.
SMALL = Profile(name="small", examples=10, steps=1, lives=1, at_least=0)
FORMATS = {"dsh": 4, "dsh-v3": 3, "dsh-v0": 0}
TURN: JsonObject = {"type": "turn/start", "seq": 0, "time": 1, "data": {"turn": 1}}
END: JsonObject = {
    "type": "turn/end",
    "seq": 1,
    "time": 2,
    "data": {"turn": 1, "reason": {"kind": "completed"}},
}

pytestmark = [
    pytest.mark.usefixtures("older_runtimes"),
    pytest.mark.parametrize("name", FORMATS),
]


def test_a_core_breaks_no_rule(name: str) -> None:
    launcher = resolve(name, (), {}, deadline=60)
    capabilities = smoke(launcher, ("core",))
    assert capabilities.others["core"] == {"formats": [FORMATS[name]]}
    report = certify(launcher, capabilities, Terms(profile=SMALL, seed=0, tracks=("core",)))
    judged = [each for each in report.rules if each.verdict != "not-claimed"]
    assert [each.rule for each in judged if each.verdict != "passed"] == []
    assert sum(each.exercised > 0 for each in judged) > 0.8 * len(judged)


def test_what_the_suite_asks_of_a_core_stays_in_memory(name: str, workspace: Path) -> None:
    connection = resolve(name, (), {}, deadline=60).launch(workspace)
    header: JsonObject = {"version": FORMATS[name], "id": "s", "createdAt": 1, "isSeeded": False}
    asked: dict[str, Any] = {"format": FORMATS[name], "header": header, "events": [TURN, END]}
    assert isinstance(connection.call("core/admit", asked), Ok)
    for _ in range(2):
        forked = connection.call("core/fork", {**asked, "child": {"id": "c", "createdAt": 5}})
        assert isinstance(forked, Ok)
    connection.close()
    assert [path for path in workspace.rglob("*") if path.is_file()] == []
