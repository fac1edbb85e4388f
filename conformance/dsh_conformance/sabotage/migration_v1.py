"""Sabotages of the edge from v1 to v2."""

import json
from base64 import b64decode
from typing import Any, Final, cast

from dsh_conformance.implementation.port import PureMethod
from dsh_conformance.sabotage.migration_v0 import invented
from dsh_conformance.sabotage.migration_wrap import (
    Log,
    Raw,
    Way,
    Wrong,
    mends,
    result,
    takes,
)
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.values import Json, JsonObject

_CLOSING: Final = ("step/end", "turn/end", "llm/retry", "llm/retry-started")
_ATTEMPT: Final = "assistant/attempt"


@result("MIG12-HDR")
def invents_a_directory_in_v_one(log: Log, way: Way) -> None:
    """The header of a v1 log that has no directory is given one."""
    invented(log, way, 1)


@result("MIG12-CUT-MARKER")
def dates_the_marker_by_the_session(log: Log, way: Way) -> None:
    """The marker of the cut has the time at which the session was created."""
    for event in log.of("session/end-seed") if 1 in way else ():
        if event["data"] == {"inherited": True}:
            event["time"] = -1


@result("MIG12-CUT-COUNT")
def counts_what_vanished(log: Log, way: Way) -> None:
    """The chunks in front of the cut are counted though they are gone."""
    log.inherited = way[1].inherited if 1 in way else log.inherited


def _of(rule: str, name: str, says: str, like: str = "") -> Any:
    """Carry over what is refused by a rule."""
    return takes(rule, name, says, lambda refusal, _: refusal.rule == rule, like=like)


TAKES_STRANGERS = _of(
    "MIG12-CLOSED",
    "takes-types-of-later-formats",
    "An event of a type that v1 did not have is carried over.",
    "F14",
)
TAKES_PAYLOADS = _of(
    "MIG12-PAYLOAD",
    "takes-odd-payloads-of-v-one",
    "A v1 payload that is not exactly its type's is carried over.",
)
TAKES_ENVELOPES = _of(
    "MIG12-CHUNK-ENVELOPE",
    "takes-chunks-in-odd-envelopes",
    "A chunk with other keys than its own is carried over.",
)
TAKES_CHUNKS = _of(
    "MIG12-CHUNK-PAYLOAD",
    "takes-chunks-of-no-type",
    "A chunk that no stream can hold is carried over.",
)
TAKES_DELIVERIES = _of(
    "MIG12-DELIVERY",
    "takes-deliveries-of-other-sessions",
    "A v1 delivery of another session is carried over.",
)


@mends("MIG12-SURFACEOP-NOT-REQUIRED")
def appends_what_does_not_say(log: Log, refusal: Refusal) -> bool:
    """A message that does not say how it enters the surface is appended."""
    for event in log.events:
        if event["type"] in ("user/message", "assistant/message", "tool/result"):
            event.setdefault("surfaceOp", "append")
    return refusal.rule == "MIG23-SURFACEOP-REQUIRED" and log.header["version"] in (0, 1)


def _misread(params: JsonObject, right: PureMethod) -> Json:
    found: Any = right(params)
    text = b64decode(str(params["base64"])).decode()
    rows = [json.loads(line) for line in text.split("\n")[1:-1]]
    for row in rows:
        for seq in range(row.get("seq0", 0), row.get("seq0", 0) + len(row["data"].get("dt", ()))):
            found["events"][seq + 1]["time"] = row["time0"]
    return cast("Json", found)


MISREADS_PACKED_ROWS = Wrong(
    rule="MIG12-REC-PACKED",
    name="dates-packed-chunks-by-their-first",
    says="All the chunks of a packed row have the time of the first.",
    like="",
    begin=lambda: _misread,
    method="files/read",
)


@result("MIG12-RESTART")
def dates_inserted_ends_back(log: Log, way: Way) -> None:
    """The end of a turn that is put in has no time of its own."""
    for before, event, after in zip(log.events, log.events[1:], log.events[2:], strict=False):
        inserted = event["data"] and event["type"] == "turn/end" and after["type"] == "turn/start"
        if 1 in way and inserted and before["type"] == "agent/inbox/spliced":
            event["time"] = -1


TAKES_RESTARTS = _of(
    "MIG12-RESTART",
    "takes-turns-over-open-ones",
    "A turn that begins over an open one is carried over.",
)


@result("MIG12-GOAL-SPLIT")
def loses_changes_of_goals(log: Log, way: Way) -> None:
    """The change of a goal is lost with the source that held it."""
    events: list[Any] = [] if 1 not in way else [*way[1].events]
    if any("change" in _source(event) for event in events):
        log.events = [event for event in log.events if event["type"] != "goal/change"]
        log.settle()


def _source(event: Raw) -> Raw:
    source = event["data"].get("source") if event["type"] == "user/message" else None
    return source if isinstance(source, dict) else {}


TAKES_GOALS = takes(
    "MIG12-GOAL-SPLIT",
    "takes-goals-that-nobody-told",
    "A goal that its message does not tell is carried over.",
    lambda _, event: "change" in _source(event),
)


@result("MIG12-DENSE", like="F03")
def leaves_gaps_for_chunks(log: Log, way: Way) -> None:
    """The seqs of chunks are left out."""
    gone = 1 in way and any(event["type"] == "assistant/chunk" for event in way[1].events)
    for event in log.events[2:] if gone else ():
        event["seq"] += 1


def unmoved(log: Log, old: SessionLog) -> None:
    """Give events the references that they had."""
    before: list[Any] = [*old.events]
    for kind in ("session/title", "command/done", "compaction/prune", "compaction/summary"):
        _copy([e for e in before if e["type"] == kind], log.of(kind))
    kinds = ("user/message", "tool/result")
    _copy([e for e in before if e["type"] in kinds], log.of(*kinds))


def _copy(before: list[Raw], after: list[Raw]) -> None:
    for old, event in zip(before, after, strict=False):
        if "sourceEventSeqs" in event:
            event["sourceEventSeqs"] = old.get("sourceEventSeqs")
        for key in ("messageSeqs", "sourceEventSeq", "shadowedSeqs"):
            if key in event["data"]:
                event["data"][key] = old["data"].get(key)


@result("MIG12-REFS")
def leaves_references_behind(log: Log, way: Way) -> None:
    """References keep the seqs that they had in v1."""
    if 1 in way:
        unmoved(log, way[1])


TAKES_REFERENCES = _of(
    "MIG12-REFS-CONSUMED",
    "takes-references-to-chunks",
    "A reference to a chunk is carried over.",
)


@result("MIG12-TIME")
def dates_answers_by_their_chunks(log: Log, way: Way) -> None:
    """An answer has the time of its first chunk."""
    for event in log.of("assistant/message") if 1 in way else ():
        for record in event["data"]["stream"][:1]:
            event["time"] = record.get("time0", record.get("time")) - 1
