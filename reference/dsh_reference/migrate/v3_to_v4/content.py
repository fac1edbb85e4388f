"""Content blocks of a type that v4 does not know go under a name that it never will."""

from collections.abc import Mapping
from operator import is_
from types import MappingProxyType
from typing import Final

from dsh_reference.admit.slots import is_list
from dsh_reference.migrate.edit import MESSAGES, Path, Wrong, edit_event
from dsh_spec.values import Json, JsonObject, is_object

_RULE: Final = "MIG34-CONTENT"
_KNOWN: Final = frozenset({"text", "reasoning", "image", "file", "tool-call", "tool-result"})
_STREAMS: Final = frozenset({"assistant/message", "assistant/attempt"})
#: Where an event of a type has lists of blocks.
_BLOCKS: Final[Mapping[Json, tuple[Path, ...]]] = MappingProxyType(
    {
        **{type_: ((*path, "content"),) for type_, path in MESSAGES.items()},
        "compaction/summary": (("data", "summary"), ("data", "rawOutput")),
        "tool/ptc-dispatch": (("data", "content"),),
        "team/message/queued": (("data", "message", "content"),),
    }
)


def namespaced(event: JsonObject) -> JsonObject | Wrong:
    """Return an event whose unknown content types are prefixed, those of its streams included.

    A type that has the prefix gets it once more, so that no two names fall together.

    Source: MIG34-CONTENT (facts: migration §4.2).
    """
    edited: JsonObject | Wrong = event
    for path in _BLOCKS.get(event["type"], ()):
        if isinstance(edited, Wrong):
            return edited
        if not _is_optional(event, path):
            edited = edit_event(edited, path, _namespaced_blocks, rule=_RULE)
    if isinstance(edited, Wrong) or event["type"] not in _STREAMS:
        return edited
    match edited["data"]:
        case {"stream": stream} if is_list(stream):
            return edit_event(edited, ("data", "stream", None), _namespaced_record, rule=_RULE)
    return edited


def _is_optional(event: JsonObject, path: Path) -> bool:
    """Tell whether nothing needs to stand at a path: raw output, and a team's odd message."""
    match event["type"], event["data"]:
        case "compaction/summary", Mapping() as data:
            return path[-1] == "rawOutput" and "rawOutput" not in data
        case "team/message/queued", {"message": Mapping()}:
            return False
        case "team/message/queued", _:
            return True
    return False


def _namespaced_blocks(blocks: Json) -> Json | Wrong:
    if not is_list(blocks):
        return Wrong(rule=_RULE, problem="its content is no list")
    members: list[Json] = []
    for block in blocks:
        named = _namespaced_block(block)
        if isinstance(named, Wrong):
            return named
        members.append(named)
    return blocks if all(map(is_, members, blocks)) else members


def _namespaced_block(block: Json) -> Json | Wrong:
    kind = block.get("type") if is_object(block) else None
    if is_object(block) and isinstance(kind, str):
        return block if kind in _KNOWN else {**block, "type": _name(kind)}
    return Wrong(rule=_RULE, problem="a content block has no type")


def _namespaced_record(record: Json) -> Json | Wrong:
    chunk = record.get("chunk") if is_object(record) else None
    if not is_object(record) or not is_object(chunk):
        return record
    if record.get("type") != "chunk":
        return record
    named = _namespaced_chunk(chunk)
    if isinstance(named, Wrong):
        return named
    return record if named is chunk else {**record, "chunk": named}


def _namespaced_chunk(chunk: JsonObject) -> Json | Wrong:
    if chunk.get("type") not in ("block-start", "block-end"):
        return chunk
    match chunk:
        case {"type": "block-start", "blockType": str(kind)}:
            return {**chunk, "blockType": _name(kind)}
        case {"type": "block-start"}:
            return Wrong(rule=_RULE, problem="a block of its stream opens without a type")
        case {"type": "block-end"}:
            block = _namespaced_block(chunk.get("block"))
            return block if isinstance(block, Wrong) else {**chunk, "block": block}
    return chunk


def _name(kind: str) -> str:
    return kind if kind in _KNOWN else f"plugin:{kind}"
