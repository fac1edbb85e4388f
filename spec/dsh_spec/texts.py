"""The exact texts, names and codes that a repair writes into a log.

They are protocol data: readers compare the text for a call that was interrupted before it started
character for character (CLOSE-TEXT), and programs tell the two outcomes apart by the codes.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from dsh_spec.events import ToolError

#: Why an open turn is closed: the process that wrote it died, or a fork cut it off (v4 only).
#: The cause is also the kind of the closing ``turn/end`` reason (CLOSE-REASON).
Cause: TypeAlias = Literal["interrupted", "forked"]


#: The call may have run (CLOSE-STARTED).
OUTCOME_UNKNOWN = ToolError(name="ToolOutcomeUnknownError", code="TOOL_OUTCOME_UNKNOWN")
#: The call never ran (CLOSE-NOT-STARTED).
NOT_STARTED = ToolError(name="ToolNotStartedError", code="TOOL_NOT_STARTED")

#: The text for a call that had started when the process died.
INTERRUPTED_STARTED = (
    "The tool call was interrupted after it was recorded, but no result was durably "
    "recorded. Its outcome is unknown. Decide whether to retry from the tool semantics: "
    "retry only if the operation is read-only or idempotent; if it may have side effects, "
    "first verify external state or ask the user. Do not retry blindly."
)
#: The text for a call that had not started when the process died.
INTERRUPTED_NOT_STARTED = (
    "The tool call was interrupted before the Harness recorded it as started. Retry it if it "
    "is still needed."
)
#: The text for a call that had started where the fork cut the log.
FORKED_STARTED = (
    "The history inherited by this branch records this tool call starting but does not "
    "include its result. The parent session may have completed it after the fork point. "
    "Decide whether to retry from the tool semantics: retry only if the operation is "
    "read-only or idempotent; if it may have side effects, first verify external state or "
    "ask the user. Do not retry blindly."
)
#: The text for a call that had not started where the fork cut the log.
FORKED_NOT_STARTED = (
    "The history inherited by this branch has no record of this tool call starting. The "
    "parent session may have executed it after the fork point. Decide whether to retry from "
    "the tool semantics: retry only if the operation is read-only or idempotent; if it may "
    "have side effects, first verify external state or ask the user. Do not retry blindly."
)

#: The text of a closer, by its cause and by whether the call had started.
CLOSER_TEXTS: Mapping[tuple[Cause, bool], str] = MappingProxyType(
    {
        ("interrupted", True): INTERRUPTED_STARTED,
        ("interrupted", False): INTERRUPTED_NOT_STARTED,
        ("forked", True): FORKED_STARTED,
        ("forked", False): FORKED_NOT_STARTED,
    }
)


def closer_text(cause: Cause, *, started: bool) -> str:
    """The text of a closer (CLOSE-TEXT)."""
    return CLOSER_TEXTS[cause, started]
