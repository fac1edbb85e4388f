"""Children: what their logs say of them, and what the catalogue then says.

Expected entries are worked by hand; tests/real puts the same logs to the runtime.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from dsh_reference.migrate import (
    ChildFact,
    child_fact,
    is_child,
    migrate,
    read_children,
)
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

PARENT: Mapping[str, Json] = {
    "version": 3,
    "id": "s",
    "createdAt": 9,
    "isSeeded": False,
    "delegationDepth": 0,
}
CHILD: Mapping[str, Json] = {**PARENT, "id": "k", "createdAt": 5, "origin": "subagent"}
UNKNOWN: Mapping[str, Json] = {"version": 1, "mode": "unknown"}
ONE_SHOT: Mapping[str, Json] = {"version": 0, "mode": "one-shot"}
NAMED: Mapping[str, Json] = {"version": 0, "mode": "continuable", "label": "L"}
MARK: Mapping[str, Any] = {"type": "session/end-seed", "data": {"inherited": True}}
TURN: Mapping[str, Any] = {"type": "turn/start", "data": {"turn": 1}}
TURN_2: Mapping[str, Any] = {"type": "turn/start", "data": {"turn": 2}}
TURN_END: Mapping[str, Any] = {"type": "turn/end", "data": {"turn": 1}}
SPLICE: Mapping[str, Any] = {
    "type": "agent/inbox/spliced",
    "data": {
        "target": "next-turn",
        "start": 0,
        "inserted": [{"id": "u", "role": "user", "content": [], "source": {"kind": "user"}}],
    },
}


def descriptor(**more: Any) -> dict[str, Any]:
    data = {"version": 3, "mode": "one-shot", "provider": "p", **more}
    return {
        "type": "subagent/descriptor",
        "data": {key: data[key] for key in data if data[key] != "absent"},
    }


def log_of(header: Mapping[str, Json], *events: Mapping[str, Any]) -> SessionLog:
    numbered = tuple({**each, "seq": seq, "time": seq} for seq, each in enumerate(events))
    marks = [each["seq"] for each in numbered if each["data"] == {"inherited": True}]
    return SessionLog(
        header={**header, "isSeeded": bool(marks)},
        inherited=max(marks, default=0),
        events=numbered,
    )


def entries(log: SessionLog, *facts: ChildFact) -> list[Any]:
    moved = migrate(log, children=facts)
    assert not isinstance(moved, Refusal), moved
    return [event["data"] for event in moved.events if event["type"] == "subagent/catalog"]


#: The events of a child's log, and what a parent that did not list it then says of it.
KNOWN: Mapping[str, tuple[Sequence[Mapping[str, Any]], Mapping[str, Json]]] = {
    "none": ((), UNKNOWN),
    "one-shot": ((descriptor(),), ONE_SHOT),
    "with a label": ((descriptor(label=""),), {**ONE_SHOT, "label": ""}),
    "continuable": ((descriptor(mode="continuable", label="L"),), NAMED),
    "version 1": ((descriptor(version=1, label="L", mode="absent"),), NAMED),
    "version 2": ((descriptor(version=2),), ONE_SHOT),
    "version 4": ((descriptor(version=4),), UNKNOWN),
    "version 0": ((descriptor(version=0),), UNKNOWN),
    "a version that is none": ((descriptor(version=True),), UNKNOWN),
    "continuable without a label": ((descriptor(mode="continuable"),), UNKNOWN),
    "version 1 without a label": ((descriptor(version=1),), UNKNOWN),
    "a label that is none": ((descriptor(label=None),), UNKNOWN),
    "no provider": ((descriptor(provider="absent"),), UNKNOWN),
    "another mode": ((descriptor(mode="external"),), UNKNOWN),
    "two": ((descriptor(), descriptor()), UNKNOWN),
    "an inherited one": ((descriptor(), MARK), UNKNOWN),
    "an own one behind it": (
        (descriptor(), MARK, descriptor(label="own")),
        {**ONE_SHOT, "label": "own"},
    ),
    "a log that is broken": ((descriptor(), TURN_END), UNKNOWN),
    "a restart, which v3 does not allow": ((TURN, SPLICE, TURN_2, descriptor()), UNKNOWN),
    "an unknown event": (({"type": "acme/note", "data": 1}, descriptor()), UNKNOWN),
    "an ignorable one": (
        ({"type": "acme/note", "data": 1, "ignorable": True}, descriptor()),
        ONE_SHOT,
    ),
    "a catalogue that is odd": (
        ({"type": "subagent/catalog", "data": {"version": 9}}, descriptor()),
        ONE_SHOT,
    ),
}


@pytest.mark.parametrize(("events", "entry"), KNOWN.values(), ids=KNOWN)
def test_a_child_of_v3(events: Sequence[Mapping[str, Any]], entry: Mapping[str, Json]) -> None:
    log = log_of(CHILD, *events)
    (found,) = entries(log_of(PARENT), child_fact(log.header, log))
    assert found == {"childId": "k", "childCreatedAt": 5, **entry}


@pytest.mark.parametrize("version", [0, 1, 2, 4])
def test_a_child_of_any_format(version: int) -> None:
    log = log_of({**CHILD, "version": version}, descriptor())
    broken = log_of({**CHILD, "version": version}, descriptor(), TURN_END)
    modes = [
        entry["mode"]
        for each in (log, broken)
        for entry in entries(log_of(PARENT), child_fact(each.header, each))
    ]
    assert modes == ["one-shot", "unknown"]


def test_a_child_whose_log_cannot_be_read() -> None:
    refusal = Refusal(kind=RefusalKind.CORRUPT, rule="TORN-HEADER", where="line 1", problem="none")
    assert child_fact(CHILD, refusal) == ChildFact(child_id="k", created_at=5)


def test_who_is_a_child() -> None:
    assert is_child({**CHILD, "parentSession": "s"}, "s")
    assert not is_child({**CHILD, "parentSession": "t"}, "s")
    assert not is_child(CHILD, "s")
    assert not is_child({**PARENT, "id": "k", "parentSession": "s"}, "s")


KEPT: Sequence[tuple[Mapping[str, Json], ChildFact, bool]] = (
    (ONE_SHOT, ChildFact(child_id="k", created_at=5), True),
    (ONE_SHOT, ChildFact(child_id="k", created_at=6), False),
    ({"version": 2, "mode": "external"}, ChildFact(child_id="k", created_at=5), True),
    (ONE_SHOT, child_fact(CHILD, log_of(CHILD, descriptor())), True),
    (ONE_SHOT, child_fact(CHILD, log_of(CHILD, descriptor(label="L"))), False),
    ({**ONE_SHOT, "label": "L"}, child_fact(CHILD, log_of(CHILD, descriptor())), False),
    (UNKNOWN, child_fact(CHILD, log_of(CHILD, descriptor())), False),
    (NAMED, child_fact(CHILD, log_of(CHILD, descriptor(mode="continuable", label="L"))), True),
)


@pytest.mark.parametrize(("entry", "fact", "agrees"), KEPT, ids=ascii)
def test_an_entry_and_a_fact_agree_or_not(
    entry: Mapping[str, Json], fact: ChildFact, *, agrees: bool
) -> None:
    data = {"childId": "k", "childCreatedAt": 5, **entry}
    log = log_of(PARENT, {"type": "subagent/catalog", "data": data})
    if agrees:
        assert entries(log, fact) == [data]
    else:
        outcome = migrate(log, children=(fact,))
        assert isinstance(outcome, Refusal)
        assert outcome.rule == "MIG34-CATALOG-KEEP"


def test_a_descriptor_that_is_not_whole_refuses_the_parent() -> None:
    fact = ChildFact(child_id="k", created_at=5, descriptor_count=1, descriptor={"version": 3})
    outcome = migrate(log_of(PARENT), children=(fact,))
    assert isinstance(outcome, Refusal)
    assert outcome.rule == "MIG34-CHILD-INTERPRET"


def test_children_are_listed_by_age_and_then_by_code_units() -> None:
    ids = ["b", "\U0001f600", "￮", "B", "z", "a"]
    facts = [ChildFact(child_id=each, created_at=1 if each == "z" else 5) for each in ids]
    found = [entry["childId"] for entry in entries(log_of(PARENT, TURN), *facts)]
    assert found == ["z", "B", "a", "b", "\U0001f600", "￮"]


def test_entries_stand_last_at_the_last_time_and_are_the_sessions_own() -> None:
    listed = {"type": "subagent/catalog", "data": {"childId": "k", "childCreatedAt": 5, **UNKNOWN}}
    log = log_of({**PARENT, "parentSession": "t"}, listed, MARK, TURN)
    moved = migrate(log, children=[ChildFact(child_id="k", created_at=5)])
    assert isinstance(moved, SessionLog)
    assert (moved.inherited, moved.events[:3]) == (1, log.events)
    assert moved.events[3:] == ({**listed, "seq": 3, "time": 2},)
    empty = migrate(log_of(PARENT), children=[ChildFact(child_id="k", created_at=5)])
    assert isinstance(empty, SessionLog)
    assert empty.events == ({**listed, "seq": 0, "time": 9},)


def test_facts_are_read_from_json() -> None:
    raw: dict[str, Json] = {
        "childId": "k",
        "childCreatedAt": 5,
        "descriptorCount": 1,
        "descriptor": None,
    }
    assert read_children([raw, {**raw, "sourcePath": "/l", "x": 1}]) == (
        ChildFact(child_id="k", created_at=5, descriptor_count=1),
        ChildFact(child_id="k", created_at=5, descriptor_count=1, source_path="/l"),
    )


@pytest.mark.parametrize(
    "raw",
    [
        7,
        [7],
        [{}],
        [{"childId": "k", "childCreatedAt": 5, "descriptorCount": 0}],
        [{"childId": 7, "childCreatedAt": 5, "descriptorCount": 0, "descriptor": None}],
        [{"childId": "k", "childCreatedAt": -5, "descriptorCount": 0, "descriptor": None}],
        [{"childId": "k", "childCreatedAt": 5, "descriptorCount": -0.0, "descriptor": None}],
    ],
    ids=ascii,
)
def test_what_is_no_fact_is_refused(raw: Json) -> None:
    outcome = read_children(raw)
    assert isinstance(outcome, Refusal)
    assert (outcome.rule, outcome.where) == ("MIG34-CHILD-FACT", "child 0")


_HERE: dict[str, Json] = {"turn": 1, "step": 1}


@pytest.mark.parametrize(
    ("before", "data", "known"),
    [
        ((), _HERE, 0),
        (("turn/start",), _HERE, 0),
        (("turn/start", "step/start"), _HERE, 1),
        (("turn/start", "step/start"), {"turn": 1, "step": 2}, 0),
        (("turn/start", "step/start"), {}, 0),
        (("turn/start", "step/start"), None, 0),
    ],
)
def test_a_chunk_in_a_v3_child_has_to_stand_in_its_step_though_it_is_ignorable(
    before: tuple[str, ...], data: Json, known: int
) -> None:
    """As the runtime 0.2.1rc2 was seen to read such children."""
    header: dict[str, Json] = {"version": 3, "id": "k", "createdAt": 5, "isSeeded": False}
    header |= {"delegationDepth": 1, "origin": "subagent", "parentSession": "p"}
    described: Json = {"version": 3, "mode": "one-shot", "provider": "p"}
    kinds = ("subagent/descriptor", *before, "assistant/chunk")
    payloads = (described, *(_HERE if "step" in kind else {"turn": 1} for kind in before), data)
    events: list[dict[str, Json]] = [
        {"type": kind, "seq": seq, "time": 1, "data": payload}
        for seq, (kind, payload) in enumerate(zip(kinds, payloads, strict=True))
    ]
    events[-1]["ignorable"] = True
    fact = child_fact(header, SessionLog(header=header, inherited=0, events=tuple(events)))
    assert fact.descriptor_count == known
