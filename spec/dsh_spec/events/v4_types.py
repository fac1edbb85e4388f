"""The 62 event types of format v4 and the class of each one's body."""

from collections.abc import Mapping
from types import MappingProxyType

from dsh_spec.events import v4_core as core
from dsh_spec.events import v4_delegation as delegation
from dsh_spec.events import v4_interaction as interaction
from dsh_spec.events import v4_model as model
from dsh_spec.events import v4_session as session
from dsh_spec.events.record import Body

_CORE: dict[str, type[Body]] = {
    "turn/start": core.TurnStart,
    "turn/end": core.TurnEnd,
    "step/start": core.StepStart,
    "step/end": core.StepEnd,
    "user/message": core.UserMessage,
    "system/message": core.SystemMessage,
    "developer/message": core.DeveloperMessage,
    "assistant/message": core.AssistantMessage,
    "assistant/attempt": core.AssistantAttempt,
    "tool/call": core.ToolCall,
    "tool/result": core.ToolResult,
    "request/header": core.RequestHeader,
    "request/context": core.RequestContext,
    "session/end-seed": core.EndSeed,
}

_PLUGIN: dict[str, type[Body]] = {
    "agent/inbox/spliced": session.AgentInboxSpliced,
    "agent-preset/selected": session.AgentPresetSelected,
    "approval/asked": session.ApprovalAsked,
    "approval/decided": session.ApprovalDecided,
    "approval/policy": session.ApprovalPolicy,
    "command/done": interaction.CommandDone,
    "command/run": interaction.CommandRun,
    "compaction/end": model.CompactionEnd,
    "compaction/prune": model.CompactionPrune,
    "compaction/start": model.CompactionStart,
    "compaction/summary": model.CompactionSummary,
    "deliverables/presented": delegation.DeliverablesPresented,
    "feedback/message-delete": interaction.FeedbackMessageDelete,
    "feedback/message-put": interaction.FeedbackMessagePut,
    "feedback/record": interaction.FeedbackRecord,
    "goal/change": interaction.GoalChange,
    "hook/invoked": interaction.HookInvoked,
    "hook/result": interaction.HookResult,
    "image/offload": model.ImageOffload,
    "job/registered": delegation.JobRegistered,
    "job/settled": delegation.JobSettled,
    "llm/retry": model.LlmRetry,
    "llm/retry-started": model.LlmRetryStarted,
    "model/selection": session.ModelSelection,
    "permission/preset": session.PermissionPreset,
    "plan/mode": session.PlanMode,
    "sandbox/mode": session.SandboxMode,
    "schedule/change": interaction.ScheduleChange,
    "session-log-deepseek/delivery-accepted": session.DeliveryAccepted,
    "session/title": session.SessionTitle,
    "session/title-llm-request": session.SessionTitleLlmRequest,
    "subagent/catalog": delegation.SubagentCatalog,
    "subagent/descriptor": delegation.SubagentDescriptor,
    "subagent/model-selection-policy": delegation.SubagentModelSelectionPolicy,
    "team/member": delegation.TeamMember,
    "team/message/delivered": delegation.TeamMessageDelivered,
    "team/message/queued": delegation.TeamMessageQueued,
    "team/task": delegation.TeamTask,
    "todo/write": interaction.TodoWrite,
    "tool-workflow/agent-end": delegation.ToolWorkflowAgentEnd,
    "tool-workflow/agent-start": delegation.ToolWorkflowAgentStart,
    "tool-workflow/run-end": delegation.ToolWorkflowRunEnd,
    "tool-workflow/run-start": delegation.ToolWorkflowRunStart,
    "tool/ptc-dispatch": delegation.ToolPtcDispatch,
    "tool/ptc-dispatch-start": delegation.ToolPtcDispatchStart,
    "web/deepseek-search-llm-request": session.WebSearchLlmRequest,
    "working-directory/change": session.WorkingDirectoryChange,
    "workspace/changes": session.WorkspaceChanges,
}

#: Each type of format v4 with the class of its body.
EVENT_TYPES: Mapping[str, type[Body]] = MappingProxyType({**_CORE, **_PLUGIN})
#: The types that every harness knows; their bodies are checked.
CORE_TYPES: frozenset[str] = frozenset(_CORE)
#: The types whose bodies a reader checks: the core, and the plugin types that later events answer.
CHECKED_TYPES: frozenset[str] = CORE_TYPES | {
    "command/run",
    "command/done",
    "compaction/start",
    "compaction/summary",
    "compaction/end",
    "compaction/prune",
    "llm/retry",
    "llm/retry-started",
    "session-log-deepseek/delivery-accepted",
    "session/title",
    "session/title-llm-request",
    "tool/ptc-dispatch",
    "tool/ptc-dispatch-start",
}
#: The types whose events stand on the surface (SURF-TYPES).
SURFACE_TYPES: frozenset[str] = frozenset(
    {"user/message", "system/message", "developer/message", "assistant/message", "tool/result"}
)
