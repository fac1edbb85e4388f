"""What format v3 alone can get wrong.

Source: facts events §4.2, §4.3, §5.3, INV-HARD-ADMISSION; migration §4.2, §4.3; rules
MIG34-SOURCES, MIG34-TOOL-LIFT, MIG34-DEFER, MIG34-CONTENT, MIG34-CATALOG-OWN.
"""

from collections.abc import Iterator

from dsh_conformance.generate.formats.breaches.breach import (
    Breach,
    Change,
    NearMiss,
    at,
    committed,
    drops,
    puts,
    sets,
    tampered,
)
from dsh_conformance.generate.formats.state import Past
from dsh_conformance.generate.state import Raw
from dsh_spec.refusals import RefusalKind

_WRAPPER = {"type": "tool-result", "toolCallId": "c", "content": []}
_TOOL = {"name": "t", "description": "", "parameters": {}}


def _mute(change: Change) -> Change:
    """Change a result that states no error: the decoder looks at those that do."""
    return lambda event: "error" not in event["data"] and change(event)


def _good_error(raw: Raw) -> bool:
    block = at(raw, "data.message.content.0")
    if block is None or "error" in raw["data"]:
        return False
    block.pop("isError", None)
    raw["data"]["error"] = {"name": "E", "code": "C"}
    return True


def _compacts_nothing(raw: Raw) -> bool:
    """Let a message that replaces nothing come from the plugin that compacts."""
    source = {"kind": "plugin", "plugin": "compact"}
    return raw.get("surfaceOp") == "append" and sets("data.source", source)(raw)


#: Rule, name, type, change: refused by the edge or the check of its result.
_EDGE: tuple[tuple[str, str, str, Change], ...] = (
    (
        "MIG34-SOURCES",
        "plugin without a name",
        "user/message",
        sets("data.source", {"kind": "plugin"}),
    ),
    ("MIG34-SOURCES", "source of no kind", "user/message", sets("data.source", {"kind": ""})),
    ("MIG34-SOURCES", "source whose kind is a number", "user/message", sets("data.source.kind", 1)),
    ("MSG-FIELDS", "message without a source", "user/message", drops("data.source")),
    (
        "MIG34-SOURCES",
        "insert from no kind",
        "agent/inbox/spliced",
        sets("data.inserted.0.source", {"kind": ""}),
    ),
    ("MIG34-SOURCES", "inbox without inserts", "agent/inbox/spliced", drops("data.inserted")),
    (
        "MIG34-TOOL-LIFT",
        "result of two blocks",
        "tool/result",
        _mute(puts("data.message.content", [_WRAPPER] * 2)),
    ),
    (
        "MIG34-TOOL-LIFT",
        "result of no block",
        "tool/result",
        _mute(puts("data.message.content", [])),
    ),
    (
        "MIG34-TOOL-LIFT",
        "result of a text block",
        "tool/result",
        _mute(puts("data.message.content.0.type", "text")),
    ),
    (
        "MIG34-TOOL-LIFT",
        "result of another call",
        "tool/result",
        puts("data.message.content.0.toolCallId", "other"),
    ),
    (
        "MIG34-TOOL-LIFT",
        "result from another source",
        "tool/result",
        puts("data.message.source", {"kind": "user"}),
    ),
    ("MIG34-TOOL-LIFT", "result without an id", "tool/result", puts("data.message.id", "")),
    (
        "MIG34-TOOL-LIFT",
        "result that is an error perhaps",
        "tool/result",
        _mute(puts("data.message.content.0.isError", None)),
    ),
    (
        "MIG34-TOOL-LIFT",
        "result within a result",
        "tool/result",
        puts("data.message.content.0.content", [_WRAPPER]),
    ),
    (
        "BLOCK-V4-RETIRED",
        "result block in a user message",
        "user/message",
        puts("data.content", [_WRAPPER]),
    ),
    (
        "BLOCK-V4-RETIRED",
        "result block in a summary",
        "compaction/summary",
        puts("data.summary", [_WRAPPER]),
    ),
    (
        "BLOCK-V4-RETIRED",
        "result block from a sub-call",
        "tool/ptc-dispatch",
        puts("data.content", [_WRAPPER]),
    ),
    (
        "MIG34-CONTENT",
        "block whose type is a number",
        "user/message",
        puts("data.content", [{"type": 1}]),
    ),
    ("MIG34-CONTENT", "block without a type", "user/message", puts("data.content", [{}])),
    (
        "MIG34-DEFER",
        "tool that loads later",
        "request/header",
        puts("data.header.tools", [{**_TOOL, "deferLoading": True}]),
    ),
    (
        "MIG34-DEFER",
        "tool that does not load later",
        "request/header",
        puts("data.header.tools", [{**_TOOL, "deferLoading": False}]),
    ),
    (
        "MIG34-CATALOG-OWN",
        "child of an unknown mode",
        "subagent/catalog",
        puts("data.mode", "twice"),
    ),
    ("MIG34-CATALOG-OWN", "child of version 3", "subagent/catalog", puts("data.version", 3)),
    ("MIG34-CATALOG-OWN", "child without an id", "subagent/catalog", drops("data.childId")),
    (
        "HDRREQ-CANONICAL",
        "request header with a prompt",
        "request/header",
        puts("data.header.system", "a"),
    ),
    (
        "HDRREQ-CANONICAL",
        "request header with a null prompt",
        "request/header",
        puts("data.header.system", None),
    ),
)

