"""Data of the plugin events that cite no other event and may stand anywhere.

Formats v0 to v2 are read by exact members, so each shape here has just its own; format v3 looks at
few of them.

Source: facts events §4.4 to §4.10, §5.6.
"""

from collections.abc import Callable
from typing import TypeAlias

from dsh_conformance.generate.formats.options import optional
from dsh_conformance.generate.formats.state import Past, PastState
from dsh_conformance.generate.formats.voices import VOICES
from dsh_conformance.generate.payloads import obj
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.strings import IDS, NAMES, TEXTS
from dsh_conformance.generate.tape import Tape

_Data: TypeAlias = Callable[[Tape, PastState], Raw]

_INSTANT = "2026-11-30T00:00:00.000Z"


def _todos(tape: Tape, _state: PastState) -> Raw:
    status = tape.one_of(("pending", "in_progress", "completed"))
    return {"todos": [{"content": tape.one_of(TEXTS), "status": status}] * tape.pick(3)}


def _plan(tape: Tape, _state: PastState) -> Raw:
    return {"active": bool(tape.pick(2))}


def _preset(tape: Tape, _state: PastState) -> Raw:
    return {"agentPreset": tape.one_of(("code", "ptc", *TEXTS))}


def _model(tape: Tape, _state: PastState) -> Raw:
    chosen = {"provider": "p", "model": tape.one_of(NAMES)}
    return {**chosen, **optional(tape, reasoningEffort="high")}


def _permission(tape: Tape, _state: PastState) -> Raw:
    return {"preset": tape.one_of(NAMES)}


def _sandbox(tape: Tape, _state: PastState) -> Raw:
    mode = tape.one_of(("read-only", "workspace-write", "danger-full-access"))
    return {"mode": mode, **optional(tape, source="delegation")}


def _policy(tape: Tape, _state: PastState) -> Raw:
    return {"policy": tape.one_of(("ask", "never")), **optional(tape, source="delegation")}


def _asked(tape: Tape, state: PastState) -> Raw:
    asked = {"id": f"ask{state.seq}", "toolName": "bash"}
    return {**asked, **optional(tape, callId="c1", reason=tape.one_of(TEXTS))}


def _decided(tape: Tape, _state: PastState) -> Raw:
    outcome = tape.one_of(("allowed-once", "rejected", "cancelled", "unavailable"))
    return {"id": tape.one_of(NAMES), "outcome": outcome}


def _hook(tape: Tape, state: PastState) -> Raw:
    dialect = tape.one_of(("claude-code", "codex"))
    hook = {"turn": state.turn, "point": "PreToolUse", "dialect": dialect, "handlerId": "h"}
    return {**hook, **optional(tape, matcher=tape.one_of(TEXTS))}


def _hooked(tape: Tape, state: PastState) -> Raw:
    result = {"turn": state.turn, "point": "PreToolUse", "handlerId": "h", "decision": "allow"}
    result["durationMs"] = tape.one_of((0, 0.5))
    return {**result, **optional(tape, exitCode=-1, stderrSummary=tape.one_of(TEXTS))}


def _feedback(tape: Tape, _state: PastState) -> Raw:
    return {"text": tape.one_of(NAMES)}


def _rated(tape: Tape, _state: PastState) -> Raw:
    item: Raw = {"messageId": "m0", "rating": tape.one_of(("positive", "negative"))}
    item |= {"version": "00000000-0000-4000-8000-000000000000", "createdAt": 0, "updatedAt": 1}
    return {"sessionId": "s1", "item": {**item, **optional(tape, note=tape.one_of(NAMES))}}


def _unrated(tape: Tape, _state: PastState) -> Raw:
    return {"sessionId": "s1", "messageId": tape.one_of(NAMES)}


