"""Plugin payloads: those that are checked are refused, all others declared or kept as undeclared.

Shapes: facts, events §4.  What is refused and what is accepted was observed on 0.2.1rc2.
"""

from typing import Any, TypeAlias

import pytest

from dsh_spec.catalogue import rules
from dsh_spec.events import EVENT_TYPES, Body, ShapeError, Undeclared, structure_event

Raw: TypeAlias = dict[str, Any]
TIME = "2026-02-28T23:59:59.999Z"
GOAL: Raw = {
    "id": "g",
    "revision": 1,
    "objective": "o",
    "phase": "active",
    "maxGoalRounds": 3,
}
REASON: Raw = {"code": "c", "message": "m"}
CREATE: Raw = {
    "kind": "goal/change",
    "version": 1,
    "operation": "create",
    "goal": GOAL,
    "roundsStarted": 0,
    "createdAt": 1,
    "updatedAt": 1,
}
CLEAR: Raw = {
    "kind": "goal/change",
    "version": 1,
    "operation": "clear",
    "cleared": {"id": "g", "revision": 2},
    "clearedAt": 1,
}
AT: Raw = {"id": "s", "kind": "at", "prompt": "p", "scheduledAt": TIME}
PLAN: Raw = {"version": 1, "operation": "create", "schedule": AT}
CHILD: Raw = {"mode": "continuable", "version": 3, "provider": "p", "label": ""}
ENTRY: Raw = {"version": 1, "childId": "c", "childCreatedAt": 1, "mode": "one-shot"}
MODEL: Raw = {"provider": "p", "model": "m"}
HOOK: Raw = {"turn": 1, "point": "p", "handlerId": "h", "decision": "d", "durationMs": 0}
SEARCH: Raw = {"model": "m", "max_tokens": 1, "messages": [{}], "tools": [{}]}


