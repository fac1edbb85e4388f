"""Sabotages of the edge from v0 to v1."""

from typing import Any

from dsh_conformance.sabotage.migration_payloads import odd_chunks
from dsh_conformance.sabotage.migration_wrap import (
    Log,
    Raw,
    Way,
    mends,
    refuses,
    result,
    takes,
)
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog


def _old(way: Way, *types: str) -> list[Raw]:
    """Return the events of these types in the v0 log, if it was one."""
    events: list[Any] = [] if 0 not in way else [*way[0].events]
    return [event for event in events if event["type"] in types]


def invented(log: Log, way: Way, version: int) -> None:
    """Give the header of a log that was stored in a format a member that it lacks."""
    if min(way) == version:
        log.header.setdefault("cwd", "/")


@result("MIG01-HDR-STEP")
def invents_a_directory(log: Log, way: Way) -> None:
    """The header of a v0 log that has no directory is given one."""
    invented(log, way, 0)


@mends("MIG01-CUT")
def takes_a_short_prefix(log: Log, refusal: Refusal) -> bool:
    """A log that is shorter than its prefix counts as inherited as a whole."""
    log.inherited = len(log.events)
    return refusal.rule in ("MIG01-CUT", "CUT-V0V1")


@result("MIG01-IDENTITY")
def unmarks_records(log: Log, way: Way) -> None:
    """Records of a v0 log are no longer marked as ignorable."""
    for event in log.events if 0 in way else ():
        event.pop("ignorable", None)


TAKES_STRANGERS = takes(
    "MIG01-CLOSED",
    "takes-types-of-any-time",
    "An event of a type that v0 did not have is carried over.",
    lambda refusal, _: refusal.rule == "MIG01-CLOSED",
    like="F14",
)
TAKES_PAYLOADS = takes(
    "MIG01-PAYLOAD",
    "takes-members-too-many",
    "A v0 payload that is not exactly its type's is carried over.",
    lambda refusal, _: refusal.rule == "MIG01-PAYLOAD",
    like="F17",
)


@refuses("MIG01-OPEN-ARMS")
def knows_every_reason(log: SessionLog) -> bool:
    """A v0 log with a turn that ended for a reason of its own is refused."""
    known = ("completed", "blocked", "max-tokens", "interrupted", "aborted", "error", "disposed")
    events: list[Any] = [event["data"] for event in log.events if event["type"] == "turn/end"]
    return log.header["version"] == 0 and any(
        data["reason"]["kind"] not in known for data in events
    )


@refuses("MIG01-CHUNK-OPAQUE")
def judges_chunks_at_once(log: SessionLog) -> bool:
    """A v0 log with a chunk that is not quite of its type is refused."""
    return log.header["version"] == 0 and odd_chunks(log)


@mends("MIG01-ENVELOPE-LAX")
def cleans_envelopes(log: Log, refusal: Refusal) -> bool:
    """Keys around the payload that mean nothing are dropped, and wrong ones are set right."""
    for at, event in enumerate(log.events):
        known = ("type", "seq", "time", "data", "surfaceOp", "sourceEventSeqs")
        kept = {key: event[key] for key in known if key in event}
        time = event.get("time")
        log.events[at] = {**kept, "time": time if type(time) is int and abs(time) < 2**53 else 0}
    return refusal.rule == "MIG23-ENVELOPE" and log.header["version"] == 0


TAKES_DESCRIPTORS = takes(
    "MIG01-DESCRIPTOR",
    "takes-old-descriptors",
    "A descriptor of another version is carried over.",
    lambda refusal, _: refusal.rule == "MIG01-DESCRIPTOR",
    like="F17",
)
TAKES_DELIVERIES = takes(
    "MIG01-DELIVERY",
    "takes-deliveries-of-others",
    "A v0 delivery of another session, or of a later event, is carried over.",
    lambda refusal, _: refusal.rule == "MIG01-DELIVERY",
)
TAKES_GENERATIONS = takes(
    "MIG01-REFGEN",
    "takes-quotations-of-the-future",
    "A v0 quotation that says from which format it was captured is carried over.",
    lambda refusal, _: refusal.rule == "MIG01-REFGEN",
)


@result("MIG01-COMPACT-NAMES", like="F17")
def keeps_the_short_names(log: Log, way: Way) -> None:
    """Compactions keep the names that they had at first."""
    if _old(way, "compact/start", "compact/summary", "compact/end", "compact/prune"):
        for event in log.of("compaction/*"):
            event["type"] = event["type"].replace("compaction", "compact")


TAKES_RETIRED = takes(
    "MIG01-RETIRED",
    "takes-what-was-given-up",
    "A record that v0 gave up is carried over.",
    lambda refusal, _: refusal.rule == "MIG01-RETIRED",
)


