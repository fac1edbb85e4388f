"""What shows the rules that every edge obeys.

Source: facts migration §0, §5.
"""

from collections.abc import Mapping

from dsh_conformance.tracks.migration.sights import (
    Part,
    always,
    has,
    holds,
    open_at_end,
    seeded,
)
from dsh_conformance.tracks.migration.witness import Witness, picks, shown_in
from dsh_reference.session_log import SessionLog

_any = shown_in(0, 1, 2, 3)

_SPOKEN = "user/message assistant/message tool/result"


def _retries_late(log: SessionLog) -> bool:
    """Say whether a retry stands behind the end of its step."""
    stepping = False
    for event in log.events:
        match event["type"]:
            case "step/start" | "step/end" as boundary:
                stepping = boundary == "step/start"
            case "llm/retry" if not stepping:
                return True
    return False


def _counts(data: Part) -> bool:
    return "usage" in data


def _closes(data: Part) -> bool:
    message = data.get("message")
    return isinstance(message, Mapping) and str(message.get("id")).startswith("interrupted-")


#: What is only accepted.
ACCEPTED: tuple[Witness, ...] = (
    _any("MIG-RETRY-AFTER-STEP", _retries_late, "accepted"),
    _any("MIG-OPEN-TAIL", open_at_end, "accepted"),
)

#: What every result shows first.
FIRST: tuple[Witness, ...] = (
    _any("MIG-ADJACENT", always, "version"),
    _any("MIG-BEFORE-REPAIR", open_at_end, "count"),
)

#: What is about one member.
NARROW: tuple[Witness, ...] = (
    _any(
        "MIG-CUMULATIVE-SEQ", holds(_closes, "tool/result"), picks("tool/result", "data.message.id")
    ),
    _any(
        "MIG-TITLE-TEXT",
        has("session/title-llm-request"),
        picks("session/title-llm-request", "data.system", "data.messages.*.content"),
    ),
    _any(
        "MIG-KEEP-USAGE",
        holds(_counts, "assistant/message"),
        picks("assistant/message", "data.usage"),
    ),
    _any(
        "MIG-KEEP-PROVIDER",
        has("assistant/message"),
        picks("assistant/message", "data.message.source"),
    ),
)

#: What shows in most logs.
WIDE: tuple[Witness, ...] = (
    _any("MIG-CUT", seeded, "cut"),
    _any(
        "MIG-KEEP-DERIVED",
        has(*_SPOKEN.split()),
        picks(_SPOKEN, "data.role", "data.content", "data.message.role", "data.message.content"),
    ),
    _any("MIG-KEEP-TIME", always, picks("*", "type", "time")),
)
