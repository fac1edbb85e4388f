"""Data of the plugin events that cite nothing and may stand anywhere.

Source: facts events §4.4 to §4.10; format v4 declares these shapes and checks few of them.
"""

from collections.abc import Callable
from typing import TypeAlias

from dsh_conformance.generate.payloads import obj
from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.strings import NAMES, TEXTS
from dsh_conformance.generate.tape import Tape

_Data: TypeAlias = Callable[[Tape, State], Raw]

_STATUSES = ("pending", "in_progress", "completed")
_CATEGORIES = ("task-result", "service-stability", "other")


def _todos(tape: Tape, _state: State) -> Raw:
    item = {"content": tape.one_of(TEXTS), "status": tape.one_of(_STATUSES)}
    return {"todos": [item] * tape.pick(3)}


def _preset(tape: Tape, _state: State) -> Raw:
    return {"agentPreset": tape.one_of(TEXTS)}


def _model(tape: Tape, _state: State) -> Raw:
    return {"provider": "p", "model": tape.one_of(NAMES), "reasoningEffort": "high"}


def _permission(tape: Tape, _state: State) -> Raw:
    return {"preset": tape.one_of(NAMES)}


def _plan(tape: Tape, _state: State) -> Raw:
    return {"active": bool(tape.pick(2))}


def _sandbox(tape: Tape, _state: State) -> Raw:
    mode = tape.one_of(("read-only", "workspace-write", "danger-full-access"))
    return {"mode": mode, "source": "delegation"} if tape.pick(2) else {"mode": mode}


def _policy(tape: Tape, _state: State) -> Raw:
    return {"policy": tape.one_of(("ask", "never"))}


def _asked(tape: Tape, state: State) -> Raw:
    asked = {"id": f"ask{state.seq}", "toolName": "bash", "callId": "c1"}
    return {**asked, "reason": tape.one_of(TEXTS)}


def _decided(tape: Tape, _state: State) -> Raw:
    outcome = tape.one_of(("allowed-once", "rejected", "cancelled", "unavailable"))
    return {"id": tape.one_of(NAMES), "outcome": outcome}


def _directory(tape: Tape, _state: State) -> Raw:
    return {"cwd": "/" + tape.one_of(TEXTS)}


def _hook(tape: Tape, state: State) -> Raw:
    hook = {"turn": state.turn, "point": "PreToolUse", "dialect": "codex", "handlerId": "h"}
    return {**hook, "matcher": tape.one_of(TEXTS)}


def _hooked(tape: Tape, state: State) -> Raw:
    result = {"turn": state.turn, "point": "PreToolUse", "handlerId": "h", "decision": "allow"}
    return {**result, "exitCode": -1, "stderrSummary": tape.one_of(TEXTS), "durationMs": 0.5}


def _feedback(tape: Tape, _state: State) -> Raw:
    return {"text": tape.one_of(NAMES), "category": tape.one_of(_CATEGORIES)}


def _rated(tape: Tape, _state: State) -> Raw:
    item = {"messageId": "m0", "rating": "positive", "note": tape.one_of(NAMES)}
    item["version"] = "00000000-0000-4000-8000-000000000000"
    return {"sessionId": "s1", "item": {**item, "createdAt": 0, "updatedAt": 1}}


def _unrated(tape: Tape, _state: State) -> Raw:
    return {"sessionId": "s1", "messageId": tape.one_of(NAMES)}


def _goal(tape: Tape, _state: State) -> Raw:
    change: Raw = {"kind": "goal/change", "version": 1}
    if tape.pick(2):
        return {
            **change,
            "operation": "clear",
            "cleared": {"id": "g", "revision": 1},
            "clearedAt": 0,
        }
    goal: Raw = {"id": "g", "revision": 1, "objective": tape.one_of(NAMES), "maxGoalRounds": 1}
    goal |= {"phase": "blocked", "blockedReason": {"code": "E", "message": "a"}}
    times = {"roundsStarted": 0, "createdAt": 0, "updatedAt": 0}
    return {**change, "operation": "block", "goal": goal, **times}


def _schedule(tape: Tape, _state: State) -> Raw:
    if tape.pick(2):
        return {"version": 1, "operation": "delete", "id": "t"}
    plan: Raw = {"id": "t", "kind": "every", "prompt": tape.one_of(NAMES), "everySeconds": 300}
    plan["scheduledAt"] = "2026-11-30T00:00:00.000Z"
    return {"version": 1, "operation": "create", "schedule": plan}


