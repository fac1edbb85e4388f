"""Bodies of the plugin event types of delegated work: subagents, teams, workflows, PTC and jobs."""

from typing import ClassVar, Literal

from attrs import frozen

from dsh_spec.events.kinds import AnyJson, Bool, Count, Finite, Name, Positive, SomeJson, Text
from dsh_spec.events.record import Expected, Open, OpenBody, Unchecked
from dsh_spec.events.v4_core import ToolError
from dsh_spec.events.v4_message import Block


@frozen(kw_only=True)
class ToolFilter(Open):
    """Which tools a subagent sees; at least one of the two lists."""

    #: Only these.
    allow: tuple[Name, ...] | None = None
    #: All but these.
    deny: tuple[Name, ...] | None = None


@frozen(kw_only=True)
class SubagentDescriptor(OpenBody):
    """What a subagent session is; written into the subagent's own log."""

    #: Whether it can be continued.
    mode: Literal["one-shot", "continuable"]
    #: The version of this shape.
    version: Literal[3]
    #: The subagent provider's name.
    provider: Name
    #: A label, for people; mode ``continuable`` always has one.
    label: Text | None = None
    #: The model provider; together with ``agentModel`` or not at all.
    agent_provider: Name | None = None
    #: The model; together with ``agentProvider`` or not at all.
    agent_model: Name | None = None
    #: How hard the model shall think.
    agent_reasoning_effort: Name | None = None
    #: The persona's name.
    persona: Name | None = None
    #: Which tools it sees.
    tool_filter: ToolFilter | None = None


@frozen(kw_only=True)
class AllowedModel(Open):
    """A model that subagents may use."""

    #: The provider's name.
    provider: Name
    #: The model's name.
    model: Name


@frozen(kw_only=True)
class SubagentModelSelectionPolicy(OpenBody):
    """Which models subagents may use."""

    #: The models, each once, at least one.
    allowed_models: tuple[AllowedModel, ...]


@frozen(kw_only=True)
class SubagentCatalog(OpenBody):
    """A child session was started (CATALOG-SHAPE, CATALOG-UNIQUE)."""

    #: The version of this shape; 2 exactly for mode ``external``.
    version: Literal[0, 1, 2]
    #: The child session's id.
    child_id: Text
    #: When the child was created, in ms since 1970 UTC.
    child_created_at: Count
    #: What it is.
    mode: Literal["continuable", "one-shot", "external", "unknown"]
    #: A label, for people; mode ``continuable`` always has one.
    label: Text | None = None


@frozen(kw_only=True)
class Member(Open):
    """A member of a team."""

    #: The member's session id.
    id: Name
    #: The member's name.
    name: Text
    #: What the member is for.
    description: Text
    #: The member's provider.
    provider: Text
    #: Whether it began with the parent's history.
    context: Literal["fresh", "fork"]
    #: Where it stands.
    phase: Literal["provisioning", "active", "failed"]
    #: Why it failed.
    error: Text | None = None


@frozen(kw_only=True)
class TeamMember(OpenBody):
    """A member of a team changed."""

    #: The version of this shape.
    version: Literal[2]
    #: The team's id.
    team_id: Name
    #: The member's new state.
    member: Member


@frozen(kw_only=True)
class Task(Open):
    """A task of a team."""

    #: The task's id.
    id: Name
    #: Counts its changes from 1.
    revision: Positive
    #: The task in a line.
    subject: Text
    #: The task in full.
    description: Text
    #: How far it is.
    status: Literal["pending", "in_progress", "completed", "deleted"]
    #: The tasks that must be done first.
    blocked_by: tuple[Name, ...]
    #: Where its owner may write.
    write_scopes: tuple[Text, ...]
    #: The member that works on it.
    owner_id: Name | None = None


@frozen(kw_only=True)
class TeamTask(OpenBody):
    """A task of a team changed."""

    #: The version of this shape.
    version: Literal[2]
    #: The team's id.
    team_id: Name
    #: The task's new state.
    task: Task


@frozen(kw_only=True)
class QueuedMessage(Open):
    """A message between members of a team."""

    #: The message's id.
    id: Name
    #: The sender's session id.
    sender_id: Name
    #: The receiver's session id.
    target_id: Name
    #: The sender's name.
    sender_name: Text
    #: What is said, in order.
    content: tuple[Block, ...]


@frozen(kw_only=True)
class TeamMessageQueued(OpenBody):
    """A message between members of a team waits."""

    #: The version of this shape.
    version: Literal[2]
    #: The team's id.
    team_id: Name
    #: The message.
    message: QueuedMessage


