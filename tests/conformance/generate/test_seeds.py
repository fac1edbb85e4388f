"""Seeds: what a fork copies, where it cuts, and what it closes."""

from collections.abc import Callable
from typing import Any, TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.closing import close_turn
from dsh_conformance.generate.following import state_of
from dsh_conformance.generate.forks import fork
from dsh_conformance.generate.sessions import draw_batch, draw_seed, seeds, sessions
from dsh_conformance.generate.writer import Writer
from dsh_reference.admit import admit
from dsh_reference.fork import ForkSeed, fork_seed
from dsh_reference.refusal import Refusal
from dsh_reference.repair import closers
from dsh_reference.values import equal
from dsh_spec.events import unstructure_event

Raw: TypeAlias = dict[str, Any]
Judge: TypeAlias = Callable[..., Refusal | None]
Smallest: TypeAlias = Callable[..., tuple[list[Raw], int]]

HEADER: Raw = {"version": 4, "id": "s1", "createdAt": 0, "isSeeded": True}


@given(st.data())
def test_seeded_sessions_are_admitted(judge: Judge, data: st.DataObject) -> None:
    state, events, inherited = draw_seed(data.draw)
    assert state == state_of(events)
    assert judge(events, HEADER, inherited) is None
    _, more = draw_batch(data.draw, state)
    assert judge([*events, *more], HEADER, inherited) is None


@given(seeds())
def test_seeds_are_what_the_reference_forks(seed: tuple[list[Raw], int]) -> None:
    events, inherited = seed
    parent = {**HEADER, "isSeeded": any(map(_marks, events[:inherited]))}
    cut = max((event["seq"] for event in events[:inherited] if _marks(event)), default=0)
    copied = admit(parent, cut, events[:inherited])
    assert not isinstance(copied, Refusal)
    if inherited:
        made = fork_seed(copied)
        assert isinstance(made, ForkSeed)
        assert equal([unstructure_event(event) for event in made.events], events)
        assert made.inherited == inherited


def _marks(event: Raw) -> bool:
    return event["type"] == "session/end-seed" and event["data"].get("inherited") is True


@given(sessions(max_batches=4))
def test_closers_are_those_of_the_reference(batches: list[list[Raw]]) -> None:
    events = [event for batch in batches for event in batch]
    writer = Writer(state_of(events))
    close_turn(writer, "interrupted")
    admitted = admit({**HEADER, "isSeeded": False}, 0, events)
    assert not isinstance(admitted, Refusal)
    assert equal([unstructure_event(event) for event in closers(admitted)], writer.events)


def test_the_simplest_seed_is_the_marker_alone(smallest: Smallest) -> None:
    marker = {"type": "session/end-seed", "seq": 0, "time": 0, "data": {"inherited": True}}
    assert smallest(seeds()) == ([marker], 0)


def test_a_fork_of_a_fork_keeps_both_marks(smallest: Smallest) -> None:
    found, inherited = smallest(seeds(), lambda seed: sum(map(_marks, seed[0])) == 2)
    marks = [event["seq"] for event in found if _marks(event)]
    assert marks[-1] == inherited


def test_a_cut_between_parallel_calls() -> None:
    """Three calls, the last never started (facts: surface-repair-fork §3.6, EX14; hand-worked)."""
    calls = [{"type": "tool-call", "id": f"c{n}", "name": "t", "arguments": ""} for n in (1, 2, 3)]
    source = {"kind": "model", "provider": "p", "model": "m"}
    said = {"id": "m", "role": "assistant", "content": calls, "source": source}
    here = {"turn": 1, "step": 1}
    data: list[tuple[str, Raw]] = [
        ("turn/start", {"turn": 1}),
        ("step/start", here),
        ("assistant/message", {**here, "message": said, "stream": []}),
        ("tool/call", {**here, "callId": "c2", "name": "t", "arguments": ""}),
        ("tool/call", {**here, "callId": "c1", "name": "t", "arguments": ""}),
    ]
    log: list[Raw] = [
        {"type": kind, "seq": seq, "time": 100 + seq, "data": value}
        for seq, (kind, value) in enumerate(data)
    ]
    log[2]["surfaceOp"] = "append"
    _, seed = fork(log, 5)
    closed = [(event["type"], event["seq"], event["time"]) for event in seed[5:]]
    assert closed == [
        ("session/end-seed", 5, 104),
        ("tool/result", 6, 104),
        ("tool/result", 7, 104),
        ("tool/result", 8, 104),
        ("step/end", 9, 104),
        ("turn/end", 10, 104),
    ]
    assert [event.get("sourceEventSeqs") for event in seed[6:9]] == [[4], [3], None]
    ids = [event["data"]["message"]["id"] for event in seed[6:9]]
    assert ids == [f"forked-tool-result-c{n}-{5 + n}" for n in (1, 2, 3)]
    assert seed[10]["data"]["reason"] == {"kind": "forked"}
