"""How handles, processes and stored sessions end, and what outlives them.

A session is in storage whole or not at all (STORE-ATOMIC-MATERIALISE), and a dead writer's claim is
free (STORE-LOCK-FREED-BY-DEATH).
The artifact holds the log and nothing else (STORE-ARTIFACT-HOLDS-LOG), and its committed bytes stay
(STORE-NO-REWRITE).
Bytes behind the last whole record are no event (STORE-TORN-TAIL), damage before a `turn/end` is
refused (STORE-COMMITTED-CORRUPTION-LOUD), and damage to one session is none to another
(STORE-ISOLATION).
"""

from attrs import evolve

from dsh_reference.store.state import Handle, Session, Trouble, World
from dsh_spec.values import Json


def after_close(world: World, name: str) -> World:
    """Return the world after the open handle *name* was closed.

    The writer's claim is free again (`STORE-CLOSE-RELEASES`), and a session that its creator closes
    while it is pending has never existed (`STORE-LAZY-CREATE`).
    """
    handle = world.handles[name]
    closed = world.with_handle(name, evolve(handle, is_open=False))
    if not handle.writes:
        return closed
    closed = evolve(closed, released=closed.released | {handle.session})
    erased = (handle.process, handle.session)
    if erased not in world.pending:
        return closed
    handles = {k: _orphan(h, handle) for k, h in closed.handles.items()}
    waiting = {k: v for k, v in closed.pending.items() if k != erased}
    return evolve(closed, pending=waiting, handles=handles)


def shutdown(world: World, process: str) -> World:
    """Return the world after an orderly end of *process*.

    Its handles are closed first; every appended event is kept (`STORE-CLOSE-KEEPS`), if the store
    is durable at all.
    """
    for name, handle in world.handles.items():
        if handle.process == process and handle.is_open:
            world = after_close(world, name)
    kept = {key: _all_kept(value) for key, value in world.stored.items()}
    return _forget(evolve(world, stored=kept), process)


def crash(world: World, process: str) -> World:
    """Return the world after *process* was killed.

    Pending sessions are gone (`STORE-LAZY-CREATE`).  Of a stored session at least the flushed part
    survives; `adopt` settles how much it was.
    """
    return _forget(world, process)


def adopt(world: World, session_id: str, count: int | None) -> World:
    """Return the world in which *count* events of the session survived a crash (nothing: none did).

    What has been seen to survive is kept from then on (`STORE-APPEND-ONLY`).
    """
    if count is None:
        left = {key: value for key, value in world.stored.items() if key != session_id}
        return evolve(world, stored=left)
    session = world.stored[session_id]
    survived = evolve(session, events=session.events[:count])
    return world.with_stored(session_id, _all_kept(survived))


def damage(
    world: World,
    session_id: str,
    *,
    events: tuple[Json, ...],
    inherited: int,
    trouble: Trouble | None,
) -> World:
    """Return the world after the session's artifact was changed from outside.

    *events* and *inherited* are what a right reader finds in it, unless *trouble* says that it must
    refuse: the cut is where the last inherited marker stands (`CUT-V2PLUS`).
    """
    found = world.stored[session_id]
    session = evolve(found, events=events, inherited=inherited, trouble=trouble)
    return world.with_stored(session_id, _all_kept(session))


def _all_kept(session: Session) -> Session:
    return evolve(session, flushed=len(session.events), kept=True)


def _orphan(handle: Handle, erased: Handle) -> Handle:
    """Mark a handle whose session was erased under it."""
    same = (handle.process, handle.session) == (erased.process, erased.session)
    return evolve(handle, orphaned=True) if same else handle


def _forget(world: World, process: str) -> World:
    """Drop what only the process knew: its handles, its pending sessions, its claims."""
    return evolve(
        world,
        stored=world.stored if world.promises.durable else {},
        handles={name: h for name, h in world.handles.items() if h.process != process},
        pending={key: value for key, value in world.pending.items() if key[0] != process},
        released=frozenset(),
        refused=frozenset(),
    )
