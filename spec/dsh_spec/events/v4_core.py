"""Bodies of the core event types of format v4: boundaries, messages, tools and request records."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from attrs import field, frozen

from dsh_spec.events.kinds import (
    AnyJson,
    Count,
    Finite,
    Flag,
    Name,
    Positive,
    SomeJson,
    Text,
    ToolDeclaration,
    UncheckedFlag,
)
from dsh_spec.events.record import Body, Expected, Open, OpenBody, Rest, Unchecked
from dsh_spec.events.v4_message import Message


@frozen(kw_only=True)
class TurnStart(OpenBody):
    """A turn opens; only when none is open (PL-TURN-START, REL-TURN)."""

    RULE: ClassVar[str] = "PL-TURN-START"
    #: The turn's number, counted from 1 without gaps.
    turn: Count


@frozen(kw_only=True)
class TurnEndReason:
    """Why a turn ended; other kinds than the known ones are kept as they are (PL-TURN-END)."""

    #: ``completed``, ``blocked``, ``max-tokens``, ``interrupted``, ``forked``, ``aborted``, ...
    kind: Name
    #: All its other keys, such as ``error`` of kind ``error``.
    fields: Rest = field(factory=dict)


@frozen(kw_only=True)
class TurnEnd(OpenBody):
    """The open turn closes; no step of it is open (PL-TURN-END, REL-TURN)."""

    RULE: ClassVar[str] = "REL-TURN"
    #: The turn's number.
    turn: Count
    #: Why it ended.
    reason: Expected[TurnEndReason] = None


@frozen(kw_only=True)
class StepStart(OpenBody):
    """A step of the open turn opens (REL-STEP)."""

    RULE: ClassVar[str] = "PL-TURN-START"
    #: The turn's number.
    turn: Count
    #: The step's number, counted from 1 in each turn.
    step: Count


@frozen(kw_only=True)
class StepEnd(OpenBody):
    """The open step closes; every advertised call has a result (REL-STEP, REL-TOOL-CLOSED)."""

    RULE: ClassVar[str] = "PL-TURN-START"
    #: The turn's number.
    turn: Count
    #: The step's number.
    step: Count


@frozen(kw_only=True)
class UserMessage(Body):
    """A message in the user's role; its ``data`` is the message itself."""

    RULE: ClassVar[str] = "MSG-FIELDS"
    #: The message, role ``user``; undeclared keys stand in its ``extra``.
    message: Message


@frozen(kw_only=True)
class SystemMessage(OpenBody):
    """A system prompt (SURF-HEAD-V4)."""

    RULE: ClassVar[str] = "PL-SYSTEM-MESSAGE"
    #: The open turn.
    turn: Positive
    #: The open step.
    step: Positive
    #: The message, role ``system``, source kind ``system-prompt``; empty content clears the prompt.
    message: Message


@frozen(kw_only=True)
class DeveloperMessage(OpenBody):
    """A message of the harness to the model, which may add and remove tools (DEV-BLOCKS)."""

    RULE: ClassVar[str] = "REL-IN-STEP"
    RULES: ClassVar[Mapping[str, str]] = {
        "message": "MSG-FIELDS",
        "header_seq": "DEV-HEADERSEQ-IFF",
    }
    #: The open turn.
    turn: Positive
    #: The open step.
    step: Positive
    #: The message, role ``developer``.
    message: Message
    #: The seq of the request header that declares the added tools; present exactly when tools are
    #: added (DEV-HEADERSEQ-IFF).
    header_seq: Count | None = None


@frozen(kw_only=True)
class TokenUsage(Open):
    """What one model call cost."""

    #: Tokens read, cached ones included.
    input_tokens: Count
    #: Tokens written.
    output_tokens: Count
    #: The sum, where the provider says it.
    total_tokens: Count | None = None
    #: Tokens read from the provider's cache.
    cache_read_tokens: Count | None = None
    #: Tokens written to the provider's cache.
    cache_write_tokens: Count | None = None
    #: Tokens of reasoning, a part of the output.
    reasoning_tokens: Count | None = None


@frozen(kw_only=True)
class AssistantMessage(OpenBody):
    """What the model answered; its tool-call blocks advertise calls (REL-TOOL-ADVERTISE)."""

    RULE: ClassVar[str] = "PL-ASSISTANT-STREAM"
    RULES: ClassVar[Mapping[str, str]] = {"message": "MSG-FIELDS"}
    #: The open turn.
    turn: Count
    #: The open step.
    step: Count
    #: The message, role ``assistant``, source kind ``model``.
    message: Message
    #: The records of the stream that it was assembled from; their shape is not checked on read.
    stream: tuple[AnyJson, ...]
    #: What the call cost.
    usage: Unchecked[TokenUsage] = None
    #: Whether it is the kept prefix of a cancelled stream.
    interrupted: UncheckedFlag = False


