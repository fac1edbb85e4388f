"""Closers of logs of every format: the worked examples of the facts, run on the real functions.

Provenance: surface-repair-fork §3.6, whose outputs for v0 (valid for v1 to v3 too) came from the
runtime of that time and whose outputs for v4 from 0.2.1rc2.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.formats import logs
from dsh_conformance.generate.sessions import sessions
from dsh_reference.closers import closers_of
from dsh_reference.repair import closers
from dsh_reference.session_log import SessionLog
from dsh_spec.catalogue import Format
from dsh_spec.events import structure_event, unstructure_event
from dsh_spec.texts import closer_text
from dsh_spec.values import JsonObject

_Event = dict[str, Any]
OLD: tuple[Format, ...] = (0, 1, 2, 3)


def _log(*events: tuple[str, _Event] | tuple[str, _Event, _Event]) -> list[_Event]:
    """Number the events and give each the time 100 + seq."""
    return [
        {"type": kind, "seq": seq, "time": 100 + seq, "data": data, **(more[0] if more else {})}
        for seq, (kind, data, *more) in enumerate(events)
    ]


def _turn(kind: str, turn: int = 1) -> tuple[str, _Event]:
    return f"turn/{kind}", {"turn": turn}


def _step(kind: str, turn: int = 1, step: int = 1) -> tuple[str, _Event]:
    return f"step/{kind}", {"turn": turn, "step": step}


def _asking(*ids: str, turn: int = 1, step: int = 1) -> tuple[str, _Event, _Event]:
    content = [{"type": "tool-call", "id": i, "name": "t", "arguments": "{}"} for i in ids]
    message = {"id": "a", "role": "assistant", "content": content, "source": {"kind": "model"}}
    data = {"turn": turn, "step": step, "message": message}
    return "assistant/message", data, {"surfaceOp": "append"}


def _call(call_id: str) -> tuple[str, _Event]:
    return "tool/call", {"turn": 1, "step": 1, "callId": call_id, "name": "t", "arguments": "{}"}


def _answer(call_id: str, step: int = 1, op: object = "append") -> tuple[str, _Event, _Event]:
    block = {"type": "tool-result", "toolCallId": call_id, "content": []}
    source = {"kind": "tool", "callId": call_id}
    message = {"id": "r", "role": "user", "content": [block], "source": source}
    return "tool/result", {"turn": 1, "step": step, "message": message}, {"surfaceOp": op}


def _result(call_id: str, seq: int, turn: int = 1, step: int = 1, started: object = None) -> _Event:
    """Return the closer that the facts show for a call."""
    is_started = started is not None
    name, code = "ToolNotStartedError", "TOOL_NOT_STARTED"
    if is_started:
        name, code = "ToolOutcomeUnknownError", "TOOL_OUTCOME_UNKNOWN"
    said = [{"type": "text", "text": closer_text("interrupted", started=is_started)}]
    block = {"type": "tool-result", "toolCallId": call_id, "isError": True, "content": said}
    message = {
        "id": f"interrupted-tool-result-{call_id}-{seq}",
        "role": "user",
        "source": {"kind": "tool", "callId": call_id},
        "content": [block],
    }
    data = {"turn": turn, "step": step, "message": message, "error": {"name": name, "code": code}}
    sources = {"sourceEventSeqs": [started]} if is_started else {}
    return {"type": "tool/result", "seq": seq, "data": data, "surfaceOp": "append", **sources}


def _step_end(seq: int, turn: int = 1, step: int = 1) -> _Event:
    return {"type": "step/end", "seq": seq, "data": {"turn": turn, "step": step}}


def _turn_end(seq: int, turn: int = 1) -> _Event:
    reason = {"kind": "interrupted"}
    return {"type": "turn/end", "seq": seq, "data": {"turn": turn, "reason": reason}}


_OPEN = (_turn("start"), _step("start"))
_EX4 = (*_OPEN, _asking("c1"))
_REPLACING = {"op": "replace", "start": 4, "end": 4}

EXAMPLES: dict[str, tuple[list[_Event], list[_Event]]] = {
    "EX1 balanced": (_log(_turn("start"), _turn("end")), []),
    "EX2 open turn": (_log(_turn("start")), [_turn_end(1)]),
    "EX3 open step": (_log(*_OPEN), [_step_end(2), _turn_end(3)]),
    "EX4 call never started": (_log(*_EX4), [_result("c1", 3), _step_end(4), _turn_end(5)]),
    "EX5 call started": (
        _log(*_EX4, _call("c1")),
        [_result("c1", 4, started=3), _step_end(5), _turn_end(6)],
    ),
    "EX6 three calls, mixed": (
        _log(*_OPEN, _asking("c1", "c2", "c3"), _call("c2"), _call("c1"), _answer("c1")),
        [_result("c2", 6, started=3), _result("c3", 7), _step_end(8), _turn_end(9)],
    ),
    "EX7 step closed": (_log(*_EX4, _call("c1"), _step("end")), [_turn_end(5)]),
    "EX8 only a replacement names the call": (
        _log(
            *(*_EX4, _call("c1"), _answer("c1"), _step("end"), _step("start", step=2)),
            *(_asking("c1", step=2), _answer("c1", op=_REPLACING)),
        ),
        [_step_end(9, step=2), _turn_end(10)],
    ),
    "EX9 result of another step": (
        _log(*_EX4, _answer("c1", step=2)),
        [_step_end(4), _turn_end(5)],
    ),
    "EX10 message of another turn": (
        _log(_turn("start", 2), _step("start", 2), _asking("c1", turn=7, step=9)),
        [_result("c1", 3, turn=2, step=9), _step_end(4, turn=2), _turn_end(5, turn=2)],
    ),
    "EX11 advertised twice": (
        _log(*_OPEN, _asking("c1", "c2"), _call("c1"), _asking("c1")),
        [_result("c1", 5), _result("c2", 6), _step_end(7), _turn_end(8)],
    ),
    "EX12 second turn start": (_log(*_EX4, _turn("start", 2)), [_turn_end(4, turn=2)]),
}


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("version", OLD)
def test_the_worked_examples_of_the_older_formats(name: str, version: Format) -> None:
    log, wanted = EXAMPLES[name]
    timed = [{**event, "time": log[-1]["time"]} for event in wanted]
    assert list(closers_of(log, format=version)) == timed


def test_a_record_at_the_end_moves_seq_and_time() -> None:
    """EX13: the tail of the log says from where and when the closers are."""
    log = [*_log(*_EX4), {"type": "session/end-seed", "seq": 3, "time": 900, "data": {}}]
    wanted = [_result("c1", 4), _step_end(5), _turn_end(6)]
    assert list(closers_of(log, format=0)) == [{**event, "time": 900} for event in wanted]


@given(sessions())
def test_the_newest_format_has_the_closers_of_repair(batches: list[list[JsonObject]]) -> None:
    log = [event for batch in batches for event in batch]
    typed = closers([structure_event(event) for event in log])
    assert list(closers_of(log, format=4)) == [unstructure_event(event) for event in typed]


@given(st.sampled_from(OLD).flatmap(logs))
def test_a_repaired_log_needs_no_repair(log: SessionLog) -> None:
    version: Format = log.header["version"]  # type: ignore[assignment]
    made = closers_of(log.events, format=version)
    assert closers_of([*log.events, *made], format=version) == ()
    assert [event["seq"] for event in made] == list(
        range(len(log.events), len(log.events) + len(made))
    )
