"""What a checked body can get wrong on its own beyond the kinds of its fields.

A body that passes is right as far as it alone can be: what remains needs the events before it.
Each check takes the body and the value that it was read from.
"""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from cattrs import Converter

from dsh_spec.events import v4_core as core
from dsh_spec.events.misfit import MISFITS, explain
from dsh_spec.events.record import Body, Undeclared
from dsh_spec.events.shape_error import Step, shape_error
from dsh_spec.events.v4_message import BLOCKS, Block, Message, OtherBlock, ToolAddition
from dsh_spec.events.v4_session import DeliveryAccepted, SessionTitleLlmRequest
from dsh_spec.values import JsonObject, is_object

Place: TypeAlias = tuple[Step, ...]
_MESSAGE: Place = ("data", "message")
#: Bodies of which nothing is asked here; most events of a log have one of them.
_FREE: Final[frozenset[type[Body]]] = frozenset(
    {core.TurnStart, core.TurnEnd, core.StepStart, core.StepEnd, core.ToolCall}
)
_TITLE_SERVICE: JsonObject = {"kind": "dsh-session-title-llm"}


def check_body(body: Body, data: Any, seq: int, converter: Converter) -> None:
    """Refuse a checked body that breaks a rule on its own.

    ``data`` is what it was read from, ``seq`` the place of its event in the log.
    """
    if type(body) in _FREE:
        return
    match body:
        case core.UserMessage(message=message):
            check_role(message, "user", ("data",))
        case core.SystemMessage(message=message):
            _check_system(message, converter)
        case core.DeveloperMessage():
            _check_developer(body)
        case core.AssistantMessage(message=message):
            check_assistant(message, converter)
        case core.ToolResult(message=message):
            _check_result(message, data)
        case core.RequestHeader(header=header):
            check_header(header, data["header"])
            _check_deferring(header)
        case DeliveryAccepted(session_format_version=4):
            check_delivery(body, seq)
        case SessionTitleLlmRequest():
            check_title_request(body, data["messages"], _TITLE_SERVICE)


def check_role(message: Message, role: str, place: Place = _MESSAGE) -> None:
    """Refuse a message in another role."""
    if message.role != role:
        rule = "DEV-ROLE" if "developer" in (role, message.role) else "MSG-ROLES"
        raise shape_error(rule, (*place, "role"), f'must be "{role}"')


def is_name(value: object) -> bool:
    """Whether a value is a non-empty string."""
    return isinstance(value, str) and value != ""


def _blocks(message: Message) -> Iterator[tuple[Place, Block]]:
    for index, block in enumerate(message.content):
        yield (*_MESSAGE, "content", index), block


def _check_fits(block: OtherBlock, place: Place, rule: str, converter: Converter) -> None:
    """Refuse a block that does not fit the class of its type."""
    cls = BLOCKS.get(block.type)
    if cls is not None:
        try:
            converter.structure({**block.fields, "type": block.type}, cls)
        except MISFITS as error:
            raise explain(error, rule=rule, steps=place) from None


def _check_system(message: Message, converter: Converter) -> None:
    check_role(message, "system")
    if message.source.kind != "system-prompt":
        raise shape_error("SRC-SYSTEM", (*_MESSAGE, "source", "kind"), 'must be "system-prompt"')
    for place, block in _blocks(message):
        match block:
            case Undeclared():
                problem = "must be an object whose type is a non-empty string"
                raise shape_error("PL-SYSTEM-MESSAGE", place, problem)
            case OtherBlock():
                _check_fits(block, place, "PL-SYSTEM-MESSAGE", converter)


def _check_developer(body: core.DeveloperMessage) -> None:
    check_role(body.message, "developer")
    additions = 0
    for place, block in _blocks(body.message):
        match block:
            case ToolAddition(extra=extra):
                additions += 1
                if "tool" in extra:
                    raise shape_error("DEV-NO-INLINE", (*place, "tool"), "must be absent")
            case OtherBlock(type="tool-addition" | "tool-removal"):
                problem = "must be a non-empty string"
                raise shape_error("DEV-TOOLNAME", (*place, "toolName"), problem)
    if (additions > 0) != (body.header_seq is not None):
        problem = "must be present exactly when the content has a tool-addition block"
        raise shape_error("DEV-HEADERSEQ-IFF", ("data", "headerSeq"), problem)


