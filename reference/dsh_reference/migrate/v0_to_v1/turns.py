"""Turns: what once began a turn, and how its end once said why."""

from collections.abc import Mapping

from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.v0_to_v1.normalisation import has_keys, payload
from dsh_reference.refusal import Refusal
from dsh_reference.values import is_count, is_pos
from dsh_spec.values import Json, JsonObject


def drop_trigger(event: JsonObject, seq: int) -> JsonObject | Refusal:
    """Take from the start of a turn what triggered it (MIG01-TRIGGER)."""
    if event["type"] != "turn/start" or "trigger" not in (data := payload(event)):
        return event
    match data:
        case {"turn": turn, "trigger": {"kind": str(kind)}} if is_pos(turn) and kind:
            if has_keys(data, "turn", "trigger"):
                return {**event, "data": {"turn": turn}}
    return unsupported(seq, "MIG01-TRIGGER", "its trigger is none that v0 wrote")


def renew_reason(event: JsonObject, seq: int) -> JsonObject | Refusal:
    """Give the end of a turn its reason in present-day terms (MIG01-TURN-END, TER-LEGACY)."""
    if event["type"] != "turn/end":
        return event
    match event.get("data"):
        case {"turn": turn, "reason": Mapping() as reason, **rest} if is_pos(turn) and not rest:
            renewed = _reason(reason)
            if renewed is not None:
                return {**event, "data": {"turn": turn, "reason": renewed}}
    return unsupported(seq, "MIG01-TURN-END", "its turn or reason is none that v0 wrote")


def _reason(reason: JsonObject) -> JsonObject | None:
    match reason.get("kind"):
        case "completed" | "blocked" | "max-tokens" | "interrupted":
            return reason if has_keys(reason, "kind") else None
        case "aborted" if "reason" not in reason:
            return _aborted("legacy") if has_keys(reason, "kind") else None
        case "disposed":
            return _aborted("disposed") if has_keys(reason, "kind") else None
        case "error" if "error" not in reason:
            failure = _failure(reason)
            return None if failure is None else {"kind": "error", "error": failure}
        case str():
            return reason
    return None


def _aborted(cause: str) -> JsonObject:
    return {"kind": "aborted", "reason": {"kind": cause}}


def _failure(reason: JsonObject) -> Json:
    """Return the failure in one of its two old forms; the step in which it came is forgotten."""
    if not is_count(reason.get("step")):
        return None
    match reason:
        case {"failure": Mapping() as failure} if has_keys(reason, "kind", "step", "failure"):
            return failure
        case {"message": str(text), **rest}:
            code = rest.pop("code", "UNKNOWN")
            if has_keys(rest, "kind", "step") and isinstance(code, str):
                return {"message": text, "code": code}
    return None
