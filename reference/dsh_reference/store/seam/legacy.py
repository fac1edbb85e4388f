"""Shapes that writers of format v0 used before its last ones, read in the present shape.

The store rewrites nothing: whoever reads a log gets its events in the present shape, and the bytes
stay as they are.  What already has a present member is left alone, so that damage to it shows.

Observed on 0.1.0rc7, JSONL and SQLite alike (STORE-LEGACY-READ; facts: persistence §1.1, migration
§1.3).  The migration to v1 knows these shapes too, and a few more that no store of v0 ever read.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from attrs import frozen

from dsh_reference.refusal import Refusal
from dsh_reference.values import is_count
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

#: Types that no store of v0 takes any more, neither to append nor to read.
RETIRED = frozenset({"request/header-delta", "mode/set"})


@frozen(kw_only=True)
class _Place:
    """Where an event stands."""

    #: The id of its session.
    session: str
    #: The ids of the messages before it, by seq.
    messages: Mapping[int, str]


def present(events: Sequence[JsonObject], session_id: str) -> tuple[JsonObject, ...] | Refusal:
    """Return the events of a log of format v0 in their present shape (STORE-LEGACY-READ)."""
    shown: list[JsonObject] = []
    messages: dict[int, str] = {}
    place = _Place(session=session_id, messages=messages)
    for seq, event in enumerate(events):
        made = _present(event, place)
        if made is None or is_retired(event):
            return Refusal(
                kind=RefusalKind.CORRUPT,
                rule="STORE-LEGACY-READ",
                where=f"event {seq}",
                problem=f"no reader can make out this {event.get('type')}",
            )
        shown.append(made)
        message_id = _message_id(made)
        if message_id is not None:
            messages[seq] = message_id
    return tuple(shown)


def is_retired(event: JsonObject) -> bool:
    """Whether the event is of a kind that is refused by name (STORE-RETIRED-REFUSED)."""
    data = event.get("data")
    fallback = isinstance(data, Mapping) and data.get("reason") == "fallback"
    kind = event.get("type")
    return kind in RETIRED or (kind == "request/header" and fallback)


def _present(event: JsonObject, place: _Place) -> JsonObject | None:
    """Return an event in its present shape; nothing when it has none."""
    change = _CHANGES.get(str(event.get("type")))
    data = event.get("data")
    if change is None or not isinstance(data, Mapping):
        return event
    return change(event, data, place)


def _message_id(event: JsonObject) -> str | None:
    """Return the id of the message that an event carries, where it carries one."""
    data = event.get("data")
    message = data.get("message", data) if isinstance(data, Mapping) else None
    found = message.get("id") if isinstance(message, Mapping) else None
    return found if isinstance(found, str) else None


def _minted(event: JsonObject, place: _Place) -> str:
    return f"legacy-message:{place.session}:{event['seq']}"


def _turn_start(event: JsonObject, data: JsonObject, _: _Place) -> JsonObject | None:
    if "trigger" not in data:
        return event
    trigger = data["trigger"]
    named = isinstance(trigger, Mapping) and isinstance(trigger.get("kind"), str)
    if data.keys() != {"turn", "trigger"} or not named:
        return None
    return {**event, "data": {"turn": data["turn"]}}


def _turn_end(event: JsonObject, data: JsonObject, _: _Place) -> JsonObject | None:
    reason = data.get("reason")
    if not isinstance(reason, Mapping):
        return None
    made = _reason(reason)
    return None if made is None else {**event, "data": {**data, "reason": made}}


def _reason(reason: JsonObject) -> JsonObject | None:
    match reason:
        case {"kind": "aborted"} if "reason" not in reason:
            return {"kind": "aborted", "reason": {"kind": "legacy"}}
        case {"kind": "disposed"}:
            return {"kind": "aborted", "reason": {"kind": "disposed"}}
        case {"kind": "error"} if "error" not in reason:
            error = _failure(reason)
            return None if error is None else {"kind": "error", "error": error}
        case _:
            return reason


def _failure(reason: JsonObject) -> Json:
    """Return the error of an old reason; nothing when it is malformed."""
    match reason:
        case {"step": step, "failure": Mapping() as failure} if is_count(step):
            return failure
        case {"step": step, "message": str(message)} if is_count(step):
            return {"message": message, "code": reason.get("code", "UNKNOWN")}
        case _:
            return None


def _steering(event: JsonObject, data: JsonObject, place: _Place) -> JsonObject | None:
    if data.keys() == {"turn", "message"}:
        return {**event, "type": "user/message", "data": data["message"]}
    if data.keys() == {"turn", "content", "source"}:
        said = {key: data[key] for key in ("content", "source")}
        message = {**said, "id": _minted(event, place), "role": "user"}
        return {**event, "type": "user/message", "data": message}
    return None


def _user(event: JsonObject, data: JsonObject, place: _Place) -> JsonObject | None:
    is_old = {"content", "source"} <= data.keys() and not {"id", "role", "message"} & data.keys()
    if not is_old:
        return event
    return {**event, "data": {**data, "id": _minted(event, place), "role": "user"}}


def _assistant(event: JsonObject, data: JsonObject, place: _Place) -> JsonObject | None:
    provenance = data.get("provenance")
    if "message" in data or "content" not in data or not isinstance(provenance, Mapping):
        return event
    rest = {key: value for key, value in data.items() if key not in ("content", "provenance")}
    message = {
        "id": _minted(event, place),
        "role": "assistant",
        "content": data["content"],
        "source": {**provenance, "kind": "model"},
    }
    return {**event, "data": {**rest, "message": message}}


def _tool_result(event: JsonObject, data: JsonObject, place: _Place) -> JsonObject | None:
    if "message" in data or not {"callId", "content", "isError"} <= data.keys():
        return event
    message_id = _minted(event, place)
    match event.get("surfaceOp"):
        case {"op": "replace", "start": int(start)}:
            message_id = place.messages.get(start, "")
    if not message_id:
        return None
    old = ("callId", "content", "isError")
    rest = {key: value for key, value in data.items() if key not in old}
    block: JsonObject = {
        "type": "tool-result",
        "toolCallId": data["callId"],
        "content": data["content"],
        "isError": data["isError"],
    }
    message: JsonObject = {
        "id": message_id,
        "role": "user",
        "content": [block],
        "source": {"kind": "tool", "callId": data["callId"]},
    }
    return {**event, "data": {**rest, "message": message}}


_CHANGES: Mapping[str, Callable[[JsonObject, JsonObject, _Place], JsonObject | None]] = (
    MappingProxyType(
        {
            "turn/start": _turn_start,
            "turn/end": _turn_end,
            "steering/message": _steering,
            "user/message": _user,
            "assistant/message": _assistant,
            "tool/result": _tool_result,
        }
    )
)