def check_assistant(message: Message, converter: Converter) -> None:
    """Refuse what is no answer of a model (SRC-ASSISTANT, REL-TOOL-ADVERTISE)."""
    check_role(message, "assistant")
    source: Place = (*_MESSAGE, "source")
    if message.source.kind != "model":
        raise shape_error("SRC-ASSISTANT", (*source, "kind"), 'must be "model"')
    for key in ("provider", "model"):
        if not is_name(message.source.fields.get(key)):
            raise shape_error("SRC-ASSISTANT", (*source, key), "must be a non-empty string")
    for place, block in _blocks(message):
        match block:
            case Undeclared(value=value) if not is_object(value):
                raise shape_error("REL-TOOL-ADVERTISE", place, "must be an object")
            case OtherBlock(type="tool-call"):
                _check_fits(block, place, "REL-TOOL-ADVERTISE", converter)


def _check_result(message: Message, data: Any) -> None:
    check_role(message, "tool")
    if message.source.kind != "tool":
        raise shape_error("SRC-TOOL", (*_MESSAGE, "source", "kind"), 'must be "tool"')
    call_id = message.source.fields.get("callId")
    if not is_name(call_id):
        place = (*_MESSAGE, "source", "callId")
        raise shape_error("SRC-TOOL", place, "must be a non-empty string")
    if message.tool_call_id != call_id:
        place = (*_MESSAGE, "toolCallId")
        raise shape_error("TOOLMSG-V4", place, "must be the callId of the source")
    if message.is_error is None and "isError" in data["message"]:
        place = (*_MESSAGE, "isError")
        raise shape_error("TOOLMSG-V4", place, "must be true or false, or absent")
    if "error" in data and not message.is_error:
        problem = "must be absent unless the message has isError: true"
        raise shape_error("PL-RESULT-ERROR-CONSISTENT", ("data", "error"), problem)


def check_header(header: core.EpochHeader, data: Any) -> None:
    """Refuse a request header in another form than the canonical one (HDRREQ-CANONICAL)."""
    place: Place = ("data", "header")
    if "system" in data:
        raise shape_error("HDRREQ-CANONICAL", (*place, "system"), "must be absent")
    if header.tools == ():
        raise shape_error("HDRREQ-CANONICAL", (*place, "tools"), "must be absent, not empty")
    if header.adapter_defaults is not None:
        _check_defaults(data["adapterDefaults"], data["config"], (*place, "adapterDefaults"))


def _check_deferring(header: core.EpochHeader) -> None:
    for index, tool in enumerate(header.tools or ()):
        if is_object(tool) and tool.get("deferLoading", True) is not True:
            place: Place = ("data", "header", "tools", index, "deferLoading")
            raise shape_error("HDRREQ-DEFER", place, "must be true, or absent")


def _check_defaults(defaults: Any, config: Any, place: Place) -> None:
    if not defaults:
        raise shape_error("HDRREQ-CANONICAL", place, "must be absent, not empty")
    for key in defaults:
        if key not in config:
            problem = "must be absent where the config lacks that key"
            raise shape_error("HDRREQ-DEFAULT-NEEDS-VALUE", (*place, key), problem)


def check_delivery(body: DeliveryAccepted, seq: int) -> None:
    """Check a record that counts in the log's own format; those of others are not read."""
    if not body.session_id:
        raise shape_error("DELIV-GEN", ("data", "sessionId"), "must be a non-empty string")
    if body.through_seq is None or body.through_seq >= seq:
        raise shape_error("DELIV-GEN", ("data", "throughSeq"), f"must be a seq below {seq}")


def check_title_request(body: SessionTitleLlmRequest, messages: Any, source: JsonObject) -> None:
    """Check that the request is one message of one text block, from the source of the service."""
    rule = "REL-TITLE-REQUEST"
    if not body.message_seqs:
        raise shape_error(rule, ("data", "messageSeqs"), "must not be empty")
    match messages:
        case [{"role": "user", "source": said, "content": [{"type": "text"}]}]:
            if said.items() >= source.items():
                return
    who = " ".join(map(str, source.values()))
    problem = f"must be one user message of source {who} with one text block"
    raise shape_error(rule, ("data", "messages"), problem)
