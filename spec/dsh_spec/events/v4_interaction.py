"""Bodies of the plugin event types of commands, hooks, feedback, tasks and plans."""

from typing import ClassVar, Literal

from attrs import frozen

from dsh_spec.events.kinds import Count, Finite, Name, Positive, SafeInt, Text
from dsh_spec.events.record import Expected, Open, OpenBody, Unchecked


@frozen(kw_only=True)
class CommandSource(Open):
    """Who ran a command."""

    #: Always the user.
    kind: Literal["user"]


@frozen(kw_only=True)
class CommandRun(OpenBody):
    """A command was run (REL-COMMAND)."""

    RULE: ClassVar[str] = "REL-COMMAND"
    #: The run's id, unique in the log.
    command_id: Name
    #: The command's name.
    name: Expected[Name] = None
    #: What followed the name.
    args: Unchecked[Text] = None
    #: Who ran it.
    source: Expected[CommandSource] = None


@frozen(kw_only=True)
class CommandDone(OpenBody):
    """A run of a command ended (REL-COMMAND)."""

    RULE: ClassVar[str] = "REL-COMMAND"
    #: The run's id.
    command_id: Name
    #: How it ended.
    kind: Expected[Literal["success", "error"]] = None
    #: What it printed.
    text: Unchecked[Text] = None
    #: The seq of the event that shows its effect; kind ``success`` only.
    source_event_seq: Count | None = None


@frozen(kw_only=True)
class HookInvoked(OpenBody):
    """A hook was called."""

    #: The turn's number.
    turn: Count
    #: The hook point.
    point: Name
    #: Whose hook protocol it speaks.
    dialect: Literal["claude-code", "codex"]
    #: The pattern that selected it.
    matcher: Text | None = None
    #: The hook's id.
    handler_id: Name


@frozen(kw_only=True)
class HookResult(OpenBody):
    """A hook answered."""

    #: The turn's number.
    turn: Count
    #: The hook point.
    point: Name
    #: The hook's id.
    handler_id: Name
    #: What it decided.
    decision: Name
    #: The exit code of its process.
    exit_code: SafeInt | None = None
    #: The end of what its process wrote to stderr.
    stderr_summary: Text | None = None
    #: How long it took, in ms, not negative.
    duration_ms: Finite


#: What a piece of feedback is about.
FeedbackCategory = Literal[
    "task-result",
    "instruction-following",
    "product-interaction",
    "service-stability",
    "resource-cost",
    "security-privacy-permission",
    "other",
]


@frozen(kw_only=True)
class FeedbackRecord(OpenBody):
    """The user gave feedback on the session."""

    #: What the user wrote.
    text: Text | None = None
    #: What it is about.
    category: FeedbackCategory | None = None


@frozen(kw_only=True)
class FeedbackItem(Open):
    """The feedback on one message."""

    #: The message's id.
    message_id: Text
    #: The rating.
    rating: Literal["positive", "negative"]
    #: What the user wrote.
    note: Text | None = None
    #: What it is about.
    category: FeedbackCategory | None = None
    #: An opaque stamp of this state of the item.
    version: Text
    #: When it was first given, in ms since 1970 UTC.
    created_at: Count
    #: When it was last changed, in ms since 1970 UTC.
    updated_at: Count


@frozen(kw_only=True)
class FeedbackMessagePut(OpenBody):
    """The user gave or changed the feedback on one message."""

    #: The session of the message.
    session_id: Text
    #: The feedback.
    item: FeedbackItem


@frozen(kw_only=True)
class FeedbackMessageDelete(OpenBody):
    """The user withdrew the feedback on one message."""

    #: The session of the message.
    session_id: Text
    #: The message's id.
    message_id: Text


@frozen(kw_only=True)
class Todo(Open):
    """One item of the to-do list."""

    #: What is to be done.
    content: Text
    #: How far it is.
    status: Literal["pending", "in_progress", "completed"]


@frozen(kw_only=True)
class TodoWrite(OpenBody):
    """The whole to-do list; the latest one wins."""

    #: The items, in order.
    todos: tuple[Todo, ...]


@frozen(kw_only=True)
class BlockedReason(Open):
    """Why a goal is blocked."""

    #: The reason's code.
    code: Name
    #: The reason, for people.
    message: Name


@frozen(kw_only=True)
class Goal(Open):
    """A goal that the agent pursues over several turns."""

    #: The goal's id.
    id: Name
    #: Counts its changes from 1.
    revision: Positive
    #: What is to be reached.
    objective: Name
    #: Where it stands.
    phase: Literal["active", "paused", "blocked", "complete"]
    #: The most rounds that it may take.
    max_goal_rounds: Positive
    #: Why it is blocked; phase ``blocked`` only, and there always.
    blocked_reason: BlockedReason | None = None


@frozen(kw_only=True)
class ClearedGoal(Open):
    """The goal that was cleared."""

    #: The goal's id.
    id: Name
    #: Its last revision.
    revision: Positive


@frozen(kw_only=True)
class GoalChange(OpenBody):
    """The goal changed: operation ``clear`` names what went, every other one the new state."""

    #: Always ``goal/change``.
    kind: Literal["goal/change"]
    #: The version of this shape.
    version: Literal[1]
    #: What happened.
    operation: Literal["create", "edit", "pause", "resume", "complete", "block", "clear"]
    #: The cleared goal; operation ``clear`` only, and there always.
    cleared: ClearedGoal | None = None
    #: When it was cleared, in ms since 1970 UTC; operation ``clear`` only, and there always.
    cleared_at: Count | None = None
    #: The new state; every operation but ``clear``.
    goal: Goal | None = None
    #: How many rounds were begun; every operation but ``clear``.
    rounds_started: Count | None = None
    #: When the goal was created, in ms since 1970 UTC; every operation but ``clear``.
    created_at: Count | None = None
    #: When it was changed, in ms since 1970 UTC; every operation but ``clear``.
    updated_at: Count | None = None


@frozen(kw_only=True)
class Schedule(Open):
    """A prompt that waits for its time."""

    #: The schedule's id, without surrounding white space.
    id: Name
    #: How its time is said.
    kind: Literal["after", "at", "every"]
    #: What is asked when the time has come.
    prompt: Name
    #: The delay, in seconds; kind ``after`` only, and there always.
    after_seconds: Positive | None = None
    #: The period, in seconds, at least 300; kind ``every`` only, and there always.
    every_seconds: Positive | None = None
    #: The next time, as ``YYYY-MM-DDTHH:mm:ss.sssZ``.
    scheduled_at: Name
    #: A title, for people.
    title: Text | None = None


@frozen(kw_only=True)
class ScheduleChange(OpenBody):
    """The schedules changed."""

    #: The version of this shape.
    version: Literal[1]
    #: What happened.
    operation: Literal["create", "delete", "dispatch"]
    #: The new schedule; operation ``create`` only, and there always.
    schedule: Schedule | None = None
    #: The schedule's id; operations ``delete`` and ``dispatch``.
    id: Name | None = None
    #: When it was dispatched, as ``YYYY-MM-DDTHH:mm:ss.sssZ``; operation ``dispatch`` only.
    accepted_at: Name | None = None
