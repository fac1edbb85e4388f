"""The edges v2 to v3 and v3 to v4: worked examples, and what each rule refuses.

The examples were worked by hand and then seen on the real runtime 0.2.1rc2 (facts: migration §3.6,
§4.4).  The refusals are worked by hand.  tests/real puts the same logs to the
runtime.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from attrs import evolve

from dsh_reference.migrate import read_children, v2_to_v3, v3_to_v4
from dsh_reference.migrate.v2_to_v3.system import system_id
from dsh_reference.migrate.v3_to_v4.sources import kind_of
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.values import equal
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

#: A title, and the lines of an example.
Block: TypeAlias = tuple[str, list[str]]

EXAMPLES = Path(__file__).parent / "examples"


def blocks(name: str) -> Iterator[Block]:
    text = (EXAMPLES / name).read_text("utf-8")
    for block in text.removeprefix("# ").split("\n# "):
        title, *lines = block.strip().splitlines()
        yield title, lines


def cases(name: str) -> list[Any]:
    return [pytest.param(lines, id=title) for title, lines in blocks(name)]


def read_log(lines: Sequence[str]) -> tuple[SessionLog, Any]:
    """Return the log of an example's lines, and the children that it states."""
    rows = [line[4:] for line in lines if line.startswith("IN  ")]
    header = json.loads(rows[0].removeprefix("header "))
    del header["type"]
    children = [json.loads(row.removeprefix("children ")) for row in rows if row[0] == "c"]
    events = tuple(json.loads(row) for row in rows if row[0] == "{")
    marks = [event["seq"] for event in events if event["data"] == {"inherited": True}]
    log = SessionLog(header=header, inherited=max(marks, default=0), events=events)
    return log, children[0] if children else []


def check(outcome: SessionLog | Refusal, lines: Sequence[str]) -> None:
    expected = [line[4:] for line in lines if line.startswith("OUT ")]
    if isinstance(outcome, Refusal):
        assert outcome.kind is RefusalKind.UNSUPPORTED_MIGRATION
        assert expected == [f"refusal: {outcome.rule}"]
        return
    header, cut = expected[0].removeprefix("header ").split(" cut=")
    assert equal(outcome.header, json.loads(header))
    assert outcome.inherited == int(cut)
    assert equal(outcome.events, [json.loads(line) for line in expected[1:]])


@pytest.mark.parametrize("lines", cases("v2-to-v3.txt"))
def test_a_worked_example_from_v2_to_v3(lines: list[str]) -> None:
    log, _ = read_log(lines)
    check(v2_to_v3(log), lines)


@pytest.mark.parametrize("lines", cases("v3-to-v4.txt"))
def test_a_worked_example_from_v3_to_v4(lines: list[str]) -> None:
    log, stated = read_log(lines)
    children = read_children(stated)
    assert not isinstance(children, Refusal)
    check(v3_to_v4(log, children=children), lines)


def test_the_id_of_an_inserted_message() -> None:
    expected = "36701ab3bbdb7fb02e9bffbb652f9ba6b175dbfc31464e99d49c6241a50600f2"
    assert system_id("s1", 1, "step/start") == f"v2-to-v3-system-{expected}"


@pytest.mark.parametrize(
    ("plugin", "role", "kind"),
    [
        ("compact", "user", "compact-checkpoint"),
        ("tools-ptc", "user", "ptc-mode"),
        ("tools-code-mode", "user", "ptc-mode"),
        ("dsh-compaction-basic", "user", "compact-basic"),
        ("@deepseek-ai/dsh-system-prompt", "system", "system-prompt"),
        ("@deepseek-ai/dsh-system-prompt", "user", "runtime-context"),
        ("tool-goal", "user", "tool-goal"),
        ("system-prompt", "system", "plugin:system-prompt"),
        ("plugin:acme", "user", "plugin:plugin:acme"),
        ("constructor", "user", "plugin:constructor"),
        ("", "user", "plugin:"),
    ],
)
def test_the_kind_of_a_producer(plugin: str, role: str, kind: str) -> None:
    assert kind_of(plugin, role) == kind


def log_of(version: int, *events: Mapping[str, Any], **header: Any) -> SessionLog:
    """Return a log whose events are numbered as they stand."""
    full: dict[str, Any] = {
        "version": version,
        "id": "s",
        "createdAt": 9,
        "isSeeded": False,
        "delegationDepth": 0,
    }
    numbered = tuple({"seq": seq, "time": seq, **event} for seq, event in enumerate(events))
    marks = [event["seq"] for event in numbered if event["data"] == {"inherited": True}]
    return SessionLog(header={**full, **header}, inherited=max(marks, default=0), events=numbered)


def event(kind: str, data: Any, **more: Any) -> dict[str, Any]:
    return {"type": kind, "data": data, **more}


