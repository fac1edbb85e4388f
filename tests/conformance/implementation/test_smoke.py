"""The first probe: it tells what cannot be driven from what answers, however wrongly."""

from typing import Any

import pytest

from dsh_conformance.implementation.outcome import Fault
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.implementation.stdio import Deadlines, StdioLauncher


@pytest.mark.parametrize("fault", ["none", "refuses sessions", "loud"])
def test_wrong_answers_are_for_the_rules_to_judge(misbehaving: Any, fault: str) -> None:
    launcher: StdioLauncher = misbehaving(fault)
    assert smoke(launcher).implementation.name == "misbehaving"


@pytest.mark.parametrize("fault", ["hang", "exit", "garbage", "wrong shape", "twice", "status 4"])
def test_what_cannot_be_driven_is_a_fault(misbehaving: Any, fault: str) -> None:
    seconds = {"call": 0.3} if fault == "hang" else {}
    with pytest.raises(Fault) as caught:
        smoke(misbehaving(fault, **seconds))
    assert caught.value.diagnosis.blame in ("implementation", "adapter")


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        ("no store", "it claims live alone; this version certifies store"),
        ("format 2", 'it claims a store of seam "handle" and format 2; this version certifies'),
    ],
)
def test_claims_of_other_versions_are_the_suites_limit(
    misbehaving: Any, fault: str, what: str
) -> None:
    with pytest.raises(Fault) as caught:
        smoke(misbehaving(fault))
    assert caught.value.diagnosis.blame == "suite"
    assert caught.value.diagnosis.what.startswith(what)


@pytest.mark.parametrize("fault", ["format 2", "refuses workspaces", "no store"])
def test_of_a_store_that_is_not_judged_nothing_is_asked(misbehaving: Any, fault: str) -> None:
    assert smoke(misbehaving(fault), ("core", "files")).implementation.name == "misbehaving"
    with pytest.raises(Fault):
        smoke(misbehaving(fault), ("core", "store"))


def test_moving_to_another_workspace_must_succeed(misbehaving: Any) -> None:
    with pytest.raises(Fault, match="refused store/closeWorkspace, which must always") as caught:
        smoke(misbehaving("refuses workspaces"))
    assert caught.value.diagnosis.blame == "adapter"


def test_deadlines_are_generous_by_default() -> None:
    assert Deadlines() == Deadlines(first=30, call=10, exit=10)
