"""What each operation of the handle seam must come to.

`decide` maps a world and an operation to a `Decision`: the rule at stake, the world that follows if
the store accepts, and the world that follows if it refuses.  A decision with one world only is
pinned; one with both leaves the store free.  Refusals are checked in one order everywhere: a closed
handle, a value outside JSON, a read handle, an empty batch, and last the seqs.

Values come back equal (STORE-LOSSLESS-JSON), the cut as it was created (STORE-CUT-KEPT), events
that are ignorable like any other (STORE-IGNORABLE-KEPT), and what was taken in does not change with
the caller's copy (STORE-SNAPSHOT-ARGS).
Reading adds no event (STORE-NO-CLOSERS-IN-BACKEND) and gives a prefix of what the writer appended
(STORE-SECOND-READER).
A revision changes with the log (STORE-REVISION-CHANGES) and with nothing else
(STORE-REVISION-STABLE), stat and list agree on it (STORE-STAT-LIST-AGREE), and those of two stores
differ (STORE-REVISION-QUALIFIED).
One workspace is nothing to another (STORE-WORKSPACE-ISOLATION).
"""

from collections.abc import Mapping

from attrs import evolve

from dsh_reference.header import check_header
from dsh_reference.store.decision import Accept, Decision, Refuse
from dsh_reference.store.life import after_close
from dsh_reference.store.operations import (
    Append,
    Close,
    Create,
    Flush,
    FlushAll,
    ListAll,
    Open,
    Operation,
    Read,
    Stat,
)
from dsh_reference.store.state import Handle, Session, Trouble, World
from dsh_reference.values import is_count, not_json
from dsh_spec.refusals import RefusalKind


def decide(world: World, operation: Operation) -> Decision[World]:
    """Say what *operation* must come to in *world* (handle-seam store rules, `STORE-*`)."""
    match operation:
        case Create():
            return _create(world, operation)
        case Open():
            return _open(world, operation)
        case Read():
            return _read(world, operation)
        case Append():
            return _append(world, operation)
        case Flush():
            return _flush(world, operation)
        case FlushAll():
            return _flush_all(world, operation)
        case Close():
            return _close(world, operation)
        case Stat():
            return _stat(world, operation)
        case ListAll():
            return _list(world, operation)


def _create(world: World, op: Create) -> Decision[World]:
    """A valid header under a free id makes a pending session (`STORE-NO-CLOBBER`)."""
    if op.hostile or not_json(op.header) is not None:
        return Refuse("JSON-REFUSE", world, RefusalKind.NOT_JSON)
    if check_header(op.header, world.promises.format) is not None:
        return Refuse("STORE-HEADER-CHECKED", world)
    wrong = op.inherited is None if op.header["isSeeded"] else op.inherited not in (None, 0)
    if wrong:
        return Refuse("STORE-SEEDED-CREATE", world)
    session_id = str(op.header["id"])
    if world.session(session_id, op.process) is not None:
        return Refuse("STORE-NO-CLOBBER", world, RefusalKind.ALREADY_EXISTS)
    made = Session(header=op.header, inherited=op.inherited or 0)
    handle = Handle(session=session_id, writes=True, process=op.process)
    after = evolve(world, pending={**world.pending, (op.process, session_id): made})
    others = bool(world.sessions(op.process))
    rule = "STORE-ID-SAFE" if others else "STORE-PENDING-VISIBLE"
    rule = "STORE-LAZY-CREATE" if session_id in world.released else rule
    return Accept(rule, after.with_handle(op.handle, handle))


def _open(world: World, op: Open) -> Decision[World]:
    """An existing session opens, unless it is owned or cannot be read."""
    found = world.session(op.session, op.process)
    if found is None:
        return Refuse("STORE-NOT-FOUND", world, RefusalKind.NOT_FOUND)
    writes = op.access == "write"
    noted = evolve(world, refused=world.refused | {op.session}) if writes else world
    owner = world.writer(op.session) if writes else None
    if found.trouble is not None:
        kinds = found.trouble.kinds
        also = (RefusalKind.ALREADY_OWNED,) if owner is not None and kinds else ()
        rule = "STORE-ERROR-CLAIM-RELEASE" if writes and op.session in world.refused else ""
        return Refuse(rule or found.trouble.rule, noted, *kinds, *also)
    if writes and found.barred is not None:
        return Refuse(found.barred.rule, noted, *found.barred.kinds)
    if owner is not None:
        return _owned(world, op, owner)
    handle = Handle(session=op.session, writes=writes, process=op.process)
    after = _published(world, op).with_handle(op.handle, handle)
    if found.needs_marker and not world.is_pending(op.session, op.process):
        return Accept("STORE-SEEDED-FLUSH", after, header=found.header)
    rule = _opening_rule(world, op)
    return Accept(rule, after, header=found.header, inheritedEventCount=found.inherited)


