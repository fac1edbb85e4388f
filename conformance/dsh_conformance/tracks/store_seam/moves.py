"""The moves of a run: which steps there are, when each is possible, and how often it is made."""

from dsh_conformance.tracks.store.table import Move, Table
from dsh_conformance.tracks.store_seam import endings, harm, steps
from dsh_conformance.tracks.store_seam.run import SeamRun


def _always(_: SeamRun) -> bool:
    return True


def _any(run: SeamRun) -> bool:
    return bool(run.world.ids("main"))


def _readable(run: SeamRun) -> bool:
    return bool(run.readable())


def _writing(run: SeamRun) -> bool:
    return bool(run.writable())


def _known(run: SeamRun) -> bool:
    return any(run.knows(key) for key in run.writable())


def _hostile(run: SeamRun) -> bool:
    return run.arena.capabilities.hostile_values and _writing(run)


def _oldest(run: SeamRun) -> bool:
    return run.format == 0 and _writing(run)


def _mortal(run: SeamRun) -> bool:
    return run.lives > 0 and _any(run)


def _shared(run: SeamRun) -> bool:
    able = run.arena.launcher.can_share and run.arena.claims.durable
    return able and steps.room(run)


def _damageable(run: SeamRun) -> bool:
    return run.arena.claims.artifacts is not None and bool(harm.harmable(run))


#: Every move, the plainest first.
MOVES: tuple[Move[SeamRun], ...] = (
    Move(4, steps.room, steps.create),
    Move(6, lambda run: not _any(run), steps.create),
    Move(5, _writing, steps.append),
    Move(3, _writing, steps.append_open),
    Move(4, _readable, steps.load),
    Move(1, _readable, steps.inspect),
    Move(2, _readable, steps.read_from),
    Move(2, _readable, steps.read_wrongly),
    Move(2, _any, steps.create_again),
    Move(2, steps.room, steps.create_wrongly),
    Move(2, _always, steps.ask_absent),
    Move(2, _always, steps.append_nothing),
    Move(3, _writing, steps.append_wrongly),
    Move(1, _hostile, steps.append_hostile),
    Move(2, _known, steps.append_poison),
    Move(6, lambda run: bool(run.troubled()), steps.load_troubled),
    Move(4, lambda run: bool(steps.adoptable(run)), steps.append_unrepaired),
    Move(3, _oldest, steps.append_antique),
    Move(3, _oldest, steps.append_retired),
    Move(8, _any, endings.renew),
    Move(2, _mortal, endings.restart),
    Move(8, _mortal, endings.kill),
    Move(2, _any, endings.switch),
    Move(2, _shared, endings.create_beside),
    Move(3, _damageable, harm.torn),
    Move(1, _damageable, harm.committed),
    Move(2, _damageable, harm.foreign_events),
    Move(1, _damageable, harm.foreign_header),
    Move(1, _damageable, harm.other_version),
)

_TABLE = Table(MOVES)


def chosen(choice: int, run: SeamRun) -> Move[SeamRun]:
    """Return the move that a choice (0 to 65535) means now."""
    return _TABLE.chosen(choice, run)
