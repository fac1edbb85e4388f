"""Bodies of the plugin event types about the session: inbox, choices, policies and titles."""

from typing import Annotated, ClassVar, Literal

from attrs import frozen

from dsh_spec.events.kinds import AbsolutePath, AnyObject, Bool, Count, Name, Positive, Text
from dsh_spec.events.record import Expected, JsonName, Open, OpenBody, Unchecked
from dsh_spec.events.v4_message import Message


@frozen(kw_only=True)
class AgentInboxSpliced(OpenBody):
    """A pending list of user messages was spliced."""

    #: Which pending list.
    target: Literal["next-turn", "next-step"]
    #: Where, an index into the list.
    start: Count
    #: How many messages left the list.
    removed_count: Count | None = None
    #: The messages that entered it, all of role ``user``.
    inserted: tuple[Message, ...]
    #: ``canceled`` where the removed messages were withdrawn and not claimed.
    outcome: Literal["canceled"] | None = None


@frozen(kw_only=True)
class AgentPresetSelected(OpenBody):
    """An agent preset was chosen; it overrides the header's."""

    #: The preset's name.
    agent_preset: Text


@frozen(kw_only=True)
class ModelSelection(OpenBody):
    """A model was chosen for the turns to come."""

    #: The provider's name.
    provider: Name
    #: The model's name.
    model: Name
    #: How hard the model shall think.
    reasoning_effort: Name | None = None


@frozen(kw_only=True)
class PermissionPreset(OpenBody):
    """A permission preset was chosen."""

    #: The preset's name.
    preset: Name


@frozen(kw_only=True)
class PlanMode(OpenBody):
    """Plan mode was turned on or off."""

    #: Whether it is on.
    active: Bool


@frozen(kw_only=True)
class SandboxMode(OpenBody):
    """The sandbox mode changed."""

    #: What tools may touch.
    mode: Literal["read-only", "workspace-write", "danger-full-access"]
    #: ``delegation`` where a parent session set it.
    source: Literal["delegation"] | None = None


@frozen(kw_only=True)
class ApprovalPolicy(OpenBody):
    """The approval policy changed."""

    #: Whether the user is asked.
    policy: Literal["ask", "never"]
    #: ``delegation`` where a parent session set it.
    source: Literal["delegation"] | None = None


@frozen(kw_only=True)
class ApprovalAsked(OpenBody):
    """The user is asked whether a tool may run."""

    #: The question's id.
    id: Name
    #: The tool's name.
    tool_name: Name
    #: The call that waits.
    call_id: Name | None = None
    #: Why the user is asked.
    reason: Text | None = None


@frozen(kw_only=True)
class ApprovalDecided(OpenBody):
    """A question was answered."""

    #: The question's id.
    id: Name
    #: The answer.
    outcome: Literal["allowed-once", "rejected", "cancelled", "unavailable"]


@frozen(kw_only=True)
class WorkingDirectoryChange(OpenBody):
    """The working directory changed; the latest one overrides the header's."""

    #: The directory.
    cwd: AbsolutePath


@frozen(kw_only=True)
class WorkspaceChanges(OpenBody):
    """Files of the workspace changed in a turn."""

    #: The turn's number.
    turn: Count


@frozen(kw_only=True)
class TitleModel(Open):
    """The model that wrote a title."""

    #: The provider's name.
    provider: Name
    #: The model's name.
    model: Name


@frozen(kw_only=True)
class TitleSource(Open):
    """Who wrote a title."""

    #: Who.
    kind: Expected[Literal["fallback", "user", "provider"]] = None
    #: The title provider; kind ``provider`` only, and there always.
    provider: Unchecked[Name] = None
    #: Its model; kind ``provider`` only.
    model: Unchecked[TitleModel] = None


@frozen(kw_only=True)
class SessionTitle(OpenBody):
    """The session got a title; the latest one wins (REL-TITLE)."""

    RULE: ClassVar[str] = "REL-TITLE"
    #: The title.
    title: Expected[Name] = None
    #: The seqs of the user messages that it was made from; empty exactly for source ``user``.
    message_seqs: tuple[Count, ...]
    #: Who wrote it.
    source: TitleSource


@frozen(kw_only=True)
class SessionTitleLlmRequest(OpenBody):
    """A model was asked for a title (REL-TITLE-REQUEST)."""

    RULE: ClassVar[str] = "REL-TITLE-REQUEST"
    #: The title provider.
    title_provider: Expected[Name] = None
    #: The seqs of the user messages shown to the model.
    message_seqs: tuple[Count, ...]
    #: The model asked.
    route: Expected[TitleModel] = None
    #: The system prompt.
    system: Expected[Text] = None
    #: The messages sent.
    messages: Expected[tuple[Message, ...]] = None
    #: The most tokens that the answer may have.
    max_tokens: Expected[Positive] = None
    #: How hard the model shall think.
    reasoning_effort: Unchecked[Text] = None


@frozen(kw_only=True)
class DeliveryAccepted(OpenBody):
    """Events up to a seq were delivered to a log service (DELIV-GEN, DELIV-OWNER)."""

    RULE: ClassVar[str] = "DELIV-GEN"
    #: The session of the delivered events.
    session_id: Expected[Text] = None
    #: The last delivered seq.
    through_seq: Expected[Count] = None
    #: The format that ``throughSeq`` counts in; absent means 0.
    session_format_version: Count | None = None


@frozen(kw_only=True)
class WebSearchBody(Open):
    """The body of a web search request, as sent."""

    #: The model's name.
    model: Name
    #: The most tokens that the answer may have.
    max_tokens: Annotated[Positive, JsonName("max_tokens")]
    #: Exactly one message of role ``user`` with one text block.
    messages: tuple[AnyObject, ...]
    #: Exactly one tool, ``web_search``.
    tools: tuple[AnyObject, ...]


@frozen(kw_only=True)
class WebSearchLlmRequest(OpenBody):
    """A provider was asked to search the web."""

    #: The address asked.
    endpoint: Name
    #: The interface version asked for.
    api_version: Text
    #: The request's body.
    body: WebSearchBody
