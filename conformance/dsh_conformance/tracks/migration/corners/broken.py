"""Broken logs that show one rule which few other logs show.

Source: facts migration §1 to §4; events §5.5, §7.
"""

import copy
from collections.abc import Iterator
from typing import Any

from dsh_conformance.generate.breaches.breach import event
from dsh_conformance.generate.formats import Breach, Past
from dsh_conformance.generate.formats.breaches.breach import (
    Change,
    Next,
    Write,
    at,
    followed,
    puts,
    spelled_already,
    tampered,
)
from dsh_conformance.generate.formats.draft import Draft
from dsh_conformance.generate.formats.state import PastState
from dsh_conformance.generate.state import Raw
from dsh_conformance.tracks.migration.corners.scenes import is_streaming, records, says
from dsh_reference.session_log import SessionLog


def corner_breaches(version: Past) -> Iterator[Breach]:
    """Return broken logs of format *version*."""
    if version == 0:
        yield Breach(
            "MIG01-REFGEN", "quoted from a format", followed(_quotes(capturedFormatVersion=1))
        )
        yield Breach("MIG01-TOOL-WRAP", "bare result over nothing", _bare_over_nothing)
    if version < 2:
        yield from _of_streams()
    if version < 3:
        yield from _of_payloads(version)


def _of_streams() -> Iterator[Breach]:
    for name, change in (
        ("that tells another goal", _other_text),
        ("of round 1", puts("data.source.round", 1)),
        ("of another revision", puts("data.source.revision", 7)),
    ):
        yield Breach("SRC-GOAL-LEGACY", f"goal {name}", _told_wrongly(change))
    yield Breach("MIG12-SETTLE-OTHER-STEP", "message of the step to come", followed(_of_next_step))


def _of_payloads(version: Past) -> Iterator[Breach]:
    for name, wrong in (
        ("that lost a message", {"omittedMessages": 7}),
        ("at another index", {"inputIndex": 1}),
        ("that is whole and short", {"truncated": True}),
        ("from a format to come", {"capturedFormatVersion": version + 1}),
    ):
        if version or "Version" not in str(wrong):
            yield Breach("SRC-SESSIONREF", f"quotation {name}", followed(_quotes(**wrong)))
    yield Breach("SRC-SESSIONREF", "quotation of one session twice", followed(_quotes(twice=True)))
    for rule, name, kind, data in _RECORDS:
        yield Breach(rule, name, spelled_already(records(kind, data)))
    write = tampered("user/message", _respelled)
    yield Breach("SURF-OP-REPLACE-V0V1V2", "replacement in the words of v3", write)


def _quotes(*, twice: bool = False, **wrong: Any) -> Next:
    """Say something that quotes a session, wrongly."""
    reference: Raw = {"sessionId": "q", "label": "l", "capturedThroughSeq": None}
    reference |= {"compacted": False, "originalMessages": 1, "retainedMessages": 1}
    reference |= {"omittedMessages": 0, "omittedBytes": 0, "truncated": False, "inputIndex": 0}
    reference |= wrong
    references = [reference, {**reference, "inputIndex": 1}] if twice else [reference]
    source: Raw = {"kind": "session-reference", "form": "recall", "version": 1}
    return says(source={**source, "references": references})


def _told_wrongly(change: Change) -> Write:
    """Change the first message of a goal that holds a change, and end the log there."""

    def write(draft: Draft) -> SessionLog | None:
        for seq in range(draft.own, len(draft.events)):
            if at(draft.events[seq], "data.source.change") is not None:
                changed = copy.deepcopy(draft.events[seq])
                return draft.until(seq, changed) if change(changed) else None
        return None

    return write


def _other_text(raw: Raw) -> bool:
    raw["data"]["content"][0]["text"] += " "
    return True


def _of_next_step(state: PastState) -> Raw | None:
    if not is_streaming(state):
        return None
    source = {"kind": "model", "provider": "p", "model": "m"}
    said = {"id": "m", "role": "assistant", "content": [], "source": source}
    data: Raw = {"turn": state.turn, "step": state.step + 1, "message": said}
    return event(state, "assistant/message", data, surfaceOp="append")


def _bare_over_nothing(draft: Draft) -> SessionLog | None:
    """A bare result replaces an event that is no message."""
    for seq in range(draft.own, len(draft.events) + 1):
        state = draft.states[seq]
        if state.step_open and seq:
            data: Raw = {"turn": state.turn, "step": state.step, "callId": "c", "content": []}
            operation = {"op": "replace", "start": 0, "end": 0}
            raw = event(state, "tool/result", {**data, "isError": False}, surfaceOp=operation)
            return draft.until(seq, raw) if draft.events[0]["type"] == "turn/start" else None
    return None


_RETRY: Raw = {"retryId": "r", "turn": 1, "step": 1, "provider": "p", "policyKey": "k"}
_RETRY |= {"retry": 2, "delayMs": 0, "failure": {"message": "a", "code": "E"}}
_PRUNE: Raw = {"shadowedRange": {"start": 0, "end": 0}, "shadowedSeqs": [0]}
_PRUNE |= {"shadowedTokenCount": 0}
_SUMMARY: Raw = {**_PRUNE, "compactionId": "c", "summary": [], "provider": "p", "model": "m"}
_RANGE: Raw = {"shadowedRange": {"start": 0, "end": 1}}

#: Rule, name, type, payload: what is no record of formats v0 to v2.
_RECORDS: tuple[tuple[str, str, str, Raw], ...] = (
    ("PL-RETRY-MODE", "bounded retry without a bound", "llm/retry", {**_RETRY, "mode": "normal"}),
    (
        "PL-RETRY-MODE",
        "endless retry with a bound",
        "llm/retry",
        {**_RETRY, "mode": "always", "maxRetries": 3},
    ),
    (
        "PL-RETRY-MODE",
        "retry beyond its bound",
        "llm/retry",
        {**_RETRY, "mode": "normal", "maxRetries": 1},
    ),
    (
        "PL-SUMMARY-RAW",
        "summary by a call without its answer",
        "compaction/summary",
        {**_SUMMARY, "llmStreamCall": True},
    ),
    (
        "PL-SHADOW-ENDPOINTS",
        "summary that ends elsewhere",
        "compaction/summary",
        {**_SUMMARY, **_RANGE},
    ),
    (
        "PL-SHADOW-ENDPOINTS",
        "prune that ends elsewhere",
        "compaction/prune",
        {**_PRUNE, **_RANGE},
    ),
)


def _respelled(raw: Raw) -> bool:
    match raw.get("surfaceOp"):
        case {"op": "replace", "start": start, "end": end}:
            raw["surfaceOp"] = {"op": "replace", "startSeq": start, "endSeq": end}
            return True
    return False
