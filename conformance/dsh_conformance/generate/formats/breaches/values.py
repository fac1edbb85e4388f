"""Wrong values, one at a time: what each type's members may not be in formats v0 to v2.

Source: facts events §4 and §5 (PAY); rules MIG01-PAYLOAD, MIG12-PAYLOAD, MIG23-PAYLOAD and those
that name a value of their own.
"""

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from dsh_conformance.generate.formats.breaches.breach import (
    Breach,
    NearMiss,
    puts,
    sets,
    tampered,
)
from dsh_conformance.generate.formats.breaches.members import PAYLOAD, rule_of
from dsh_conformance.generate.formats.state import Past

_BIG = 2**53


@frozen
class _Wrong:
    """A value that does not fit, and where."""

    #: The type of event.
    type: str
    #: The dotted path within its data.
    path: str
    #: The value.
    value: Any
    #: Whether the member must be there already.
    there: bool = True


_NO, _YES = False, True
_MODEL = {"provider": "p", "model": "m"}
_BLOCK = {"type": "text", "text": "a"}
_IMAGE = {"type": "image", "attachment": {}}

#: Values that no format before v3 takes.
_WRONG: tuple[_Wrong, ...] = (
    _Wrong("turn/start", "turn", "1"),
    _Wrong("turn/start", "turn", 1.5),
    _Wrong("turn/start", "turn", None),
    _Wrong("turn/end", "turn", 0),
    _Wrong("turn/end", "reason", {}),
    _Wrong("turn/end", "reason", {"kind": "completed", "x": 1}),
    _Wrong("turn/end", "reason", {"kind": ""}),
    _Wrong("turn/end", "reason", {"kind": "aborted", "reason": {"kind": "acme"}}),
    _Wrong("turn/end", "reason", {"kind": "aborted", "reason": {"kind": "hook"}}),
    _Wrong("turn/end", "reason", {"kind": "error", "error": {"message": "a"}}),
    _Wrong("turn/end", "reason", {"kind": "error", "error": {"message": "a", "code": ""}}),
    _Wrong("step/start", "step", -1),
    _Wrong("user/message", "id", ""),
    _Wrong("user/message", "role", "assistant"),
    _Wrong("user/message", "content", {}),
    _Wrong("user/message", "content", [{}]),
    _Wrong("user/message", "content", [{**_BLOCK, "x": 1}]),
    _Wrong("user/message", "content", [{"type": "text"}]),
    _Wrong("user/message", "content", [_IMAGE]),
    _Wrong("user/message", "source", {}),
    _Wrong("user/message", "source", {"kind": ""}),
    _Wrong("user/message", "source", {"kind": "user", "x": 1}),
    _Wrong("user/message", "source", {"kind": "user", "rpcId": ""}),
    _Wrong("user/message", "source", {"kind": "plugin"}),
    _Wrong("user/message", "source", {"kind": "plugin", "plugin": ""}),
    _Wrong("user/message", "source", {"kind": "plugin", "plugin": "a", "form": "letter"}),
    _Wrong("user/message", "source", {"kind": "plugin", "plugin": "a", "form": "notice"}),
    _Wrong("user/message", "source", {"kind": "plugin", "plugin": "a", "form": "snapshot"}),
    _Wrong(
        "user/message",
        "source",
        {"kind": "plugin", "plugin": "a", "form": "relay", "summary": "a"},
    ),
    _Wrong("user/message", "source", {"kind": "goal", "goalId": "g", "revision": 1, "round": 0}),
    _Wrong("user/message", "source", {"kind": "skill-invocation", "name": "", "form": "x"}),
    _Wrong("user/message", "source", {"kind": "coordinator", "form": "relay"}),
    _Wrong("assistant/message", "message.id", ""),
    _Wrong("assistant/message", "message.role", "user"),
    _Wrong("assistant/message", "message.source.kind", "user"),
    _Wrong("assistant/message", "message.source.provider", ""),
    _Wrong("assistant/message", "message.source.x", 1, there=False),
    _Wrong("assistant/message", "interrupted", _NO, there=False),
    _Wrong("assistant/message", "usage", {"inputTokens": 1}, there=False),
    _Wrong("assistant/message", "usage", {"inputTokens": -1, "outputTokens": 0}, there=False),
    _Wrong("assistant/message", "usage", None, there=False),
    _Wrong("tool/call", "callId", ""),
    _Wrong("tool/call", "name", ""),
    _Wrong("tool/call", "arguments", {}),
    _Wrong("tool/result", "message.role", "tool"),
    _Wrong("tool/result", "message.source.callId", "other"),
    _Wrong("tool/result", "message.source.kind", "user"),
    _Wrong("tool/result", "message.content", []),
    _Wrong("tool/result", "message.content.0.isError", 1, there=False),
    _Wrong("tool/result", "message.content.0.x", 1, there=False),
    _Wrong("tool/result", "message.content.0.content", "a"),
    _Wrong("tool/result", "error", {"name": "E"}, there=False),
    _Wrong("tool/result", "error", {"name": "E", "code": "C", "reason": "r"}, there=False),
    _Wrong("request/header", "reason", "whim"),
    _Wrong("request/header", "startsSeries", _NO, there=False),
    _Wrong("request/header", "header.x", 1, there=False),
    _Wrong("request/header", "header.system", None, there=False),
    _Wrong("request/header", "header.config.provider", ""),
    _Wrong("request/header", "header.config.maxTokens", 0, there=False),
    _Wrong("request/header", "header.config.temperature", "1", there=False),
    _Wrong("request/header", "header.config.stop", [1], there=False),
    _Wrong("request/header", "header.config.x", 1, there=False),
    _Wrong("request/header", "header.tools", [{"name": "a"}], there=False),
    _Wrong("request/header", "header.tools.0.deferLoading", _YES, there=False),
    _Wrong("request/header", "header.adapterDefaults", {"stop": True}, there=False),
    _Wrong("request/header", "header.adapterDefaults", {"maxTokens": False}, there=False),
    _Wrong("request/context", "provider", ""),
    _Wrong("request/context", "contextWindow", 0, there=False),
    _Wrong("request/context", "systemPromptUpdate", "in-history", there=False),
    _Wrong("todo/write", "todos", [{"content": "a", "status": "done"}]),
    _Wrong("todo/write", "todos", [{"content": "a", "status": "pending", "x": 1}]),
    _Wrong("agent/inbox/spliced", "target", "later"),
    _Wrong("agent/inbox/spliced", "start", -1),
    _Wrong("agent/inbox/spliced", "inserted", {}),
    _Wrong("agent/inbox/spliced", "inserted.0.role", "assistant"),
    _Wrong("agent/inbox/spliced", "inserted.0.id", ""),
    _Wrong("agent/inbox/spliced", "outcome", "done", there=False),
    _Wrong("agent/inbox/spliced", "removedCount", -1, there=False),
    _Wrong("agent-preset/selected", "agentPreset", None),
    _Wrong("model/selection", "model", ""),
    _Wrong("model/selection", "reasoningEffort", "", there=False),
    _Wrong("permission/preset", "preset", ""),
    _Wrong("plan/mode", "active", 1),
    _Wrong("sandbox/mode", "mode", "open"),
    _Wrong("sandbox/mode", "source", "user", there=False),
    _Wrong("approval/policy", "policy", "maybe"),
    _Wrong("approval/asked", "id", ""),
    _Wrong("approval/asked", "callId", "", there=False),
    _Wrong("approval/decided", "outcome", "allowed"),
    _Wrong("command/run", "commandId", ""),
    _Wrong("command/run", "args", [], there=False),
    _Wrong("command/run", "source", {"kind": "plugin"}),
    _Wrong("command/done", "kind", "done"),
    _Wrong("command/done", "sourceEventSeq", _BIG, there=False),
    _Wrong("hook/invoked", "dialect", "bash"),
    _Wrong("hook/result", "durationMs", -1),
    _Wrong("hook/result", "exitCode", 0.5, there=False),
    _Wrong("feedback/record", "text", ""),
    _Wrong("feedback/record", "category", "other", there=False),
    _Wrong("compaction/start", "compactionId", ""),
    _Wrong("compaction/start", "turn", "1"),
    _Wrong("compaction/end", "error", {}, there=False),
    _Wrong("compaction/summary", "shadowedSeqs", []),
    _Wrong("compaction/summary", "shadowedRange.end", 0.5),
    _Wrong("compaction/summary", "shadowedRange.x", 1, there=False),
    _Wrong("compaction/summary", "shadowedTokenCount", -1),
    _Wrong("compaction/summary", "llmStreamCall", _NO, there=False),
    _Wrong("compaction/summary", "summary", "a"),
    _Wrong("compaction/prune", "shadowedSeqs", [_BIG]),
    _Wrong("goal/change", "version", 2),
    _Wrong("goal/change", "operation", "drop"),
    _Wrong("goal/change", "goal.phase", "asleep"),
    _Wrong("goal/change", "goal.objective", ""),
    _Wrong("goal/change", "goal.maxGoalRounds", 0),
    _Wrong("goal/change", "cleared.revision", 0),
    _Wrong("schedule/change", "version", 2),
    _Wrong("schedule/change", "id", " t"),
    _Wrong("schedule/change", "id", ""),
    _Wrong("schedule/change", "schedule.everySeconds", 299),
    _Wrong("schedule/change", "schedule.afterSeconds", 0),
    _Wrong("schedule/change", "schedule.scheduledAt", "2026-11-30T00:00:00Z"),
    _Wrong("schedule/change", "schedule.scheduledAt", "2026-02-30T00:00:00.000Z"),
    _Wrong("schedule/change", "schedule.title", "a", there=False),
    _Wrong("llm/retry", "mode", "sometimes"),
    _Wrong("llm/retry", "retryId", "", there=False),
    _Wrong("llm/retry", "retry", 0),
    _Wrong("llm/retry", "delayMs", 2**31),
    _Wrong("llm/retry", "delayMs", -1),
    _Wrong("llm/retry", "failure", {"message": "a"}),
    _Wrong("llm/retry", "failure.status", 99, there=False),
    _Wrong("llm/retry", "failure.providerRetryAfterMs", 0, there=False),
    _Wrong("llm/retry", "maxRetries", 0, there=False),
    _Wrong("llm/retry-started", "retry", 0),
    _Wrong("session/title", "title", ""),
    _Wrong("session/title", "source", {"kind": "model"}),
    _Wrong("session/title", "source", {"kind": "user", "x": 1}),
    _Wrong("session/title", "messageSeqs", [_BIG]),
    _Wrong("session/title-llm-request", "maxTokens", 0),
    _Wrong("session/title-llm-request", "messageSeqs", []),
    _Wrong("session/title-llm-request", "route", {"provider": "p"}),
    _Wrong("session/title-llm-request", "reasoningEffort", "high", there=False),
    _Wrong("session/title-llm-request", "messages.0.content", None),
    _Wrong("web/deepseek-search-llm-request", "endpoint", ""),
    _Wrong("web/deepseek-search-llm-request", "body.max_tokens", 0),
    _Wrong("web/deepseek-search-llm-request", "body.tools", []),
    _Wrong("web/deepseek-search-llm-request", "body.tools.0.name", "search"),
    _Wrong("web/deepseek-search-llm-request", "body.messages.0.role", "system"),
    _Wrong("subagent/descriptor", "mode", "twice"),
    _Wrong("subagent/descriptor", "provider", ""),
    _Wrong("subagent/descriptor", "agentReasoningEffort", "", there=False),
    _Wrong("subagent/descriptor", "toolFilter", {}, there=False),
    _Wrong("subagent/descriptor", "toolFilter", {"allow": [""]}, there=False),
    _Wrong("subagent/model-selection-policy", "allowedModels", []),
    _Wrong("subagent/model-selection-policy", "allowedModels", [_MODEL, _MODEL]),
    _Wrong("team/member", "version", 2),
    _Wrong("team/member", "member.context", "old"),
    _Wrong("team/member", "member.phase", "gone"),
    _Wrong("team/member", "member.x", 1, there=False),
    _Wrong("team/task", "task.revision", 0),
    _Wrong("team/task", "task.status", "lost"),
    _Wrong("team/task", "task.blockedBy", [""]),
    _Wrong("team/message/queued", "message.delivery", "loud"),
    _Wrong("team/message/queued", "message.content", "a"),
    _Wrong("team/message/delivered", "messageId", ""),
    _Wrong("tool-workflow/run-end", "stopReason", "stopped"),
    _Wrong("tool-workflow/agent-start", "seq", 0),
    _Wrong("tool-workflow/agent-end", "outcome", "lost"),
    _Wrong("tool/code-dispatch-start", "subCallId", ""),
    _Wrong("tool/code-dispatch-start", "name", ""),
    _Wrong("tool/code-dispatch", "isError", 1),
    _Wrong("tool/code-dispatch", "content", {}),
    _Wrong("tool/code-dispatch", "meta", 1, there=False),
)

