"""Where messages and content blocks stand in a row; what is nested deeper belongs to its owner."""

from collections.abc import Iterator, Sequence
from typing import TypeGuard

from dsh_spec.values import Json, JsonObject, is_object

_WITH_MESSAGE = frozenset(
    {"system/message", "developer/message", "assistant/message", "tool/result"}
)
_STREAMS = frozenset({"assistant/message", "assistant/attempt"})
_LISTS = {"agent/inbox/spliced": "inserted", "session/title-llm-request": "messages"}
_FREE = frozenset({"tool/ptc-dispatch", "team/message/queued"})
#: The types of rows with anything of this kind in them.
SLOTTED = (
    frozenset({"user/message", "compaction/summary"}) | _WITH_MESSAGE | _STREAMS | _FREE | {*_LISTS}
)


def messages_of(row: JsonObject) -> Iterator[JsonObject]:
    """Yield the messages of a row that have a role and a source (facts: events §5.2)."""
    kind, data = row.get("type"), row.get("data")
    if not isinstance(kind, str) or not is_object(data):
        return
    if kind == "user/message":
        yield data
    elif kind in _WITH_MESSAGE:
        message = data.get("message")
        if is_object(message):
            yield message
    elif kind in _LISTS:
        yield from _objects(data.get(_LISTS[kind]))


def tags_of(row: JsonObject) -> Iterator[Json]:
    """Yield the types of a row's content blocks, those of its streams included.

    Only a developer message may have blocks that add and remove tools among them.
    """
    for message in messages_of(row):
        yield from _tags(message.get("content"))
    kind, data = row.get("type"), row.get("data")
    if not isinstance(kind, str) or not is_object(data):
        return
    if kind in _STREAMS:
        yield from map(_stream_tag, _objects(data.get("stream")))
    elif kind == "compaction/summary":
        yield from _tags(data.get("summary"))
        yield from _tags(data.get("rawOutput"))


def free_tags_of(row: JsonObject) -> Iterator[Json]:
    """Yield the types of blocks that may be of any type but a retired one."""
    kind = row.get("type")
    if not isinstance(kind, str) or kind not in _FREE:
        return
    match row:
        case {"type": "tool/ptc-dispatch", "data": {"content": content}}:
            yield from _tags(content)
        case {"type": "team/message/queued", "data": {"message": {"content": content}}}:
            yield from _tags(content)


def is_list(value: Json) -> TypeGuard[Sequence[Json]]:
    """Tell whether a value is a JSON array."""
    return isinstance(value, list | tuple)


def _objects(value: Json) -> Iterator[JsonObject]:
    for item in value if is_list(value) else ():
        if is_object(item):
            yield item


def _tags(blocks: Json) -> Iterator[Json]:
    return (block.get("type") for block in _objects(blocks))


def _stream_tag(record: JsonObject) -> Json:
    chunk = record.get("chunk") if record.get("type") == "chunk" else None
    if not is_object(chunk) or chunk.get("type") not in ("block-start", "block-end"):
        return None
    match chunk:
        case {"type": "block-start", "blockType": tag}:
            return tag
        case {"type": "block-end", "block": {"type": tag}}:
            return tag
    return None
