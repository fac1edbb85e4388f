"""What a model request is made of: the messages, the request header, the context and the tools.

Each is a function of the log.  Messages follow the surface; the other three follow the log itself,
and no replacement changes them.
"""

from collections.abc import Mapping, Sequence

from dsh_reference.messages import message_json, with_message
from dsh_reference.refusal import Refusal
from dsh_reference.surface import fold
from dsh_reference.tools import tool_history
from dsh_spec.events import (
    SURFACE_TYPES,
    Append,
    AssistantMessage,
    DeveloperMessage,
    Event,
    RequestContext,
    RequestHeader,
    SystemMessage,
    unstructure_event,
)
from dsh_spec.values import Json, JsonObject

__all__ = ["append_origin", "derive", "request_context", "request_header", "tool_history"]


def derive(events: Sequence[Event]) -> list[JsonObject] | Refusal:
    """Return the messages that the model sees, as JSON, in order; or why the log has no surface.

    Each is the stored message, or the one that a projection laid over it.  The messages of the
    model, the system and the developer show only with content.

    Source: PROJ-HISTORY, PROJ-VERBATIM, PROJ-EMPTY, PROJ-OFFLOADED (facts: surface §2.1).
    """
    surface = fold(events)
    if isinstance(surface, Refusal):
        return surface
    shown = [
        with_message(events[seq], surface.projected[seq])
        if seq in surface.projected
        else events[seq]
        for seq in surface.nodes
    ]
    return [message_json(event) for event in shown if not _is_silent(event)]


def append_origin(events: Sequence[Event]) -> tuple[Event, ...]:
    """Return the message events of the transcript for people: the appended ones, in log order.

    Source: PROJ-APPEND-ORIGIN (facts: surface §2.3).
    """
    return tuple(
        event
        for event in events
        if event.type in SURFACE_TYPES and isinstance(event.surface_op, Append)
    )


def request_header(events: Sequence[Event]) -> JsonObject | None:
    """Return the header of the latest ``request/header`` in canonical form, ``None`` without one.

    Canonical are its config, its adapter defaults if one is true, and its tools if there are any.

    Source: PROJ-HEADER (facts: surface §2.4).
    """
    latest = _latest(events, RequestHeader)
    if latest is None:
        return None
    header = latest["header"]
    assert isinstance(header, Mapping)
    canonical: dict[str, Json] = {"config": header["config"]}
    defaults = header.get("adapterDefaults")
    if isinstance(defaults, Mapping) and True in (
        defaults.get("reasoningEffort"),
        defaults.get("maxTokens"),
    ):
        canonical["adapterDefaults"] = defaults
    if header.get("tools"):
        canonical["tools"] = header["tools"]
    return canonical


def request_context(events: Sequence[Event]) -> JsonObject | None:
    """Return the payload of the latest ``request/context``, whole; ``None`` without one.

    Source: PROJ-CONTEXT (facts: surface §2.5).
    """
    return _latest(events, RequestContext)


def _latest(
    events: Sequence[Event], body: type[RequestHeader | RequestContext]
) -> JsonObject | None:
    for event in reversed(events):
        if isinstance(event.data, body):
            data = unstructure_event(event)["data"]
            assert isinstance(data, Mapping)
            return data
    return None


def _is_silent(event: Event) -> bool:
    match event.data:
        case AssistantMessage() | SystemMessage() | DeveloperMessage() as body:
            return not body.message.content
        case _:
            return False
