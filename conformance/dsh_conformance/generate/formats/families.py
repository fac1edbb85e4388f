"""Sessions with children: what the edge to v4 has to know beyond the log itself.

Source: facts migration §4.3 (MIG34-CHILD-FACT, MIG34-CATALOG-*) and MIG-FACTS-COLLECT.
"""

from attrs import evolve, frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats.logs import drafts
from dsh_conformance.generate.formats.state import Past, PastState
from dsh_conformance.generate.formats.writer import PastWriter
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.strings import NAMES
from dsh_conformance.generate.tape import Tape
from dsh_reference.session_log import SessionLog

#: Ids of children; their order differs by UTF-16 code unit and by code point.
CHILDREN = ("kid", "kid2", "\uffff", "😀", "\ud83d", "k/d", "K")
_STRIP = st.binary(min_size=6, max_size=6)
_STRIPS = st.lists(_STRIP, max_size=4)


@frozen(kw_only=True)
class Family:
    """A session and its children."""

    #: The session.
    parent: SessionLog
    #: The logs of its children, of any older format.
    children: tuple[SessionLog, ...]
    #: What is to be known of each child: `childId`, `childCreatedAt`, `descriptorCount` and
    #: `descriptor`, as the edge from v3 takes it.
    facts: tuple[Raw, ...]


@st.composite
def families(draw: st.DrawFn, version: Past) -> Family:
    """Valid sessions of format *version* with up to four children; shrink to a lonely empty log.

    A parent of format v3 has listed some of its children, and all that it says of them is true.
    """
    draft = draw(drafts(version))
    session = draft.header["id"]
    children, facts, listed = [], [], list[Raw]()
    names = [name for name in CHILDREN if name != session]
    for name, strip in zip(names, draw(_STRIPS), strict=False):
        tape = Tape(strip)
        child = _child(tape, session, name)
        children.append(child)
        facts.append(_fact(child))
        if version == 3 and tape.pick(3) == 2:
            listed.append(_entry(facts[-1]))
    parent = evolve(draft.log, events=(*draft.events, *_catalog(draft.states[-1], listed)))
    return Family(parent=parent, children=tuple(children), facts=tuple(facts))


def _child(tape: Tape, parent: str, name: str) -> SessionLog:
    """Write a child that describes itself once, twice or not at all."""
    version: Past = tape.one_of((3, 2, 1, 0))
    state = PastState(format=version, session=name, author=name)
    writer = PastWriter(state)
    writer.emit("plan/mode", {"active": True})
    known = _DESCRIPTORS if version == 3 else _DESCRIPTORS[:4]
    for _ in range(tape.one_of((1, 0, 2))):
        writer.emit("subagent/descriptor", tape.one_of(known))
    header: Raw = {"version": version, "id": name, "createdAt": tape.one_of((5, 5, 0))}
    header |= {"isSeeded": False, "delegationDepth": 1, "origin": "subagent"}
    header["parentSession"] = parent
    return SessionLog(header=header, inherited=0, events=tuple(writer.events))


#: What children say of themselves; the last ones only in format v3.
_DESCRIPTORS: tuple[Raw, ...] = (
    {"mode": "one-shot", "version": 3, "provider": "p"},
    {"mode": "one-shot", "version": 3, "provider": "p", "label": ""},
    {"mode": "continuable", "version": 3, "provider": "p", "label": NAMES[-1]},
    {"mode": "continuable", "version": 3, "provider": "p", "label": "a"},
    {"version": 1, "provider": "p", "label": "old"},
    {"mode": "one-shot", "version": 2, "provider": "p"},
    {"version": 9},
)


def _fact(child: SessionLog) -> Raw:
    told = [event["data"] for event in child.events if event["type"] == "subagent/descriptor"]
    fact: Raw = {"childId": child.header["id"], "childCreatedAt": child.header["createdAt"]}
    return {**fact, "descriptorCount": len(told), "descriptor": told[0] if told else None}


def _entry(fact: Raw) -> Raw:
    """Return what a parent says of a child; where the child says nothing, it may say anything."""
    entry: Raw = {"childId": fact["childId"], "childCreatedAt": fact["childCreatedAt"]}
    told = fact["descriptor"] or {}
    if fact["descriptorCount"] != 1 or told["version"] == 9:
        return {"version": 1, **entry, "mode": "unknown"}
    label = {"label": told["label"]} if "label" in told else {}
    return {"version": 0, **entry, "mode": told.get("mode", "continuable"), **label}


def _catalog(state: PastState, entries: list[Raw]) -> list[Raw]:
    return [
        {"type": "subagent/catalog", "seq": state.seq + at, "time": state.time, "data": entry}
        for at, entry in enumerate(entries)
    ]
