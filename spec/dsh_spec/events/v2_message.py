"""What stands in the payloads of formats v0 to v2 and in no later one: sources, reasons, wrappers.

Every class here is exact: its object has no other keys.  A source or a reason of another kind than
these belongs to its producer and may have any keys (MIG01-OPEN-ARMS).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from attrs import frozen

from dsh_spec.events.kinds import AnyJson, Bool, Count, Flag, Name, NullableCount, Positive, Text
from dsh_spec.events.v4_model import LlmFailure


@frozen(kw_only=True)
class UserSource:
    """The user."""

    #: The id of the call that brought the message.
    rpc_id: Name | None = None
    #: The user's time zone.
    client_time_zone: Name | None = None


@frozen(kw_only=True)
class PluginSource:
    """A plugin; the form says what the message is for (SRC-FORM)."""

    #: The plugin's name; ``compact`` writes the checkpoints of compactions.
    plugin: Name
    #: What the message is.
    form: Literal["instructions", "catalog", "snapshot", "notice", "relay", "recall"] | None = None
    #: The parts of a snapshot, each with a name and a text; form ``snapshot`` only.
    sections: AnyJson | None = None
    #: The message in a line; form ``notice`` only.
    summary: AnyJson | None = None
    #: The compaction; plugin ``compact`` only, and there always.
    compaction_id: Name | None = None
    #: The command that asked for the compaction; plugin ``compact`` only.
    source_command_id: Name | None = None


@frozen(kw_only=True)
class ModelSource:
    """A model."""

    #: The provider's name.
    provider: Name
    #: The model's name.
    model: Name
    #: What the provider wants back with the message; any JSON value.
    replay_state: AnyJson | None = None


@frozen(kw_only=True)
class ToolSource:
    """A tool."""

    #: The call that the message answers.
    call_id: Name


@frozen(kw_only=True)
class InstructionChange:
    """A file of instructions came, changed or went."""

    #: What happened to it.
    action: Literal["set", "replace", "remove"]
    #: For what it holds.
    scope: Text
    #: Where it lies.
    path: Text
    #: A digest of its text.
    digest: Text | None = None


@frozen(kw_only=True)
class AgentInstructionsSource:
    """Files of instructions in the workspace."""

    #: Always ``instructions``.
    form: Literal["instructions"]
    #: What changed.
    changes: tuple[InstructionChange, ...]
    #: Whether it is the state at the start.
    baseline: Flag = False
    #: What identifies that state.
    baseline_identity: Name | None = None


@frozen(kw_only=True)
class SessionReference:
    """Another session, quoted in the message (SRC-SESSIONREF)."""

    #: The session's id, once in the list.
    session_id: Name
    #: What the user calls it.
    label: Text
    #: The last seq that was quoted; null where nothing was.
    captured_through_seq: NullableCount
    #: The format that this seq counts in.
    captured_format_version: Count | None = None
    #: Whether the session was compacted.
    compacted: Bool
    #: How many messages it has.
    original_messages: Count
    #: How many of them are quoted.
    retained_messages: Count
    #: How many of them are not.
    omitted_messages: Count
    #: How much is left out, in bytes.
    omitted_bytes: Count
    #: Whether anything is left out.
    truncated: Bool
    #: The place of the reference in the list, counted from 0.
    input_index: Count


@frozen(kw_only=True)
class SessionReferenceSource:
    """Other sessions, quoted."""

    #: Always ``recall``.
    form: Literal["recall"]
    #: The version of this shape.
    version: Literal[1]
    #: The sessions; at least one.
    references: tuple[SessionReference, ...]


@frozen(kw_only=True)
class TeamMessageSource:
    """Another member of the team."""

    #: The team's id.
    team_id: Name
    #: The id of the team's message.
    message_id: Name
    #: The sender's session id.
    sender_id: Name
    #: The sender's name.
    sender_name: Text


@frozen(kw_only=True)
class GoalSource:
    """The goal that the agent pursues."""

    #: The goal's id.
    goal_id: Name
    #: The goal's revision.
    revision: Positive
    #: The round, counted from 1.
    round: Positive


@frozen(kw_only=True)
class SkillInvocationSource:
    """A skill that was invoked."""

    #: The skill's name.
    name: Name
    #: Always ``instructions``.
    form: Literal["instructions"]


@frozen(kw_only=True)
class SkillEntry:
    """A skill that may be invoked."""

    #: The skill's name.
    name: Name
    #: What it is for.
    description: Text


@frozen(kw_only=True)
class SkillCatalogSource:
    """The skills that may be invoked."""

    #: Always ``catalog``.
    form: Literal["catalog"]
    #: The skills.
    entries: tuple[SkillEntry, ...]
    #: Whether it changes an earlier catalogue.
    update: Flag = False


@frozen(kw_only=True)
class RelaySource:
    """Another session, word for word."""

    #: Always ``relay``.
    form: Literal["relay"]
    #: The session's id.
    sender_session_id: Name


@frozen(kw_only=True)
class SubagentSettledSource:
    """A subagent that ended."""

    #: Always ``notice``.
    form: Literal["notice"]
    #: The message in a line.
    summary: Text
    #: The subagent's session id.
    sender_session_id: Name


@frozen(kw_only=True)
class WebhookSource:
    """A call from outside."""

    #: The provider's name.
    provider: Name
    #: Which of its sources.
    source: Name
    #: The delivery's id.
    delivery_id: Name
    #: The rule that let it in.
    rule_id: Name
    #: Always ``notice``.
    form: Literal["notice"]
    #: The message in a line.
    summary: Text


#: The fields of a source, by its kind.
SOURCES: Mapping[str, type] = MappingProxyType(
    {
        "user": UserSource,
        "plugin": PluginSource,
        "model": ModelSource,
        "tool": ToolSource,
        "agent-instructions": AgentInstructionsSource,
        "session-reference": SessionReferenceSource,
        "team-message": TeamMessageSource,
        "goal": GoalSource,
        "skill-invocation": SkillInvocationSource,
        "skill-catalog": SkillCatalogSource,
        "coordinator": RelaySource,
        "subagent-report": RelaySource,
        "subagent-settled": SubagentSettledSource,
        "webhook": WebhookSource,
        "agent-message": RelaySource,
    }
)


@frozen(kw_only=True)
class NoMore:
    """A reason that says no more than its kind."""


@frozen(kw_only=True)
class AbortCause:
    """What broke a turn off."""

    #: Who or what.
    kind: Literal["user", "parent", "disposed", "legacy", "hook"]
    #: What the hook said; kind ``hook`` only, and there always.
    reason: Text | None = None


@frozen(kw_only=True)
class AbortedReason:
    """The turn was broken off."""

    #: By what.
    reason: AbortCause


@frozen(kw_only=True)
class ErrorReason:
    """A model call failed for good."""

    #: The failure.
    error: LlmFailure


#: The fields of the reason of a ``turn/end``, by its kind.
REASONS: Mapping[str, type] = MappingProxyType(
    {
        "completed": NoMore,
        "blocked": NoMore,
        "max-tokens": NoMore,
        "interrupted": NoMore,
        "aborted": AbortedReason,
        "error": ErrorReason,
    }
)
