"""How an instance of a store-seam store ends, and what outlives it."""

from attrs import evolve

from dsh_reference.store.seam.state import World
from dsh_reference.store.state import Trouble
from dsh_spec.values import Json


def end(world: World, process: str) -> World:
    """Return the world after *process* ended, in order or by a kill.

    Every acknowledged event stays, since an append is durable when it returns (`STORE-DURABLE`).
    Only what the instance knew is gone: reserved ids are free again (`STORE-LAZY-CREATE`), and the
    next instance looks into the storage before it appends (`STORE-APPEND-ADOPTS`).
    """
    lost = {session_id for owner, session_id in world.reserved if owner == process}
    kept = {place: value for place, value in world.reserved.items() if place[0] != process}
    return evolve(
        world,
        stored=world.stored if world.durable else {},
        reserved=kept,
        known=frozenset(place for place in world.known if place[0] != process),
        freed=(world.freed | lost) - world.stored.keys(),
    )


def damage(
    world: World,
    session_id: str,
    *,
    events: tuple[Json, ...],
    torn: bool,
    trouble: Trouble | None,
) -> World:
    """Return the world after a session's artifact was changed while no instance knew it.

    *events* is what a right reader finds in it, unless *trouble* says that it must refuse.
    """
    session = evolve(world.stored[session_id], events=events, torn=torn, trouble=trouble)
    return evolve(world, stored={**world.stored, session_id: session})
