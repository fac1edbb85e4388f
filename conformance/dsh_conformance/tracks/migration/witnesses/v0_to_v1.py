"""What shows the rules of the edge from v0 to v1.

Source: facts migration §1.
"""

from collections.abc import Mapping
from typing import Final

from dsh_conformance.tracks.migration.sights import (
    Part,
    always,
    has,
    holds,
    lacks,
    restarts,
)
from dsh_conformance.tracks.migration.witness import Witness, picks, shown_in

_v0 = shown_in(0)

#: What is only accepted: judged before they are mended, such logs would be refused.
ACCEPTED: tuple[Witness, ...] = (shown_in(0, 1)("MIG01-RELATIONS-LATE", restarts, "accepted"),)

#: Reasons of turn ends that the format gives a meaning.
_REASONS: Final = frozenset({"completed", "blocked", "max-tokens", "interrupted", "aborted"})
#: Records of plugins, which no edge changes.
_RECORDS: Final = (
    "todo/write plan/mode feedback/record sandbox/mode permission/preset model/selection"
    " approval/* hook/* schedule/change team/member team/task team/message/delivered"
    " tool-workflow/* todo/* web/*"
)


def _old_reason(data: Part) -> bool:
    match data.get("reason"):
        case {"kind": "disposed"}:
            return True
        case {"kind": "aborted", **rest}:
            return "reason" not in rest
        case {"kind": "error", **rest}:
            return "error" not in rest
    return False


def _other_reason(data: Part) -> bool:
    reason = data.get("reason")
    kind = reason.get("kind") if isinstance(reason, Mapping) else None
    return kind not in (*_REASONS, "error", "disposed")


def _prefixed(data: Part) -> bool:
    return isinstance(data.get("header"), Mapping) and "messagePrefix" in data["header"]


def _bare_result(data: Part) -> bool:
    return "message" not in data and "callId" in data


WITNESSES: tuple[Witness, ...] = (
    _v0(
        "MIG01-COMPACT-NAMES",
        has("compact/*"),
        picks("compact/* compaction/*", "type"),
    ),
    _v0(
        "MIG01-TRIGGER",
        holds(lambda data: "trigger" in data, "turn/start"),
        picks("turn/start", "data"),
    ),
    _v0("MIG01-OPEN-ARMS", holds(_other_reason, "turn/end"), picks("turn/end", "data.reason")),
    _v0("MIG01-TURN-END", holds(_old_reason, "turn/end"), picks("turn/end", "data")),
    _v0(
        "MIG01-MSGPREFIX",
        holds(_prefixed, "request/header"),
        picks("request/header", "data.header.messagePrefix", "data.header.config"),
    ),
    _v0(
        "MIG01-STEERING",
        has("steering/message"),
        picks("user/message steering/message", "data.id", "data.role", "data.content"),
    ),
    _v0(
        "MIG01-RETRY-ID",
        holds(lacks("retryId"), "llm/retry"),
        picks("llm/retry llm/retry-started", "data.retryId"),
    ),
    _v0(
        "MIG01-COMPACTION-ID",
        holds(lacks("compactionId"), "compact*/start", "compaction/start", "compact/start"),
        picks("compaction/* user/message", "data.compactionId", "data.source.compactionId"),
    ),
    _v0(
        "MIG01-USER-ID",
        holds(lacks("id", "role", "message"), "user/message"),
        picks("user/message", "data.id", "data.role"),
    ),
    _v0(
        "MIG01-ASSISTANT-WRAP",
        holds(lambda data: "provenance" in data, "assistant/message"),
        picks("assistant/message", "data.message", "data.content", "data.provenance"),
    ),
    _v0(
        "MIG01-TOOL-WRAP",
        holds(_bare_result, "tool/result"),
        picks("tool/result", "data.message", "data.callId", "data.content", "data.isError"),
    ),
    _v0("MIG01-IDENTITY", has(*_RECORDS.split()), picks(_RECORDS, "time", "ignorable", "data")),
    _v0("MIG01-HDR-STEP", always, "header"),
)
