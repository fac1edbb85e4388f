"""The released payload check: what it lets pass, what it refuses, and under which rule of an edge.

Verdicts: the real runtime 0.2.1rc2, asked with each of these payloads in a small log of the format.
"""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from dsh_reference.payload import Released, check_payload
from dsh_spec.refusals import RefusalKind

Raw: TypeAlias = dict[str, Any]
PAYLOADS: list[Raw] = json.loads((Path(__file__).parents[2] / "payloads.json").read_text("utf-8"))
CASES = [(each, format_) for each in PAYLOADS for format_ in each["formats"]]
HEADER: Raw = {"version": 0, "id": "s1", "createdAt": 1, "isSeeded": False, "delegationDepth": 0}
CHILD: Raw = {**HEADER, "parentSession": "s0"}
DELIVERY = "session-log-deepseek/delivery-accepted"


def rule(
    type_: str, data: Any, format_: Released, *, header: Raw = HEADER, inherited: int = 0
) -> str | None:
    raw = {"type": type_, "seq": 5, "time": 1, "data": data}
    refusal = check_payload(raw, format=format_, header=header, inherited=inherited)
    if refusal is None:
        return None
    assert refusal.kind is RefusalKind.UNSUPPORTED_MIGRATION
    assert refusal.where == "event 5"
    assert refusal.problem.startswith(f"{type_}: ")
    return refusal.rule


@pytest.mark.parametrize(("case", "format_"), CASES)
def test_what_was_written_passes(case: Raw, format_: Released) -> None:
    assert rule(case["type"], case["data"], format_) is None


@pytest.mark.parametrize(("case", "format_"), CASES)
def test_a_key_too_many_or_too_few_is_refused(case: Raw, format_: Released) -> None:
    if case["type"] == "assistant/chunk" or case["data"].get("version") == 4:
        return
    payload = f"MIG{format_}{format_ + 1}-PAYLOAD"
    assert rule(case["type"], {**case["data"], "zz": 1}, format_) == payload
    assert rule(case["type"], None, format_) == payload
    if case["data"] and case["type"] != "session/end-seed":
        assert rule(case["type"], {}, format_) == payload


@pytest.mark.parametrize(
    ("type_", "format_", "expected"),
    [
        ("x/note", 0, "MIG01-CLOSED"),
        ("assistant/attempt", 1, "MIG12-CLOSED"),
        ("tool/ptc-dispatch", 2, "MIG23-CLOSED"),
        ("feedback/message-put", 1, "MIG12-CLOSED"),
    ],
)
def test_a_type_of_another_format_is_refused(type_: str, format_: Released, expected: str) -> None:
    assert rule(type_, {}, format_) == expected


@pytest.mark.parametrize("data", [None, {}, {"turn": "x"}, {"zz": 1}])
def test_the_payload_of_a_chunk_is_left_to_the_edge(data: Any) -> None:
    assert rule("assistant/chunk", data, 0) is None
    assert rule("assistant/chunk", data, 1) is None


def accepted(session: Any, seq: Any, version: Any) -> Raw:
    more = {} if version is None else {"sessionFormatVersion": version}
    return {"sessionId": session, "throughSeq": seq, **more}


@pytest.mark.parametrize(
    ("format_", "data", "expected"),
    [
        (0, accepted("s1", 4, None), None),
        (0, accepted("s1", 5, None), "MIG01-DELIVERY"),
        (0, accepted("", 4, None), "MIG01-DELIVERY"),
        (0, accepted("s2", 4, None), "MIG01-DELIVERY"),
        (0, accepted("s1", 4, 0), "MIG01-PAYLOAD"),
        (1, accepted("s2", 4, 1), "MIG12-DELIVERY"),
        (1, accepted(None, "x", None), None),
        (1, accepted(None, "x", 2), None),
        (1, accepted("s1", 4, "1"), "MIG12-PAYLOAD"),
        (2, accepted("s2", 4, 2), "MIG23-DELIVERY"),
        (2, accepted("s2", 4, 1), None),
        (2, accepted("s1", -1, 2), "MIG23-DELIVERY"),
    ],
)
def test_a_delivery_record_is_read_where_it_counts_in_the_format(
    format_: Released, data: Raw, expected: str | None
) -> None:
    assert rule(DELIVERY, data, format_) == expected


@pytest.mark.parametrize(("format_", "version"), [(0, None), (1, 1), (2, 2)])
def test_an_inherited_delivery_record_may_name_the_parent(
    format_: Released, version: int | None
) -> None:
    data = accepted("s0", 4, version)
    assert rule(DELIVERY, data, format_, header=CHILD, inherited=6) is None
    delivery = f"MIG{format_}{format_ + 1}-DELIVERY"
    assert rule(DELIVERY, data, format_, header=CHILD, inherited=5) == delivery
    assert rule(DELIVERY, data, format_, header=HEADER, inherited=6) == delivery


