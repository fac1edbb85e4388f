"""From v3 to v4: tools speak for themselves, sources name their producers, children are listed.

Each event stands where it stood, but for the ends of turns that a restart left open; the seqs
behind such an end grow, and the references with them.  What v3 did not know is set aside, if it
may be.  Last the catalogue of children is completed.

A descriptor of any version stays as it is (MIG34-DESCRIPTOR), and an `llm/retry` may stand behind
the end of its step (MIG-RETRY-AFTER-STEP).
"""

from collections.abc import Sequence

from attrs import evolve

from dsh_reference.envelope import SEQ_RULES, check_envelope
from dsh_reference.migrate.children import ChildFact
from dsh_reference.migrate.cut import check_cut
from dsh_reference.migrate.edit import Wrong, numbered
from dsh_reference.migrate.header import migrate_header
from dsh_reference.migrate.references import NEW_ENDPOINTS, Dangling, moves, remap
from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.v3_to_v4.catalogue import completed
from dsh_reference.migrate.v3_to_v4.convert import converted
from dsh_reference.migrate.v3_to_v4.deliveries import check_delivery
from dsh_reference.migrate.v3_to_v4.images import has_targets
from dsh_reference.migrate.v3_to_v4.opaque import is_known, set_aside
from dsh_reference.migrate.v3_to_v4.restart import Turns, interrupted, passed
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

__all__ = ["v3_to_v4"]


def v3_to_v4(log: SessionLog, *, children: Sequence[ChildFact]) -> SessionLog | Refusal:
    """Return a log of format v3 as one of format v4, or the first rule that forbids it.

    *children* are the facts of all its children; an empty list says that there are none.
    The result may still break a rule of v4: the chain has it admitted.

    Source: MIG34-DENSE-IN, MIG34-CUT, and the rules of the functions it asks
    (facts: migration §4).
    """
    header = migrate_header(log.header, to=4)
    if isinstance(header, Refusal):
        return header
    edge = _Edge(log)
    for seq, event in enumerate(log.events):
        refusal = _check(event, seq) or edge.take(event, seq)
        if refusal is not None:
            return refusal
    refusal = check_cut(log, "MIG34-CUT")
    if refusal is not None:
        return refusal
    inherited = edge.targets[log.inherited] if header["isSeeded"] else 0
    events = tuple(edge.events)
    return completed(SessionLog(header=header, inherited=inherited, events=events), children)


def _check(raw: Json, seq: int) -> Refusal | None:
    refusal = check_envelope(raw, seq)
    if refusal is None:
        return None
    rule = "MIG34-DENSE-IN" if refusal.rule in SEQ_RULES else refusal.rule
    return evolve(refusal, kind=RefusalKind.UNSUPPORTED_MIGRATION, rule=rule)


class _Edge:
    """What has been made of the events so far."""

    def __init__(self, log: SessionLog) -> None:
        self.events: list[JsonObject] = []
        #: Where each source event stands now.
        self.targets: dict[int, int] = {}
        self._move = moves(self.targets)
        self._log = log
        self._turns = Turns()

    def take(self, event: JsonObject, seq: int) -> Refusal | None:
        """Take one event whose envelope is right."""
        end = interrupted(self._turns, event)
        if end is not None:
            self._emit(end)
        self._turns = passed(self._turns, event)
        kept = self._convert(event, seq) if is_known(event) else set_aside(event)
        if isinstance(kept, Wrong):
            return unsupported(seq, kept.rule, kept.problem)
        self.targets[seq] = len(self.events)
        self._emit(kept)
        return None

    def _convert(self, event: JsonObject, seq: int) -> JsonObject | Wrong:
        wrong = check_delivery(event, self._log)
        if wrong is not None:
            return wrong
        moved = event if len(self.events) == seq else self._remap(event)
        return moved if isinstance(moved, Wrong) else converted(moved)

    def _remap(self, event: JsonObject) -> JsonObject | Wrong:
        """MIG34-REFS (facts: migration §4.2)."""
        moved = remap(event, self._move, read=NEW_ENDPOINTS, write=NEW_ENDPOINTS)
        if isinstance(moved, Dangling):
            return Wrong(rule="MIG34-REFS", problem=f"its {moved.path} names no earlier event")
        if not has_targets(event):
            return Wrong(rule="MIG34-REFS", problem="its targets are no list of references")
        return moved

    def _emit(self, event: JsonObject) -> None:
        self.events.append(numbered(event, len(self.events)))