@result("MIG01-TRIGGER")
def keeps_triggers(log: Log, way: Way) -> None:
    """Turns keep what triggered them."""
    starts = zip(_old(way, "turn/start"), log.of("turn/start"), strict=False)
    for old, event in starts:
        if "trigger" in old["data"]:
            event["data"]["trigger"] = old["data"]["trigger"]


@result("MIG01-TURN-END")
def calls_old_ends_disposed(log: Log, way: Way) -> None:
    """An abort without a cause, and an error without a code, are given other ones."""
    for event in log.of("turn/end") if 0 in way else ():
        match event["data"]["reason"]:
            case {"kind": "aborted", "reason": {"kind": "legacy"}} as reason:
                reason["reason"] = {"kind": "user"}
            case {"kind": "error", "error": {"code": "UNKNOWN" | "E"} as error}:
                error["code"] = "ERROR"


@result("MIG01-MSGPREFIX")
def keeps_prefixes(log: Log, way: Way) -> None:
    """Request headers keep the messages before the first."""
    pairs = zip(_old(way, "request/header"), log.of("request/header"), strict=False)
    for old, event in pairs:
        if "messagePrefix" in old["data"]["header"]:
            event["data"]["header"]["messagePrefix"] = old["data"]["header"]["messagePrefix"]


@result("MIG01-STEERING")
def gives_steering_a_role(log: Log, way: Way) -> None:
    """What steered a turn has a role of its own."""
    pairs = zip(_old(way, "user/message", "steering/message"), log.of("user/message"), strict=False)
    for old, event in pairs:
        if old["type"] == "steering/message":
            event["data"]["role"] = "steering"


@result("MIG01-RETRY-ID")
def mints_retry_ids_late(log: Log, _way: Way) -> None:
    """The id of a retry that had none is minted from the seq that it has in v4."""
    for event in log.of("llm/retry"):
        if event["data"]["retryId"].startswith("legacy-retry:"):
            event["data"]["retryId"] = f"legacy-retry:{log.header['id']}:v{event['seq']}"


@result("MIG01-COMPACTION-ID", like="F10")
def mints_an_id_for_the_start_alone(log: Log, _way: Way) -> None:
    """A compaction that had no id has one at its start only."""
    for event in log.of("compaction/end", "compaction/summary"):
        if str(event["data"]["compactionId"]).startswith("legacy-compaction:"):
            del event["data"]["compactionId"]
    for event in log.of("compaction/start"):
        if str(event["data"]["compactionId"]).startswith("legacy-compaction:"):
            event["data"]["compactionId"] = "legacy-compaction"


@result("MIG01-USER-ID")
def mints_message_ids_without_the_session(log: Log, _way: Way) -> None:
    """The id of a message that had none does not name the session."""
    for event in log.of("user/message"):
        if event["data"]["id"].startswith("legacy-message:"):
            event["data"]["id"] = f"legacy-message:{event['seq']}"


@result("MIG01-ASSISTANT-WRAP")
def forgets_the_provenance(log: Log, way: Way) -> None:
    """Who gave an answer is forgotten where it stood beside the message."""
    pairs = zip(_old(way, "assistant/message"), log.of("assistant/message"), strict=False)
    for old, event in pairs:
        if "provenance" in old["data"]:
            event["data"]["message"]["source"] = {"kind": "model", "provider": "", "model": ""}


@result("MIG01-TOOL-WRAP")
def drops_what_is_no_error(log: Log, way: Way) -> None:
    """A bare result that was no error no longer says so."""
    pairs = zip(_old(way, "tool/result"), log.of("tool/result"), strict=False)
    for old, event in pairs:
        if "message" not in old["data"]:
            event["data"]["message"].pop("isError", None)


TAKES_REPLACED = takes(
    "MIG01-TOOL-WRAP",
    "takes-results-over-nothing",
    "A bare result that replaces no message is carried over.",
    lambda refusal, _: refusal.rule == "MIG01-TOOL-WRAP",
)
TAKES_TRIGGERS = takes(
    "MIG01-TRIGGER",
    "takes-any-trigger",
    "A turn with a trigger of no kind is carried over.",
    lambda refusal, _: refusal.rule == "MIG01-TRIGGER",
)
TAKES_ENDS = takes(
    "MIG01-TURN-END",
    "takes-any-end",
    "A turn whose end is neither old nor new is carried over.",
    lambda refusal, _: refusal.rule == "MIG01-TURN-END",
)
TAKES_HALVES = takes(
    "MIG01-CURRENT-LOOKING",
    "takes-halves-for-old-ones",
    "A message that is half old and half new is carried over.",
    lambda refusal, event: refusal.rule == "MIG01-PAYLOAD" and "content" in event["data"],
)
