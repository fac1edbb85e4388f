"""The message that an event carries."""

from collections.abc import Mapping

from attrs import evolve

from dsh_spec.events import (
    AssistantMessage,
    DeveloperMessage,
    Event,
    Message,
    SystemMessage,
    ToolResult,
    UserMessage,
    unstructure_event,
)
from dsh_spec.values import JsonObject

#: The bodies that carry a message.
MessageBody = UserMessage | SystemMessage | DeveloperMessage | AssistantMessage | ToolResult


def message_of(event: Event) -> Message | None:
    """Return the message of an event of a surface type, ``None`` for any other event."""
    return event.data.message if isinstance(event.data, MessageBody) else None


def with_message(event: Event, message: Message) -> Event:
    """Return an event with another message in the place of its own."""
    assert isinstance(event.data, MessageBody)
    return evolve(event, data=evolve(event.data, message=message))


def message_json(event: Event) -> JsonObject:
    """Return the message of an event of a surface type as JSON.

    The payload of a user message *is* the message; all others keep it under a key.

    Source: PROJ-HISTORY (facts: surface §2.1).
    """
    match unstructure_event(event)["data"]:
        case {"message": Mapping() as message} if not isinstance(event.data, UserMessage):
            return message
        case Mapping() as message:
            return message
        case _:
            raise AssertionError("an event of a surface type carries a message")