def _published(world: World, op: Open) -> World:
    """Whoever opens an older log for writing finds it published (`MIG-WRITE-PUBLISH`)."""
    found = world.stored.get(op.session)
    if op.access == "read" or found is None or found.published:
        return world
    return world.with_stored(op.session, evolve(found, published=True))


def _owned(world: World, op: Open, owner: Handle) -> Decision[World]:
    """A session has one writer (`STORE-SINGLE-WRITER`, `STORE-CROSS-PROCESS-WRITER`)."""
    if owner.process == op.process:
        return Refuse("STORE-SINGLE-WRITER", world, RefusalKind.ALREADY_OWNED)
    if world.promises.cross_process_lock:
        return Refuse("STORE-CROSS-PROCESS-WRITER", world, RefusalKind.ALREADY_OWNED)
    handle = Handle(session=op.session, writes=True, process=op.process)
    return Decision(
        rule="STORE-CROSS-PROCESS-WRITER",
        accepted=world.with_handle(op.handle, handle),
        refused=world,
    )


def _opening_rule(world: World, op: Open) -> str:
    """Name the rule that a refusal to open would break."""
    found = world.stored.get(op.session)
    if found is not None and not found.published:
        return "MIG-READ-NO-PUBLISH" if op.access == "read" else "MIG-WRITE-PUBLISH"
    if op.access == "read":
        pending = world.is_pending(op.session, op.process)
        return "STORE-PENDING-VISIBLE" if pending else "STORE-NOT-FOUND"
    if op.session in world.refused:
        return "STORE-ERROR-CLAIM-RELEASE"
    return "STORE-CLOSE-RELEASES" if op.session in world.released else "STORE-NOT-FOUND"


def _read(world: World, op: Read) -> Decision[World]:
    """A read is a slice of the acknowledged events (`STORE-READ-RANGE`, `STORE-FRESH`)."""
    handle = world.handles[op.handle]
    if not handle.is_open:
        return Refuse("STORE-CLOSED", world, RefusalKind.CLOSED)
    if not (is_count(op.offset) and (op.length is None or is_count(op.length))):
        return Refuse("STORE-READ-ARGS", world, RefusalKind.INVALID_ARGUMENT)
    found = world.session(handle.session, handle.process)
    if handle.orphaned or found is None:
        return Decision(rule="STORE-LAZY-CREATE", accepted=world, refused=world)
    if found.trouble is not None:
        return Refuse(found.trouble.rule, world, *found.trouble.kinds)
    start = int(op.offset)
    stop = len(found.events) if op.length is None else start + int(op.length)
    return Accept("STORE-READ-RANGE", world, events=found.events[start:stop])


def _append(world: World, op: Append) -> Decision[World]:
    """A batch that continues the log is accepted whole, any other is refused whole."""
    handle = world.handles[op.handle]
    if not handle.is_open:
        return Refuse("STORE-CLOSED", world, RefusalKind.CLOSED)
    if op.hostile or not_json(op.events) is not None:
        return Refuse("JSON-REFUSE", world, RefusalKind.NOT_JSON)
    if not handle.writes:
        return Refuse("STORE-READONLY", world, RefusalKind.READ_ONLY)
    if not op.events:
        return Accept("STORE-EMPTY-APPEND", world)
    found = world.session(handle.session, handle.process) or Session(header={})
    pending = world.is_pending(handle.session, handle.process)
    if pending and handle.session in world.stored:
        return Refuse("STORE-STALE-WRITER-REFUSED", world)
    if not _continues(op, len(found.events)):
        return Refuse("STORE-CONTIGUOUS-APPEND", world, RefusalKind.SEQ_MISMATCH)
    grown = evolve(
        found,
        events=(*found.events, *op.events),
        first_batch=len(op.events) if pending else found.first_batch,
        trouble=found.trouble or _poisoned(op),
    )
    after = world.with_stored(handle.session, grown, handle.process)
    poison = _poisoned(op)
    if poison is not None:
        return Decision(rule=poison.rule, accepted=after, refused=world, kinds=_JUDGED)
    return Accept("STORE-CONTIGUOUS-APPEND", after)


