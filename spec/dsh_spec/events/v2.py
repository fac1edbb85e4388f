"""Format v2: 51 types, said as differences from format v4.

The payloads are exact: no key that is not declared, and every field is checked (PL-EXACT).
Where v2 has the same fields as v4, or fewer, the class is that of v4; the classes of this module
are those of v4 with a field more, or with a field of another kind.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal

from attrs import frozen

from dsh_spec.events import v4_core as core
from dsh_spec.events import v4_delegation as delegation
from dsh_spec.events import v4_interaction as interaction
from dsh_spec.events import v4_message as message
from dsh_spec.events import v4_model as model
from dsh_spec.events import v4_session as session
from dsh_spec.events.kinds import AnyJson, AnyObject, Count, Flag, Name, Positive, Text
from dsh_spec.events.record import Body, JsonName
from dsh_spec.events.v2_message import REASONS, SOURCES
from dsh_spec.events.v4_types import CORE_TYPES, EVENT_TYPES
from dsh_spec.events.vocabulary import Vocabulary


@frozen(kw_only=True)
class ToolDeclaration:
    """A tool that the model may call."""

    #: The tool's name.
    name: Name
    #: What it is for.
    description: Text
    #: The schema of its parameters.
    parameters: AnyObject


@frozen(kw_only=True)
class EpochHeader:
    """A full snapshot of what a request carries beside the messages."""

    #: How the model is asked.
    config: core.RequestConfig
    #: Which configuration values came from the adapter (HDRREQ-DEFAULT-NEEDS-VALUE).
    adapter_defaults: core.AdapterDefaults | None = None
    #: The declared tools.
    tools: tuple[ToolDeclaration, ...] | None = None
    #: The system prompt; from v3 on it is a message of the surface.
    system: Text | None = None


@frozen(kw_only=True)
class RequestHeader(Body):
    """The request header changes; the latest one wins whole (PROJ-HEADER)."""

    #: The header.
    header: EpochHeader
    #: Why it was written.
    reason: Literal["initial", "resume", "change", "series"]
    #: Whether a new series of tool declarations starts here.
    starts_series: Flag = False


@frozen(kw_only=True)
class FeedbackRecord(Body):
    """The user gave feedback on the session."""

    #: What the user wrote.
    text: Name


@frozen(kw_only=True)
class DeliveryAccepted(Body):
    """Events up to a seq were delivered to a log service (DELIV-GEN, DELIV-OWNER).

    A record of another format than the log's own is not looked at but for its keys.
    """

    #: The session of the delivered events.
    session_id: AnyJson
    #: The last delivered seq.
    through_seq: AnyJson
    #: The format that ``throughSeq`` counts in; absent means 0.
    session_format_version: Count | None = None


@frozen(kw_only=True)
class TeamMember(Body):
    """A member of a team changed."""

    #: The version of this shape.
    version: Literal[1]
    #: The team's id.
    team_id: Name
    #: The member's new state.
    member: delegation.Member


@frozen(kw_only=True)
class TeamTask(Body):
    """A task of a team changed."""

    #: The version of this shape.
    version: Literal[1]
    #: The team's id.
    team_id: Name
    #: The task's new state.
    task: delegation.Task


@frozen(kw_only=True)
class QueuedMessage:
    """A message between members of a team."""

    #: The message's id.
    id: Name
    #: The sender's session id.
    sender_id: Name
    #: The receiver's session id.
    target_id: Name
    #: The sender's name.
    sender_name: Text
    #: Whether the receiver is woken for it.
    delivery: Literal["quiet", "wakeup"]
    #: What is said, in order.
    content: tuple[message.Block, ...]


@frozen(kw_only=True)
class TeamMessageQueued(Body):
    """A message between members of a team waits."""

    #: The version of this shape.
    version: Literal[1]
    #: The team's id.
    team_id: Name
    #: The message.
    message: QueuedMessage


@frozen(kw_only=True)
class TeamMessageDelivered(Body):
    """A message between members of a team arrived."""

    #: The version of this shape.
    version: Literal[1]
    #: The team's id.
    team_id: Name
    #: The message's id.
    message_id: Name
    #: The receiver's session id.
    target_id: Name


@frozen(kw_only=True)
class SearchText:
    """What is searched for."""

    #: Always ``text``.
    type: Literal["text"]
    #: The text.
    text: Text


@frozen(kw_only=True)
class SearchMessage:
    """The one message of a web search."""

    #: Always ``user``.
    role: Literal["user"]
    #: Exactly one text.
    content: tuple[SearchText, ...]


@frozen(kw_only=True)
class SearchTool:
    """The one tool of a web search."""

    #: Always ``web_search_20250305``.
    type: Literal["web_search_20250305"]
    #: Always ``web_search``.
    name: Literal["web_search"]
    #: How often the provider may search.
    max_uses: Annotated[Positive, JsonName("max_uses")]


@frozen(kw_only=True)
class WebSearchBody:
    """The body of a web search request, as sent."""

    #: The model's name.
    model: Name
    #: The most tokens that the answer may have.
    max_tokens: Annotated[Positive, JsonName("max_tokens")]
    #: Exactly one message.
    messages: tuple[SearchMessage, ...]
    #: Exactly one tool.
    tools: tuple[SearchTool, ...]


@frozen(kw_only=True)
class WebSearchLlmRequest(Body):
    """A provider was asked to search the web."""

    #: The address asked.
    endpoint: Name
    #: The interface version asked for.
    api_version: Name
    #: The request's body.
    body: WebSearchBody


#: Types of format v4 that came after v2.
_LATER: Final = frozenset(
    {
        "deliverables/presented",
        "developer/message",
        "feedback/message-delete",
        "feedback/message-put",
        "image/offload",
        "job/registered",
        "job/settled",
        "subagent/catalog",
        "system/message",
        "tool/ptc-dispatch",
        "tool/ptc-dispatch-start",
        "working-directory/change",
        "workspace/changes",
    }
)

_OWN: Final[Mapping[str, type[Body]]] = {
    "feedback/record": FeedbackRecord,
    "request/header": RequestHeader,
    "session-log-deepseek/delivery-accepted": DeliveryAccepted,
    "team/member": TeamMember,
    "team/message/delivered": TeamMessageDelivered,
    "team/message/queued": TeamMessageQueued,
    "team/task": TeamTask,
    "tool/code-dispatch": delegation.ToolPtcDispatch,
    "tool/code-dispatch-start": delegation.ToolPtcDispatchStart,
    "web/deepseek-search-llm-request": WebSearchLlmRequest,
}

_TYPES: Final = {
    **{type_: body for type_, body in EVENT_TYPES.items() if type_ not in _LATER},
    **_OWN,
}

#: The vocabulary of format v2.
V2: Final = Vocabulary(
    format=2,
    types=MappingProxyType(_TYPES),
    late=MappingProxyType(
        {
            "feedback/message-delete": interaction.FeedbackMessageDelete,
            "feedback/message-put": interaction.FeedbackMessagePut,
        }
    ),
    surface=frozenset({"user/message", "assistant/message", "tool/result"}),
    core=CORE_TYPES - {"system/message", "developer/message"},
    checked=frozenset(_TYPES),
    blocks=MappingProxyType(
        {
            cls.TAG: cls
            for cls in (
                message.TextBlock,
                message.ReasoningBlock,
                message.ImageBlock,
                message.ToolCallBlock,
                message.ToolResultBlock,
            )
        }
    ),
    sources=SOURCES,
    reasons=REASONS,
    missing=MappingProxyType(
        {
            core.ToolError: frozenset({"reason"}),
            delegation.ToolPtcDispatch: frozenset({"meta", "error"}),
            interaction.FeedbackItem: frozenset({"category"}),
            interaction.Schedule: frozenset({"title"}),
            message.ImageBlock: frozenset({"offloaded"}),
            message.Message: frozenset({"tool_call_id", "is_error"}),
            model.LlmFailure: frozenset({"offload_images"}),
            session.SessionTitleLlmRequest: frozenset({"reasoning_effort"}),
        }
    ),
    exact=True,
)
