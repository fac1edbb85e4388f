"""Forks: what a child begins with."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.sessions import sessions
from dsh_reference.admit import admit
from dsh_reference.derive import derive
from dsh_reference.fork import ForkSeed, fork_seed
from dsh_reference.refusal import Refusal
from dsh_reference.repair import closers
from dsh_spec.events import EndSeed, Event, structure_event, unstructure_event
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

_HEADER: dict[str, Json] = {
    "version": 4,
    "id": "c",
    "createdAt": 0,
    "isSeeded": True,
    "parentSession": "s",
}


@st.composite
def _forks(draw: st.DrawFn) -> tuple[list[Event], int]:
    events = [structure_event(raw) for batch in draw(sessions()) for raw in batch]
    return events, draw(st.integers(0, len(events) - 1))


def _seed(log: list[Event], boundary: int | None) -> ForkSeed:
    seed = fork_seed(log, boundary)
    assert isinstance(seed, ForkSeed)
    return seed


@given(_forks())
def test_a_child_inherits_up_to_the_boundary_and_then_is_marked(
    fork: tuple[list[Event], int],
) -> None:
    log, boundary = fork
    seed = _seed(log, boundary)
    marker = seed.events[seed.inherited]
    assert seed.inherited == boundary + 1
    assert list(seed.events[: seed.inherited]) == log[: boundary + 1]
    assert marker.data == EndSeed(inherited=True)
    assert (marker.seq, marker.time) == (boundary + 1, log[boundary].time)


@given(_forks())
def test_a_child_is_balanced_and_a_log_of_its_own(fork: tuple[list[Event], int]) -> None:
    seed = _seed(*fork)
    assert closers(seed.events) == ()
    whole = [unstructure_event(event) for event in seed.events]
    assert not isinstance(admit(_HEADER, seed.inherited, whole), Refusal)


@given(_forks())
def test_a_child_sees_what_its_parent_saw_and_the_results(fork: tuple[list[Event], int]) -> None:
    log, boundary = fork
    seed = _seed(log, boundary)
    parent, child = derive(log[: boundary + 1]), derive(seed.events)
    assert isinstance(parent, list)
    assert isinstance(child, list)
    assert child[: len(parent)] == parent
    added = [event for event in seed.events[seed.inherited :] if event.type == "tool/result"]
    assert len(child) - len(parent) == len(added)


@given(_forks())
def test_a_fork_of_a_fork_is_cut_at_the_later_marker(fork: tuple[list[Event], int]) -> None:
    seed = _seed(*fork)
    again = _seed(list(seed.events), None)
    marks = [event.seq for event in again.events if event.data == EndSeed(inherited=True)]
    assert marks == sorted({*marks, again.inherited})
    assert marks[-1] == again.inherited
    assert again.events[again.inherited + 1 :] == ()


@given(_forks())
def test_the_last_event_is_the_default_boundary(fork: tuple[list[Event], int]) -> None:
    log, _ = fork
    assert fork_seed(log) == fork_seed(log, len(log) - 1)


def test_a_fork_of_nothing_is_empty() -> None:
    assert fork_seed([]) == ForkSeed(events=(), inherited=0)


@pytest.mark.parametrize(
    ("boundary", "rule"),
    [
        (-1, "FORK-BOUNDARY-INT"),
        (0.5, "FORK-BOUNDARY-INT"),
        (True, "FORK-BOUNDARY-INT"),
        ("0", "FORK-BOUNDARY-INT"),
        (2**53, "FORK-BOUNDARY-INT"),
        (1, "FORK-BOUNDARY-EXISTS"),
        (99, "FORK-BOUNDARY-EXISTS"),
    ],
)
def test_a_boundary_that_is_no_event_is_refused(boundary: Any, rule: str) -> None:
    log = [structure_event({"type": "turn/start", "seq": 0, "time": 0, "data": {"turn": 1}})]
    refusal = fork_seed(log, boundary)
    assert isinstance(refusal, Refusal)
    assert (refusal.kind, refusal.rule) == (RefusalKind.INVALID_BOUNDARY, rule)


def test_an_empty_log_has_no_boundary_at_all() -> None:
    refusal = fork_seed([], 0)
    assert isinstance(refusal, Refusal)
    assert refusal.rule == "FORK-BOUNDARY-EXISTS"
