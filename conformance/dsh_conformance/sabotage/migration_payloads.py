"""Sabotages of the migration: what payloads are held to in the formats that are exact."""

from typing import Any

from dsh_conformance.sabotage.migration_wrap import refuses, takes
from dsh_reference.session_log import SessionLog

_PAYLOADS = ("MIG01-PAYLOAD", "MIG12-PAYLOAD", "MIG23-PAYLOAD")


def _payload(rule: str, name: str, says: str, *words: str) -> Any:
    """Carry over a payload about which the judge of payloads says one of these words."""
    return takes(
        rule,
        name,
        says,
        lambda refusal, _: refusal.rule in _PAYLOADS and any(w in refusal.problem for w in words),
    )


TAKES_ALL = _payload("PL-EXACT", "takes-any-payload", "No payload is judged.", "")
TAKES_MODES = takes(
    "PL-RETRY-MODE",
    "takes-retries-without-bounds",
    "A retry that says nothing of its bound, or more than it should, is carried over.",
    lambda refusal, event: refusal.rule in _PAYLOADS and event["type"] == "llm/retry",
)
TAKES_RANGES = _payload(
    "PL-SHADOW-ENDPOINTS",
    "takes-ranges-of-others",
    "A range that is not that of the shadowed events is carried over.",
    "shadowedRange",
)
TAKES_SUMMARIES = _payload(
    "PL-SUMMARY-RAW",
    "takes-summaries-without-answers",
    "A summary without the answer that it was made of is carried over.",
    "rawOutput",
)
TAKES_FORMS = takes(
    "SRC-FORM",
    "takes-forms-without-parts",
    "A source whose form lacks its parts is carried over.",
    lambda refusal, event: (
        refusal.rule in _PAYLOADS
        and event["type"] == "user/message"
        and "form" in event["data"].get("source", {})
    ),
)
TAKES_REFERENCES = _payload(
    "SRC-SESSIONREF",
    "takes-wrong-quotations",
    "A quotation whose counts do not add up is carried over.",
    "references",
)
TAKES_GOALS = takes(
    "SRC-GOAL-LEGACY",
    "takes-goals-that-differ",
    "A message that tells another goal than its change is carried over.",
    lambda _, event: (
        event["type"] == "user/message" and "change" in event["data"].get("source", {})
    ),
)
TAKES_WRAPPERS = takes(
    "TOOLMSG-V0V3",
    "takes-results-of-other-calls",
    "A result that wraps another call's block, or none, is carried over.",
    lambda refusal, event: (
        event["type"] == "tool/result" and refusal.rule in (*_PAYLOADS, "MIG34-TOOL-LIFT")
    ),
    like="F08",
)
TAKES_ENDPOINTS = takes(
    "SURF-OP-REPLACE-V0V1V2",
    "takes-replacements-of-any-spelling",
    "A replacement in the words of a later format is carried over.",
    lambda _, event: "startSeq" in (event.get("surfaceOp") or ()),
    like="F12",
)


@refuses("CAT-V2-FEEDBACK")
def knows_no_feedback(log: SessionLog) -> bool:
    """A v2 log with feedback on a message is refused."""
    return log.header["version"] == 2 and any(
        str(event["type"]).startswith("feedback/message") for event in log.events
    )


def odd_chunks(log: SessionLog) -> bool:
    """Say whether a chunk of a log of v0 or v1 lacks what its type has, or has more."""
    events = log.events if log.header["version"] in (0, 1) else ()
    chunks: list[Any] = [e["data"] for e in events if e["type"] == "assistant/chunk"]
    return any(
        "acme" in data["chunk"]
        or data["chunk"] in ({"type": "finish"}, {"type": "usage"})
        or data["chunk"].get("name") == ""
        for data in chunks
    )


@refuses("RD-CHUNK-UNCHECKED")
def judges_chunks(log: SessionLog) -> bool:
    """A log with a chunk that is not quite of its type is refused."""
    return odd_chunks(log)