def body(type_: str, data: Raw) -> Body:
    return structure_event({"type": type_, "seq": 9, "time": 0, "data": data}).data


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        ("goal/change", CREATE),
        ("goal/change", CLEAR),
        ("goal/change", CREATE | {"goal": GOAL | {"phase": "blocked", "blockedReason": REASON}}),
        ("schedule/change", PLAN),
        ("schedule/change", PLAN | {"schedule": AT | {"kind": "every", "everySeconds": 300}}),
        ("schedule/change", PLAN | {"schedule": AT | {"kind": "after", "afterSeconds": 1}}),
        ("schedule/change", {"version": 1, "operation": "delete", "id": "s"}),
        ("schedule/change", {"version": 1, "operation": "dispatch", "id": "s", "acceptedAt": TIME}),
        ("subagent/descriptor", CHILD),
        ("subagent/descriptor", {"mode": "one-shot", "version": 3, "provider": "p"}),
        ("subagent/descriptor", CHILD | {"toolFilter": {"deny": []}}),
        ("subagent/catalog", ENTRY),
        ("subagent/catalog", ENTRY | {"version": 2, "mode": "external"}),
        ("subagent/model-selection-policy", {"allowedModels": [MODEL, MODEL | {"model": "n"}]}),
        ("hook/result", HOOK),
        ("hook/result", HOOK | {"durationMs": 0.5}),
        ("web/deepseek-search-llm-request", {"endpoint": "e", "apiVersion": "", "body": SEARCH}),
        ("image/offload", {"targets": [{"seq": 1, "imageIndexes": [0]}]}),
        ("working-directory/change", {"cwd": "/home/ada"}),
    ],
)
def test_payloads_that_fit(type_: str, data: Raw) -> None:
    assert type(body(type_, data)) is EVENT_TYPES[type_]


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        ("goal/change", CREATE | {"operation": "clear"}),
        ("goal/change", CLEAR | {"operation": "edit"}),
        ("goal/change", CREATE | {"version": 1.5}),
        ("goal/change", CREATE | {"version": True}),
        ("goal/change", {key: value for key, value in CREATE.items() if key != "updatedAt"}),
        ("goal/change", {key: value for key, value in CLEAR.items() if key != "clearedAt"}),
        ("goal/change", CREATE | {"goal": GOAL | {"phase": "blocked"}}),
        ("goal/change", CREATE | {"goal": GOAL | {"blockedReason": REASON}}),
        ("schedule/change", {"version": 1, "operation": "create", "id": "s"}),
        ("schedule/change", {"version": 1, "operation": "delete"}),
        ("schedule/change", {"version": 1, "operation": "delete", "id": " s"}),
        ("schedule/change", {"version": 1, "operation": "dispatch", "id": "s", "acceptedAt": "1"}),
        ("schedule/change", PLAN | {"schedule": AT | {"id": "s "}}),
        ("schedule/change", PLAN | {"schedule": AT | {"kind": "after"}}),
        ("schedule/change", PLAN | {"schedule": AT | {"kind": "every"}}),
        ("schedule/change", PLAN | {"schedule": AT | {"kind": "every", "everySeconds": 299}}),
        ("schedule/change", PLAN | {"schedule": AT | {"scheduledAt": "2026-02-30T00:00:00.000Z"}}),
        ("schedule/change", PLAN | {"schedule": AT | {"scheduledAt": "0000-01-01T00:00:00.000Z"}}),
        ("schedule/change", PLAN | {"schedule": AT | {"scheduledAt": "2026-01-01T00:00:00Z"}}),
        ("subagent/descriptor", {"mode": "continuable", "version": 3, "provider": "p"}),
        ("subagent/descriptor", CHILD | {"agentModel": "m"}),
        ("subagent/descriptor", CHILD | {"toolFilter": {}}),
        ("subagent/catalog", ENTRY | {"version": 2}),
        ("subagent/catalog", ENTRY | {"mode": "external"}),
        ("subagent/catalog", ENTRY | {"mode": "continuable"}),
        ("subagent/catalog", ENTRY | {"version": 0, "mode": "unknown"}),
        ("subagent/model-selection-policy", {"allowedModels": []}),
        ("subagent/model-selection-policy", {"allowedModels": [MODEL, MODEL]}),
        ("hook/result", HOOK | {"durationMs": -1}),
        ("hook/result", HOOK | {"durationMs": -0.0}),
        ("hook/result", HOOK | {"durationMs": float("inf")}),
        ("hook/result", HOOK | {"durationMs": True}),
        (
            "web/deepseek-search-llm-request",
            {"endpoint": "e", "apiVersion": "", "body": SEARCH | {"tools": []}},
        ),
        (
            "web/deepseek-search-llm-request",
            {"endpoint": "e", "apiVersion": "", "body": SEARCH | {"messages": []}},
        ),
        ("working-directory/change", {"cwd": "work"}),
        ("team/member", {"version": 1}),
    ],
)
def test_payloads_that_are_kept_as_undeclared(type_: str, data: Raw) -> None:
    assert body(type_, data) == Undeclared(value=data)


GONE: Any = object()
RETIRED: Raw = {"type": "tool-result", "toolCallId": "c", "content": []}
REMOVAL: Raw = {"type": "tool-removal", "toolName": "grep"}
ADDITION: Raw = {"type": "tool-addition", "toolName": "grep"}
USER: Raw = {"id": "u", "role": "user", "content": [], "source": {"kind": "user"}}
SPAN: Raw = {"shadowedRange": {"start": 1, "end": 1}, "shadowedSeqs": [1]}
RETRY: Raw = {"retryId": "r", "turn": 1, "step": 1, "provider": "p", "policyKey": "k", "retry": 1}
CALL: Raw = {"rootCallId": "c", "parentCallId": "c", "subCallId": "s", "name": "n", "arguments": 1}
ASKED: Raw = {
    "id": "q",
    "role": "user",
    "content": [{"type": "text", "text": "?"}],
    "source": {"kind": "dsh-session-title-llm"},
}
QUESTION: Raw = {"messageSeqs": [1], "messages": [ASKED]}
DELIVERY = "session-log-deepseek/delivery-accepted"
ASK = "session/title-llm-request"

