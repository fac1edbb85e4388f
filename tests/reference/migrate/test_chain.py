"""The chain: what holds for every log that a writer of any older format could have left."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsh_conformance.generate.formats import logs
from dsh_reference.admit import admit
from dsh_reference.migrate import (
    migrate,
    migrate_header,
    v0_to_v1,
    v1_to_v2,
    v2_to_v3,
    v3_to_v4,
)
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.values import equal
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

OLD = st.one_of(logs(0), logs(1), logs(2), logs(3))
HEADER: Mapping[str, Any] = {
    "version": 3,
    "id": "s",
    "createdAt": 9,
    "isSeeded": False,
    "delegationDepth": 0,
    "agentPreset": "code",
}

some = settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])


def kept(outcome: SessionLog | Refusal) -> SessionLog:
    assert not isinstance(outcome, Refusal), outcome
    return outcome


@some
@given(OLD)
def test_the_chain_is_its_edges_one_after_the_other(log: SessionLog) -> None:
    edge_by_edge = log
    if log.header["version"] == 0:
        edge_by_edge = kept(v0_to_v1(edge_by_edge))
    if log.header["version"] in (0, 1):
        edge_by_edge = kept(v1_to_v2(edge_by_edge, decoded=log.header["version"] == 1))
    if log.header["version"] != 3:
        edge_by_edge = kept(v2_to_v3(edge_by_edge))
    assert kept(migrate(log, to=3)) == edge_by_edge
    assert kept(migrate(log)) == kept(v3_to_v4(edge_by_edge, children=()))


@some
@given(OLD)
def test_it_says_the_same_twice_and_leaves_the_log_alone(log: SessionLog) -> None:
    before = deepcopy(log)
    assert equal(kept(migrate(log)).events, kept(migrate(log)).events)
    assert log == before


@some
@given(OLD)
def test_the_result_is_a_log_of_v4_and_stays_what_it_is(log: SessionLog) -> None:
    moved = kept(migrate(log))
    assert [event["seq"] for event in moved.events] == list(range(len(moved.events)))
    assert not isinstance(admit(moved.header, moved.inherited, moved.events), Refusal)
    assert kept(migrate(moved)) == moved


@some
@given(OLD)
def test_a_header_is_migrated_alike_with_its_log_and_without(log: SessionLog) -> None:
    assert migrate_header(log.header) == kept(migrate(log)).header


@some
@given(OLD)
def test_what_is_open_stays_open(log: SessionLog) -> None:
    assert _open(log) == _open(kept(migrate(log)))


@some
@given(OLD)
def test_every_time_is_one_that_the_log_has(log: SessionLog) -> None:
    times = {event["time"] for event in log.events} | {log.header["createdAt"]}
    assert times.issuperset(event["time"] for event in kept(migrate(log)).events)


@some
@given(OLD)
def test_what_is_shown_stays_the_same_but_for_the_prompt(log: SessionLog) -> None:
    current = kept(v0_to_v1(log)) if log.header["version"] == 0 else log
    old = [(*who, _namespaced(content)) for *who, content in _shown(current)]
    assert equal(old, list(_shown(kept(migrate(log)))))


@some
@given(OLD, st.data())
def test_any_front_part_is_migrated_or_refused_by_a_rule(
    log: SessionLog, data: st.DataObject
) -> None:
    """A part without its marker, or with chunks whose answer is cut off, need not migrate."""
    count = data.draw(st.integers(0, len(log.events)))
    outcome = migrate(evolve(log, events=log.events[:count]))
    if isinstance(outcome, Refusal):
        assert outcome.rule in ("MIG01-CUT", "MIG12-CUT-SPLIT", "CUT-V2PLUS", "CUT-EXACT")


@given(st.sampled_from((0, 1, 2, 3)), st.lists(st.none() | st.integers() | st.text(), max_size=3))
def test_what_is_no_event_is_no_log(version: int, values: list[Json]) -> None:
    header = {**HEADER, "version": version}
    outcome = migrate(SessionLog(header=header, inherited=0, events=tuple(values)))  # type: ignore[arg-type]
    assert isinstance(outcome, Refusal) is bool(values)
    assert not isinstance(outcome, Refusal) or outcome.kind is RefusalKind.CORRUPT


@pytest.mark.parametrize(
    ("wrong", "kind", "rule"),
    [
        ({"version": 5}, "unsupported-format", "MIG-NEWER"),
        ({"version": 5, "id": 7}, "unsupported-format", "MIG-NEWER"),
        ({"version": "3"}, "corrupt", "MIG-VERSION-PROBE"),
        ({"version": True}, "corrupt", "MIG-VERSION-PROBE"),
        ({"version": -0.0}, "corrupt", "MIG-VERSION-PROBE"),
        ({"version": 2.5}, "corrupt", "MIG-VERSION-PROBE"),
        ({"version": -1}, "corrupt", "MIG-VERSION-PROBE"),
        ({"x": 1}, "corrupt", "HDR-EXACT"),
        ({"createdAt": -1}, "corrupt", "HDR-EXACT"),
        ({"cwd": "w"}, "corrupt", "HDR-CWD-ABS"),
    ],
    ids=ascii,
)
def test_a_header_that_cannot_be_migrated(wrong: Any, kind: str, rule: str) -> None:
    log = SessionLog(header={**HEADER, **wrong}, inherited=0, events=())
    for outcome in (migrate_header(log.header), migrate(log)):
        assert isinstance(outcome, Refusal)
        assert (outcome.kind, outcome.rule) == (kind, rule)


@pytest.mark.parametrize("version", [0, 1, 2, 3])
@pytest.mark.parametrize(("inherited", "is_seeded"), [(1, False), (-1, True), (0.5, True)])
def test_a_count_that_no_log_states(version: int, inherited: Any, *, is_seeded: bool) -> None:
    header = {**HEADER, "version": version, "isSeeded": is_seeded}
    mark = _event(0, "session/end-seed", {"inherited": True} if version > 1 else {})
    events = (mark,) if is_seeded else ()
    outcome = migrate(SessionLog(header=header, inherited=inherited, events=events))
    assert isinstance(outcome, Refusal)
    assert outcome.kind is RefusalKind.CORRUPT


def test_a_header_leaves_nothing_out() -> None:
    bare = {key: HEADER[key] for key in HEADER if key != "delegationDepth"}
    outcome = migrate_header(bare)
    assert isinstance(outcome, Refusal)
    assert (outcome.kind, outcome.rule) == (RefusalKind.CORRUPT, "MIG-HEADER-CHECK")


@pytest.mark.parametrize(("version", "to"), [(3, 2), (4, 3), (3, 5), (4, 5), (3, 3.5)])
def test_no_edge_leads_back_or_beyond(version: int, to: Any) -> None:
    outcome = migrate_header({**HEADER, "version": version}, to=to)
    assert isinstance(outcome, Refusal)
    assert (outcome.kind, outcome.rule) == (RefusalKind.UNSUPPORTED_MIGRATION, "MIG-ADJACENT")


def test_the_preset_is_renamed_by_the_edge_to_v3_only() -> None:
    names = [
        migrate_header({**HEADER, "version": version}, to=to)["agentPreset"]  # type: ignore[index]
        for version, to in ((0, 2), (0, 3), (2, 3), (2, 4), (3, 4))
    ]
    assert names == ["code", "ptc", "ptc", "ptc", "code"]


def test_nobody_looked_for_children() -> None:
    for version in range(4):
        log = SessionLog(header={**HEADER, "version": version}, inherited=0, events=())
        outcome = migrate(log, children=None)
        assert isinstance(outcome, Refusal)
        assert outcome.rule == "MIG34-CHILDREN-REQUIRED"
        assert isinstance(migrate(log, to=3, children=None), SessionLog)


def test_a_refusal_says_of_which_log_it_speaks() -> None:
    turns = [_event(at, "turn/start", {"turn": at + 1}) for at in range(3)]
    places = {}
    for version in (2, 3):
        log = SessionLog(header={**HEADER, "version": version}, inherited=0, events=tuple(turns))
        outcome = migrate(log)
        assert isinstance(outcome, Refusal)
        places[version] = (outcome.rule, outcome.where)
    assert set(places.values()) == {("REL-TURN", "event 1 of the v4 log")}
    early = _event(0, "user/message", {"id": "u", "role": "user", "content": [], "source": _USER})
    log = SessionLog(
        header={**HEADER, "version": 1},
        inherited=0,
        events=({**early, "surfaceOp": "append"},),
    )
    outcome = migrate(log)
    assert isinstance(outcome, Refusal)
    assert (outcome.rule, outcome.where) == ("MIG23-SURFACE-EARLY", "event 0 of the v2 log")


def test_damage_behind_what_an_edge_refuses_is_not_reached() -> None:
    odd = {**_event(1, "acme/note", {}), "x": 1}
    for first, rule in (("acme/note", "MIG23-CLOSED"), ("turn/start", "ENV-KEYS")):
        events = (_event(0, first, {"turn": 1}), odd)
        outcome = migrate(SessionLog(header={**HEADER, "version": 2}, inherited=0, events=events))
        assert isinstance(outcome, Refusal)
        assert outcome.rule == rule


@pytest.mark.parametrize("version", [2, 3])
def test_the_work_grows_with_the_log(version: int) -> None:
    work = [_calls(_long(version, turns)) for turns in (50, 100, 200)]
    assert work[2] - work[1] <= 2.2 * (work[1] - work[0])


_USER: Mapping[str, Json] = {"kind": "user"}


def _event(seq: int, kind: str, data: object, **more: Any) -> dict[str, Any]:
    return {"type": kind, "seq": seq, "time": 0, "data": data, **more}


def _open(log: SessionLog) -> tuple[Any, Any, Sequence[Any]]:
    """Return the open turn and step, and the calls without a result in them."""
    turn = step = None
    calls: list[Any] = []
    for event in log.events:
        data: Any = event["data"]
        match event["type"]:
            case "turn/start":
                turn, step, calls = data["turn"], None, []
            case "turn/end":
                turn, step, calls = None, None, []
            case "step/start":
                step = data["step"]
            case "step/end":
                step, calls = None, []
            case "tool/call":
                calls.append(data["callId"])
            case "tool/result" if event["surfaceOp"] == "append":
                call = _source(data)["callId"]
                calls = [each for each in calls if each != call]
    return turn, step, calls


def _source(data: Any) -> Any:
    return (
        data["source"]
        if "source" in data
        else data["message"]["source"]
        if "message" in data
        else data
    )


KINDS = ("text", "reasoning", "image", "file", "tool-call", "tool-result")


def _namespaced(content: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return content as v4 names it: a kind that it does not know is a plugin's."""
    return [
        block if block["type"] in KINDS else {**block, "type": f"plugin:{block['type']}"}
        for block in content
    ]


