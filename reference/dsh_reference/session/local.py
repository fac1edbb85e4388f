"""What a session asks of one event on its own, before it looks at the log.

Format v4 asks it where the event is read (:mod:`dsh_reference.session.typed`); v3 asks for two
things, and the formats before it for nothing.
"""

from collections.abc import Mapping

from dsh_reference.refusal import Refusal
from dsh_reference.session.refuse import refuse_event
from dsh_spec.catalogue import Format
from dsh_spec.values import Json, JsonObject


def check_local(event: JsonObject, format: Format) -> Refusal | None:  # noqa: A002 - the word of the specification
    """Say whether an event of v3 has a payload that no session of it takes.

    Source: APP-LOCAL, HDRREQ-CANONICAL, PL-RESULT-ERROR-CONSISTENT (facts: surface §2.4, §4.6).
    """
    if format != 3:
        return None
    seq = event["seq"]
    assert isinstance(seq, int)
    match event:
        case {"type": "request/header", "data": data}:
            problem = _header_problem(data)
            return refuse_event(seq, "HDRREQ-CANONICAL", problem) if problem else None
        case {"type": "tool/result", "data": {"error": _}}:
            if not _is_failure(event["data"]):
                problem = "it has an error and no isError"
                return refuse_event(seq, "PL-RESULT-ERROR-CONSISTENT", problem)
    return None


def _header_problem(data: Json) -> str:
    match data:
        case {"header": {"system": _}}:
            return "its header has a system prompt"
        case {"header": {"tools": []}}:
            return "its header has an empty list of tools"
        case {"header": {"adapterDefaults": Mapping() as defaults}} if not defaults:
            return "its header has empty defaults"
        case {"header": Mapping()}:
            return ""
    return "it has no header"


def _is_failure(data: Json) -> bool:
    match data:
        case {"message": {"content": [{"isError": bool(flag)}, *_]}}:
            return flag
    return False
