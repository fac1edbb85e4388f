"""What a body of formats v0 to v2 can get wrong on its own beyond the kinds of its fields.

Every type is checked, and so is all of its payload that belongs to no other producer.
"""

from typing import Any, Final

from dsh_spec.catalogue import Format
from dsh_spec.events import v1, v2
from dsh_spec.events import v4_core as core
from dsh_spec.events import v4_interaction as interaction
from dsh_spec.events import v4_model as model
from dsh_spec.events import v4_session as session
from dsh_spec.events.exact_messages import (
    check_answer,
    check_message,
    check_without_change,
    check_wrapped,
    demand,
)
from dsh_spec.events.exact_plugins import check_failure, check_plugin, check_seqs
from dsh_spec.events.kinds import MAX_SAFE, integral
from dsh_spec.events.record import Body
from dsh_spec.values import is_object

_ANY_ROLE = ("system", "user", "assistant")
#: Bodies of which nothing is asked here; most events of a log have one of them.
_FREE: Final[frozenset[type[Body]]] = frozenset(
    {
        core.TurnStart,
        core.StepStart,
        core.StepEnd,
        core.ToolCall,
        interaction.HookInvoked,
        session.ApprovalAsked,
        session.ApprovalDecided,
    }
)
#: Bodies of which only `_check_core` asks anything.
_CORE: Final[frozenset[type[Body]]] = frozenset(
    {
        core.TurnEnd,
        core.UserMessage,
        v1.AssistantMessage,
        core.AssistantMessage,
        core.AssistantAttempt,
        core.ToolResult,
        v2.RequestHeader,
    }
)


def check_exact(body: Body, data: Any, seq: int, format: Format) -> None:  # noqa: A002
    """Refuse a body that breaks a rule on its own.

    ``data`` is what it was read from, ``seq`` the place of its event in the log.
    """
    if type(body) in _FREE:
        return
    _check_core(body, data, format)
    if type(body) in _CORE:
        return
    _check_messages(body, seq, format)
    check_plugin(body, data, seq)
    match body:
        case v2.DeliveryAccepted(session_format_version=version) if (version or 0) == format:
            _check_delivery(body, seq)


def is_foreign_descriptor(data: Any) -> bool:
    """Whether a subagent's descriptor is of another version, whose shape v1 does not know.

    Readers of v1 let it pass, those of v0 and v2 do not (MIG12-PAYLOAD).
    """
    version = integral(data.get("version")) if is_object(data) else None
    return version is not None and version != 3 and 0 <= version <= MAX_SAFE


def _check_core(body: Body, data: Any, format: Format) -> None:  # noqa: A002
    match body:
        case core.TurnEnd():
            _check_reason(data["reason"])
        case core.UserMessage(message=message):
            check_message(message, ("data",), ("user",), format)
        case v1.AssistantMessage(message=message):
            check_answer(message, format)
        case core.AssistantMessage(message=message):
            check_answer(message, format)
            _check_place(body)
        case core.AssistantAttempt():
            _check_place(body)
        case core.ToolResult(message=message):
            check_wrapped(message)
        case v2.RequestHeader():
            _check_defaults(data["header"])


def _check_messages(body: Body, seq: int, format: Format) -> None:  # noqa: A002
    match body:
        case session.AgentInboxSpliced(inserted=inserted):
            for index, message in enumerate(inserted):
                check_message(message, ("data", "inserted", index), ("user",), format)
        case session.SessionTitleLlmRequest(message_seqs=seqs, messages=messages):
            demand(seqs, "must not be empty", "data", "messageSeqs")
            check_seqs(seqs, seq, ("data", "messageSeqs"))
            for index, message in enumerate(messages or ()):
                place = ("data", "messages", index)
                check_message(message, place, _ANY_ROLE, format)
                check_without_change(message, place)


def _check_reason(reason: Any) -> None:
    """Check what the classes of the known reasons leave open."""
    match reason:
        case {"kind": "aborted", "reason": cause}:
            problem = "goes with the kind hook, which always has it"
            by_hook = cause["kind"] == "hook"
            demand(("reason" in cause) == by_hook, problem, "data", "reason", "reason", "reason")
        case {"kind": "error", "error": error}:
            failure = model.LlmFailure(
                message=error["message"],
                code=error["code"],
                status=error.get("status"),
                provider_retry_after_ms=error.get("providerRetryAfterMs"),
            )
            check_failure(failure, ("data", "reason", "error"))


def _check_place(body: core.AssistantMessage | core.AssistantAttempt) -> None:
    for name in ("turn", "step"):
        demand(getattr(body, name) > 0, "must be positive", "data", name)


def _check_defaults(data: Any) -> None:
    for key in data.get("adapterDefaults", ()):
        problem = "must be absent where the config lacks that key"
        place = ("data", "header", "adapterDefaults", key)
        demand(key in data["config"], problem, *place, rule="HDRREQ-DEFAULT-NEEDS-VALUE")


def _check_delivery(body: v2.DeliveryAccepted, seq: int) -> None:
    """Check a record that counts in the log's own format (DELIV-GEN)."""
    named = isinstance(body.session_id, str) and body.session_id != ""
    demand(named, "must be a non-empty string", "data", "sessionId", rule="DELIV-GEN")
    through = integral(body.through_seq)
    earlier = through is not None and 0 <= through < seq
    demand(earlier, f"must be a seq below {seq}", "data", "throughSeq", rule="DELIV-GEN")
