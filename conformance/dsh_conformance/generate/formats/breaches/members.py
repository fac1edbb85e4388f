"""Exact members: each event of formats v0 to v2 has those that its type requires, and no others.

Source: facts events §4; rules MIG01-PAYLOAD, MIG12-PAYLOAD, MIG23-PAYLOAD.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from dsh_conformance.generate.formats.breaches.breach import (
    Breach,
    Change,
    NearMiss,
    at,
    drops,
    puts,
    tampered,
)
from dsh_conformance.generate.formats.state import Past
from dsh_conformance.generate.state import Raw

#: The rule of exact payloads, by format.
PAYLOAD: Mapping[Past, str] = MappingProxyType(
    {0: "MIG01-PAYLOAD", 1: "MIG12-PAYLOAD", 2: "MIG23-PAYLOAD"}
)

#: The required members of each type's data in formats v0 to v2.
REQUIRED: Mapping[str, str] = MappingProxyType(
    {
        "turn/start": "turn",
        "turn/end": "turn reason",
        "step/start": "turn step",
        "step/end": "turn step",
        "user/message": "id role content source",
        "assistant/message": "turn step message",
        "tool/call": "turn step callId name arguments",
        "tool/result": "turn step message",
        "request/header": "header reason",
        "request/context": "provider model",
        "session/end-seed": "",
        "todo/write": "todos",
        "agent/inbox/spliced": "target start inserted",
        "agent-preset/selected": "agentPreset",
        "approval/asked": "id toolName",
        "approval/decided": "id outcome",
        "approval/policy": "policy",
        "command/run": "commandId name source",
        "command/done": "commandId kind",
        "compaction/start": "compactionId turn",
        "compaction/summary": "compactionId summary shadowedRange shadowedSeqs shadowedTokenCount"
        " provider model",
        "compaction/end": "compactionId turn",
        "compaction/prune": "shadowedRange shadowedSeqs shadowedTokenCount",
        "feedback/record": "text",
        "goal/change": "kind version operation",
        "hook/invoked": "turn point dialect handlerId",
        "hook/result": "turn point handlerId decision durationMs",
        "llm/retry": "retryId turn step provider mode policyKey retry delayMs failure",
        "llm/retry-started": "retryId turn step retry",
        "model/selection": "provider model",
        "permission/preset": "preset",
        "plan/mode": "active",
        "sandbox/mode": "mode",
        "schedule/change": "version operation",
        "session-log-deepseek/delivery-accepted": "sessionId throughSeq",
        "session/title": "title messageSeqs source",
        "session/title-llm-request": "titleProvider messageSeqs route system messages maxTokens",
        "subagent/descriptor": "mode version provider",
        "subagent/model-selection-policy": "allowedModels",
        "team/member": "version teamId member",
        "team/task": "version teamId task",
        "team/message/queued": "version teamId message",
        "team/message/delivered": "version teamId messageId targetId",
        "tool/code-dispatch-start": "rootCallId parentCallId subCallId name arguments",
        "tool/code-dispatch": "rootCallId parentCallId subCallId name arguments isError content",
        "tool-workflow/run-start": "runId name",
        "tool-workflow/run-end": "runId stopReason",
        "tool-workflow/agent-start": "runId seq label childId",
        "tool-workflow/agent-end": "runId seq outcome",
        "web/deepseek-search-llm-request": "endpoint apiVersion body",
    }
)

#: What format v2 has beyond that.
_SINCE_V2: Mapping[str, str] = MappingProxyType(
    {
        "assistant/message": "turn step message stream",
        "assistant/attempt": "turn step stream",
        "feedback/message-put": "sessionId item",
        "feedback/message-delete": "sessionId messageId",
    }
)

#: What the edge from v0 gives to events that lack it, so that nothing is missing after all.
_GIVEN = frozenset(
    (
        ("llm/retry", "retryId"),
        ("compaction/start", "compactionId"),
        ("compaction/summary", "compactionId"),
        ("compaction/end", "compactionId"),
    )
)


def required(version: Past) -> Mapping[str, str]:
    """Return the required members of each type's data in a format."""
    return {**REQUIRED, **(_SINCE_V2 if version == 2 else {})}


def rule_of(version: Past, kind: str) -> str:
    """Return the rule about the payload of a type: turn ends of v0 are looked at twice."""
    return "MIG01-TURN-END" if (version, kind) == (0, "turn/end") else PAYLOAD[version]


def breaches(version: Past) -> Iterator[Breach]:
    """Return the breaches of a format's exact members."""
    for kind, members in required(version).items():
        rule = rule_of(version, kind)
        for member in members.split():
            if version == 0 and (kind, member) in _GIVEN:
                continue
            write = tampered(kind, _lacking(member, members))
            yield Breach(rule, f"{kind} lacks {member}", write)
        yield Breach(rule, f"{kind} with another member", tampered(kind, puts("data.acme", None)))


def near_misses(version: Past) -> Iterator[NearMiss]:
    """Return what only seems to lack something."""
    if version == 0:
        for kind, member in sorted(_GIVEN):
            rule = "MIG01-RETRY-ID" if member == "retryId" else "MIG01-COMPACTION-ID"
            yield NearMiss(
                rule, f"{kind} without {member}", tampered(kind, drops(f"data.{member}"))
            )


def _lacking(member: str, members: str) -> Change:
    """Take a member from an event that has all of them: one of v0's early days may not."""
    drop = drops(f"data.{member}")
    whole = members.split()

    def change(event: Raw) -> bool:
        return all(name in at(event, "data") for name in whole) and drop(event)

    return change