#: Values that look wrong and are taken.
_ODD: tuple[_Wrong, ...] = (
    _Wrong("turn/end", "reason", {"kind": "rejected", "x": 1}),
    _Wrong("turn/end", "reason", {"kind": "forked"}),
    _Wrong("turn/end", "reason", {"kind": "aborted", "reason": {"kind": "legacy"}}),
    _Wrong("user/message", "source", {"kind": "plugin", "plugin": "a", "summary": "a"}),
    _Wrong("user/message", "source", {"kind": "plugin", "plugin": "a", "sections": 7}),
    _Wrong("user/message", "source", {"kind": "tool", "callId": "nobody"}),
    _Wrong("assistant/message", "message.source.model", "another"),
    _Wrong("request/header", "reason", "resume"),
    _Wrong("request/header", "header.tools", [], there=False),
    _Wrong("request/header", "header.adapterDefaults", {}, there=False),
    _Wrong("request/header", "header.config.temperature", -1.5, there=False),
    _Wrong("agent-preset/selected", "agentPreset", ""),
    _Wrong("approval/asked", "reason", "", there=False),
    _Wrong("hook/invoked", "turn", 0),
    _Wrong("compaction/end", "error", "", there=False),
    _Wrong("schedule/change", "schedule.scheduledAt", "0001-01-01T00:00:00.000Z"),
    _Wrong("llm/retry", "failure.providerRetryAfterMs", 0.5, there=False),
    _Wrong("llm/retry", "delayMs", 2**31 - 1),
    _Wrong("team/member", "member.description", ""),
    _Wrong("tool-workflow/agent-start", "label", ""),
)


def _change(each: _Wrong) -> Any:
    return (sets if each.there else puts)(f"data.{each.path}", each.value)


def _name(each: _Wrong) -> str:
    return f"{each.type} whose {each.path} is {each.value!a}"


def _rule(version: Past, each: _Wrong) -> str:
    """Return the rule of those who look at the value first."""
    if version == 2 and each.value == [{}]:
        return "MIG23-CONTENT"
    if each.type != "turn/end":
        return PAYLOAD[version]
    if each.path == "turn":
        return "MIG01-TURN-END" if version == 0 else "REL-TURN"
    modern = each.value.get("kind") in ("", "aborted", "error")
    return PAYLOAD[version] if modern else rule_of(version, each.type)


def breaches(version: Past) -> Iterator[Breach]:
    """Return the breaches of a format's values."""
    for each in _WRONG:
        write = tampered(each.type, _change(each))
        yield Breach(_rule(version, each), _name(each), write)


def near_misses(version: Past) -> Iterator[NearMiss]:
    """Return the odd values of a format that are taken."""
    for each in _ODD:
        write = tampered(each.type, _change(each))
        yield NearMiss(rule_of(version, each.type), _name(each), write)