#: Payloads of plugin types that are checked all the same, each accepted without the change.
PLUGINS: list[tuple[str, Raw, Raw, str, str]] = [
    ("agent/inbox/spliced", {"inserted": [USER]}, {"inserted": {}}, "MSG-FIELDS", "inserted"),
    (
        "agent/inbox/spliced",
        {"inserted": [USER]},
        {"inserted": [{**USER, "source": {"kind": "plugin"}}]},
        "SRC-V4-NO-PLUGIN",
        "inserted[0].source.kind",
    ),
    (
        "agent/inbox/spliced",
        {"inserted": [USER]},
        {"inserted": [{**USER, "role": "developer"}]},
        "DEV-ROLE",
        "inserted[0].role",
    ),
    (
        "agent/inbox/spliced",
        {"inserted": [USER]},
        {"inserted": [{**USER, "content": [REMOVAL]}]},
        "DEV-BLOCKS",
        "inserted[0].content[0]",
    ),
    (
        "team/message/queued",
        {"message": {"content": [REMOVAL]}},
        {"message": {"content": [RETIRED]}},
        "BLOCK-V4-RETIRED",
        "message.content[0]",
    ),
    ("command/run", {"commandId": "k"}, {"commandId": ""}, "REL-COMMAND", "commandId"),
    ("command/done", {"commandId": "k"}, {"sourceEventSeq": None}, "REL-COMMAND", "sourceEventSeq"),
    (
        "compaction/start",
        {"compactionId": "z", "turn": None},
        {"turn": "1"},
        "REL-COMPACT-OPEN",
        "turn",
    ),
    (
        "compaction/end",
        {"compactionId": "z", "turn": 1, "error": None},
        {"compactionId": 1},
        "REL-COMPACT-OWNER",
        "compactionId",
    ),
    ("compaction/prune", SPAN, {"shadowedSeqs": [None]}, "REL-COMPACT-SPAN", "shadowedSeqs[0]"),
    (
        "compaction/summary",
        {**SPAN, "compactionId": "z", "summary": 7},
        {"rawOutput": [RETIRED]},
        "BLOCK-V4-RETIRED",
        "rawOutput[0]",
    ),
    (
        "compaction/summary",
        {**SPAN, "compactionId": "z"},
        {"summary": [ADDITION]},
        "DEV-BLOCKS",
        "summary[0]",
    ),
    ("llm/retry", RETRY, {"retry": "1"}, "REL-RETRY-CHAIN", "retry"),
    ("llm/retry-started", RETRY, {"retryId": GONE}, "REL-RETRY-START", "retryId"),
    ("tool/ptc-dispatch-start", CALL, {"subCallId": ""}, "REL-PTC", "subCallId"),
    (
        "tool/ptc-dispatch",
        {**CALL, "content": [REMOVAL]},
        {"content": [RETIRED]},
        "BLOCK-V4-RETIRED",
        "content[0]",
    ),
    (
        "session/title",
        {"messageSeqs": [], "source": {}},
        {"messageSeqs": ["1"]},
        "REL-TITLE",
        "messageSeqs[0]",
    ),
    (
        ASK,
        {"messageSeqs": [1], "messages": [ASKED]},
        {"messageSeqs": []},
        "REL-TITLE-REQUEST",
        "messageSeqs",
    ),
    (
        ASK,
        {"messageSeqs": [1], "messages": [ASKED]},
        {"messages": [USER]},
        "REL-TITLE-REQUEST",
        "messages",
    ),
    (DELIVERY, {}, {"sessionFormatVersion": None}, "DELIV-GEN", "sessionFormatVersion"),
    (DELIVERY, {"sessionFormatVersion": 3}, {"sessionFormatVersion": 4}, "DELIV-GEN", "sessionId"),
    (
        DELIVERY,
        {"sessionFormatVersion": 4, "sessionId": "s", "throughSeq": 8},
        {"throughSeq": 9},
        "DELIV-GEN",
        "throughSeq",
    ),
]


@pytest.mark.parametrize(("type_", "data", "change", "rule", "place"), PLUGINS)
def test_plugin_payloads_that_are_refused(
    type_: str, data: Raw, change: Raw, rule: str, place: str
) -> None:
    body(type_, data)
    spoilt = {key: value for key, value in {**data, **change}.items() if value is not GONE}
    with pytest.raises(ShapeError) as refused:
        body(type_, spoilt)
    assert (refused.value.rule, refused.value.path) == (rule, f"data.{place}")
    assert rule in {known.slug for known in rules()}