#: How a store that judges events refuses one that breaks a rule of the log.
_JUDGED = (RefusalKind.INVALID_EVENT, RefusalKind.UNSUPPORTED_FORMAT, RefusalKind.CORRUPT)


def _poisoned(op: Append) -> Trouble | None:
    """A stored event that breaks a rule of the log makes every read refuse."""
    if op.poison is None:
        return None
    kind = RefusalKind(op.poison)
    vocabulary = kind is RefusalKind.UNSUPPORTED_FORMAT
    rule = "STORE-FAIL-CLOSED-VOCAB" if vocabulary else "STORE-REFUSES-BROKEN-LOG"
    return Trouble(rule=rule, kinds=(kind,))


def _continues(op: Append, next_seq: int) -> bool:
    """Whether the seqs are *next_seq* and each one more than the last."""
    seqs = [event.get("seq") if isinstance(event, Mapping) else None for event in op.events]
    return seqs == list(range(next_seq, next_seq + len(seqs)))


def _flush(world: World, op: Flush) -> Decision[World]:
    """A flush through a write handle makes the session and its events survive (`STORE-DURABLE`)."""
    handle = world.handles[op.handle]
    if not handle.is_open:
        return Refuse("STORE-CLOSED", world, RefusalKind.CLOSED)
    if not handle.writes:
        return Refuse("STORE-READONLY", world, RefusalKind.READ_ONLY)
    found = world.session(handle.session, handle.process) or Session(header={})
    flushed = world.with_stored(handle.session, _survives(found), handle.process)
    if found.needs_marker:
        return Decision(rule="STORE-SEEDED-FLUSH", accepted=flushed, refused=world)
    return Accept("STORE-DURABLE" if found.events else "STORE-FLUSH-MATERIALISES", flushed)


def _flush_all(world: World, op: FlushAll) -> Decision[World]:
    """A service flush flushes every open write handle of the process (`STORE-FLUSH-SERVICE`)."""
    after, seeded = world, False
    for handle in world.handles.values():
        if handle.is_open and handle.writes and handle.process == op.process:
            found = world.session(handle.session, op.process) or Session(header={})
            seeded = seeded or found.needs_marker
            after = after.with_stored(handle.session, _survives(found), op.process)
    if seeded:
        return Decision(rule="STORE-SEEDED-FLUSH", accepted=after, refused=world)
    return Accept("STORE-FLUSH-SERVICE", after)


def _survives(session: Session) -> Session:
    """Return the session as a flush leaves it."""
    return evolve(session, flushed=len(session.events), kept=True)


def _close(world: World, op: Close) -> Decision[World]:
    """A handle closes, also twice; a session closed while pending is erased."""
    if not world.handles[op.handle].is_open:
        return Accept("STORE-CLOSE-IDEMPOTENT", world)
    return Accept("STORE-CLOSE-RELEASES", after_close(world, op.handle))


def _stat(world: World, op: Stat) -> Decision[World]:
    """A snapshot states the header; an absent session has none."""
    found = world.session(op.session, op.process)
    if found is None:
        return Accept("STORE-NOT-FOUND", world, snapshot=None)
    if found.trouble is not None and found.trouble.header:
        return Decision(rule="STORE-LIST-ISOLATION", accepted=world, refused=world)
    return Accept("STORE-HEADER-KEPT", world, header=found.header)


def _list(world: World, op: ListAll) -> Decision[World]:
    """The list names every session that the process sees, once (`STORE-LIST-COMPLETE`)."""
    sessions = world.sessions(op.process)
    broken = any(value.trouble and value.trouble.header for value in sessions.values())
    if broken:
        return Decision(rule="STORE-LIST-ISOLATION", accepted=world, refused=world)
    return Accept("STORE-LIST-COMPLETE", world, ids=tuple(sessions))
