"""What the edge asks of sources, tool results and deliveries, beyond their shape."""

from collections.abc import Mapping
from typing import Final

from dsh_reference.admit.calls import is_numbered
from dsh_reference.admit.slots import messages_of
from dsh_reference.migrate.edit import Wrong
from dsh_spec.texts import NOT_STARTED
from dsh_spec.values import JsonObject, is_object

_KINDS: Final = frozenset(
    {
        "user",
        "plugin",
        "model",
        "tool",
        "agent-instructions",
        "session-reference",
        "team-message",
        "goal",
        "skill-invocation",
        "skill-catalog",
        "coordinator",
        "subagent-report",
        "subagent-settled",
        "webhook",
        "agent-message",
    }
)
_TARGET: Final = 3


def check_sources(event: JsonObject) -> Wrong | None:
    """Name the first source of a message whose kind v2 did not have.

    Source: MIG23-SOURCES (facts: migration §3.5).
    """
    for message in messages_of(event):
        source = message["source"]
        kind = source.get("kind") if is_object(source) else None
        if kind not in _KINDS:
            problem = f"the source {str(kind)[:80]!r} is unknown"
            return Wrong(rule="MIG23-SOURCES", problem=problem)
    return None


def check_result(event: JsonObject) -> Wrong | None:
    """Hold a tool result with an error to being one, and one of a call never started to its id.

    Source: MIG23-ERROR-CONSISTENT, MIG23-NOT-STARTED (facts: migration §3.3, §3.5).
    """
    if event["type"] != "tool/result":
        return None
    match event:
        case {"data": {"error": error, "message": Mapping() as message}}:
            pass
        case _:
            return None
    blocks = message.get("content")
    match blocks:
        case [{"type": "tool-result", "isError": True, "toolCallId": str(call)}]:
            pass
        case _:
            return Wrong(rule="MIG23-ERROR-CONSISTENT", problem="its error is of no failed result")
    match error, message.get("id"):
        case {"code": NOT_STARTED.code}, str(name):
            if not is_numbered(name, f"interrupted-tool-result-{call}-"):
                problem = "the result of a call that never started has another id"
                return Wrong(rule="MIG23-NOT-STARTED", problem=problem)
    return None


def check_delivery(event: JsonObject) -> Wrong | None:
    """Refuse a delivery that would, by its new format, count as one of the migrated log's.

    Source: MIG23-DELIVERY (facts: migration §3.5).
    """
    if event["type"] != "session-log-deepseek/delivery-accepted":
        return None
    match event:
        case {"data": Mapping() as data}:
            if data.get("sessionFormatVersion") == _TARGET:
                return Wrong(rule="MIG23-DELIVERY", problem="it claims to be of format v3")
    return None
