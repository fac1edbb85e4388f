"""The shapes that a seed's events need so that a model can be asked with them, before v4.

A session is built from such a log only if each message could go into a request; an append asks for
none of it.

Source: facts, surface §4.6, step 4.
"""

from collections.abc import Mapping

from dsh_reference.refusal import Refusal
from dsh_reference.session.refuse import refuse_event
from dsh_spec.catalogue import Format
from dsh_spec.events import surface_types
from dsh_spec.values import Json, JsonObject

#: The role of the message, by the type of its event.
_ROLES: Mapping[str, str] = {
    "user/message": "user",
    "assistant/message": "assistant",
    "tool/result": "user",
    "system/message": "system",
}


def check_shape(event: JsonObject, format: Format) -> Refusal | None:  # noqa: A002 - the word of the specification
    """Say what keeps an event of a format before v4 out of a seed; v4 asks where it reads.

    Source: MSG-FIELDS, SRC-ASSISTANT, SRC-TOOL, INV-REQHDR-RESTORE, APP-LEGACY.
    """
    kind, seq = event["type"], event["seq"]
    assert isinstance(kind, str)
    assert isinstance(seq, int)
    found: tuple[str, str] | None = None
    if format == 4:
        return None
    if format < 2 and kind == "request/header-delta":
        found = "APP-LEGACY", "the type request/header-delta is retired"
    elif kind == "request/header":
        found = _header_problem(event["data"], format)
    else:
        return check_message(event, format)
    return None if found is None else refuse_event(seq, *found)


def check_message(event: JsonObject, format: Format) -> Refusal | None:  # noqa: A002 - the word of the specification
    """Say what keeps a message of a format before v4 from going into a request.

    Source: MSG-FIELDS, MSG-ROLES, SRC-ASSISTANT, SRC-TOOL, TOOLMSG-V0V3.
    """
    kind, seq = event["type"], event["seq"]
    assert isinstance(kind, str)
    assert isinstance(seq, int)
    found = _message_problem(kind, event["data"]) if kind in surface_types(format) else None
    return None if found is None else refuse_event(seq, *found)


def _header_problem(data: Json, format: Format) -> tuple[str, str] | None:  # noqa: A002 - the word of the specification
    if format < 2 and isinstance(data, Mapping) and data.get("reason") == "fallback":
        return "APP-LEGACY", "the reason fallback is retired"
    match data:
        case {"header": {"config": {"provider": str(provider), "model": str(model), **config}}}:
            effort = config.get("reasoningEffort", "some")
            if provider and model and isinstance(effort, str) and effort:
                return None
    return "INV-REQHDR-RESTORE", "it names no provider, no model or no effort"


def _message_problem(kind: str, data: Json) -> tuple[str, str] | None:
    message = data.get("message") if isinstance(data, Mapping) and kind != "user/message" else data
    match message:
        case {
            "id": str(name),
            "role": role,
            "content": list() | tuple() as content,
            "source": Mapping() as source,
        } if name and source.get("kind") and isinstance(source["kind"], str):
            if role != _ROLES[kind]:
                return "MSG-ROLES", f"its role is not {_ROLES[kind]}"
            return _source_problem(kind, source, content)
    return "MSG-FIELDS", "its message lacks an id, a role, a content or a source"


def _source_problem(
    kind: str, source: JsonObject, content: list[Json] | tuple[Json, ...]
) -> tuple[str, str] | None:
    origin = source["kind"]
    if kind == "assistant/message":
        is_named = all(
            isinstance(source.get(key), str) and source[key] for key in ("provider", "model")
        )
        if origin != "model" or not is_named:
            return "SRC-ASSISTANT", "its source is no model of a provider"
    if kind == "tool/result":
        call = source.get("callId")
        if origin != "tool" or not isinstance(call, str) or not call:
            return "SRC-TOOL", "its source is no call of a tool"
        match content:
            case [{"type": "tool-result", "toolCallId": answered, "content": [*_]}] if (
                answered == call
            ):
                return None
        return "TOOLMSG-V0V3", "its message is not one block that answers the call"
    return None