@frozen(kw_only=True)
class AssistantAttempt(OpenBody):
    """A stream that ended without a message; the model never sees it again."""

    RULE: ClassVar[str] = "PL-ASSISTANT-STREAM"
    #: The open turn.
    turn: Count
    #: The open step.
    step: Count
    #: The records of the stream; their shape is not checked on read.
    stream: tuple[AnyJson, ...]


@frozen(kw_only=True)
class ToolCall(OpenBody):
    """An advertised call starts (REL-TOOL-CALL)."""

    RULE: ClassVar[str] = "REL-TOOL-CALL"
    #: The open turn.
    turn: Count
    #: The open step.
    step: Count
    #: The advertised call id.
    call_id: Name
    #: The tool's name, as advertised.
    name: Name
    #: The arguments, character for character as advertised.
    arguments: Text


@frozen(kw_only=True)
class ToolError(Open):
    """Why a tool call failed, for programs; only on an error (PL-RESULT-ERROR-CONSISTENT)."""

    #: The error's class name.
    name: Name
    #: The error's code.
    code: Name
    #: More, for people.
    reason: Text | None = None


@frozen(kw_only=True)
class ToolResult(OpenBody):
    """What a tool call gave; an append answers the call, a replacement rewrites a result."""

    RULE: ClassVar[str] = "TOOLMSG-V4"
    RULES: ClassVar[Mapping[str, str]] = {"turn": "REL-IN-STEP", "step": "REL-IN-STEP"}
    #: The turn of the call.
    turn: Count
    #: The step of the call.
    step: Count
    #: The message, role ``tool``, source kind ``tool`` (TOOLMSG-V4).
    message: Message
    #: Why it failed.
    error: Unchecked[ToolError] = None
    #: The tool's own remarks, which the model does not see.
    meta: Unchecked[SomeJson] = None


@frozen(kw_only=True)
class RequestConfig(Open):
    """How the model is asked (INV-REQHDR-RESTORE)."""

    RULE: ClassVar[str] = "INV-REQHDR-RESTORE"
    #: The provider's name.
    provider: Name
    #: The model's name.
    model: Name
    #: How hard the model shall think.
    reasoning_effort: Name | None = None
    #: The most tokens that the answer may have.
    max_tokens: Unchecked[Positive] = None
    #: How freely the model chooses among likely tokens.
    temperature: Unchecked[Finite] = None
    #: Strings at which the model stops.
    stop: Unchecked[tuple[Text, ...]] = None


@frozen(kw_only=True)
class AdapterDefaults:
    """Which configuration values came from the adapter (HDRREQ-DEFAULT-NEEDS-VALUE)."""

    RULE: ClassVar[str] = "HDRREQ-DEFAULT-NEEDS-VALUE"
    #: Whether ``reasoningEffort`` did.
    reasoning_effort: Flag = False
    #: Whether ``maxTokens`` did.
    max_tokens: Flag = False


@frozen(kw_only=True)
class EpochHeader(Open):
    """A full snapshot of what a request carries beside the messages (HDRREQ-CANONICAL)."""

    RULE: ClassVar[str] = "HDRREQ-CANONICAL"
    RULES: ClassVar[Mapping[str, str]] = {"adapter_defaults": "HDRREQ-DEFAULT-NEEDS-VALUE"}
    #: How the model is asked.
    config: RequestConfig
    #: Which configuration values came from the adapter.
    adapter_defaults: AdapterDefaults | None = None
    #: The declared tools; never an empty list.
    tools: Unchecked[tuple[ToolDeclaration, ...]] = None


@frozen(kw_only=True)
class RequestHeader(OpenBody):
    """The request header changes; the latest one wins whole (PROJ-HEADER)."""

    RULE: ClassVar[str] = "HDRREQ-CANONICAL"
    RULES: ClassVar[Mapping[str, str]] = {
        "reason": "INV-REQHDR-RESTORE",
        "starts_series": "INV-REQHDR-RESTORE",
    }
    #: The header.
    header: EpochHeader
    #: Why it was written (INV-REQHDR-RESTORE).
    reason: Literal["initial", "resume", "change", "series"]
    #: Whether a new series of tool declarations starts here.
    starts_series: Flag = False


@frozen(kw_only=True)
class RequestContext(OpenBody):
    """Which model answers, and how much it can hold; the latest one wins whole (PROJ-CONTEXT)."""

    RULE: ClassVar[str] = "PROJ-CONTEXT"
    #: The provider's name.
    provider: Expected[Name] = None
    #: The model's name.
    model: Expected[Name] = None
    #: How much the model can hold, in tokens; absent where unknown.
    context_window: Unchecked[Positive] = None


@frozen(kw_only=True)
class EndSeed(OpenBody):
    """All events before this one were inherited or restored (CUT-V2PLUS)."""

    RULE: ClassVar[str] = "CUT-V2PLUS"
    #: Whether the events before were inherited from another session.
    inherited: UncheckedFlag = False