@pytest.mark.parametrize(
    ("format_", "version", "expected"),
    [
        (0, 4, "MIG01-DESCRIPTOR"),
        (0, 0, "MIG01-DESCRIPTOR"),
        (0, "4", "MIG01-PAYLOAD"),
        (1, 4, None),
        (1, -1, "MIG12-PAYLOAD"),
        (1, 2.5, "MIG12-PAYLOAD"),
        (2, 4, "MIG23-PAYLOAD"),
    ],
)
def test_only_v1_takes_a_descriptor_of_another_version(
    format_: Released, version: Any, expected: str | None
) -> None:
    data = {"mode": "one-shot", "version": version, "provider": "p"}
    assert rule("subagent/descriptor", data, format_) == expected


@pytest.mark.parametrize(
    ("format_", "captured", "expected"),
    [
        (0, 1, "MIG01-REFGEN"),
        (1, 1, None),
        (1, 0, "MIG12-PAYLOAD"),
        (1, 2, "MIG12-PAYLOAD"),
        (2, 2, None),
        (2, 3, "MIG23-PAYLOAD"),
    ],
)
def test_a_quoted_session_was_captured_in_a_format_that_there_was(
    format_: Released, captured: int, expected: str | None
) -> None:
    case = next(
        deepcopy(each)
        for each in PAYLOADS
        if each["type"] == "user/message" and "references" in each["data"]["source"]
    )
    case["data"]["source"]["references"][0]["capturedFormatVersion"] = captured
    assert rule("user/message", case["data"], format_) == expected


@pytest.mark.parametrize("value", [-0.0, {"a": [-0.0]}])
def test_an_opaque_value_is_lossless_json_up_to_v1(value: Any) -> None:
    call = {"rootCallId": "r", "parentCallId": "r", "subCallId": "s", "name": "n"}
    data = {**call, "arguments": value}
    assert rule("tool/code-dispatch-start", data, 0) == "MIG01-PAYLOAD"
    assert rule("tool/code-dispatch-start", data, 1) == "MIG12-PAYLOAD"
    assert rule("tool/code-dispatch-start", data, 2) is None


GOAL: Raw = {
    "id": "g",
    "revision": 1,
    "objective": "ä\ud800",
    "phase": "active",
    "maxGoalRounds": 3,
}
STATE: Raw = {"goal": GOAL, "roundsStarted": 0, "createdAt": 1, "updatedAt": 1}
CHANGE: Raw = {"kind": "goal/change", "version": 1, "operation": "create", **STATE}
TEXT = (
    '<goal_state>{"goal":{"id":"g","revision":1,"objective":"ä\\ud800","phase":"active",'
    '"maxGoalRounds":3},"roundsStarted":0,"createdAt":1,"updatedAt":1}</goal_state>'
)


def changing(text: str = TEXT, change: Raw = CHANGE, **source: Any) -> Raw:
    named = {"kind": "goal", "goalId": "g", "revision": 1, "round": 0, "change": change}
    content = [{"type": "text", "text": text}]
    return {"id": "m", "role": "user", "content": content, "source": {**named, **source}}


def test_a_message_that_changes_a_goal_says_its_state() -> None:
    assert rule("user/message", changing(), 0) is None
    assert rule("user/message", changing(), 1) is None
    assert rule("user/message", changing(), 2) == "MIG23-PAYLOAD"
    reordered = dict(reversed(CHANGE.items()))
    assert rule("user/message", changing(change=reordered), 0) is None


@pytest.mark.parametrize(
    "message",
    [
        changing("hi"),
        changing(TEXT.replace(":", ": ")),
        changing(round=1),
        changing(goalId="h"),
        changing(revision=2),
        changing(change={**CHANGE, "operation": "clear"}),
        changing(change={**CHANGE, "zz": 1}),
        {**changing(), "content": []},
        {**changing(), "content": changing()["content"] * 2},
    ],
)
def test_a_message_that_says_another_state_is_refused(message: Raw) -> None:
    assert rule("user/message", message, 0) == "MIG01-PAYLOAD"
    inbox = {"target": "next-turn", "start": 0, "inserted": [message]}
    assert rule("agent/inbox/spliced", inbox, 1) == "MIG12-PAYLOAD"


@pytest.mark.parametrize("seq", [-0.0, None, "x", 1.5, True])
def test_a_seq_that_is_none_is_place_0(seq: Any) -> None:
    raw: Raw = {"type": DELIVERY, "seq": seq, "time": 1, "data": accepted("s1", 0, None)}
    refusal = check_payload(raw, format=0, header=HEADER, inherited=0)
    assert refusal is not None
    assert refusal.rule == "MIG01-DELIVERY"


@pytest.mark.parametrize("event", [{}, {"type": None, "seq": 0}, {"type": [], "data": 1}])
def test_what_is_no_event_has_no_type_of_the_format(event: Raw) -> None:
    refusal = check_payload(event, format=1, header=HEADER, inherited=0)
    assert refusal is not None
    assert refusal.rule == "MIG12-CLOSED"


def test_a_refusal_says_what_and_where() -> None:
    raw: Raw = {"type": "plan/mode", "seq": 3, "time": 1, "data": {"active": "yes"}}
    refusal = check_payload(raw, format=1, header=HEADER, inherited=0)
    assert str(refusal) == ("event 3: plan/mode: data.active must be true or false [MIG12-PAYLOAD]")