def _goal(tape: Tape, _state: PastState) -> Raw:
    change: Raw = {"kind": "goal/change", "version": 1}
    operation = tape.one_of(("create", "edit", "pause", "resume", "complete", "block", "clear"))
    change["operation"] = operation
    if operation == "clear":
        return {**change, "cleared": {"id": "g", "revision": 1}, "clearedAt": 0}
    goal: Raw = {"id": "g", "revision": 1, "objective": tape.one_of(NAMES), "maxGoalRounds": 1}
    goal["phase"] = tape.one_of(("active", "paused", "complete", "blocked"))
    if goal["phase"] == "blocked":
        goal["blockedReason"] = {"code": "E", "message": tape.one_of(NAMES)}
    return {**change, "goal": goal, "roundsStarted": 0, "createdAt": 0, "updatedAt": 0}


def _schedule(tape: Tape, _state: PastState) -> Raw:
    match tape.pick(5):
        case 0:
            return {"version": 1, "operation": "delete", "id": "t"}
        case 1:
            dispatch = {"version": 1, "operation": "dispatch", "id": "t"}
            return {**dispatch, **optional(tape, acceptedAt=_INSTANT)}
        case kind:
            plan: Raw = {"id": "t", "prompt": tape.one_of(NAMES), "scheduledAt": _INSTANT}
            every: Raw = {"kind": "every", "everySeconds": 300}
            after: Raw = {"kind": "after", "afterSeconds": 1}
            plan |= (every, after, {"kind": "at"})[kind - 2]
            return {"version": 1, "operation": "create", "schedule": plan}


def _delivered(tape: Tape, state: PastState) -> Raw:
    """A delivery of its own generation names the session and an earlier event (DELIV-GEN)."""
    data: Raw = {"sessionId": state.author, "throughSeq": tape.pick(state.seq) if state.seq else 0}
    if state.format and tape.pick(3) < 2:
        data["sessionFormatVersion"] = state.format
    elif state.format:
        data = {"sessionId": "elsewhere", "throughSeq": 2**53 - 1}
        data |= optional(tape, sessionFormatVersion=tape.pick(state.format))
    return data


def _search(tape: Tape, _state: PastState) -> Raw:
    words = {"type": "text", "text": tape.one_of(TEXTS)}
    tool = {"type": "web_search_20250305", "name": "web_search", "max_uses": 1}
    body = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": [words]}]}
    return {"endpoint": "https://a", "apiVersion": "1", "body": {**body, "tools": [tool]}}


def _descriptor(tape: Tape, _state: PastState) -> Raw:
    base: Raw = {"version": 3, "provider": "p"}
    if tape.pick(3) == 0:
        return {**base, "mode": "one-shot", **optional(tape, label=tape.one_of(TEXTS))}
    base |= {"mode": "continuable", "label": tape.one_of(NAMES)}
    if tape.pick(2):
        base |= {"agentProvider": "p", "agentModel": "m"}
    lists = {"allow": ["bash"], "deny": []} if tape.pick(2) else {"deny": ["read", "read"]}
    return {
        **base,
        **optional(tape, agentReasoningEffort="high", persona=tape.one_of(NAMES), toolFilter=lists),
    }


def _models(tape: Tape, _state: PastState) -> Raw:
    models = [{"provider": "p", "model": "m"}, {"provider": "p", "model": "n"}]
    return {"allowedModels": models[: 1 + tape.pick(2)]}


def _member(tape: Tape, _state: PastState) -> Raw:
    member: Raw = {"id": "u", "name": tape.one_of(TEXTS), "description": "", "provider": "p"}
    member["context"] = tape.one_of(("fresh", "fork"))
    member["phase"] = tape.one_of(("provisioning", "active", "failed"))
    return {"version": 1, "teamId": "t", "member": {**member, **optional(tape, error="")}}


def _task(tape: Tape, _state: PastState) -> Raw:
    task: Raw = {"id": "k", "revision": 1, "subject": tape.one_of(TEXTS), "description": ""}
    task["status"] = tape.one_of(("pending", "in_progress", "completed", "deleted"))
    task |= {"blockedBy": ["j"] * tape.pick(2), "writeScopes": [""] * tape.pick(2)}
    return {"version": 1, "teamId": "t", "task": {**task, **optional(tape, ownerId="u")}}


