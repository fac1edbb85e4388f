"""What each operation of the store seam must come to.

An append checks in this order: values outside JSON, retired types, an empty batch, whether there is
such a session, and last the seqs.

A load of a whole log commits nothing (STORE-CLOSERS-ONCE); one that commits leaves whole records
alone (STORE-REPAIR-CUTS-TAIL).
"""

from collections.abc import Mapping

from attrs import evolve

from dsh_reference.store.decision import Accept, Decision, Refuse
from dsh_reference.store.seam.legacy import is_retired
from dsh_reference.store.seam.operations import (
    Append,
    Create,
    Inspect,
    ListAll,
    ListSnapshots,
    Load,
    Operation,
    ReadFrom,
)
from dsh_reference.store.seam.state import Stored, World
from dsh_reference.store.state import Trouble
from dsh_reference.values import is_count, not_json
from dsh_spec.refusals import RefusalKind


def decide(world: World, operation: Operation) -> Decision[World]:
    """Say what *operation* must come to in *world* (store-seam store rules, `STORE-*`)."""
    match operation:
        case Create():
            return _create(world, operation)
        case Append():
            return _append(world, operation)
        case Load():
            return _load(world, operation)
        case Inspect():
            return _inspect(world, operation)
        case ReadFrom():
            return _read_from(world, operation)
        case ListAll() | ListSnapshots():
            return _list(world)


def _create(world: World, op: Create) -> Decision[World]:
    """A header under a free id reserves the id and stores nothing (`STORE-LAZY-CREATE`)."""
    if op.hostile or not_json(op.header) is not None:
        return Refuse("JSON-REFUSE", world, RefusalKind.NOT_JSON)
    if not is_count(op.header.get("createdAt")):
        return Refuse("STORE-CREATED-AT-CHECKED", world)
    session_id = str(op.header["id"])
    if world.has(session_id, op.process):
        found = world.stored.get(session_id)
        nameless = found is not None and found.trouble is not None and found.trouble.header
        kinds = () if nameless else (RefusalKind.ALREADY_EXISTS,)
        return Refuse("STORE-NO-CLOBBER", world, *kinds)
    place = (op.process, session_id)
    after = evolve(
        world, reserved={**world.reserved, place: op.header}, known=world.known | {place}
    )
    others = "STORE-ID-SAFE" if world.ids(op.process) else "STORE-LAZY-CREATE"
    return Accept("STORE-LAZY-CREATE" if session_id in world.freed else others, after)


def _append(world: World, op: Append) -> Decision[World]:
    """A batch that continues the log is stored whole, any other is refused whole."""
    if op.hostile or not_json(op.events) is not None:
        return Refuse("JSON-REFUSE", world, RefusalKind.NOT_JSON)
    batch = [event for event in op.events if isinstance(event, Mapping)]
    if world.format == 0 and any(map(is_retired, batch)):
        return Refuse("STORE-RETIRED-REFUSED", world)
    if not op.events:
        return Accept("STORE-EMPTY-APPEND", world)
    if not world.has(op.session, op.process):
        return Refuse("STORE-NOT-FOUND", world, RefusalKind.NOT_FOUND)
    if op.session not in world.stored:
        return _stored(world, op, _new(world, op))
    found = world.stored[op.session]
    if (op.process, op.session) in world.reserved:
        return Refuse("STORE-NO-CLOBBER", world)
    if world.knows(op.session, op.process):
        return _stored(world, op, found)
    if found.trouble is not None:
        return Refuse(found.trouble.rule, world, *found.trouble.kinds)
    repaired = found.repaired()
    adopted = world.with_stored(op.session, repaired, op.process)
    return _stored(adopted, op, repaired, adopting=repaired != found)


def _new(world: World, op: Append) -> Stored:
    header = world.reserved[op.process, op.session]
    return Stored(header=header, events=(), format=world.format)


