"""The evidence of every known deviation, asked again of the real runtime."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.deviations import Deviation, deviations

Ask = Callable[..., Any]

#: The fixtures that ask an implementation, in a first and in a second process.
FIXTURES = {"dsh": ("ask", "second"), "dsh-sqlite": ("ask_v0_sqlite", None)}
#: The fixture of the first process itself.
RUNTIMES = {"dsh": "runtime", "dsh-sqlite": "runtime_v0_sqlite"}


def shows(part: object, whole: object) -> bool:
    """Tell whether *whole* has everything that *part* has; lists are as long as each other."""
    match part, whole:
        case dict(), dict():
            return all(key in whole and shows(value, whole[key]) for key, value in part.items())
        case list(), list():
            return len(part) == len(whole) and all(map(shows, part, whole))
    return type(part) is type(whole) and part == whole


def test_shows_bites() -> None:
    assert shows({"a": [{"b": 1}]}, {"a": [{"b": 1, "c": 2}], "d": 3})
    assert not shows({"a": None}, {})
    assert not shows({"a": [{}]}, {"a": [{}, {}]})
    assert not shows({"a": 1}, {"a": True})


def _replay(processes: Mapping[str, Ask], workspace: Path, line: Mapping[str, Any]) -> None:
    ask = processes[line.get("process", "first")]
    match line:
        case {"method": str() as method, "params": dict() as params, "result": result}:
            answer = ask(method.removeprefix("store/"), **params)
            assert shows(result, answer), (line, answer)
        case {"method": str() as method, "params": dict() as params, "refused": kind}:
            assert ask(method.removeprefix("store/"), **params) == kind, line
        case {"artifact": session_id, "append": text}:
            with Path(ask("locate", id=session_id)["path"]).open("a", encoding="utf-8") as file:
                file.write(text)
        case {"reopen": True}:
            ask("closeWorkspace")
            ask("openWorkspace", workspace=str(workspace))
        case _:
            pytest.fail(f"no line of evidence: {line}")


@pytest.mark.parametrize("deviation", deviations(), ids=lambda each: each.rule)
def test_the_evidence_still_holds(
    request: pytest.FixtureRequest, workspace: Path, deviation: Deviation
) -> None:
    first, second = FIXTURES[deviation.implementation]
    processes = {"first": request.getfixturevalue(first)}
    if second is not None:
        processes["second"] = request.getfixturevalue(second)
    runtime: Connection = request.getfixturevalue(RUNTIMES[deviation.implementation])
    info = runtime.capabilities.implementation
    assert info.name == deviation.implementation
    assert info.version in deviation.versions
    for line in deviation.evidence:
        _replay(processes, workspace, line)
