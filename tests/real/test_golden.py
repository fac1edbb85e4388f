"""The real runtimes make of every golden case what the case says, each of what it can read."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from dsh_conformance.golden import Case, corpus
from dsh_conformance.golden.against import compare
from dsh_conformance.golden.case import MIGRATED
from dsh_conformance.golden.form import plain_text
from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.dsh import launcher
from dsh_conformance.implementation.names import resolve
from dsh_conformance.implementation.outcome import Ok, Outcome, Refused
from dsh_reference.files import LogFile, read_log
from dsh_reference.refusal import Refusal
from dsh_reference.values import equal
from dsh_spec.values import Json, JsonObject

CASES = corpus()


def _differences(name: str, cases: Sequence[Case]) -> list[Any]:
    seen = list(compare(cases, lambda compression: resolve(name, (), {"compression": compression})))
    assert {case.place for case, _ in seen} == {case.place for case in cases}
    return [found for _, findings in seen for found in findings]


def test_the_newest_runtime_agrees_with_every_case() -> None:
    assert _differences("dsh", CASES) == []


@pytest.mark.usefixtures("older_runtimes")
@pytest.mark.parametrize("version", [0, 3])
def test_the_runtime_of_its_own_format_agrees_with_every_case(version: int) -> None:
    cases = [case for case in CASES if case.format == version]
    assert _differences(f"dsh-v{version}", cases) == []


@pytest.fixture(scope="module")
def core() -> Iterator[Connection]:
    with tempfile.TemporaryDirectory() as place:
        connection = launcher({}).launch(Path(place))
        yield connection
        connection.close()


VIEWS = {"surface", "messages", "closers", "fork"}
VIEWED = [
    case
    for case in CASES
    if VIEWS & case.expect.keys() and (case.format == 4 or MIGRATED in case.files)
]


@pytest.mark.parametrize("case", VIEWED, ids=lambda case: case.place)
def test_the_core_of_the_runtime_shows_what_the_case_says(core: Connection, case: Case) -> None:
    """What was worked by hand, held against the real thing."""
    log = _newest(case)
    asked: JsonObject = {"format": 4, "events": list(log.events)}
    expect: Mapping[str, Any] = case.expect
    if "surface" in expect:
        assert _same(core.call("core/fold", asked), expect["surface"])
    if "messages" in expect:
        assert _same(core.call("core/derive", asked), {"messages": expect["messages"]})
    if "closers" in expect:
        closing = {**asked, "cause": "interrupted"}
        assert _same(core.call("core/closers", closing), {"events": expect["closers"]})
    if "fork" in expect:
        boundary = expect["fork"]["boundary"]
        child: JsonObject = {"id": "child", "createdAt": 7}
        forked = core.call(
            "core/fork", {**asked, "header": log.header, "boundary": boundary, "child": child}
        )
        assert _same(_told(forked, boundary), expect["fork"])


def _told(forked: Outcome, boundary: Json) -> Outcome:
    """Return a fork as a case tells it."""
    if isinstance(forked, Refused):
        return Ok({"boundary": boundary, "refused": {"kind": str(forked.kind)}})
    child: Any = forked.value
    inherited = child["inheritedEventCount"]
    return Ok(
        {
            "boundary": boundary,
            "inheritedEventCount": inherited,
            "added": child["events"][inherited:],
        }
    )


def _newest(case: Case) -> LogFile:
    text = case.files.get(MIGRATED) or plain_text(case)
    assert text is not None
    log = read_log(text, compression="none", format=4)
    assert not isinstance(log, Refusal)
    return log


def _same(outcome: Outcome, expected: Mapping[str, Any]) -> bool:
    """Compare an answer; of a refusal only the kind, for the runtime knows no rules by name."""
    if "refused" in expected:
        kind = {"refused": {"kind": expected["refused"]["kind"]}}
        if isinstance(outcome, Refused):
            return kind == {"refused": {"kind": str(outcome.kind)}}
        expected = {**expected, **kind}
    return isinstance(outcome, Ok) and equal(outcome.value, expected)
