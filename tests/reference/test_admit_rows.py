"""Rows that no reader of stored logs may drop, whatever stands around them."""

from typing import Any

import pytest

from dsh_reference.admit.rows import check_hard
from dsh_spec.refusals import RefusalKind
from dsh_spec.texts import INTERRUPTED_NOT_STARTED


def _rule(row: dict[str, Any]) -> str:
    refusal = check_hard(row)
    return "" if refusal is None else refusal.rule


def _event(kind: str, data: Any = None, **keys: Any) -> dict[str, Any]:
    return {"type": kind, "time": 0, "data": {} if data is None else data, **keys}


def _user(kind: str = "user") -> dict[str, Any]:
    message = {"id": "u", "role": "user", "content": [], "source": {"kind": kind}}
    return _event("user/message", message)


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


def _streamed(chunk: dict[str, Any]) -> dict[str, Any]:
    return _event("assistant/attempt", {"stream": [{"type": "chunk", "chunk": chunk}]})


@pytest.mark.parametrize(
    ("rule", "raw"),
    [
        ("IGN-RETIRED-PTC", _event("tool/code-dispatch")),
        ("HDRREQ-CANONICAL", _event("request/header", {"header": {"system": None}})),
        ("HDRREQ-CANONICAL", _event("request/header")),
        ("HDRREQ-DEFER", _event("request/header", {"header": {"tools": [{"deferLoading": 0}]}})),
        ("SRC-V4-NO-PLUGIN", _user("plugin")),
        (
            "SRC-V4-NO-PLUGIN",
            _event("agent/inbox/spliced", {"inserted": [_user("plugin")["data"]]}),
        ),
        ("DEV-ROLE", _event("user/message", {**_user()["data"], "role": "developer"})),
        ("DEV-BLOCKS", _event("compaction/summary", {"summary": [{"type": "tool-removal"}]})),
        (
            "BLOCK-V4-RETIRED",
            _event("compaction/summary", {"rawOutput": [{"type": "tool-result"}]}),
        ),
        ("BLOCK-V4-RETIRED", _event("tool/ptc-dispatch", {"content": [{"type": "tool-result"}]})),
        (
            "BLOCK-V4-RETIRED",
            _event("team/message/queued", {"message": {"content": [{"type": "tool-result"}]}}),
        ),
        ("BLOCK-V4-RETIRED", _streamed({"type": "block-start", "blockType": "tool-result"})),
        ("BLOCK-V4-RETIRED", _streamed({"type": "block-end", "block": {"type": "tool-result"}})),
        ("DEV-BLOCKS", _streamed({"type": "block-start", "blockType": "tool-addition"})),
        ("ENV-DATA-PRESENT", _event("system/message", [])),
        ("ENV-DATA-PRESENT", _event("developer/message", 1)),
        ("ENV-DATA-PRESENT", _event("tool/result", "x")),
        ("FORK-RESULT", _repair("forked-tool-result-c-9", seq=3)),
    ],
)
def test_some_rows_are_never_dropped(rule: str, raw: dict[str, Any]) -> None:
    """Each was put behind a bad row of a log, and the real runtime refused that log."""
    assert _rule(raw) == rule


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"type": ["user/message"]},
        _user(""),
        _event("user/message", {**_user()["data"], "source": None}),
        _event("tool/code-dispatch", ignorable=True),
        _event("assistant/message", {"stream": 1}),
        _event("tool/ptc-dispatch", {"content": [{"type": "tool-addition"}]}),
        _event("acme/x", {"content": [{"type": "tool-result"}]}),
        _event("compaction/summary", {"summary": [{"type": "x", "content": ["tool-result"]}]}),
        _repair("forked-tool-result-c-3", seq=3),
    ],
)
def test_other_rows_may_be_dropped(raw: dict[str, Any]) -> None:
    """Each was put behind a bad row of a log, and the real runtime read what came before."""
    assert _rule(raw) == ""


def test_a_retired_type_is_unsupported_and_the_rest_is_corrupt() -> None:
    retired, wrong = check_hard(_event("tool/code-dispatch-start")), check_hard(_user("plugin"))
    assert retired is not None
    assert wrong is not None
    assert (retired.kind, wrong.kind) == (RefusalKind.UNSUPPORTED_FORMAT, RefusalKind.CORRUPT)
