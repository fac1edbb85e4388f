"""Turns, steps and calls: which stored logs a reader accepts."""

from collections.abc import Sequence
from typing import Any

import pytest

from dsh_reference.admit import admit
from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind
from dsh_spec.texts import INTERRUPTED_NOT_STARTED

_HEADER: dict[str, Any] = {"version": 4, "id": "s", "createdAt": 0, "isSeeded": False}


def _event(kind: str, data: Any = None, **keys: Any) -> dict[str, Any]:
    return {"type": kind, "time": 0, "data": {} if data is None else data, **keys}


def _turn(number: int = 1) -> dict[str, Any]:
    return _event("turn/start", {"turn": number})


def _step(number: int = 1, turn: int = 1) -> dict[str, Any]:
    return _event("step/start", {"turn": turn, "step": number})


def _step_end(number: int = 1, turn: int = 1) -> dict[str, Any]:
    return _event("step/end", {"turn": turn, "step": number})


def _turn_end(number: int = 1) -> dict[str, Any]:
    return _event("turn/end", {"turn": number, "reason": {"kind": "completed"}})


def _user(kind: str = "user", **keys: Any) -> dict[str, Any]:
    source = {"kind": kind, "compactionId": "k"} if kind == "compact-checkpoint" else {"kind": kind}
    message = {"id": "u", "role": "user", "content": [], "source": source}
    return _event("user/message", message, **{"surfaceOp": "append", **keys})


def _over(start: int, end: int, *sources: int) -> dict[str, Any]:
    op = {"op": "replace", "startSeq": start, "endSeq": end}
    return {"surfaceOp": op, "sourceEventSeqs": list(sources)}


def _asks(*names: str) -> dict[str, Any]:
    blocks = [{"type": "tool-call", "id": n, "name": "t", "arguments": ""} for n in names]
    source = {"kind": "model", "provider": "p", "model": "m"}
    message = {"id": "a", "role": "assistant", "content": blocks, "source": source}
    data = {"turn": 1, "step": 1, "message": message, "stream": []}
    return _event("assistant/message", data, surfaceOp="append")


def _call(name: str) -> dict[str, Any]:
    data = {"turn": 1, "step": 1, "callId": name, "name": "t", "arguments": ""}
    return _event("tool/call", data)


def _result(name: str, message_id: str = "r", text: str = "", **keys: Any) -> dict[str, Any]:
    message = {
        "id": message_id,
        "role": "tool",
        "toolCallId": name,
        "content": [{"type": "text", "text": text}],
        "source": {"kind": "tool", "callId": name},
    }
    data = {"turn": 1, "step": 1, "message": message}
    return _event("tool/result", data, **{"surfaceOp": "append", **keys})


def _repair(message_id: str, text: str = INTERRUPTED_NOT_STARTED, **keys: Any) -> dict[str, Any]:
    raw = _result("c", message_id, text, **keys)
    raw["data"]["message"]["isError"] = True
    raw["data"]["error"] = {"name": "ToolNotStartedError", "code": "TOOL_NOT_STARTED"}
    return raw


def _header() -> dict[str, Any]:
    data = {"header": {"config": {"provider": "p", "model": "m"}}, "reason": "initial"}
    return _event("request/header", data)


def _dispatch(what: str, call: str, parent: str = "root") -> dict[str, Any]:
    data = {"rootCallId": "root", "parentCallId": parent, "subCallId": call}
    return _event(f"tool/ptc-dispatch{what}", {**data, "name": "t", "arguments": {"a": 1}})


def _system() -> dict[str, Any]:
    source = {"kind": "system-prompt"}
    message = {"id": "s", "role": "system", "content": [], "source": source}
    data = {"turn": 1, "step": 1, "message": message}
    return _event("system/message", data, surfaceOp="append")


def _in(raw: dict[str, Any], **data: Any) -> dict[str, Any]:
    return {**raw, "data": {**raw["data"], **data}}


