"""What shows the rules of the edge from v3 to v4, but for those about children.

Source: facts migration §4.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from dsh_conformance.tracks.migration.sights import (
    always,
    both,
    data_of,
    has,
    inherits,
    marked,
    messages_of,
    refers,
    restarts,
    sourced,
)
from dsh_conformance.tracks.migration.witness import Witness, picks, shown_in
from dsh_conformance.tracks.migration.witnesses.v1_to_v2 import REFERENCES
from dsh_conformance.tracks.migration.witnesses.v2_to_v3 import SOURCES, SPEAKERS
from dsh_reference.session_log import SessionLog
from dsh_spec.events import event_types

_v3 = shown_in(3)

_BLOCKS: Final = frozenset({"text", "reasoning", "image", "file", "tool-call", "tool-result"})
_TYPES: Final = frozenset(event_types(3))


def _contents(log: SessionLog) -> Iterator[Any]:
    for message in messages_of(log):
        yield message.get("content")
    for data in data_of(log, "compaction/summary", "tool/ptc-dispatch"):
        yield data.get("summary", data.get("content"))
    for data in data_of(log, "assistant/*"):
        for record in data.get("stream", ()):
            if record["type"] == "chunk" and "block" in record["chunk"]:
                yield [record["chunk"]["block"]]


def _has_strange_block(log: SessionLog) -> bool:
    return any(
        isinstance(block, Mapping) and block.get("type") not in _BLOCKS
        for content in _contents(log)
        if isinstance(content, list)
        for block in content
    )


WITNESSES: tuple[Witness, ...] = (
    _v3("MIG34-RESTART", restarts, picks("turn/end", "time", "data")),
    _v3("MIG34-CUT", inherits(restarts), "cut"),
    _v3("MIG34-DENSE-IN", restarts, "dense"),
    _v3(
        "MIG34-OPAQUE",
        marked(lambda event: event["type"] not in _TYPES, "*"),
        picks("plugin:*", "type", "time", "ignorable", "data"),
    ),
    _v3(
        "TOOLMSG-V0V3",
        has("tool/result"),
        picks("tool/result", "data.message.toolCallId", "data.message.isError"),
    ),
    _v3(
        "MIG34-TOOL-LIFT",
        has("tool/result"),
        picks(
            "tool/result",
            "data.message.role",
            "data.message.source",
            "data.message.content",
            "data.message.plugin:message:acme",
            "data.message.plugin:result:acme",
        ),
    ),
    _v3(
        "MIG34-KINDS",
        sourced(lambda source: source.get("kind") == "plugin"),
        picks(SPEAKERS, *(f"{path}.kind" for path in SOURCES)),
    ),
    _v3(
        "MIG34-SOURCES",
        sourced(lambda source: source.get("kind") == "plugin"),
        picks(SPEAKERS, *SOURCES),
    ),
    _v3(
        "MIG34-CONTENT",
        _has_strange_block,
        picks(
            f"{SPEAKERS} assistant/* tool/result compaction/summary tool/ptc-dispatch",
            "data.content",
            "data.message.content",
            "data.inserted.*.content",
            "data.messages.*.content",
            "data.summary",
            "data.stream",
        ),
    ),
    _v3("MIG34-REFS", both(restarts, refers), picks("*", *REFERENCES)),
    _v3(
        "MIG34-DELIVERY",
        has("session-log-deepseek/delivery-accepted"),
        picks("session-log-deepseek/delivery-accepted", "data"),
    ),
    _v3(
        "MIG34-DESCRIPTOR",
        has("subagent/descriptor"),
        picks("subagent/descriptor", "data"),
    ),
    _v3("MIG34-HDR", always, "header"),
)
