"""Deliveries: what one says of this log is checked, what it says of any other is not."""

from collections.abc import Mapping
from typing import Final

from dsh_reference.migrate.edit import Wrong
from dsh_reference.session_log import SessionLog
from dsh_reference.values import is_count
from dsh_spec.values import Json, JsonObject, is_object

_RULE: Final = "MIG34-DELIVERY"
_SOURCE, _TARGET = 3, 4


def check_delivery(event: JsonObject, log: SessionLog) -> Wrong | None:
    """Hold a delivery of a v3 log to that log, and refuse one that claims to be of v4.

    *event* has the seq that it has in v3.

    Source: MIG34-DELIVERY (facts: migration §4.2).
    """
    if event["type"] != "session-log-deepseek/delivery-accepted":
        return None
    data = event["data"]
    format_ = data.get("sessionFormatVersion", 0) if is_object(data) else None
    if not is_count(format_):
        return Wrong(rule=_RULE, problem="it is of no format")
    if format_ == _TARGET:
        return Wrong(rule=_RULE, problem="it claims to be of format v4")
    return check_own(event, log)


def check_own(event: JsonObject, log: SessionLog) -> Wrong | None:
    """Hold a delivery that claims to be of v3 to its log: what it names is earlier, and is its own.

    An inherited one may name the session that it was inherited from.
    """
    match event:
        case {"type": "session-log-deepseek/delivery-accepted", "data": Mapping() as data}:
            if data.get("sessionFormatVersion") != _SOURCE:
                return None
        case _:
            return None
    seq, through = event["seq"], data.get("throughSeq")
    if not is_count(through) or not is_count(seq) or through >= seq:
        return Wrong(rule=_RULE, problem="it names no earlier event")
    is_inherited = "parentSession" in log.header and seq < log.inherited
    if not _is_its(data.get("sessionId"), log, is_inherited=is_inherited):
        return Wrong(rule=_RULE, problem="it names another session")
    return None


def _is_its(session: Json, log: SessionLog, *, is_inherited: bool) -> bool:
    if not isinstance(session, str) or not session:
        return False
    return is_inherited or session == log.header["id"]
