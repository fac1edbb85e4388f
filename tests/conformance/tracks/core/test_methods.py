"""A port that answers some methods is asked those alone, and only the rules that they can break."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from dsh_conformance.implementation import wire
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.inprocess import InProcessConnection, InProcessLauncher
from dsh_conformance.implementation.outcome import Outcome
from dsh_conformance.implementation.reference import reference
from dsh_conformance.profiles import Profile
from dsh_conformance.tracks.core.methods import METHODS, answered, needed
from dsh_conformance.tracks.core.suite import core_suite
from dsh_conformance.tracks.store.arena import Arena
from dsh_spec.catalogue import rules

CORE = [rule for rule in rules() if rule.track == "core" and rule.level == "MUST"]
SMALL = Profile(name="small", examples=12, steps=1, lives=1, at_least=1)
#: How many seeds are tried at most until every claimed rule was exercised.
ROUNDS = 20
#: Claims that make sense on their own, from what a beginner has to what an author of sessions has.
PARTS = (
    ("core/fold",),
    ("core/closers",),
    ("core/fold", "core/derive"),
    ("core/requestHeader", "core/requestContext", "core/toolHistory", "core/json"),
    ("core/append", "core/fold", "core/derive", "core/fork"),
    ("core/admit",),
    ("core/seed",),
)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The methods that were called."""
    called: set[str] = set()
    call = InProcessConnection.call

    def noted(self: InProcessConnection, method: str, params: Any) -> Outcome:
        called.add(method)
        return call(self, method, params)

    monkeypatch.setattr(InProcessConnection, "call", noted)
    return called


@pytest.fixture
def arena(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Arena]:
    launcher = InProcessLauncher(factory=reference, describe="the reference")
    probe = launcher.launch(tmp_path)
    claims = {"core": {"formats": [4], "methods": list(request.param)}}
    made = Arena(launcher=launcher, capabilities=evolve(probe.capabilities, others=claims))
    probe.close()
    yield made
    made.close()


def claimed(capabilities: Capabilities) -> set[str]:
    suite, launcher = core_suite(), InProcessLauncher(factory=reference)
    return {each.slug for each in CORE if suite.unclaimed(each, launcher, capabilities) is None}


@pytest.mark.parametrize("arena", PARTS, indirect=True, ids=" ".join)
def test_only_what_is_claimed_is_asked_and_all_that_is_claimed_is_exercised(
    arena: Arena, asked: set[str]
) -> None:
    for seed in range(ROUNDS):
        core_suite().survey(arena, SMALL, seed)
        if claimed(arena.capabilities) <= arena.exercised.keys():
            break
    assert arena.failures == {}
    assert claimed(arena.capabilities) <= arena.exercised.keys()
    claims: Any = arena.capabilities.others["core"]
    assert {each for each in asked if each.startswith("core/")} == set(claims["methods"])


def test_every_rule_needs_methods_that_there_are() -> None:
    schema = wire._document("initialize")["coreMethod"]["enum"]
    assert set(schema) == METHODS
    for rule in CORE:
        assert needed(rule)
        assert needed(rule) <= METHODS


@pytest.mark.parametrize("arena", [("core/fold",)], indirect=True)
def test_a_fold_alone_is_asked_the_rules_of_the_fold(arena: Arena) -> None:
    found = claimed(arena.capabilities)
    assert {"SURF-FOLD", "SURF-REPLACE-ORDER", "IMG-ONCE", "DEV-HEADER-TOOL"} <= found
    assert not {"PROJ-HISTORY", "CLOSE-ORDER", "REL-TURN", "SURF-ATOMIC", "SEED-EVENTS"} & found


def test_without_the_key_all_methods_are_claimed() -> None:
    assert answered({"formats": [4]}) == METHODS
    assert answered({"formats": [4], "methods": ["core/fold"]}) == {"core/fold"}


def test_a_method_that_does_not_exist_is_no_claim() -> None:
    hello: dict[str, Any] = {
        "protocol": 1,
        "implementation": {"name": "a", "version": "1", "language": "b"},
        "tracks": {"core": {"formats": [4], "methods": ["core/fold"]}},
        "hostileValues": False,
    }
    assert wire.problem("initialize", "result", hello) is None
    for wrong in (["fold"], [], "core/fold", None):
        hello["tracks"] = {"core": {"formats": [4], "methods": wrong}}
        assert wire.problem("initialize", "result", hello)