_STEP = (_turn(), _step())
_ASKED = (*_STEP, _asks("c"))
_CLOSED = (*_STEP, _step_end(), _turn_end())
#: Logs whose last event breaks the rule; the real runtime refuses each of them.
_REFUSED: list[tuple[str, list[dict[str, Any]]]] = [
    ("REL-TURN", [_turn(2)]),
    ("REL-TURN", [_turn(), _turn(2)]),
    ("REL-TURN", [_turn(), _turn_end(), _turn()]),
    ("REL-TURN", [_turn_end()]),
    ("REL-TURN", [_turn(), _turn_end(2)]),
    ("REL-TURN", [*_STEP, _turn_end()]),
    ("REL-STEP", [_step()]),
    ("REL-STEP", [_turn(), _step(2)]),
    ("REL-STEP", [_turn(), _step(1, 2)]),
    ("REL-STEP", [*_STEP, _step(2)]),
    ("REL-STEP", [*_STEP, _step_end(), _step()]),
    ("REL-STEP", [*_CLOSED, _turn(2), _step(2, 2)]),
    ("REL-STEP", [_turn(), _step_end()]),
    ("REL-STEP", [*_STEP, _step_end(2)]),
    ("REL-IN-STEP", [_turn(), _asks()]),
    ("REL-IN-STEP", [*_STEP, _in(_asks(), step=2)]),
    ("REL-IN-STEP", [*_STEP, _in(_asks(), turn=2)]),
    ("REL-IN-STEP", [*_STEP, _step_end(), _system()]),
    ("REL-IN-STEP", [_call("c")]),
    ("REL-IN-STEP", [_result("c")]),
    ("REL-IN-STEP", [_event("assistant/attempt", {"turn": 1, "step": 1, "stream": []})]),
    ("REL-IN-TURN", [_header()]),
    ("REL-IN-TURN", [_event("request/context", {"provider": "p", "model": "m"})]),
    ("REL-IN-TURN", [_dispatch("-start", "a")]),
    ("REL-IN-TURN", [_turn(), _dispatch("-start", "a"), _turn_end(), _dispatch("", "a")]),
    ("REL-IN-TURN", [_user(), _result("c", **_over(0, 0, 0))]),
    ("REL-TOOL-ADVERTISE", [*_STEP, _asks("c", "c")]),
    ("REL-TOOL-ADVERTISE", [*_ASKED, _asks("c")]),
    ("REL-TOOL-CALL", [*_STEP, _call("c")]),
    ("REL-TOOL-CALL", [*_ASKED, _in(_call("c"), name="other")]),
    ("REL-TOOL-CALL", [*_ASKED, _in(_call("c"), arguments="{}")]),
    ("REL-TOOL-CALL", [*_ASKED, _call("c"), _call("c")]),
    ("REL-TOOL-CALL", [*_ASKED, _call("c"), _result("c"), _call("c")]),
    ("REL-TOOL-RESULT", [*_STEP, _result("c")]),
    ("REL-TOOL-RESULT", [*_ASKED, _call("c"), _result("c"), _result("c")]),
    ("REL-TOOL-NOTSTARTED", [*_ASKED, _result("c")]),
    ("REL-TOOL-CLOSED", [*_ASKED, _step_end()]),
    ("REL-TOOL-CLOSED", [*_ASKED, _call("c"), _step_end()]),
    ("FORK-RESULT", [*_ASKED, _repair("forked-tool-result-c-03")]),
    ("FORK-RESULT", [*_ASKED, _repair("forked-tool-result-z-3")]),
    ("FORK-RESULT", [*_ASKED, _repair("forked-tool-result-c-2")]),
    ("FORK-RESULT", [*_ASKED, _repair("forked-tool-result-c-3", sourceEventSeqs=[2])]),
    ("REL-TOOL-NOTSTARTED", [*_ASKED, _repair("interrupted-tool-result-c-03")]),
    ("REL-TOOL-NOTSTARTED", [*_ASKED, _repair(f"interrupted-tool-result-c-{2**53}")]),
    ("REL-TOOL-NOTSTARTED", [*_ASKED, _repair("interrupted-tool-result-c-3", "other words")]),
    ("REL-TOOL-NOTSTARTED", [*_ASKED, _repair("r")]),
    ("REL-TOOL-NOTSTARTED", [*_ASKED, _repair("interrupted-tool-result-c-3", sourceEventSeqs=[2])]),
    (
        "FORK-RESULT",
        [
            *_ASKED,
            _repair("forked-tool-result-c-3"),
            _repair("forked-tool-result-c-3", **_over(3, 3, 3)),
            _repair("forked-tool-result-c-3", **_over(4, 4, 4)),
        ],
    ),
]
#: Logs that look odd; the real runtime reads each of them.
_ADMITTED: dict[str, list[dict[str, Any]]] = {
    "a marker within a step": [_turn(), _step(), _event("session/end-seed")],
    "a result asked for again": [
        _turn(),
        _step(),
        _asks("c"),
        _call("c"),
        _result("c"),
        _asks("c"),
    ],
    "a repair numbered elsewhere": [
        _turn(),
        _step(),
        _asks("c"),
        _repair("interrupted-tool-result-c-77"),
    ],
    "a repair of a started call in its own words": [
        _turn(),
        _step(),
        _asks("c"),
        _call("c"),
        _repair("r", "x", sourceEventSeqs=[3]),
    ],
    "a forked repair, rewritten once": [
        _turn(),
        _step(),
        _asks("c"),
        _repair("forked-tool-result-c-3", "any"),
        _repair("forked-tool-result-c-3", "new", **_over(3, 3, 3)),
    ],
    "a result rewritten in a later turn": [
        *(_turn(), _step(), _asks("c"), _call("c"), _result("c"), _step_end(), _turn_end()),
        *(_turn(2), _result("c", **_over(4, 4, 4))),
    ],
    "a result that replaces a user's message": [_user(), _turn(), _result("c", **_over(0, 0, 0))],
}


def _verdict(raws: Sequence[dict[str, Any]]) -> tuple[RefusalKind, str, str] | None:
    outcome = admit(_HEADER, 0, [{**raw, "seq": seq} for seq, raw in enumerate(raws)])
    if isinstance(outcome, Refusal):
        return outcome.kind, outcome.rule, outcome.where
    return None


@pytest.mark.parametrize(("rule", "raws"), _REFUSED)
def test_the_last_event_breaks_the_rule_and_the_others_do_not(
    rule: str, raws: list[dict[str, Any]]
) -> None:
    assert _verdict(raws[:-1]) is None
    assert _verdict(raws) == (RefusalKind.CORRUPT, rule, f"event {len(raws) - 1}")


@pytest.mark.parametrize("name", _ADMITTED)
def test_an_odd_log_is_admitted(name: str) -> None:
    assert _verdict(_ADMITTED[name]) is None
