"""Format v3: open payloads, wrapped tool results, and an exact system message."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from dsh_spec.events import (
    VOCABULARIES,
    ShapeError,
    ToolResult,
    ToolResultBlock,
    structure_body,
    structure_event,
    unstructure_event,
)

Raw: TypeAlias = dict[str, Any]
PAYLOADS: list[Raw] = json.loads((Path(__file__).parents[1] / "payloads.json").read_text("utf-8"))
TEXT: Raw = {"type": "text", "text": "hi"}
AT: Raw = {"turn": 1, "step": 1}
WRAPPED: Raw = {"type": "tool-result", "toolCallId": "c", "content": [TEXT], "isError": True}
RESULT: Raw = {
    **AT,
    "message": {
        "id": "m",
        "role": "user",
        "content": [WRAPPED],
        "source": {"kind": "tool", "callId": "c"},
    },
    "error": {"name": "E", "code": "C"},
}
PROMPT: Raw = {
    "id": "m", "role": "system", "content": [TEXT], "source": {"kind": "plugin", "plugin": "p"},
}  # fmt: skip


def event_of(case: Raw) -> Raw:
    marker = {"surfaceOp": "append"} if case["type"] in VOCABULARIES[3].surface else {}
    return {"type": case["type"], "seq": 5, "time": 1, "data": deepcopy(case["data"]), **marker}


def test_v3_reads_a_wrapped_result_with_keys_of_any_plugin() -> None:
    raw = event_of({"type": "tool/result", "data": {**RESULT, "zz": 1}})
    read_ = structure_event(raw, 3)
    assert isinstance(read_.data, ToolResult)
    assert isinstance(read_.data.message.content[0], ToolResultBlock)
    assert unstructure_event(read_, 3) == raw


@pytest.mark.parametrize(
    ("type_", "data", "rule"),
    [
        (
            "tool/result",
            {**RESULT, "message": {**RESULT["message"], "role": "tool"}},
            "TOOLMSG-V0V3",
        ),
        (
            "tool/result",
            {**RESULT, "message": {**RESULT["message"], "content": [TEXT]}},
            "TOOLMSG-V0V3",
        ),
        (
            "tool/result",
            {
                **RESULT,
                "message": {**RESULT["message"], "content": [{**WRAPPED, "isError": False}]},
            },
            "PL-RESULT-ERROR-CONSISTENT",
        ),
        ("system/message", {**AT, "message": PROMPT, "zz": 1}, "PL-SYSTEM-MESSAGE"),
        ("system/message", {**AT, "message": {**PROMPT, "zz": 1}}, "PL-SYSTEM-MESSAGE"),
        (
            "system/message",
            {**AT, "message": {**PROMPT, "source": {"kind": "user"}}},
            "PL-SYSTEM-MESSAGE",
        ),
        ("system/message", {"turn": 0, "step": 1, "message": PROMPT}, "PL-SYSTEM-MESSAGE"),
        (
            "request/header",
            {
                "reason": "initial",
                "header": {"config": {"provider": "p", "model": "m"}, "system": ""},
            },
            "HDRREQ-CANONICAL",
        ),
    ],
)
def test_v3_refuses(type_: str, data: Any, rule: str) -> None:
    with pytest.raises(ShapeError) as refused:
        structure_body(type_, data, seq=5, format=3)
    assert refused.value.rule == rule


@pytest.mark.parametrize("case", [each for each in PAYLOADS if 2 in each["formats"]])
def test_plugin_payloads_of_v2_are_kept_whole_in_v3(case: Raw) -> None:
    renamed = {**case, "type": case["type"].replace("tool/code-", "tool/ptc-")}
    raw = event_of(renamed)
    if renamed["type"] in VOCABULARIES[3].core:
        return
    try:
        read_ = structure_event(raw, 3)
    except ShapeError:
        assert renamed["type"] in VOCABULARIES[3].checked
        return
    assert unstructure_event(read_, 3) == raw