def _stored(
    world: World, op: Append, session: Stored, *, adopting: bool = False
) -> Decision[World]:
    """A batch that begins at the session's next seq is stored (`STORE-CONTIGUOUS-APPEND`)."""
    seqs = [event.get("seq") if isinstance(event, Mapping) else None for event in op.events]
    rule = "STORE-APPEND-ADOPTS" if adopting else "STORE-CONTIGUOUS-APPEND"
    start = len(session.events)
    if seqs != list(range(start, start + len(seqs))):
        return Refuse(rule, world, RefusalKind.SEQ_MISMATCH)
    if session.trouble is None and session.closers:
        rule = "STORE-TURN-LEFT-OPEN"
    trouble = session.trouble or _poisoned(op)
    grown = evolve(session, events=(*session.events, *op.events), trouble=trouble)
    after = world.with_stored(op.session, grown, op.process)
    poison = _poisoned(op)
    if poison is not None:
        return Decision(rule=poison.rule, accepted=after, refused=world, kinds=_JUDGED)
    return Accept(rule, after)


#: How a store that judges events refuses one that breaks a rule of the log.
_JUDGED = (RefusalKind.INVALID_EVENT, RefusalKind.UNSUPPORTED_FORMAT, RefusalKind.CORRUPT)


def _poisoned(op: Append) -> Trouble | None:
    """A stored event that breaks a rule of the log makes every later load refuse."""
    if op.poison is None:
        return None
    kind = RefusalKind(op.poison)
    if kind is RefusalKind.UNSUPPORTED_FORMAT:
        return Trouble(rule="STORE-FAIL-CLOSED-VOCAB", kinds=(kind,))
    return Trouble(rule="STORE-REFUSES-BROKEN-LOG", kinds=(kind,), late=True)


def _absent(world: World, session_id: str, process: str) -> Decision[World]:
    """A session without an event is not there, whoever has reserved its id."""
    reserved = (process, session_id) in world.reserved or session_id in world.freed
    rule = "STORE-LAZY-CREATE" if reserved else "STORE-NOT-FOUND"
    return Refuse(rule, world, RefusalKind.NOT_FOUND)


def _load(world: World, op: Load) -> Decision[World]:
    """A load returns the log with its open turn closed, and has committed that."""
    found = world.stored.get(op.session)
    if found is None:
        return _absent(world, op.session, op.process)
    if found.trouble is not None:
        return Refuse(found.trouble.rule, world, *found.trouble.kinds)
    after = world.with_stored(op.session, found.repaired(), op.process)
    return Accept("STORE-CLOSERS-ON-LOAD", after, header=found.header, events=found.whole)


def _inspect(world: World, op: Inspect) -> Decision[World]:
    """An inspection shows what a load would return (`STORE-INSPECT-VIEW`)."""
    found = world.stored.get(op.session)
    if found is None:
        return _absent(world, op.session, op.process)
    if found.trouble is not None:
        return Refuse(found.trouble.rule, world, *found.trouble.kinds)
    return Accept("STORE-INSPECT-VIEW", world, header=found.header, events=found.whole)


def _read_from(world: World, op: ReadFrom) -> Decision[World]:
    """Stored events come as they are stored, without closers (`STORE-READ-STORED`)."""
    if not is_count(op.start):
        return Refuse("STORE-READ-ARGS", world, RefusalKind.INVALID_ARGUMENT)
    found = world.stored.get(op.session)
    if found is None:
        return _absent(world, op.session, op.process)
    if found.trouble is not None:
        served = world if found.trouble.late or op.start else None
        return Decision(rule=found.trouble.rule, accepted=served, refused=world)
    events = found.view[int(op.start) :]
    return Accept("STORE-READ-STORED", world, header=found.header, events=events)


def _list(world: World) -> Decision[World]:
    """The lists name every stored session and no other (`STORE-LIST-COMPLETE`)."""
    if any(found.trouble and found.trouble.header for found in world.stored.values()):
        return Decision(rule="STORE-LIST-ISOLATION", accepted=world, refused=world)
    return Accept("STORE-LIST-COMPLETE", world, ids=tuple(world.stored))
