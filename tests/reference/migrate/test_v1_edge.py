"""What the edge v1 to v2 makes of chunks, messages, goals and cuts.

Worked by hand from the facts (migration §2), or seen on the real runtime 0.2.1rc2 where it says so.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from dsh_reference.migrate.v1_to_v2 import v1_to_v2
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.values import dump, equal
from dsh_spec.refusals import RefusalKind

HEADER: Mapping[str, Any] = {
    "type": "session",
    "version": 1,
    "id": "s",
    "createdAt": 9,
    "delegationDepth": 0,
}
TURN = ("turn/start", {"turn": 1})
STEP = ("step/start", {"turn": 1, "step": 1})
STEP_END = ("step/end", {"turn": 1, "step": 1})
NOTE = ("feedback/record", {"text": "f"})
END_SEED: tuple[Any, ...] = ("session/end-seed", {})
DELTA = {"type": "text-delta", "index": 0, "text": "a"}
FINISH = {"type": "finish", "reason": {"kind": "stop"}}
SURFACE = {"surfaceOp": "append"}
USER = {
    "id": "u",
    "role": "user",
    "content": [{"type": "text", "text": "q"}],
    "source": {"kind": "user"},
}
SPLICE = ("agent/inbox/spliced", {"target": "next-turn", "start": 0, "inserted": [USER]})
CHANGE = {
    "kind": "goal/change",
    "version": 1,
    "operation": "clear",
    "cleared": {"id": "g", "revision": 2},
    "clearedAt": 5,
}
GOAL = {
    "id": "m",
    "role": "user",
    "content": [
        {
            "type": "text",
            "text": '<goal_state>{"cleared":{"id":"g","revision":2},"clearedAt":5}</goal_state>',
        }
    ],
    "source": {"kind": "goal", "goalId": "g", "revision": 2, "round": 0, "change": CHANGE},
}

Edge = Callable[..., SessionLog | Refusal]


def chunk(content: Any = DELTA, *, step: int = 1, **envelope: Any) -> tuple[Any, ...]:
    data = {"turn": 1, "step": step, "chunk": content}
    return ("assistant/chunk", data, envelope)


def message(*cited: int, step: int = 1, none: bool = False) -> tuple[Any, ...]:
    said = {
        "id": "a",
        "role": "assistant",
        "content": [],
        "source": {"kind": "model", "provider": "p", "model": "m"},
    }
    citation = {} if none else {"sourceEventSeqs": list(cited)}
    return ("assistant/message", {"turn": 1, "step": step, "message": said}, SURFACE | citation)


@pytest.fixture
def edge(log_of: Callable[..., SessionLog]) -> Edge:
    """Migrate a log of events given by type, payload and envelope, event n at time 10 + n."""

    def migrate(*events: tuple[Any, ...], **header: Any) -> SessionLog | Refusal:
        rows = [
            {"type": type_, "seq": seq, "time": 10 + seq, "data": data, **dict(*envelope)}
            for seq, (type_, data, *envelope) in enumerate(events)
        ]
        return v1_to_v2(log_of({**HEADER, **header}, *rows), decoded=True)

    return migrate


def _types(outcome: SessionLog | Refusal) -> list[Any]:
    assert isinstance(outcome, SessionLog), outcome
    assert [event["seq"] for event in outcome.events] == list(range(len(outcome.events)))
    return [event["type"] for event in outcome.events]


def _streams(outcome: SessionLog | Refusal) -> list[Any]:
    assert isinstance(outcome, SessionLog), outcome
    datas: list[Any] = [event["data"] for event in outcome.events]
    return [data["stream"] for data in datas if "stream" in data]


def _refused(outcome: SessionLog | Refusal, rule: str, seq: int) -> None:
    assert isinstance(outcome, Refusal)
    assert (outcome.rule, outcome.where) == (rule, f"event {seq}")
    assert outcome.kind is RefusalKind.UNSUPPORTED_MIGRATION


def test_deltas_join_while_they_have_everything_in_common(edge: Edge) -> None:
    tool = {"type": "tool-call-delta", "index": 0, "id": "c", "argumentsDelta": "{"}
    contents = [DELTA, {**DELTA, "text": ""}, {**DELTA, "index": 1}]
    contents += [tool, tool, {**tool, "name": "n"}, {**tool, "id": "d"}]
    contents += [{**DELTA, "type": "reasoning-delta"}]
    (stream,) = _streams(edge(*map(chunk, contents)))
    assert equal(
        stream,
        [
            {"type": "text-chunks", "time0": 10, "index": 0, "dt": [1], "texts": ["a", ""]},
            {"type": "text-chunks", "time0": 12, "index": 1, "dt": [], "texts": ["a"]},
            {
                "type": "tool-call-chunks",
                "time0": 13,
                "index": 0,
                "dt": [1],
                "id": "c",
                "args": ["{", "{"],
            },
            {
                "type": "tool-call-chunks",
                "time0": 15,
                "index": 0,
                "dt": [],
                "id": "c",
                "name": "n",
                "args": ["{"],
            },
            {
                "type": "tool-call-chunks",
                "time0": 16,
                "index": 0,
                "dt": [],
                "id": "d",
                "args": ["{"],
            },
            {"type": "reasoning-chunks", "time0": 17, "index": 0, "dt": [], "texts": ["a"]},
        ],
    )


def test_time_may_run_back_within_a_run_but_not_further_than_a_number_can_say(edge: Edge) -> None:
    limit = 2**53 - 1
    (stream,) = _streams(edge(*(chunk(time=time) for time in (5, 3, -limit, limit))))
    runs = [(record["time0"], record["dt"]) for record in stream]
    assert runs == [(5, [-2]), (-limit, []), (limit, [])]


def test_what_is_no_delta_stands_raw_with_all_that_it_holds(edge: Edge) -> None:
    nameless = {
        "type": "tool-call-delta",
        "index": 0,
        "id": "c",
        "name": "",
        "argumentsDelta": "",
        "x": 1,
    }
    contents = [{"type": "usage", "x": None}, nameless, {"type": "block-end"}]
    (stream,) = _streams(edge(*map(chunk, contents)))
    assert [record["chunk"] for record in stream] == contents
    assert [record["time"] for record in stream] == [10, 11, 12]


def test_a_delta_loses_what_a_record_has_no_place_for(edge: Edge) -> None:
    envelope: Mapping[str, Any] = {"ignorable": True, "sourceEventSeqs": [0], "surfaceOp": "append"}
    (stream,) = _streams(edge(chunk({**DELTA, "x": 1}, **envelope)))
    assert stream == [{"type": "text-chunks", "time0": 10, "index": 0, "dt": [], "texts": ["a"]}]


@pytest.mark.parametrize(
    ("content", "envelope", "rule"),
    [
        (DELTA, {"x": 1}, "MIG12-CHUNK-ENVELOPE"),
        (DELTA, {"ignorable": False}, "MIG12-CHUNK-ENVELOPE"),
        (DELTA, {"time": 0.5}, "MIG12-CHUNK-PAYLOAD"),
        (DELTA, {"time": True}, "MIG12-CHUNK-PAYLOAD"),
        ("text", {}, "MIG12-CHUNK-PAYLOAD"),
        ({"type": "note"}, {}, "MIG12-CHUNK-PAYLOAD"),
        ({"type": "usage", "x": -0.0}, {}, "MIG12-CHUNK-PAYLOAD"),
        ({**DELTA, "x": -0.0}, {}, "MIG12-CHUNK-PAYLOAD"),
        ({**DELTA, "text": None}, {}, "MIG12-CHUNK-PAYLOAD"),
        ({**DELTA, "index": -1}, {}, "MIG12-CHUNK-PAYLOAD"),
        ({"type": "tool-call-delta", "index": 0, "argumentsDelta": ""}, {}, "MIG12-CHUNK-PAYLOAD"),
    ],
    ids=str,
)
def test_a_chunk_that_no_stream_can_hold_is_refused(
    edge: Edge, content: Any, envelope: Mapping[str, Any], rule: str
) -> None:
    _refused(edge(TURN, STEP, chunk(content, **envelope)), rule, 2)


@pytest.mark.parametrize("turn", ["1", None, True, -1])
def test_a_chunk_names_its_turn(edge: Edge, turn: Any) -> None:
    event = ("assistant/chunk", {"turn": turn, "step": 1, "chunk": DELTA})
    _refused(edge(event), "MIG12-CHUNK-PAYLOAD", 0)


def test_an_attempt_stands_before_what_was_held_back(edge: Edge) -> None:
    outcome = edge(TURN, STEP, chunk(), NOTE, STEP_END)
    assert _types(outcome) == [TURN[0], STEP[0], "assistant/attempt", NOTE[0], STEP_END[0]]


def test_what_is_held_back_stands_before_the_message(edge: Edge) -> None:
    outcome = edge(TURN, STEP, chunk(), NOTE, message(2))
    assert _types(outcome) == [TURN[0], STEP[0], NOTE[0], "assistant/message"]
    assert isinstance(outcome, SessionLog)
    assert "sourceEventSeqs" not in outcome.events[-1]


@pytest.mark.parametrize("other", [chunk(step=2), chunk()], ids=["elsewhere", "after finish"])
def test_another_attempt_closes_the_one_before(edge: Edge, other: tuple[Any, ...]) -> None:
    outcome = edge(chunk(), chunk(FINISH), other)
    assert _types(outcome) == ["assistant/attempt"] * 2
    assert isinstance(outcome, SessionLog)
    assert [event["time"] for event in outcome.events] == [11, 12]


@pytest.mark.parametrize(
    ("said", "seq"),
    [
        (message(none=True), 2),
        (message(0), 2),
        (message(1, 0), 2),
        (message(0, 1, 1), 2),
        (message(0, 1), None),
    ],
    ids=["none", "part", "reordered", "more", "all"],
)
def test_a_message_cites_its_whole_attempt(edge: Edge, said: Any, seq: int | None) -> None:
    outcome = edge(chunk(), chunk(), said)
    if seq is None:
        assert _types(outcome) == ["assistant/message"]
    else:
        _refused(outcome, "MIG12-SETTLE-REFUSE", seq)


def test_a_message_cannot_cite_an_attempt_that_is_closed(edge: Edge) -> None:
    _refused(edge(chunk(), STEP_END, message(0)), "MIG12-SETTLE-REFUSE", 2)


@pytest.mark.parametrize("said", [message(), message(0, step=2), message(none=True, step=2)])
def test_a_message_without_a_stream_closes_what_is_pending(edge: Edge, said: Any) -> None:
    outcome = edge(chunk(), NOTE, said)
    assert _types(outcome) == ["assistant/attempt", NOTE[0], "assistant/message"]
    assert _streams(outcome)[1] == []


@pytest.mark.parametrize("said", [message(), message(none=True)])
def test_a_message_of_a_provider_that_does_not_stream(edge: Edge, said: Any) -> None:
    assert _streams(edge(said)) == [[]]


def test_a_reference_to_a_chunk_leads_nowhere(edge: Edge) -> None:
    cites = ("user/message", USER, {**SURFACE, "sourceEventSeqs": [0]})
    _refused(edge(chunk(), STEP_END, cites), "MIG12-REFS-CONSUMED", 2)


def test_an_operation_is_a_replacement_by_its_ends(edge: Edge) -> None:
    """Seen on the real runtime: whatever else an operation says is lost."""
    operation = {"surfaceOp": {"op": "swap", "start": 2, "end": 2, "x": 1}}
    events = (chunk(), STEP_END, ("user/message", USER, SURFACE), ("user/message", USER, operation))
    outcome = edge(*events)
    assert isinstance(outcome, SessionLog)
    assert outcome.events[-1]["surfaceOp"] == {"op": "replace", "start": 2, "end": 2}


def test_a_turn_over_an_open_one_is_ended_only_where_its_successor_was_called_for(
    edge: Edge,
) -> None:
    second = ("turn/start", {"turn": 2})
    assert _types(edge(TURN, SPLICE, second)) == [TURN[0], SPLICE[0], "turn/end", second[0]]
    _refused(edge(TURN, second), "MIG12-RESTART", 1)
    _refused(edge(TURN, SPLICE, NOTE, second), "MIG12-RESTART", 3)
    _refused(edge(TURN, STEP, SPLICE, second), "MIG12-RESTART", 3)
    _refused(edge(TURN, SPLICE, ("turn/start", {"turn": 3})), "MIG12-RESTART", 2)


def test_a_goal_overtakes_what_is_held_back(edge: Edge) -> None:
    outcome = edge(chunk(), NOTE, ("user/message", GOAL, SURFACE))
    assert _types(outcome) == ["goal/change", "user/message", "assistant/attempt", NOTE[0]]
    assert isinstance(outcome, SessionLog)
    assert outcome.events[0]["data"] == CHANGE
    assert outcome.events[1]["data"] == {**GOAL, "source": {"kind": "plugin", "plugin": "goal"}}


@pytest.mark.parametrize(
    "changes",
    [
        {"content": [{"type": "text", "text": "else"}]},
        {"source": {**GOAL["source"], "revision": 3}},  # type: ignore[dict-item]
        {"source": {**GOAL["source"], "goalId": "h"}},  # type: ignore[dict-item]
    ],
)
def test_a_goal_that_says_two_things_is_refused(
    log_of: Callable[..., SessionLog], changes: Mapping[str, Any]
) -> None:
    event = {"type": "user/message", "seq": 0, "time": 0, "data": {**GOAL, **changes}}
    _refused(v1_to_v2(log_of(HEADER, event), decoded=False), "MIG12-GOAL-SPLIT", 0)


def test_an_end_of_the_seed_at_the_cut_becomes_the_marker(edge: Edge) -> None:
    outcome = edge(NOTE, END_SEED, END_SEED, seedLength=1)
    assert isinstance(outcome, SessionLog)
    assert [event["data"] for event in outcome.events[1:]] == [{"inherited": True}, {}]
    assert outcome.inherited == 1


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_cut_without_an_end_of_the_seed_is_marked(edge: Edge, seed: int) -> None:
    outcome = edge(NOTE, NOTE, seedLength=seed)
    assert isinstance(outcome, SessionLog)
    assert outcome.inherited == seed
    marker = outcome.events[seed]
    assert (marker["type"], marker["data"]) == ("session/end-seed", {"inherited": True})
    assert marker["time"] == (11 if seed == 2 else 10 + seed)


def test_an_empty_log_is_marked_at_the_time_of_its_header(edge: Edge) -> None:
    outcome = edge(seedLength=0)
    assert isinstance(outcome, SessionLog)
    assert dump(outcome.events[0]["time"]) == "9"


def test_a_goal_that_overtakes_the_end_of_the_seed_leaves_two_markers(edge: Edge) -> None:
    """Seen on the real runtime: the last marker counts, behind events that were not inherited."""
    outcome = edge(chunk(), END_SEED, ("user/message", GOAL, SURFACE), seedLength=1)
    assert _types(outcome)[0] == "session/end-seed"
    assert _types(outcome)[3:] == ["assistant/attempt", "session/end-seed"]
    assert isinstance(outcome, SessionLog)
    assert outcome.inherited == 4


@pytest.mark.parametrize("last", [chunk(), message(0)])
def test_a_cut_within_an_attempt_is_refused(edge: Edge, last: Any) -> None:
    _refused(edge(chunk(), last, seedLength=1), "MIG12-CUT-SPLIT", 1)


def test_an_unknown_type_is_refused_even_when_it_may_be_ignored(edge: Edge) -> None:
    _refused(edge(("x/note", {}, {"ignorable": True})), "MIG12-CLOSED", 0)


def test_payloads_are_judged_only_in_a_log_that_was_stored_as_v1(
    log_of: Callable[..., SessionLog],
) -> None:
    log = log_of(HEADER, {"type": "feedback/record", "seq": 0, "time": 0, "data": {"x": 1}})
    _refused(v1_to_v2(log, decoded=True), "MIG12-PAYLOAD", 0)
    assert isinstance(v1_to_v2(log, decoded=False), SessionLog)


def test_a_log_that_is_shorter_than_its_cut_is_corrupt(edge: Edge) -> None:
    outcome = edge(NOTE, seedLength=2)
    assert isinstance(outcome, Refusal)
    assert outcome.kind is RefusalKind.CORRUPT
