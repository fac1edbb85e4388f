"""What a checked body of format v3 can get wrong on its own beyond the kinds of its fields.

Each check takes the body and the value that it was read from, as those of v4 do.
"""

from typing import Any

from cattrs import Converter

from dsh_spec.events import v4_core as core
from dsh_spec.events.exact_messages import check_wrapped
from dsh_spec.events.local import (
    check_assistant,
    check_delivery,
    check_header,
    check_role,
    check_title_request,
)
from dsh_spec.events.record import Body
from dsh_spec.events.shape_error import shape_error
from dsh_spec.events.v4_message import Message
from dsh_spec.events.v4_session import DeliveryAccepted, SessionTitleLlmRequest
from dsh_spec.values import JsonObject

_MESSAGE = ("data", "message")
_TITLE_SERVICE: JsonObject = {"kind": "plugin", "plugin": "dsh-session-title-llm"}


def check_body_v3(body: Body, data: Any, seq: int, converter: Converter) -> None:
    """Refuse a checked body that breaks a rule on its own.

    ``data`` is what it was read from, ``seq`` the place of its event in the log.
    """
    match body:
        case core.UserMessage(message=message):
            check_role(message, "user", ("data",))
        case core.SystemMessage(message=message):
            _check_system(message)
        case core.AssistantMessage(message=message):
            check_assistant(message, converter)
        case core.ToolResult(message=message):
            block = check_wrapped(message)
            if "error" in data and not block.is_error:
                problem = "must be absent unless the tool-result block has isError: true"
                raise shape_error("PL-RESULT-ERROR-CONSISTENT", ("data", "error"), problem)
        case core.RequestHeader(header=header):
            check_header(header, data["header"])
        case DeliveryAccepted(session_format_version=3):
            check_delivery(body, seq)
        case SessionTitleLlmRequest():
            check_title_request(body, data["messages"], _TITLE_SERVICE)


def _check_system(message: Message) -> None:
    check_role(message, "system")
    if message.source.kind != "plugin":
        raise shape_error("PL-SYSTEM-MESSAGE", (*_MESSAGE, "source", "kind"), 'must be "plugin"')
