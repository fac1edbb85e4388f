"""Facts of children, collected from their logs.

A child's log is read as what it is and changed by nothing.  One that cannot be read, or whose
descriptor makes no sense, is a child all the same: of it only the header is known.
"""

from collections.abc import Mapping
from typing import Final

from attrs import evolve

from dsh_reference.admit import admit
from dsh_reference.header import VERSION
from dsh_reference.migrate.chain import migrate
from dsh_reference.migrate.children import ChildFact, evidence_of
from dsh_reference.migrate.edit import Wrong
from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.v3_to_v4 import v3_to_v4
from dsh_reference.migrate.v3_to_v4.deliveries import check_own
from dsh_reference.migrate.v3_to_v4.opaque import is_known
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.values import JsonObject, is_object

#: What a reader of the child does not judge, or judges by the rules of v3.
_MASKED: Final = frozenset({"subagent/catalog", "session-log-deepseek/delivery-accepted"})


def child_fact(header: JsonObject, log: SessionLog | Refusal) -> ChildFact:
    """Return the fact of a child: its checked header, and what could be read of its log.

    Source: MIG34-CHILD-FACT, MIG-FACTS-COLLECT (facts: migration §4.3, §6).
    """
    created = header["createdAt"]
    assert isinstance(created, int)
    bare = ChildFact(child_id=str(header["id"]), created_at=created)
    read = _readable(log) if isinstance(log, SessionLog) else log
    if isinstance(read, Refusal):
        return bare
    own = [event["data"] for event in read.events[read.inherited :] if _describes(event)]
    fact = evolve(bare, descriptor_count=len(own), descriptor=own[0] if own else None)
    return bare if isinstance(evidence_of(fact), Wrong) else fact


def is_child(header: JsonObject, parent: str) -> bool:
    """Tell whether a header is that of a child of a session; a fork's is not.

    Source: MIG-FACTS-COLLECT (facts: migration §6).
    """
    return header.get("origin") == "subagent" and header.get("parentSession") == parent


def _describes(event: JsonObject) -> bool:
    return event["type"] == "subagent/descriptor"


def _readable(log: SessionLog) -> SessionLog | Refusal:
    """Return a child's log as v3 or v4 has it, if its events can follow each other."""
    if log.header["version"] == VERSION:
        admitted = admit(log.header, log.inherited, log.events)
        return admitted if isinstance(admitted, Refusal) else log
    old = migrate(log, to=3)
    return old if isinstance(old, Refusal) else _related(old)


def _related(log: SessionLog) -> SessionLog | Refusal:
    """Return a v3 log, or why its events cannot follow each other.

    v4 has the same relations, so what the last edge makes of the log is judged; but a restart that
    the edge would have to mend is none that v3 allows.
    """
    masked = evolve(log, events=tuple(map(_masked, log.events)))
    moved = v3_to_v4(masked, children=())
    if isinstance(moved, Refusal):
        return moved
    if len(moved.events) > len(log.events):
        return unsupported(None, "REL-TURN", "a turn starts while another is open")
    for seq, event in enumerate(log.events):
        wrong = check_own(event, log)
        if wrong is not None:
            return unsupported(seq, wrong.rule, wrong.problem)
        if is_known(event) and not is_object(event["data"]):
            return unsupported(seq, "ENV-DATA-PRESENT", "its data is no object")
    admitted = admit(moved.header, moved.inherited, moved.events)
    return admitted if isinstance(admitted, Refusal) else log


def _masked(event: JsonObject) -> JsonObject:
    """Return an event in whose place nothing is judged, where it is not the edge's to judge.

    The rules of v3 still ask of a chunk, ignorable or not, that it stands in its turn and step, so
    it is judged as an attempt would be (REL-IN-STEP).
    """
    match event:
        case {"type": "assistant/chunk", "data": Mapping() as data}:
            place = {key: data[key] for key in ("turn", "step") if key in data}
            kept = {key: event[key] for key in ("seq", "time")}
            return {**kept, "type": "assistant/attempt", "data": {**place, "stream": []}}
        case {"type": "assistant/chunk"}:
            return {"type": "assistant/attempt", **{k: event[k] for k in ("seq", "time", "data")}}
        case {"type": str(kind)} if kind in _MASKED:
            return {**event, "type": "masked", "ignorable": True}
    return event