def _queued(tape: Tape, state: PastState) -> Raw:
    message: Raw = {"id": "q", "senderId": "u", "targetId": "v", "senderName": tape.one_of(TEXTS)}
    message["delivery"] = tape.one_of(("quiet", "wakeup"))
    message["content"] = VOICES[state.format].blocks(tape)
    return {"version": 1, "teamId": "t", "message": message}


def _handed_over(tape: Tape, _state: PastState) -> Raw:
    return {"version": 1, "teamId": "t", "messageId": tape.one_of(NAMES), "targetId": "v"}


def _run(tape: Tape, _state: PastState) -> Raw:
    return {"runId": "w", "name": tape.one_of(NAMES)}


def _ran(tape: Tape, _state: PastState) -> Raw:
    return {"runId": "w", "stopReason": tape.one_of(("completed", "cancelled", "error"))}


def _agent(tape: Tape, _state: PastState) -> Raw:
    agent = {"runId": "w", "seq": 2**53 - 1, "label": tape.one_of(TEXTS)}
    return {**agent, "childId": tape.one_of(IDS), **optional(tape, phase=tape.one_of(TEXTS))}


def _agent_done(tape: Tape, _state: PastState) -> Raw:
    outcome = tape.one_of(("completed", "failed", "cancelled"))
    return {"runId": "w", "seq": 1, "outcome": outcome}


def _presented(tape: Tape, state: PastState) -> Raw:
    file = {"path": tape.one_of(TEXTS), **optional(tape, description=tape.one_of(TEXTS))}
    return {"turn": state.turn, "callId": "c1", "files": [file] * tape.pick(3)}


def _changes(_tape: Tape, state: PastState) -> Raw:
    return {"turn": state.turn}


def _any_descriptor(tape: Tape, _state: PastState) -> Raw:
    """Format v3 keeps a descriptor of any version as it is (MIG34-DESCRIPTOR)."""
    return {**obj(tape), "version": tape.pick(5)}


def _newer_team(tape: Tape, _state: PastState) -> Raw:
    """Teams moved to version 2 some time before format v4."""
    message = {"id": "q", "senderId": "u", "targetId": "v", "senderName": "", "content": []}
    return {"version": 2, "teamId": tape.one_of(NAMES), "message": message}


#: Type and data of each in every older format, the simplest first.
_SHARED: tuple[tuple[str, _Data], ...] = (
    ("todo/write", _todos),
    ("plan/mode", _plan),
    ("agent-preset/selected", _preset),
    ("model/selection", _model),
    ("permission/preset", _permission),
    ("sandbox/mode", _sandbox),
    ("approval/policy", _policy),
    ("approval/asked", _asked),
    ("approval/decided", _decided),
    ("hook/invoked", _hook),
    ("hook/result", _hooked),
    ("feedback/record", _feedback),
    ("goal/change", _goal),
    ("schedule/change", _schedule),
    ("web/deepseek-search-llm-request", _search),
    ("subagent/descriptor", _descriptor),
    ("subagent/model-selection-policy", _models),
    ("team/member", _member),
    ("team/task", _task),
    ("team/message/queued", _queued),
    ("team/message/delivered", _handed_over),
    ("tool-workflow/run-start", _run),
    ("tool-workflow/run-end", _ran),
    ("tool-workflow/agent-start", _agent),
    ("tool-workflow/agent-end", _agent_done),
)
_RATINGS: tuple[tuple[str, _Data], ...] = (
    ("feedback/message-put", _rated),
    ("feedback/message-delete", _unrated),
)
_OPEN: tuple[tuple[str, _Data], ...] = (
    ("deliverables/presented", _presented),
    ("workspace/changes", _changes),
    ("subagent/descriptor", _any_descriptor),
    ("team/message/queued", _newer_team),
)


def plugin_events(version: Past) -> tuple[tuple[str, _Data], ...]:
    """Return type and data of each plugin event of a format (CAT-V2-FEEDBACK)."""
    return (*_SHARED, *(_RATINGS if version >= 2 else ()), *(_OPEN if version == 3 else ()))


#: The event that needs something before it: a delivery reaches up to an earlier event.
DELIVERY = ("session-log-deepseek/delivery-accepted", _delivered)