def _delivered(tape: Tape, _state: State) -> Raw:
    """Without a format version the other members are not interpreted (DELIV-GEN)."""
    return {"sessionId": tape.one_of(TEXTS), "throughSeq": 0}


def _search(tape: Tape, _state: State) -> Raw:
    words = {"type": "text", "text": tape.one_of(TEXTS)}
    tool = {"type": "web_search_20250305", "name": "web_search", "max_uses": 1}
    body = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": [words]}]}
    return {"endpoint": "https://a", "apiVersion": "1", "body": {**body, "tools": [tool]}}


def _descriptor(tape: Tape, _state: State) -> Raw:
    base: Raw = {"mode": "continuable", "version": 3, "provider": "p", "label": tape.one_of(NAMES)}
    return {**base, "toolFilter": {"allow": ["bash"]}} if tape.pick(2) else base


def _models(_tape: Tape, _state: State) -> Raw:
    return {"allowedModels": [{"provider": "p", "model": "m"}]}


def _member(tape: Tape, _state: State) -> Raw:
    member: Raw = {"id": "u", "name": tape.one_of(TEXTS), "description": "", "provider": "p"}
    member |= {"context": "fork", "phase": "failed", "error": tape.one_of(TEXTS)}
    return {"version": 2, "teamId": "t", "member": member}


def _task(tape: Tape, _state: State) -> Raw:
    task: Raw = {"id": "k", "revision": 1, "subject": tape.one_of(TEXTS), "description": ""}
    task |= {"status": "pending", "blockedBy": [], "writeScopes": ["/"], "ownerId": "u"}
    return {"version": 2, "teamId": "t", "task": task}


def _queued(tape: Tape, _state: State) -> Raw:
    message: Raw = {"id": "q", "senderId": "u", "targetId": "v", "senderName": tape.one_of(TEXTS)}
    message["content"] = [{"type": "text", "text": tape.one_of(TEXTS)}]
    return {"version": 2, "teamId": "t", "message": message}


def _handed_over(tape: Tape, _state: State) -> Raw:
    return {"version": 2, "teamId": "t", "messageId": tape.one_of(NAMES), "targetId": "v"}


def _run(tape: Tape, _state: State) -> Raw:
    return {"runId": "w", "name": tape.one_of(NAMES)}


def _ran(tape: Tape, _state: State) -> Raw:
    return {"runId": "w", "stopReason": tape.one_of(("completed", "cancelled", "error"))}


def _agent(tape: Tape, _state: State) -> Raw:
    return {"runId": "w", "seq": 1, "label": tape.one_of(TEXTS), "childId": "s2"}


def _agent_done(tape: Tape, _state: State) -> Raw:
    outcome = tape.one_of(("completed", "failed", "cancelled"))
    return {"runId": "w", "seq": 1, "outcome": outcome}


def _job(tape: Tape, state: State) -> Raw:
    job: Raw = {"jobId": f"j{state.seq}", "owner": "s1", "kind": "shell", "startedAt": 0.5}
    return {**job, "label": tape.one_of(TEXTS), "toolCall": {"callId": "c1", "rootCallId": "c1"}}


def _job_done(tape: Tape, state: State) -> Raw:
    done = {"finishedAt": 1.5, "status": "killed", "cause": "teardown", "producerReported": False}
    return {**_job(tape, state), **done, "detail": tape.one_of(TEXTS)}


def _presented(tape: Tape, state: State) -> Raw:
    files = [{"path": tape.one_of(TEXTS), "description": tape.one_of(TEXTS)}]
    return {"turn": state.turn, "callId": "c1", "files": files}


def _changes(tape: Tape, state: State) -> Raw:
    return {**obj(tape), "turn": state.turn}


#: Type and data of each, the simplest first.
PLUGIN_EVENTS: tuple[tuple[str, _Data], ...] = (
    ("todo/write", _todos),
    ("plan/mode", _plan),
    ("agent-preset/selected", _preset),
    ("model/selection", _model),
    ("permission/preset", _permission),
    ("sandbox/mode", _sandbox),
    ("approval/policy", _policy),
    ("approval/asked", _asked),
    ("approval/decided", _decided),
    ("working-directory/change", _directory),
    ("hook/invoked", _hook),
    ("hook/result", _hooked),
    ("feedback/record", _feedback),
    ("feedback/message-put", _rated),
    ("feedback/message-delete", _unrated),
    ("goal/change", _goal),
    ("schedule/change", _schedule),
    ("session-log-deepseek/delivery-accepted", _delivered),
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
    ("job/registered", _job),
    ("job/settled", _job_done),
    ("deliverables/presented", _presented),
    ("workspace/changes", _changes),
)
