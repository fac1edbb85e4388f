"""An older log as a store of some format takes it over: migrated to its own format, and judged.

The chain has a log of v4 admitted at its end (:mod:`dsh_reference.migrate.chain`).
A store of v3 judges what the edges made as well, before it shows or publishes it.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import evolve

from dsh_reference.admit import admit
from dsh_reference.migrate.chain import migrate
from dsh_reference.migrate.children import ChildFact
from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.v3_to_v4 import v3_to_v4
from dsh_reference.migrate.v3_to_v4.deliveries import check_own
from dsh_reference.migrate.v3_to_v4.opaque import is_known
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject, is_object

#: What a reader of v3 does not judge, or judges by rules of its own.
_MASKED: Final = frozenset({"subagent/catalog", "session-log-deepseek/delivery-accepted"})


def upgrade(
    log: SessionLog, *, to: Format, children: Sequence[ChildFact] = ()
) -> SessionLog | Refusal:
    """Return an older log as a store of format *to* shows and publishes it, or why it does not.

    *children* are those of the session; before v4 nobody lists them.
    The refusal's kind is that of `migrate`.

    Source: MIG-TARGET-CHECK (facts: migration §5.1, events §9; observed on 0.2.1rc2 and 0.1.5rc1).
    """
    moved = migrate(log, to=to, children=children)
    if isinstance(moved, Refusal) or to != 3:
        return moved
    judged = related(moved)
    if isinstance(judged, Refusal):
        where = f"{judged.where} of the v{to} log"
        return evolve(judged, kind=RefusalKind.UNSUPPORTED_MIGRATION, where=where, remedy="")
    return judged


def related(log: SessionLog) -> SessionLog | Refusal:
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
