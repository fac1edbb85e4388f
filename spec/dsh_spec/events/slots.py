"""What format v4 refuses in the places where messages and content blocks stand.

These rules hold for plugin payloads too, and they look at the values as they came: a message that
fits no class still must not come from a ``plugin``, and a summary must not hold a ``tool-result``.
Only the blocks of the place itself are looked at, never what is nested in them.
"""

from collections.abc import Callable
from typing import Any

from dsh_spec.events.kinds import is_list
from dsh_spec.events.shape_error import Step, shape_error
from dsh_spec.values import is_object

_Place = tuple[Step, ...]
_TOOL_CHANGES = ("tool-addition", "tool-removal")
_JUDGED = ("tool-result", *_TOOL_CHANGES)


def check_slots(type_: str, data: Any) -> None:
    """Refuse retired and misplaced things in the messages and blocks of a body.

    Rules: BLOCK-V4-RETIRED, DEV-BLOCKS, DEV-ROLE, SRC-V4-NO-PLUGIN.
    """
    check = _CHECKS.get(type_)
    if check is not None and is_object(data):
        check(data)


def _get(value: Any, key: str) -> Any:
    return value.get(key) if is_object(value) else None


def _check_type(place: _Place, tag: object, *, changes: bool) -> None:
    if tag == "tool-result":
        problem = "must not be a tool-result block, which format v4 retired"
        raise shape_error("BLOCK-V4-RETIRED", place, problem)
    if not changes and tag in _TOOL_CHANGES:
        problem = f"must not be a {tag} block, which belongs into developer messages"
        raise shape_error("DEV-BLOCKS", place, problem)


def _check_blocks(place: _Place, blocks: Any, *, changes: bool = False) -> None:
    if is_list(blocks):
        for index, block in enumerate(blocks):
            tag = _get(block, "type")
            if tag in _JUDGED:
                _check_type((*place, index), tag, changes=changes)


def _check_message(place: _Place, message: Any, *, changes: bool = False) -> None:
    kind = _get(_get(message, "source"), "kind")
    if not isinstance(kind, str) or kind in ("", "plugin"):
        problem = 'must be a non-empty string other than "plugin"'
        raise shape_error("SRC-V4-NO-PLUGIN", (*place, "source", "kind"), problem)
    _check_blocks((*place, "content"), message.get("content"), changes=changes)


def _check_stream(data: Any) -> None:
    for index, record in enumerate(data["stream"]):
        chunk = _get(record, "chunk") if _get(record, "type") == "chunk" else None
        if _get(chunk, "type") not in ("block-start", "block-end"):
            continue
        place = ("data", "stream", index, "chunk")
        match chunk:
            case {"type": "block-start", "blockType": tag}:
                _check_type((*place, "blockType"), tag, changes=False)
            case {"type": "block-end", "block": {"type": tag}}:
                _check_type((*place, "block", "type"), tag, changes=False)


def _check_user(data: Any) -> None:
    _check_message(("data",), data)


def _check_inner(data: Any) -> None:
    _check_message(("data", "message"), data["message"])


def _check_developer(data: Any) -> None:
    _check_message(("data", "message"), data["message"], changes=True)


def _check_assistant(data: Any) -> None:
    _check_inner(data)
    _check_stream(data)


def _check_list(key: str) -> Callable[[Any], None]:
    """Check a list of messages in a plugin payload."""

    def check(data: Any) -> None:
        messages = data.get(key)
        if not is_list(messages):
            raise shape_error("MSG-FIELDS", ("data", key), "must be a list of messages")
        for index, message in enumerate(messages):
            place = ("data", key, index)
            _check_message(place, message)
            if message.get("role") == "developer":
                problem = 'must not be "developer" outside developer/message'
                raise shape_error("DEV-ROLE", (*place, "role"), problem)

    return check


def _check_summary(data: Any) -> None:
    for key in ("summary", "rawOutput"):
        _check_blocks(("data", key), data.get(key))


def _check_dispatch(data: Any) -> None:
    _check_blocks(("data", "content"), data.get("content"), changes=True)


def _check_queued(data: Any) -> None:
    place = ("data", "message", "content")
    _check_blocks(place, _get(data.get("message"), "content"), changes=True)


_CHECKS: dict[str, Callable[[Any], None]] = {
    "user/message": _check_user,
    "system/message": _check_inner,
    "developer/message": _check_developer,
    "assistant/message": _check_assistant,
    "assistant/attempt": _check_stream,
    "tool/result": _check_inner,
    "agent/inbox/spliced": _check_list("inserted"),
    "session/title-llm-request": _check_list("messages"),
    "compaction/summary": _check_summary,
    "tool/ptc-dispatch": _check_dispatch,
    "team/message/queued": _check_queued,
}
