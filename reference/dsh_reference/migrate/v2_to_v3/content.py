"""Which content blocks the edge takes: those whose kind it knows, wherever they stand.

A block of a kind that it does not know might hold the seq of an event, and would go on holding the
old one.  So this edge refuses what later ones namespace.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from dsh_reference.admit.slots import SLOTTED, is_list, messages_of
from dsh_reference.migrate.edit import Wrong
from dsh_reference.payload import check_payload
from dsh_reference.refusal import Refusal
from dsh_reference.values import is_count
from dsh_spec.values import Json, JsonObject, is_object

_RULE: Final = "MIG23-CONTENT"
_KINDS: Final = frozenset({"text", "reasoning", "image", "file", "tool-call", "tool-result"})
_SLOTTED: Final = SLOTTED | {"tool/code-dispatch"}
_STREAMS: Final = frozenset({"assistant/message", "assistant/attempt"})
_USER: Final = {"kind": "user"}
_HEADER: Final[JsonObject] = {
    "version": 2,
    "id": "s",
    "createdAt": 0,
    "isSeeded": False,
    "delegationDepth": 0,
}


def check_content(event: JsonObject) -> Wrong | None:
    """Name the first block of an event, of its streams included, that the edge does not take.

    The event's payload is right but for the shape of what its streams hold.

    Source: MIG23-CONTENT (facts: migration §3.5).
    """
    if event["type"] not in _SLOTTED:
        return None
    for blocks in _block_lists(event):
        wrong = _check_blocks(blocks)
        if wrong is not None:
            return wrong
    match event:
        case {"type": str(kind), "data": {"stream": stream}} if kind in _STREAMS:
            return _check_stream(stream)
    return None


def _block_lists(event: JsonObject) -> Iterator[Json]:
    for message in messages_of(event):
        yield message["content"]
    match event:
        case {"type": "compaction/summary", "data": Mapping() as data}:
            yield data["summary"]
            yield data.get("rawOutput", ())
        case {"type": "tool/code-dispatch", "data": {"content": content}}:
            yield content
        case {"type": "team/message/queued", "data": {"message": {"content": content}}}:
            yield content


def _check_blocks(blocks: Json) -> Wrong | None:
    """Look into tool results too, however deep they lie."""
    waiting = [blocks]
    while waiting:
        members = waiting.pop()
        if not is_list(members):
            return Wrong(rule=_RULE, problem="its content is no list")
        for block in members:
            wrong = _check_block(block)
            if wrong is not None:
                return wrong
            if is_object(block) and block["type"] == "tool-result":
                waiting.append(block.get("content"))
    return None


def _check_block(block: Json) -> Wrong | None:
    match block:
        case {"type": "file"}:
            return None if _is_file(block) else Wrong(rule=_RULE, problem="a file block is none")
        case {"type": str(kind)} if kind in _KINDS:
            return None
        case {"type": kind}:
            return Wrong(rule=_RULE, problem=f"content of the kind {str(kind)[:80]!r} is unknown")
    return Wrong(rule=_RULE, problem="a content block has no type")


def _is_file(block: Json) -> bool:
    match block:
        case {
            "type": "file",
            "attachment": {"attachmentId": str(name), "name": str(), "bytes": size, **inner},
            **outer,
        }:
            return not inner and not outer and name != "" and is_count(size)
    return False


def _check_stream(stream: Json) -> Wrong | None:
    """Look at the blocks that a stream opens and closes; it is not replayed."""
    for record in stream if is_list(stream) else ():
        if not is_object(record):
            return Wrong(rule=_RULE, problem="a stream record is no object")
        if record.get("type") != "chunk":
            continue
        wrong = _check_chunk(record.get("chunk"))
        if wrong is not None:
            return wrong
    return None


def _check_chunk(chunk: Json) -> Wrong | None:
    if not is_object(chunk):
        return Wrong(rule=_RULE, problem="a chunk of its stream is no object")
    if chunk.get("type") not in ("block-start", "block-end"):
        return None
    match chunk:
        case {"type": "block-start"}:
            return _check_kind(chunk.get("blockType"))
        case {"type": "block-end"}:
            return _check_closed(chunk.get("block"))
    return None


def _check_kind(kind: Json) -> Wrong | None:
    if isinstance(kind, str) and kind in _KINDS:
        return None
    return Wrong(rule=_RULE, problem=f"content of the kind {str(kind)[:80]!r} is unknown")


def _check_closed(block: Json) -> Wrong | None:
    """Ask a block that a stream closes for all that one in a message would be asked for."""
    wrong = _check_blocks([block])
    if wrong is not None:
        return wrong
    message: JsonObject = {"id": "m", "role": "user", "content": [block], "source": _USER}
    event: JsonObject = {
        "type": "user/message",
        "seq": 0,
        "time": 0,
        "data": message,
        "surfaceOp": "append",
    }
    refusal = check_payload(event, format=2, header=_HEADER, inherited=0)
    return Wrong(rule=_RULE, problem=refusal.problem) if isinstance(refusal, Refusal) else None
