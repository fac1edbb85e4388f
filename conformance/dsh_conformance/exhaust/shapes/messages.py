"""Shapes that move the surface."""

from typing import Any

from dsh_conformance.exhaust.ledger import Ledger, Move, appended, event, logged, replacing
from dsh_conformance.generate.state import Raw

_HEAD = "system/message"
_IMAGE: Raw = {
    "type": "image",
    "attachment": {
        "attachmentId": "a", "mediaType": "image/png", "bytes": 1, "width": 1, "height": 1,
    },
}  # fmt: skip


def text(ledger: Ledger) -> Raw:
    """Return a block that names the event it stands in."""
    return {"type": "text", "text": f"t{ledger.seq}"}


def said(ledger: Ledger, role: str, source: Raw, *content: Any) -> Raw:
    """Return a message."""
    return {"id": f"m{ledger.seq}", "role": role, "content": list(content), "source": source}


def answered(ledger: Ledger, *content: Any) -> tuple[Raw, Raw]:
    """Return the answer of a model, and its message."""
    source = {"kind": "model", "provider": "p", "model": "m"}
    message = said(ledger, "assistant", source, *content)
    data = {**ledger.place, "message": message, "stream": []}
    return event(ledger, "assistant/message", data), message


def prompted(ledger: Ledger) -> tuple[Raw, Raw]:
    """Return a system prompt, and its message."""
    message = said(ledger, "system", {"kind": "system-prompt"}, text(ledger))
    return event(ledger, _HEAD, {**ledger.place, "message": message}), message


def asked(ledger: Ledger, *content: Any) -> Raw:
    """Return a message of the user, which is the data of its event."""
    return said(ledger, "user", {"kind": "user"}, *(content or (text(ledger),)))


def user(ledger: Ledger) -> Move:
    """A message of the user."""
    message = asked(ledger)
    return appended(ledger, event(ledger, "user/message", message), message)


def empty_answer(ledger: Ledger) -> Move | None:
    """An answer without content, which is a node and shows nothing; once."""
    if ledger.has("assistant/message"):
        return None
    made, _ = answered(ledger)
    return appended(ledger, made, None, orderly=ledger.in_step)


def system(ledger: Ledger) -> Move | None:
    """A system message: the first, or one more behind it."""
    if sum(each["type"] == _HEAD for each in ledger.events) > 1:
        return None
    made, message = prompted(ledger)
    is_first = not ledger.has(_HEAD)
    orderly = ledger.in_step and not (is_first and ledger.nodes)
    return appended(ledger, made, message, orderly=orderly)


def renewal(ledger: Ledger) -> Move | None:
    """A system message in the place of the one at the head."""
    if not has_head(ledger):
        return None
    made, message = prompted(ledger)
    return replacing(ledger, made, message, 0, 0, orderly=ledger.in_step)


def has_head(ledger: Ledger) -> bool:
    """Tell whether a system message heads the surface."""
    return bool(ledger.nodes) and ledger.type_of(ledger.nodes[0]) == _HEAD


def _summed(ledger: Ledger, first: int, last: int) -> Move:
    message = asked(ledger)
    made = event(ledger, "user/message", message)
    return replacing(ledger, made, message, first, last)


def summary(ledger: Ledger) -> Move | None:
    """A message of the user in the place of all nodes but a system message at the head."""
    first = int(has_head(ledger))
    return _summed(ledger, first, len(ledger.nodes) - 1) if ledger.nodes[first:] else None


def short_summary(ledger: Ledger) -> Move | None:
    """A message of the user in the place of the first two such nodes, where there are more."""
    first = int(has_head(ledger))
    return _summed(ledger, first, first + 1) if ledger.nodes[first + 2 :] else None


def picture(ledger: Ledger) -> Move:
    """A message of the user with an image between words."""
    message = asked(ledger, _IMAGE, text(ledger))
    return appended(ledger, event(ledger, "user/message", message), message)


def visible_picture(ledger: Ledger, *, offloaded: bool = False) -> int | None:
    """Return the last node with an image that is in sight, or that is out of it."""
    for seq in ledger.nodes[::-1]:
        message = ledger.shown[seq]
        first = message["content"][0] if message is not None and message["content"] else {}
        if first.get("type") == "image" and first.get("offloaded", False) is offloaded:
            return seq
    return None


def offloading(ledger: Ledger, seq: int, *indexes: int) -> Raw:
    """Return the event that puts images out of sight."""
    return event(ledger, "image/offload", {"targets": [{"seq": seq, "imageIndexes": [*indexes]}]})


def offload(ledger: Ledger) -> Move | None:
    """The last image goes out of sight."""
    seq = visible_picture(ledger)
    message = None if seq is None else ledger.shown[seq]
    if seq is None or message is None:
        return None
    first, *rest = message["content"]
    changed = {**message, "content": [{**first, "offloaded": True}, *rest]}
    made = offloading(ledger, seq, 0)
    count = ledger.projections + 1
    return logged(ledger, made, shown={**ledger.shown, seq: changed}, projections=count)


def stranger(ledger: Ledger) -> Move | None:
    """What nobody knows, with metadata that nobody interprets, once; appends cannot write it."""
    if ledger.has("acme/note"):
        return None
    operation = {"op": "replace", "startSeq": 0, "endSeq": 0}
    return logged(ledger, event(ledger, "acme/note", 1, ignorable=True, surfaceOp=operation))
