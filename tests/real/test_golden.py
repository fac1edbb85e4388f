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
from dsh_conformance.implementation.outcome import Ok
from dsh_reference.files import read_log
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


VIEWED = [
    case
    for case in CASES
    if case.expect["verdict"] == "admitted" and {"messages", "closers"} & case.expect.keys()
]


@pytest.mark.parametrize("case", VIEWED, ids=lambda case: case.place)
def test_the_runtime_derives_and_closes_as_the_case_says(core: Connection, case: Case) -> None:
    """What was worked by hand, held against the real thing."""
    asked: JsonObject = {"format": 4, "events": _newest(case)}
    expect: Mapping[str, Any] = case.expect
    if "messages" in expect:
        assert _same(core.call("core/derive", asked), {"messages": expect["messages"]})
    if "closers" in expect:
        closing = {**asked, "cause": "interrupted"}
        assert _same(core.call("core/closers", closing), {"events": expect["closers"]})


def _newest(case: Case) -> list[Json]:
    text = case.files.get(MIGRATED) or plain_text(case)
    assert text is not None
    log = read_log(text, compression="none", format=4)
    assert not isinstance(log, Refusal)
    return list(log.events)


def _same(outcome: object, expected: JsonObject) -> bool:
    return isinstance(outcome, Ok) and equal(outcome.value, expected)
