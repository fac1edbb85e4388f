"""The catalogue of children: kept where the log has it, completed from the children's own logs."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from dsh_reference.migrate.children import ChildFact, Evidence, evidence_of
from dsh_reference.migrate.edit import Wrong
from dsh_reference.migrate.refuse import unsupported
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.events import SubagentCatalog, structure_event
from dsh_spec.values import Json, JsonObject

_TYPE: Final = "subagent/catalog"

#: What an entry says of a child: when it was created, its mode, and its label.
_Listing: TypeAlias = tuple[int, str, str | None]


def completed(log: SessionLog, children: Sequence[ChildFact]) -> SessionLog | Refusal:
    """Return a migrated log with an entry for every child that it did not list.

    Source: MIG34-CATALOG-OWN, MIG34-CATALOG-KEEP, MIG34-CATALOG-ADD, MIG34-CATALOG-FORK
    (facts: migration §4.3).
    """
    listed = _own(log)
    if isinstance(listed, Refusal):
        return listed
    added: list[JsonObject] = []
    for fact in sorted(children, key=_order):
        evidence = evidence_of(fact)
        if isinstance(evidence, Wrong):
            return unsupported(None, evidence.rule, evidence.problem)
        if fact.child_id not in listed:
            added.append(_entry(fact, evidence))
            listed[fact.child_id] = _listing(fact, evidence)
        elif not _agrees(listed[fact.child_id], fact, evidence):
            path = f" (raw log: {fact.source_path})" if fact.source_path else ""
            problem = f"the session {fact.child_id[:80]!r}{path} conflicts with its entry"
            return unsupported(None, "MIG34-CATALOG-KEEP", problem)
    time = log.events[-1]["time"] if log.events else log.header["createdAt"]
    more = _events(added, time, len(log.events))
    return SessionLog(header=log.header, inherited=log.inherited, events=(*log.events, *more))


def _own(log: SessionLog) -> dict[str, _Listing] | Refusal:
    """Return the log's own entries by child; inherited ones are not looked at."""
    listed: dict[str, _Listing] = {}
    for seq, event in enumerate(log.events[log.inherited :], start=log.inherited):
        if event["type"] != _TYPE:
            continue
        entry = structure_event(event).data
        if not isinstance(entry, SubagentCatalog):
            return unsupported(seq, "MIG34-CATALOG-OWN", "it is no entry of a known version")
        if entry.child_id in listed:
            return unsupported(seq, "MIG34-CATALOG-OWN", "it lists a child a second time")
        listed[entry.child_id] = (entry.child_created_at, entry.mode, entry.label)
    return listed


def _listing(fact: ChildFact, evidence: Evidence | None) -> _Listing:
    if evidence is None:
        return fact.created_at, "unknown", None
    return fact.created_at, evidence.mode, evidence.label


def _agrees(listing: _Listing, fact: ChildFact, evidence: Evidence | None) -> bool:
    """Compare an entry with a fact in as much as is known of the child."""
    if evidence is None:
        return listing[0] == fact.created_at
    return listing == _listing(fact, evidence)


def _entry(fact: ChildFact, evidence: Evidence | None) -> JsonObject:
    child: JsonObject = {"childId": fact.child_id, "childCreatedAt": fact.created_at}
    if evidence is None:
        return {"version": 1, **child, "mode": "unknown"}
    label = {} if evidence.label is None else {"label": evidence.label}
    return {"version": 0, **child, "mode": evidence.mode, **label}


def _events(entries: Sequence[JsonObject], time: Json, first: int) -> Iterator[JsonObject]:
    for seq, data in enumerate(entries, start=first):
        yield {"type": _TYPE, "seq": seq, "time": time, "data": data}


def _order(fact: ChildFact) -> tuple[int, bytes]:
    """By time of creation, and then by the UTF-16 code units of the id."""
    return fact.created_at, fact.child_id.encode("utf-16-be", "surrogatepass")
