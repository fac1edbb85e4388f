"""The evidence of every known deviation, asked again of the real runtime."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.deviations import Deviation, deviations

Ask = Callable[..., Any]

#: The fixtures by the version of the runtime: the first process itself, what asks it, and what asks
#: a second one.
FIXTURES = {
    "0.2.1rc2": ("runtime", "ask", "second"),
    "0.1.5rc1": ("runtime_v3", "ask_v3", "second_v3"),
    "0.1.0rc7": ("runtime_v0_sqlite", "ask_v0_sqlite", None),
}


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


@pytest.mark.parametrize(
    "deviation", deviations(), ids=lambda each: f"{each.rule}-{each.versions[0]}"
)
def test_the_evidence_still_holds(
    request: pytest.FixtureRequest, workspace: Path, deviation: Deviation
) -> None:
    (version,) = deviation.versions
    process, first, second = FIXTURES[version]
    processes = {"first": request.getfixturevalue(first)}
    if second is not None:
        processes["second"] = request.getfixturevalue(second)
    runtime: Connection = request.getfixturevalue(process)
    info = runtime.capabilities.implementation
    assert info.name == deviation.implementation
    assert info.version == version
    for line in deviation.evidence:
        _replay(processes, workspace, line)