def said(**more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": "q"}]
    return {"id": "u", "role": "user", "content": content, "source": {"kind": "user"}, **more}


def shown(**more: Any) -> dict[str, Any]:
    return event("user/message", said(**more), surfaceOp="append")


TURN = event("turn/start", {"turn": 1})
STEP = event("step/start", {"turn": 1, "step": 1})
STEP_END = event("step/end", {"turn": 1, "step": 1})
MARK = event("session/end-seed", {"inherited": True})
NOTE = event("plan/mode", {"active": True})
SPLICE = event("agent/inbox/spliced", {"target": "next-turn", "start": 0, "inserted": [said()]})
NEXT = event("turn/start", {"turn": 2})

#: Logs whose last event is none of its format: a reader of files would have stopped before it.
DAMAGED: Sequence[tuple[int, str, Sequence[Any]]] = (
    (2, "MIG23-DENSE", (NOTE, {**NOTE, "seq": 5})),
    (2, "MIG23-ENVELOPE", ({**NOTE, "x": 1},)),
    (2, "MIG23-ENVELOPE", ({**NOTE, "time": 0.5},)),
    (2, "MIG23-ENVELOPE", ({**NOTE, "ignorable": False},)),
    (2, "MIG23-SURFACEOP-REQUIRED", (TURN, STEP, {**shown(), "sourceEventSeqs": [0, 0]})),
    (2, "MIG23-REFS", (TURN, STEP, {**shown(), "sourceEventSeqs": [2]})),
    (3, "MIG34-DENSE-IN", (NOTE, {**NOTE, "seq": 5})),
    (3, "ENV-KEYS", ({**NOTE, "x": 1},)),
)


@pytest.mark.parametrize("lines", cases("v2-to-v3-refused.txt"))
def test_v2_to_v3_refuses_the_last_event(lines: list[str]) -> None:
    log, _ = read_log(lines)
    _refuses(v2_to_v3(log), lines[-1].removeprefix("OUT refusal: "), log)


@pytest.mark.parametrize("lines", cases("v3-to-v4-refused.txt"))
def test_v3_to_v4_refuses_the_last_event(lines: list[str]) -> None:
    log, _ = read_log(lines)
    _refuses(v3_to_v4(log, children=()), lines[-1].removeprefix("OUT refusal: "), log)


@pytest.mark.parametrize(("version", "rule", "events"), DAMAGED, ids=ascii)
def test_an_edge_refuses_what_is_no_event(version: int, rule: str, events: Sequence[Any]) -> None:
    log = log_of(version, *events)
    _refuses(v2_to_v3(log) if version == 2 else v3_to_v4(log, children=()), rule, log)


def _refuses(outcome: SessionLog | Refusal, rule: str, log: SessionLog) -> None:
    assert isinstance(outcome, Refusal)
    assert (outcome.kind, outcome.rule) == (RefusalKind.UNSUPPORTED_MIGRATION, rule)
    last = f"event {len(log.events) - 1}"
    assert outcome.where == ("log" if rule.endswith("-CUT") else last)


def test_a_tool_result_nested_deeper_is_looked_into_by_v2_only() -> None:
    inner = {"type": "tool-result", "toolCallId": "c", "content": [{"type": "chart"}]}
    outer = {"type": "tool-result", "toolCallId": "c", "content": [inner]}
    log = log_of(2, TURN, STEP, shown(content=[outer]))
    _refuses(v2_to_v3(log), "MIG23-CONTENT", log)
    moved = v3_to_v4(log_of(3, shown(content=[outer])), children=())
    assert isinstance(moved, SessionLog)
    assert moved.events[0]["data"] == said(content=[outer])


def test_a_block_is_prefixed_once_more() -> None:
    blocks_ = [{"type": "plugin:chart", "z": 1}, {"type": ""}]
    moved = v3_to_v4(log_of(3, shown(content=blocks_)), children=())
    assert isinstance(moved, SessionLog)
    content = [{"type": "plugin:plugin:chart", "z": 1}, {"type": "plugin:"}]
    assert moved.events[0]["data"] == said(content=content)


def test_a_stream_that_is_none_is_left_to_others() -> None:
    streams: Sequence[Json] = ({}, None, [7, {"type": "chunk", "chunk": "x"}, {"type": "acme"}])
    for stream in streams:
        log = log_of(3, event("assistant/attempt", {"turn": 1, "step": 1, "stream": stream}))
        assert v3_to_v4(log, children=()) == evolve(log, header={**log.header, "version": 4})


@pytest.mark.parametrize(
    "between",
    [
        (event("agent/inbox/spliced", {"target": "next-turn", "start": 0, "inserted": []}),),
        (event("agent/inbox/spliced", {"target": "next-step", "start": 0, "inserted": [said()]}),),
        (SPLICE, NOTE),
        (STEP, SPLICE),
        (),
    ],
    ids=ascii,
)
def test_any_other_turn_over_an_open_one_is_left_as_it_is(between: Sequence[Any]) -> None:
    moved = v3_to_v4(log_of(3, TURN, *between, NEXT), children=())
    assert isinstance(moved, SessionLog)
    assert len(moved.events) == len(between) + 2


def test_a_restart_after_a_closed_step_moves_the_cut() -> None:
    log = log_of(3, TURN, STEP, STEP_END, SPLICE, NEXT, MARK, isSeeded=True)
    moved = v3_to_v4(log, children=())
    assert isinstance(moved, SessionLog)
    assert (log.inherited, moved.inherited) == (5, 6)
    assert moved.events[4] == {
        "type": "turn/end",
        "seq": 4,
        "time": 4,
        "data": {"turn": 1, "reason": {"kind": "interrupted"}},
    }
