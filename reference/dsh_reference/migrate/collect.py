"""Facts of children, collected from their logs.

A child's log is read as what it is and changed by nothing.  One that cannot be read, or whose
descriptor makes no sense, is a child all the same: of it only the header is known.
"""

from attrs import evolve

from dsh_reference.admit import admit
from dsh_reference.header import VERSION
from dsh_reference.migrate.chain import migrate
from dsh_reference.migrate.children import ChildFact, evidence_of
from dsh_reference.migrate.edit import Wrong
from dsh_reference.migrate.upgrade import related
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.values import JsonObject


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
    return old if isinstance(old, Refusal) else related(old)
