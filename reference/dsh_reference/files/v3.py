"""What format v3 asks of a single row, beyond the envelope.

Some faults make the row a bad one, which the torn end of a log may have (`check_v3`).
Others refuse the log wherever they stand, for a reader that took them for a torn end would drop
what a writer of another vocabulary meant (`check_hard_v3`).
"""

from collections.abc import Mapping
from typing import Final

from dsh_reference.admit.rows import RETIRED_TYPES
from dsh_reference.files.sources import SOURCES
from dsh_reference.refusal import Refusal
from dsh_reference.values import MAX_SAFE, is_count
from dsh_spec.events import ShapeError, event_types, structure_event, surface_types
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

_KNOWN: Final = frozenset(event_types(3))
_SURFACE: Final = surface_types(3)


def check_v3(row: JsonObject) -> Refusal | None:
    """Judge a row of v3 whose envelope is right: ``None``, or why it is a bad one.

    (MIG-RECOVER-V3; facts: migration §0, each fault probed at the end of a log on 0.2.1rc2.)
    """
    found = _surface_fault(row) or _payload_fault(row)
    if found is None and not is_count(row["seq"]):
        found = "ENV-SEQ-NEGZERO", "the seq is minus zero"
    if found is None:
        return None
    where = f"event {row['seq']}"
    return Refusal(kind=RefusalKind.CORRUPT, rule=found[0], where=where, problem=found[1])


def check_hard_v3(row: JsonObject) -> Refusal | None:
    """Say whether a row of v3 refuses the log, wherever it stands.

    (INV-HARD-ADMISSION; facts: events §9, each probed behind a gap on 0.2.1rc2.)
    """
    type_ = row.get("type")
    if not isinstance(type_, str):
        return None
    if type_ in RETIRED_TYPES and row.get("ignorable") is not True:
        return _hard(row, "IGN-RETIRED-PTC", "its type is retired", supported=False)
    if type_ == "request/header":
        match row.get("data"):
            case {"header": Mapping() as header}:
                if "system" in header:
                    problem = "its header has a system prompt"
                    return _hard(row, "HDRREQ-CANONICAL", problem, supported=False)
            case _:
                return _hard(row, "HDRREQ-CANONICAL", "it has no header")
    if type_ == "system/message":
        fault = _system_fault(row)
        return None if fault is None else _hard(row, "PL-SYSTEM-MESSAGE", fault)
    return None


def _surface_fault(row: JsonObject) -> tuple[str, str] | None:
    """Judge what the row says of the surface.

    Source: SURF-LOGONLY-NO-OP, SURF-LOGONLY-NO-SOURCES, SURF-MARKER-REQUIRED, SRC-ASSISTANT-FORBID,
    SRC-EMPTY.
    """
    type_ = row["type"]
    if type_ not in _SURFACE:
        rule = next((_NOT_THERE[key] for key in _NOT_THERE if key in row), None)
        return (rule, f"{type_} has no place on the surface") if rule and type_ in _KNOWN else None
    if not _is_marker(row.get("surfaceOp"), row["seq"]):
        return "SURF-MARKER-REQUIRED", "it has no surfaceOp of format v3"
    if SOURCES in row and type_ == "assistant/message":
        return "SRC-ASSISTANT-FORBID", "an assistant/message cites nothing"
    if row.get(SOURCES, True) == []:
        return "SRC-EMPTY", "its list of sources is empty"
    return None


#: What only a type of the surface has, and the rule that says so.
_NOT_THERE: Final = {"surfaceOp": "SURF-LOGONLY-NO-OP", SOURCES: "SURF-LOGONLY-NO-SOURCES"}


def _is_marker(marker: Json, seq: Json) -> bool:
    """Tell whether *marker* appends, or replaces nodes that are earlier than *seq*."""
    match marker:
        case "append":
            return True
        case {"op": "replace", "startSeq": start, "endSeq": end, **rest} if not rest:
            return is_count(start) and is_count(end) and is_count(seq) and max(start, end) < seq
    return False


def _payload_fault(row: JsonObject) -> tuple[str, str] | None:
    """PL-RESULT-ERROR-CONSISTENT, HDRREQ-CANONICAL."""
    match row:
        case {"type": "tool/result", "data": Mapping() as data}:
            if "error" in data and not _is_error(data.get("message")):
                return "PL-RESULT-ERROR-CONSISTENT", "it has an error and its result has none"
        case {"type": "tool/result"}:
            return "PL-RESULT-ERROR-CONSISTENT", "its data is no object"
        case {"type": "request/header", "data": {"header": Mapping() as header}}:
            if header.get("tools", True) == [] or header.get("adapterDefaults", True) == {}:
                return "HDRREQ-CANONICAL", "its header states an empty member"
    return None


def _is_error(message: Json) -> bool:
    match message:
        case {"content": [{"type": "tool-result", "isError": True}]}:
            return True
    return False


def _system_fault(row: JsonObject) -> str | None:
    """Say what of the payload of a system message is not as it must be (PL-SYSTEM-MESSAGE)."""
    envelope = {"type": row["type"], "seq": MAX_SAFE, "time": 0, "surfaceOp": "append"}
    try:
        structure_event({**envelope, "data": row.get("data")}, format=3)
    except ShapeError as error:
        return f"{error.path} {error.problem}"
    return None


def _hard(row: JsonObject, rule: str, problem: str, *, supported: bool = True) -> Refusal:
    kind = RefusalKind.CORRUPT if supported else RefusalKind.UNSUPPORTED_MIGRATION
    return Refusal(kind=kind, rule=rule, where=str(row["type"]), problem=problem)
