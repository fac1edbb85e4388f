"""Bodies of the plugin event types around the model: compaction, image offload and retries."""

from typing import ClassVar, Literal

from attrs import frozen

from dsh_spec.events.kinds import (
    Count,
    Finite,
    Name,
    NullableCount,
    Positive,
    SafeInt,
    Text,
    UncheckedFlag,
)
from dsh_spec.events.record import Expected, Open, OpenBody, Unchecked
from dsh_spec.events.v4_core import TokenUsage
from dsh_spec.events.v4_message import Block


@frozen(kw_only=True)
class CompactionStart(OpenBody):
    """A compaction opens (REL-COMPACT-OPEN)."""

    RULE: ClassVar[str] = "REL-COMPACT-OPEN"
    #: The compaction's id.
    compaction_id: Name
    #: The open turn, or null between turns.
    turn: NullableCount
    #: The command that asked for it.
    source_command_id: Name | None = None


@frozen(kw_only=True)
class CompactionEnd(OpenBody):
    """The open compaction closes (REL-COMPACT-OWNER, REL-COMPACT-TURN)."""

    RULE: ClassVar[str] = "REL-COMPACT-OWNER"
    #: The compaction's id.
    compaction_id: Name
    #: The turn of its start.
    turn: NullableCount
    #: The command that asked for it.
    source_command_id: Name | None = None
    #: Why it failed.
    error: Unchecked[Text] = None


@frozen(kw_only=True)
class SurfaceRange(Open):
    """A stretch of the surface; both ends belong to it."""

    #: The seq of its first node.
    start: Count
    #: The seq of its last node.
    end: Count


@frozen(kw_only=True)
class CompactionSummary(OpenBody):
    """What a model made of the shadowed stretch (REL-COMPACT-SPAN)."""

    RULE: ClassVar[str] = "REL-COMPACT-SPAN"
    #: The compaction's id.
    compaction_id: Name
    #: The summary.
    summary: Expected[tuple[Block, ...]] = None
    #: The shadowed stretch.
    shadowed_range: SurfaceRange
    #: The seqs of its nodes, in surface order.
    shadowed_seqs: tuple[Count, ...]
    #: The size of the shadowed stretch, in tokens.
    shadowed_token_count: Expected[Count] = None
    #: The provider's name.
    provider: Expected[Name] = None
    #: The model's name.
    model: Expected[Name] = None
    #: The command that asked for it.
    source_command_id: Name | None = None
    #: The most tokens that the answer may have.
    max_tokens: Unchecked[Count] = None
    #: What the call cost.
    usage: Unchecked[TokenUsage] = None
    #: What the model answered, before it was cut to the summary.
    raw_output: Unchecked[tuple[Block, ...]] = None
    #: Whether the model was asked through the stream of the session.
    llm_stream_call: UncheckedFlag = False


@frozen(kw_only=True)
class CompactionPrune(OpenBody):
    """A stretch of the surface is about to be rewritten without a model (REL-COMPACT-SPAN)."""

    RULE: ClassVar[str] = "REL-COMPACT-SPAN"
    #: The shadowed stretch.
    shadowed_range: SurfaceRange
    #: The seqs of its nodes, in surface order.
    shadowed_seqs: tuple[Count, ...]
    #: The size of the shadowed stretch, in tokens.
    shadowed_token_count: Expected[Count] = None


@frozen(kw_only=True)
class OffloadTarget(Open):
    """Images of one message."""

    #: The seq of the message's event.
    seq: Count
    #: Which image blocks, counted in the message's content, strictly increasing.
    image_indexes: tuple[Count, ...]


@frozen(kw_only=True)
class ImageOffload(OpenBody):
    """Images are withheld from the model; the one type that projects messages (IMG-TARGETS)."""

    #: The messages concerned, each once.
    targets: tuple[OffloadTarget, ...]


@frozen(kw_only=True)
class LlmFailure(Open):
    """Why a model call failed."""

    #: The failure, for people.
    message: Name
    #: The failure, for programs.
    code: Name
    #: The HTTP status, 100 to 599.
    status: SafeInt | None = None
    #: How long the provider asks to wait, in ms, more than 0.
    provider_retry_after_ms: Finite | None = None
    #: The provider's id of the request.
    request_id: Name | None = None
    #: How many images to withhold; code ``IMAGE_OFFLOAD_REQUIRED`` only.
    offload_images: Positive | None = None


@frozen(kw_only=True)
class LlmRetry(OpenBody):
    """A failed model call will be tried again (REL-RETRY-COORD, REL-RETRY-CHAIN)."""

    RULE: ClassVar[str] = "REL-RETRY-CHAIN"
    #: The chain's id.
    retry_id: Name
    #: The open turn.
    turn: Count
    #: The open step, or the last closed one, or 0.
    step: Count
    #: The provider of the latest request header.
    provider: Name
    #: Whether the retries are bounded.
    mode: Expected[Literal["normal", "always"]] = None
    #: Which policy decided.
    policy_key: Name
    #: The number of this retry, counted from 1 in its chain.
    retry: Positive
    #: The wait before it, in ms, at most 2^31-1.
    delay_ms: Expected[Finite] = None
    #: Why the call failed.
    failure: Expected[LlmFailure] = None
    #: The most retries; mode ``normal`` only, and there always.
    max_retries: Unchecked[Positive] = None


@frozen(kw_only=True)
class LlmRetryStarted(OpenBody):
    """An announced retry starts (REL-RETRY-START)."""

    RULE: ClassVar[str] = "REL-RETRY-START"
    #: The chain's id.
    retry_id: Name
    #: The turn of the retry.
    turn: Count
    #: The step of the retry.
    step: Count
    #: Its number.
    retry: Positive
