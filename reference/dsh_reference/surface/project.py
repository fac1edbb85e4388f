"""Projections: how an ``image/offload`` changes messages without a replacement.

It is the only type of format v4 that does.

An offloaded image changes its blocks in the message that is shown, and nothing else (IMG-EFFECT);
a reader that folds a log with one has to interpret it (PROJ-REQUIRED).
"""

from collections.abc import Mapping
from itertools import pairwise

from attrs import evolve

from dsh_reference.refusal import Refusal
from dsh_reference.surface.history import History, refuse
from dsh_spec.events import (
    Block,
    Event,
    ImageBlock,
    ImageOffload,
    Message,
    OffloadTarget,
    OtherBlock,
    ToolResult,
    UserMessage,
)


def project(event: Event, history: History) -> Mapping[int, Message] | Refusal:
    """Return the messages that an ``image/offload`` changes, by seq, with their images withheld.

    Source: IMG-TARGETS, IMG-NODE, IMG-INDEXES, IMG-ONCE (facts: surface §1.6).
    """
    body = event.data
    if not isinstance(body, ImageOffload) or body.extra or not body.targets:
        return refuse(event, "IMG-TARGETS", "an image/offload has exactly a list of targets")
    if len({target.seq for target in body.targets}) < len(body.targets):
        return refuse(event, "IMG-TARGETS", "an image/offload names a message twice")
    changed: dict[int, Message] = {}
    for target in body.targets:
        message = _withhold(event, target, history)
        if isinstance(message, Refusal):
            return message
        changed[target.seq] = message
    return changed


def _withhold(event: Event, target: OffloadTarget, history: History) -> Message | Refusal:
    indexes = target.image_indexes
    if target.extra or not indexes or any(left >= right for left, right in pairwise(indexes)):
        return refuse(event, "IMG-TARGETS", "a target has a seq and strictly increasing indexes")
    node = history.event(target.seq) if target.seq in history.nodes else None
    if node is None or not isinstance(node.data, UserMessage | ToolResult):
        return refuse(
            event, "IMG-NODE", f"{target.seq} is no user/message or tool/result on the surface"
        )
    message = history.projected.get(target.seq, node.data.message)
    images = [at for at, block in enumerate(message.content) if _is_image(block)]
    if indexes[-1] >= len(images):
        return refuse(event, "IMG-INDEXES", f"message {target.seq} has no image {indexes[-1]}")
    blocks = list(message.content)
    for index in indexes:
        if _is_withheld(blocks[images[index]]):
            return refuse(event, "IMG-ONCE", f"image {index} of {target.seq} is withheld already")
        blocks[images[index]] = _withheld(blocks[images[index]])
    return evolve(message, content=tuple(blocks))


def _is_image(block: Block) -> bool:
    return isinstance(block, ImageBlock) or (
        isinstance(block, OtherBlock) and block.type == ImageBlock.TAG
    )


def _is_withheld(block: Block) -> bool:
    match block:
        case ImageBlock(offloaded=offloaded):
            return offloaded
        case OtherBlock(fields=fields):
            return fields.get("offloaded") is True
        case _:
            return False


def _withheld(block: Block) -> Block:
    match block:
        case ImageBlock():
            return evolve(block, offloaded=True)
        case OtherBlock(fields=fields):
            return evolve(block, fields={**fields, "offloaded": True})
        case _:
            return block