#: Refused by the store that opens the migrated log: no edge and no check of the chain looks.
_ADOPTION: tuple[tuple[str, str, str, Change], ...] = (
    (
        "INV-NO-FALLBACK",
        "request header by fallback",
        "request/header",
        puts("data.reason", "fallback"),
    ),
    ("MSG-FIELDS", "user message without an id", "user/message", puts("data.id", "")),
    ("MSG-ROLES", "user message as assistant", "user/message", puts("data.role", "assistant")),
    (
        "SRC-ASSISTANT",
        "assistant message from a user",
        "assistant/message",
        puts("data.message.source", {"kind": "user"}),
    ),
)

#: Refused by the decoder of rows, softly or for good.
_ROW: tuple[tuple[str, str, str, Change], ...] = (
    (
        "INV-RECOVER",
        "assistant message with sources",
        "assistant/message",
        puts("sourceEventSeqs", [0]),
    ),
    (
        "INV-RECOVER",
        "request header with empty tools",
        "request/header",
        puts("data.header.tools", []),
    ),
    (
        "INV-RECOVER",
        "request header with empty defaults",
        "request/header",
        puts("data.header.adapterDefaults", {}),
    ),
    (
        "PL-SYSTEM-MESSAGE",
        "system message with another member",
        "system/message",
        puts("data.acme", 1),
    ),
    (
        "PL-SYSTEM-MESSAGE",
        "system message from a user",
        "system/message",
        puts("data.message.source", {"kind": "user"}),
    ),
    (
        "PL-SYSTEM-MESSAGE",
        "system message as user",
        "system/message",
        puts("data.message.role", "user"),
    ),
    ("PL-SYSTEM-MESSAGE", "system message of step 0", "system/message", puts("data.step", 0)),
    ("INV-RECOVER", "error of a good result", "tool/result", _good_error),
)


#: Odd, and taken.
_ODD: tuple[tuple[str, str, str, Change], ...] = (
    (
        "MIG34-SOURCES",
        "plugin of an empty name",
        "user/message",
        sets("data.source", {"kind": "plugin", "plugin": ""}),
    ),
    (
        "MIG34-SOURCES",
        "checkpoint of no compaction",
        "user/message",
        _compacts_nothing,
    ),
    (
        "MIG34-CONTENT",
        "block of a plugin",
        "user/message",
        puts("data.content", [{"type": "plugin:x", "x": 1}]),
    ),
    (
        "MIG34-TOOL-LIFT",
        "result with more to say",
        "tool/result",
        puts("data.message.content.0.acme", 1),
    ),
    ("MIG34-DESCRIPTOR", "descriptor of version 9", "subagent/descriptor", puts("data.version", 9)),
    (
        "MIG34-DEFER",
        "tool with another member",
        "request/header",
        puts("data.header.tools", [{**_TOOL, "acme": 1}]),
    ),
    ("RD-V3V4-PAYLOAD-OPEN", "turn start with another member", "turn/start", puts("data.acme", 1)),
    ("RD-V3V4-PAYLOAD-OPEN", "todos that are none", "todo/write", puts("data.todos", None)),
    ("RD-V3V4-PAYLOAD-OPEN", "usage that is none", "assistant/message", puts("data.usage", "much")),
)


def breaches(version: Past) -> Iterator[Breach]:
    """Return the breaches of format v3."""
    if version < 3:
        return
    for rule, name, kind, change in _EDGE:
        yield Breach(rule, name, tampered(kind, change))
    for rule, name, kind, change in _ADOPTION:
        refusal = RefusalKind.UNSUPPORTED_FORMAT if "FALLBACK" in rule else RefusalKind.CORRUPT
        yield Breach(rule, name, tampered(kind, change), noticed="adoption", kind=refusal)
    for rule, name, kind, change in _ROW:
        write = committed(tampered(kind, change))
        yield Breach(rule, name, write, noticed="row", kind=RefusalKind.CORRUPT)


def near_misses(version: Past) -> Iterator[NearMiss]:
    """Return what only seems wrong in format v3."""
    if version < 3:
        return
    for rule, name, kind, change in _ODD:
        yield NearMiss(rule, name, tampered(kind, change))
