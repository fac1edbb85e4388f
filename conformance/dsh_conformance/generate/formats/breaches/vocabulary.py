"""Types and kinds that a format does not know.

Source: facts migration §1.2, §2.2, §3.5, §4.2; rules MIG01-CLOSED, MIG12-CLOSED, MIG23-CLOSED,
MIG23-CONTENT, MIG23-SOURCES, MIG34-VOCAB, MIG34-OPAQUE.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from dsh_conformance.generate.formats.breaches.breach import (
    Breach,
    Change,
    NearMiss,
    Write,
    puts,
    sets,
    spelled_already,
    tampered,
)
from dsh_conformance.generate.formats.state import Past, PastState
from dsh_conformance.generate.state import Raw

#: The rule of the closed vocabulary, by format.
CLOSED: Mapping[Past, str] = MappingProxyType(
    {0: "MIG01-CLOSED", 1: "MIG12-CLOSED", 2: "MIG23-CLOSED", 3: "MIG34-VOCAB"}
)
_LATER = ("developer/message", "job/registered", "job/settled", "working-directory/change")
_CODE = ("tool/code-dispatch-start", "tool/code-dispatch")
_SINCE_V3 = (
    *("system/message", "subagent/catalog", "image/offload", "deliverables/presented"),
    *("workspace/changes", "tool/ptc-dispatch-start", "tool/ptc-dispatch"),
)
_UNKNOWN: Mapping[Past, tuple[str, ...]] = MappingProxyType(
    {
        0: (*_LATER, *_SINCE_V3, "assistant/attempt", "feedback/message-put", "context/message"),
        1: (*_LATER, *_SINCE_V3, "assistant/attempt", "steering/message", "compact/start"),
        2: (*_LATER, *_SINCE_V3, "assistant/chunk", "request/header-delta", "mode/set"),
        3: (*_LATER, "assistant/chunk", "request/header-delta", "slots/dispatch"),
    }
)

_WIDGET = {"type": "acme/widget"}
_START = {"type": "block-start", "index": 0, "blockType": "acme/widget"}
_END = {"type": "block-end", "index": 0, "block": _WIDGET}


def _event(kind: str, data: Any = None, **envelope: Any) -> Write:
    """End the log with an event of a type that means nothing there."""

    def write(state: PastState) -> Raw:
        event: Raw = {"type": kind, "seq": state.seq, "time": state.time, "data": data or {}}
        return {**event, **envelope}

    return spelled_already(write)


def breaches(version: Past) -> Iterator[Breach]:
    """Return the breaches of a format's vocabulary."""
    rule = CLOSED[version]
    yield Breach(rule, "unknown required type", _event("acme/ping"))
    for kind in _UNKNOWN[version]:
        yield Breach(rule, f"{kind} is required", _event(kind))
    if version == 3:
        for kind in _CODE:
            yield Breach("IGN-RETIRED-PTC", f"{kind} is required", _event(kind))
        return
    yield Breach(rule, "unknown ignorable type", _event("acme/ping", ignorable=True))
    yield Breach(rule, "plugin record", _event("plugin:acme/ping", ignorable=True))
    if version == 0:
        for kind in ("request/header-delta", "mode/set"):
            yield Breach("MIG01-RETIRED", f"{kind} of old", _event(kind))
    yield from _kinds(version)


def _kinds(version: Past) -> Iterator[Breach]:
    """Return the kinds of blocks and sources that only the edge from v2 looks at."""
    for kind, path in (
        ("user/message", "content.0"),
        ("assistant/message", "message.content.0"),
        ("tool/result", "message.content.0.content.0"),
        ("compaction/summary", "summary.0"),
        ("team/message/queued", "message.content.0"),
        ("tool/code-dispatch", "content.0"),
        ("agent/inbox/spliced", "inserted.0.content.0"),
        ("session/title-llm-request", "messages.0.content.0"),
    ):
        write = tampered(kind, sets(f"data.{path}", _WIDGET))
        yield Breach("MIG23-CONTENT", f"{kind} with a block of an unknown kind", write)
    for kind, path in (
        ("user/message", "source"),
        ("agent/inbox/spliced", "inserted.0.source"),
        ("session/title-llm-request", "messages.0.source"),
    ):
        write = tampered(kind, sets(f"data.{path}", {"kind": "acme"}))
        yield Breach("MIG23-SOURCES", f"{kind} from a source of an unknown kind", write)
    for name, chunk in (("start", _START), ("end", _END)):
        words = f"stream with the {name} of a block of an unknown kind"
        yield Breach("MIG23-CONTENT", words, _streamed(version, chunk))


def _streamed(version: Past, chunk: Raw) -> Write:
    if version < 2:
        return tampered("assistant/chunk", puts("data.chunk", chunk))
    return tampered(
        "assistant/attempt", puts("data.stream", [{"type": "chunk", "time": 0, "chunk": chunk}])
    )


def near_misses(version: Past) -> Iterator[NearMiss]:
    """Return what looks unknown and is taken."""
    if version == 3:
        for kind in ("tool/code-dispatch", "job/settled", "developer/message", "", "plugin:x"):
            write = _event(kind, [1], ignorable=True)
            yield NearMiss("MIG34-OPAQUE", f"ignorable {kind!r}", write)
        yield NearMiss(
            "MIG34-OPAQUE",
            "ignorable stranger with an operation",
            _event("acme/ping", ignorable=True, surfaceOp="append"),
        )
        return
    if version == 2:
        item = {"messageId": "m", "rating": "positive", "version": "", "createdAt": 0}
        data = {"sessionId": "", "item": {**item, "updatedAt": 0}}
        yield NearMiss(
            "MIG23-CLOSED", "late type of format v2", _event("feedback/message-put", data)
        )
    file = {"attachmentId": "a", "name": "", "bytes": 0}
    block = {"type": "file", "attachment": file}
    write = tampered("user/message", _from_person("data.content.0", block))
    yield NearMiss("MIG23-CONTENT", "file block", write)
    source = {"kind": "agent-message", "form": "relay", "senderSessionId": "s"}
    write = tampered("user/message", _from_person("data.source", source))
    yield NearMiss("MIG23-SOURCES", "message of an agent", write)


def _from_person(path: str, value: Raw) -> Change:
    """Change what a person said: what others say hangs together with who they are."""
    change = sets(path, value)
    return lambda event: event["data"].get("source") == {"kind": "user"} and change(event)