def _shown(log: SessionLog) -> Iterator[Any]:
    """Yield what stands on the surface at the end, but for system messages."""
    nodes: list[Any] = []
    for event in log.events:
        match event.get("surfaceOp"):
            case {"op": "replace", **ends}:
                first, last = (
                    nodes.index(ends.get(new, ends.get(old)))
                    for new, old in (("startSeq", "start"), ("endSeq", "end"))
                )
                nodes[first : last + 1] = [event["seq"]]
            case "append":
                nodes.append(event["seq"])
    for seq in nodes:
        event = log.events[seq]
        data: Any = event["data"]
        message = data.get("message", data)
        if event["type"] == "tool/result" and message["role"] == "user":
            yield message["id"], "tool", message["content"][0]["content"]
        elif event["type"] != "system/message":
            yield message["id"], message["role"], message["content"]


def _long(version: int, turns: int) -> SessionLog:
    """Return a log in which every turn has a prompt of its own."""
    events: list[dict[str, Any]] = []
    source = {"kind": "plugin", "plugin": "p"}
    message = {"role": "user", "content": [{"type": "text", "text": "q"}], "source": source}
    for turn in range(1, turns + 1):
        config = {"provider": "p", "model": "m"}
        prompt = {"system": f"prompt {turn}"} if version == 2 else {}
        header = {"header": {"config": config, **prompt}, "reason": "initial"}
        for kind, data in (
            ("turn/start", {"turn": turn}),
            ("step/start", {"turn": turn, "step": 1}),
            ("request/header", header),
            ("user/message", {"id": f"u{turn}", **message}),
            ("step/end", {"turn": turn, "step": 1}),
            ("turn/end", {"turn": turn, "reason": {"kind": "completed"}}),
        ):
            more = {"surfaceOp": "append"} if kind == "user/message" else {}
            events.append(_event(len(events), kind, data, **more))
    return SessionLog(header={**HEADER, "version": version}, inherited=0, events=tuple(events))


def _calls(log: SessionLog) -> int:
    """Count the calls that the chain makes; a count, unlike a time, is always the same."""
    count = 0

    def count_call(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(count_call)
    try:
        kept(migrate(log))
    finally:
        sys.setprofile(None)
    return count
