"""Sessions: valid at every prefix, of every kind of event, and simple when shrunk."""

import copy
from collections.abc import Callable, Iterator
from itertools import chain, pairwise
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.beats import BEATS, next_beat
from dsh_conformance.generate.following import state_of, states_of
from dsh_conformance.generate.sessions import draw_batch, new_state, sessions
from dsh_conformance.generate.state import State
from dsh_reference.refusal import Refusal
from dsh_reference.values import not_json
from dsh_spec.events import EVENT_TYPES

Raw: TypeAlias = dict[str, Any]
Judge: TypeAlias = Callable[..., Refusal | None]


@given(sessions())
def test_every_session_is_admitted(judge: Judge, batches: list[list[Raw]]) -> None:
    events = list(chain.from_iterable(batches))
    assert judge(events) is None
    assert not_json(events) is None


@given(sessions(max_batches=4))
def test_every_prefix_is_admitted(judge: Judge, batches: list[list[Raw]]) -> None:
    events = list(chain.from_iterable(batches))
    for length in range(len(events)):
        assert judge(events[:length]) is None


@given(st.data())
def test_batches_go_on_where_the_state_stands(data: st.DataObject) -> None:
    state, log = new_state(7), list[Raw]()
    for _ in range(3):
        before = copy.deepcopy(log)
        state, events = draw_batch(data.draw, state)
        assert log == before
        assert [event["seq"] for event in events] == list(range(len(log), len(log) + len(events)))
        log += events
    assert state == state_of(log)


def test_a_batch_is_one_draw() -> None:
    """Draws through `data()` are what generation costs."""
    drawn = []

    def draw(strategy: st.SearchStrategy[Any]) -> Any:
        drawn.append(strategy)
        return bytes(4), bytes(40)

    state, events = draw_batch(draw, new_state(7))
    assert len(drawn) == 1
    assert events == [{"type": "turn/start", "seq": 0, "time": 7, "data": {"turn": 1}}]
    assert state.turn_open


# ------------------------------------------------------------------ what comes


def test_every_type_of_event_comes(pool: list[list[Raw]]) -> None:
    met = {event["type"] for event in chain.from_iterable(pool)}
    assert set(EVENT_TYPES) <= met


def test_every_beat_comes(pool: list[list[Raw]]) -> None:
    states = [state for log in pool[:200] for state in states_of(log)]
    met = {next_beat(byte, state) for state in states for byte in (*range(50), 150, 200, 250)}
    assert met == {None, *BEATS}


#: What a log may show, so that nobody has to hope that it comes.
SIGHTS: dict[str, Callable[[list[Raw], State], bool]] = {
    "ends in an open turn": lambda _, end: end.turn_open and not end.step_open,
    "ends in an open step": lambda _, end: end.step_open and not end.calls,
    "ends with a call that has not started": lambda _, end: bool(end.unstarted),
    "ends with a call that runs": lambda _, end: bool(end.running),
    "ends in a compaction": lambda _, end: end.bracket is not None,
    "ends between turns": lambda _, end: end.turn > 0 and not end.turn_open,
    "has three turns": lambda _, end: end.turn >= 3,
    "has parallel calls": lambda _, end: len(end.calls) >= 2,
    "has a result before an older call's": lambda log, _: any(map(_overtakes, states_of(log))),
    "replaces": lambda log, _: any(_replaced(log)),
    "replaces a range whose start is the greater seq": lambda log, _: any(
        operation["startSeq"] > operation["endSeq"] for operation in _replaced(log)
    ),
    "steps back in time": lambda log, _: any(
        later["time"] < earlier["time"] for earlier, later in pairwise(log)
    ),
    "begins before 1970": lambda log, _: log[0]["time"] < 0,
    "marks a known type ignorable": lambda log, _: any(
        event.get("ignorable") and event["type"] in EVENT_TYPES for event in log
    ),
    "opens again": lambda log, _: any(event["type"] == "session/end-seed" for event in log),
    "has a long source list": lambda log, _: any(
        len(event.get("sourceEventSeqs", ())) > 3 for event in log
    ),
}


def _replaced(log: list[Raw]) -> Iterator[Raw]:
    for event in log:
        operation = event.get("surfaceOp")
        if isinstance(operation, dict) and operation.get("op") == "replace":
            yield operation


def _overtakes(state: State) -> bool:
    return len(state.calls) >= 2 and state.calls[0].started is None and bool(state.running)


@pytest.mark.parametrize("sight", sorted(SIGHTS))
def test_every_sight_comes(pool: list[list[Raw]], sight: str) -> None:
    assert any(SIGHTS[sight](log, state_of(log)) for log in pool)


# ------------------------------------------------------------------ what it shrinks to


Smallest: TypeAlias = Callable[..., list[list[Raw]]]
Look: TypeAlias = Callable[[Callable[[Raw], bool]], list[str]]


@pytest.fixture
def types_around(smallest: Smallest) -> Look:
    """Return the types of the smallest session that has such an event."""

    def look(having: Callable[[Raw], bool]) -> list[str]:
        found = smallest(sessions(), lambda batches: any(map(having, chain.from_iterable(batches))))
        return [event["type"] for event in chain.from_iterable(found)]

    return look


def test_the_simplest_session_is_one_turn_start(smallest: Smallest) -> None:
    simplest = {"type": "turn/start", "seq": 0, "time": 0, "data": {"turn": 1}}
    assert smallest(sessions()) == [[simplest]]


def test_a_stranger_shrinks_to_itself(types_around: Look) -> None:
    assert types_around(lambda event: event.get("ignorable") is True) == ["plugin:acme/ping"]


def test_a_result_shrinks_to_what_it_needs(types_around: Look) -> None:
    types = types_around(lambda event: event["type"] == "tool/result")
    assert types[:2] == ["turn/start", "step/start"]
    assert len(types) <= 8


def test_a_summary_shrinks_to_what_it_needs(types_around: Look) -> None:
    types = types_around(lambda event: event["type"] == "compaction/summary")
    assert types[-3:] == ["compaction/start", "compaction/summary", "user/message"]
    assert len(types) <= 8
