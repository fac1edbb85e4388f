"""The audit of a v2 log: what the edge takes, an event at a time.

Nothing of an event is taken on trust, because each number in it might be a seq.  So types, keys,
content and sources are closed sets here, even for an event that its writer called ignorable.
"""

from typing import Final

from attrs import evolve

from dsh_reference.admit.slots import SLOTTED, is_list
from dsh_reference.envelope import SEQ_RULES, check_envelope
from dsh_reference.migrate.edit import Wrong
from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.v2_to_v3.content import check_content
from dsh_reference.migrate.v2_to_v3.records import check_delivery, check_result, check_sources
from dsh_reference.payload import check_payload
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.values import is_count
from dsh_spec.events import event_types, surface_types
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject, is_object

#: The released inventory, and two types that v2 wrote without listing them.
_TYPES: Final = frozenset(event_types(2)) | {"feedback/message-put", "feedback/message-delete"}
_SURFACE: Final = frozenset(surface_types(2))
_REPLACE: Final = frozenset({"op", "start", "end"})
#: The types of whose payloads more is asked than their shape.
_LOOKED_INTO: Final = SLOTTED | {"tool/code-dispatch", "session-log-deepseek/delivery-accepted"}


def audit(raw: Json, seq: int, log: SessionLog) -> Refusal | None:
    """Say why the edge does not take the event at a place of a log; ``None`` when it does.

    Source: MIG23-DENSE, MIG23-ENVELOPE, MIG23-CLOSED, MIG23-PAYLOAD, and the rules of the functions
    it asks (facts: migration §3.5).
    """
    refusal = check_envelope(raw, seq)
    if refusal is not None:
        is_gap = refusal.rule in SEQ_RULES
        rule = "MIG23-DENSE" if is_gap else "MIG23-ENVELOPE"
        return evolve(refusal, kind=RefusalKind.UNSUPPORTED_MIGRATION, rule=rule)
    assert is_object(raw)
    if raw["type"] not in _TYPES:
        problem = f"the type {str(raw['type'])[:80]!r} is none of format v2"
        return unsupported(seq, "MIG23-CLOSED", f"{problem}, and its payload might hold a seq")
    return _refused(seq, _check_metadata(raw)) or _check_data(raw, seq, log)


def _check_data(event: JsonObject, seq: int, log: SessionLog) -> Refusal | None:
    shape = check_payload(event, format=2, header=log.header, inherited=log.inherited)
    if shape is not None or event["type"] not in _LOOKED_INTO:
        return shape
    return _refused(
        seq,
        check_content(event)
        or check_sources(event)
        or check_result(event)
        or check_delivery(event),
    )


def _refused(seq: int, wrong: Wrong | None) -> Refusal | None:
    return None if wrong is None else unsupported(seq, wrong.rule, wrong.problem)


def _check_metadata(event: JsonObject) -> Wrong | None:
    """Hold what an event says of the surface to its type.

    Source: MIG23-SURFACEOP-REQUIRED, MIG23-ENDPOINTS (facts: migration §3.3).
    """
    rule, sources = "MIG23-SURFACEOP-REQUIRED", event.get("sourceEventSeqs")
    if event["type"] not in _SURFACE:
        if "surfaceOp" in event or "sourceEventSeqs" in event:
            return Wrong(rule=rule, problem=f"a {event['type']} says something of the surface")
        return None
    if "surfaceOp" not in event:
        return Wrong(rule=rule, problem=f"a {event['type']} has no surfaceOp")
    if not _is_operation(event["surfaceOp"]):
        return Wrong(rule="MIG23-ENDPOINTS", problem="its surfaceOp is of another spelling")
    if "sourceEventSeqs" not in event:
        return None
    if event["type"] == "assistant/message":
        return Wrong(rule=rule, problem="an assistant/message still cites chunks")
    if not is_list(sources) or not sources or not _are_distinct(sources):
        return Wrong(rule=rule, problem="its sources are no list of distinct seqs")
    return None


def _is_operation(operation: Json) -> bool:
    match operation:
        case "append":
            return True
        case {"op": "replace", "start": start, "end": end}:
            assert is_object(operation)
            return operation.keys() == _REPLACE and is_count(start) and is_count(end)
    return False


def _are_distinct(sources: Json) -> bool:
    assert is_list(sources)
    counts = {source for source in sources if is_count(source)}
    return len(counts) == len(sources)