@frozen(kw_only=True)
class TeamMessageDelivered(OpenBody):
    """A message between members of a team arrived."""

    #: The version of this shape.
    version: Literal[2]
    #: The team's id.
    team_id: Name
    #: The message's id.
    message_id: Name
    #: The receiver's session id.
    target_id: Name


@frozen(kw_only=True)
class ToolWorkflowRunStart(OpenBody):
    """A workflow starts."""

    #: The run's id.
    run_id: Name
    #: The workflow's name.
    name: Name


@frozen(kw_only=True)
class ToolWorkflowRunEnd(OpenBody):
    """A workflow ended."""

    #: The run's id.
    run_id: Name
    #: Why it ended.
    stop_reason: Literal["completed", "cancelled", "error"]


@frozen(kw_only=True)
class ToolWorkflowAgentStart(OpenBody):
    """An agent of a workflow starts."""

    #: The run's id.
    run_id: Name
    #: The agent's number in the run, counted from 1; not a seq of the log.
    seq: Positive
    #: A label, for people.
    label: Text
    #: The agent's session id.
    child_id: Name
    #: The workflow's phase.
    phase: Text | None = None


@frozen(kw_only=True)
class ToolWorkflowAgentEnd(OpenBody):
    """An agent of a workflow ended."""

    #: The run's id.
    run_id: Name
    #: The agent's number in the run; not a seq of the log.
    seq: Positive
    #: How it ended.
    outcome: Literal["completed", "failed", "cancelled"]


@frozen(kw_only=True)
class ToolPtcDispatchStart(OpenBody):
    """A program that the model wrote calls a tool (REL-PTC)."""

    RULE: ClassVar[str] = "REL-PTC"
    #: The call of the model that the program belongs to.
    root_call_id: Name
    #: The call that made this one.
    parent_call_id: Name
    #: This call's id, started once.
    sub_call_id: Name
    #: The tool's name.
    name: Name
    #: The arguments.
    arguments: AnyJson


@frozen(kw_only=True)
class ToolPtcDispatch(OpenBody):
    """A tool call of a program ended (REL-PTC)."""

    RULE: ClassVar[str] = "REL-PTC"

    #: The call of the model that the program belongs to.
    root_call_id: Name
    #: The call that made this one.
    parent_call_id: Name
    #: This call's id.
    sub_call_id: Name
    #: The tool's name, as at the start.
    name: Name
    #: The arguments, as at the start.
    arguments: AnyJson
    #: Whether the tool failed.
    is_error: Expected[Bool] = None
    #: What it gave.
    content: Expected[tuple[Block, ...]] = None
    #: The tool's own remarks.
    meta: Unchecked[SomeJson] = None
    #: Why it failed, for programs.
    error: Unchecked[ToolError] = None


@frozen(kw_only=True)
class JobToolCall(Open):
    """The tool call that started a job."""

    #: The call's id.
    call_id: Text
    #: The call of the model that it belongs to.
    root_call_id: Text


@frozen(kw_only=True)
class JobRegistered(OpenBody):
    """A background job starts."""

    #: The job's id.
    job_id: Text
    #: The session that owns it.
    owner: Text
    #: What kind of job it is.
    kind: Text
    #: A label, for people.
    label: Text
    #: When it started, in ms since 1970 UTC.
    started_at: Finite
    #: The call that started it.
    tool_call: JobToolCall | None = None


@frozen(kw_only=True)
class JobSettled(OpenBody):
    """A background job ended."""

    #: The job's id.
    job_id: Text
    #: The session that owns it.
    owner: Text
    #: What kind of job it is.
    kind: Text
    #: A label, for people.
    label: Text
    #: When it started, in ms since 1970 UTC.
    started_at: Finite
    #: The call that started it.
    tool_call: JobToolCall | None = None
    #: When it ended, in ms since 1970 UTC.
    finished_at: Finite
    #: How it ended.
    status: Literal["completed", "killed", "failed"]
    #: Who ended it.
    cause: Literal["producer", "kill", "teardown"]
    #: Whether the job itself reported its end.
    producer_reported: Bool
    #: More, for people.
    detail: Text | None = None


@frozen(kw_only=True)
class Deliverable(Open):
    """A file that the model hands over."""

    #: The file's path.
    path: Text
    #: What it is.
    description: Text | None = None


@frozen(kw_only=True)
class DeliverablesPresented(OpenBody):
    """The model hands files over."""

    #: The turn's number.
    turn: Count
    #: The call that did it.
    call_id: Text
    #: The files.
    files: tuple[Deliverable, ...]
