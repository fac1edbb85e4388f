"""From v2 to v3: the system prompt comes onto the surface, and names become canonical.

Each event is audited, put into the names of v3, and stands where it stood, but for the system
messages that are inserted.  The seqs behind an insertion grow, and the references with them.

Nothing is closed, and a step without a request keeps its head (MIG23-TAIL); attempts
(MIG23-ATTEMPT) and turns over an open one (MIG23-NO-RESTART) pass as they are.
"""

from typing import Final

from attrs import evolve

from dsh_reference.admit.slots import SLOTTED, messages_of
from dsh_reference.migrate.cut import check_cut
from dsh_reference.migrate.edit import Wrong, numbered
from dsh_reference.migrate.header import migrate_header
from dsh_reference.migrate.references import (
    NEW_ENDPOINTS,
    OLD_ENDPOINTS,
    Dangling,
    moves,
    remap,
)
from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.v2_to_v3.audit import audit
from dsh_reference.migrate.v2_to_v3.names import canonical
from dsh_reference.migrate.v2_to_v3.system import Insertion, Prompt, insertion, moved, stripped
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.events import surface_types
from dsh_spec.values import Json, JsonObject

__all__ = ["v2_to_v3"]

_SURFACE: Final = frozenset(surface_types(2))


def v2_to_v3(log: SessionLog) -> SessionLog | Refusal:
    """Return a log of format v2 as one of format v3, or the first rule that forbids it.

    Source: MIG23-DENSE, MIG23-CUT, and the rules of the functions it asks (facts: migration §3).
    """
    header = migrate_header(log.header, to=3)
    if isinstance(header, Refusal):
        return header
    edge = _Edge(log)
    for seq, event in enumerate(log.events):
        refusal = audit(event, seq, log) or edge.take(event, seq)
        if refusal is not None:
            return refusal
    refusal = check_cut(log, "MIG23-CUT")
    if refusal is not None:
        return refusal
    inherited = edge.targets[log.inherited] if header["isSeeded"] else 0
    return SessionLog(header=header, inherited=inherited, events=tuple(edge.events))


class _Edge:
    """What has been made of the events so far."""

    def __init__(self, log: SessionLog) -> None:
        self.events: list[JsonObject] = []
        #: Where each source event stands now.
        self.targets: dict[int, int] = {}
        self._move = moves(self.targets)
        self._session = log.header["id"]
        self._prompt = Prompt()
        #: The ids of the messages that were inserted, and of those that were there.
        self._inserted: set[Json] = set()
        self._given: set[Json] = set()

    def take(self, event: JsonObject, seq: int) -> Refusal | None:
        """Take one audited event, and insert the system message that it calls for."""
        if event["type"] in _SURFACE and self._prompt.head is None:
            problem = "it comes onto the surface before the first step, ahead of any system message"
            return unsupported(seq, "MIG23-SURFACE-EARLY", problem)
        inserted = insertion(self._prompt, event, self._session)
        if isinstance(inserted, Wrong):
            return unsupported(seq, inserted.rule, inserted.problem)
        if inserted is not None and inserted.is_before:
            self._insert(inserted.event)
        kept = remap(event, self._move, read=OLD_ENDPOINTS, write=NEW_ENDPOINTS)
        if isinstance(kept, Dangling):
            return unsupported(seq, "MIG23-REFS", f"its {kept.path} names no earlier event")
        self.targets[seq] = len(self.events)
        self._emit(canonical(stripped(kept)))
        if inserted is not None and not inserted.is_before:
            self._insert(inserted.event)
        self._prompt = moved(self._prompt, event)
        taken = self._collision(event, inserted)
        return None if taken is None else unsupported(seq, taken.rule, taken.problem)

    def _insert(self, event: JsonObject) -> None:
        self._prompt = evolve(self._prompt, head=len(self.events))
        self._inserted.update(_ids(event))
        self._emit(event)

    def _emit(self, event: JsonObject) -> None:
        self.events.append(numbered(event, len(self.events)))

    def _collision(self, event: JsonObject, inserted: Insertion | None) -> Wrong | None:
        """MIG23-SYSTEM-COLLIDE (facts: migration §3.2)."""
        if event["type"] not in SLOTTED and inserted is None:
            return None
        given, made = _ids(event), _ids(inserted.event) if inserted is not None else set()
        self._given |= given
        if given.isdisjoint(self._inserted) and made.isdisjoint(self._given):
            return None
        problem = "a message has the id of an inserted one"
        return Wrong(rule="MIG23-SYSTEM-COLLIDE", problem=problem)


def _ids(event: JsonObject) -> set[Json]:
    return {message["id"] for message in messages_of(event)}
