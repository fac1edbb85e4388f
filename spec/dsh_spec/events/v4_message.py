"""Messages of format v4, their content blocks and their sources.

A message stands in five places: a user message is the whole ``data`` of its event; system,
developer and assistant messages and tool results are its key ``message``.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Literal, TypeAlias

from attrs import field, frozen

from dsh_spec.events.kinds import AnyJson, Bool, Count, Name, Positive, Text, UncheckedFlag
from dsh_spec.events.record import Open, Rest, Unchecked, Undeclared


@frozen(kw_only=True)
class TextBlock(Open):
    """Text that the model reads or wrote."""

    TAG: ClassVar[str] = "text"
    #: The text, any UTF-16 string.
    text: Text


@frozen(kw_only=True)
class ReasoningBlock(Open):
    """What the model thought before it answered."""

    TAG: ClassVar[str] = "reasoning"
    #: The text, any UTF-16 string.
    text: Text


@frozen(kw_only=True)
class Dimensions(Open):
    """The size of an image before it was scaled down."""

    #: The width, in pixels.
    width: Positive
    #: The height, in pixels.
    height: Positive


@frozen(kw_only=True)
class ImageAttachment(Open):
    """Where an image's bytes are kept, and what they are."""

    #: The id under which the bytes are stored, outside the log.
    attachment_id: Name
    #: The media type of the bytes.
    media_type: Literal["image/png", "image/jpeg", "image/webp", "image/gif"]
    #: The size, in bytes.
    bytes: Count
    #: The width, in pixels.
    width: Positive
    #: The height, in pixels.
    height: Positive
    #: The file name that the user gave.
    name: Text | None = None
    #: The size before scaling.
    original_dimensions: Dimensions | None = None


@frozen(kw_only=True)
class ImageBlock(Open):
    """An image, by reference."""

    TAG: ClassVar[str] = "image"
    #: The image.
    attachment: ImageAttachment
    #: Whether the image is withheld from the model; a mark of projections, not of logs.
    offloaded: UncheckedFlag = False


@frozen(kw_only=True)
class ToolCallBlock(Open):
    """A tool call that the model asks for; it advertises the call id (REL-TOOL-ADVERTISE)."""

    TAG: ClassVar[str] = "tool-call"
    #: The call id, which the result names.
    id: Name
    #: The tool's name.
    name: Name
    #: The arguments as the model wrote them; they may be no valid JSON.
    arguments: Text


@frozen(kw_only=True)
class ToolAddition(Open):
    """A tool becomes available from here on; in developer messages only (DEV-BLOCKS)."""

    TAG: ClassVar[str] = "tool-addition"
    #: The tool's name, declared by the header that ``headerSeq`` names.
    tool_name: Name


@frozen(kw_only=True)
class ToolRemoval(Open):
    """A tool is no longer available from here on; in developer messages only (DEV-BLOCKS)."""

    TAG: ClassVar[str] = "tool-removal"
    #: The tool's name.
    tool_name: Name


@frozen(kw_only=True)
class ToolResultBlock(Open):
    """What a tool call gave, wrapped in a user message; in formats up to v3 (TOOLMSG-V0V3)."""

    TAG: ClassVar[str] = "tool-result"
    #: The call id.
    tool_call_id: Name
    #: What the tool gave: blocks, which are kept as they came.
    content: tuple[AnyJson, ...]
    #: Whether the tool failed.
    is_error: Bool | None = None


@frozen(kw_only=True)
class OtherBlock:
    """A block of a type without a class, such as ``file``, or one that does not fit its class."""

    #: The block's type.
    type: Name
    #: All its other keys.
    fields: Rest = field(factory=dict)


#: Any content block; a value without a type is ``Undeclared``.
Block: TypeAlias = (
    TextBlock
    | ReasoningBlock
    | ImageBlock
    | ToolCallBlock
    | ToolAddition
    | ToolRemoval
    | ToolResultBlock
    | OtherBlock
    | Undeclared
)

#: The classes of content blocks, each by the type that marks it.
BLOCKS: Mapping[str, type[Open]] = MappingProxyType(
    {
        cls.TAG: cls
        for cls in (TextBlock, ReasoningBlock, ImageBlock, ToolCallBlock, ToolAddition, ToolRemoval)
    }
)


@frozen(kw_only=True)
class Source:
    """Who produced a message; the kinds are open (SRC-V4-NO-PLUGIN)."""

    #: The producer's kind: ``user``, ``model``, ``tool``, ``system-prompt``, ...
    kind: Name
    #: All its other keys, such as ``callId`` of kind ``tool``.
    fields: Rest = field(factory=dict)


@frozen(kw_only=True)
class Message(Open):
    """One message of the conversation (MSG-FIELDS)."""

    RULE: ClassVar[str] = "MSG-FIELDS"

    #: Its identity, opaque and stable (MSG-ID).
    id: Name
    #: Who speaks: ``user``, ``assistant``, ``system``, ``developer`` or ``tool`` (MSG-ROLES).
    role: Name
    #: What is said, in order.
    content: tuple[Block, ...]
    #: Who produced it.
    source: Source
    #: The call that the message answers; role ``tool`` only (TOOLMSG-V4).
    tool_call_id: Unchecked[Name] = None
    #: Whether the tool failed; role ``tool`` only (TOOLMSG-V4).
    is_error: Unchecked[Bool] = None
