"""The moves of a run: which steps there are, when each is possible, and how often it is made."""

from dsh_conformance.tracks.store import endings, harm, rivals, steps
from dsh_conformance.tracks.store.run import Run
from dsh_conformance.tracks.store.table import Move, Table


def _always(_: Run) -> bool:
    return True


def _any(run: Run) -> bool:
    return bool(run.world.sessions("main"))


def _readable(run: Run) -> bool:
    return bool(run.readable())


def _writing(run: Run) -> bool:
    return bool(run.writers())


def _holding(run: Run) -> bool:
    return bool(run.open_handles())


def _hostile(run: Run) -> bool:
    return run.arena.capabilities.hostile_values and _writing(run)


def _mortal(run: Run) -> bool:
    return run.lives > 0 and _any(run)


def _shared(run: Run) -> bool:
    return run.arena.launcher.can_share and run.arena.claims.durable


def _locked(run: Run) -> bool:
    return _shared(run) and run.arena.claims.cross_process_lock and _readable(run)


def _damageable(run: Run) -> bool:
    return run.arena.claims.artifacts is not None and _readable(run)


#: Every move, the plainest first.
MOVES: tuple[Move[Run], ...] = (
    Move(2, steps.room, steps.create),
    Move(6, lambda run: not _any(run), steps.create),
    Move(6, _writing, steps.append),
    Move(2, _holding, steps.close),
    Move(2, _writing, steps.flush),
    Move(2, steps.openable, steps.open_again),
    Move(3, _holding, steps.read),
    Move(2, _holding, steps.read_wrongly),
    Move(3, steps.room, steps.create_seeded),
    Move(2, _any, steps.create_again),
    Move(2, _always, steps.create_with_wrong_member),
    Move(2, _always, steps.create_wrongly),
    Move(1, _always, steps.open_absent),
    Move(1, _readable, steps.open_owned),
    Move(8, lambda run: bool(steps.troubled(run)), steps.open_troubled),
    Move(2, _readable, steps.reopen),
    Move(2, _writing, steps.append_nothing),
    Move(3, _writing, steps.append_wrongly),
    Move(1, _hostile, steps.append_hostile),
    Move(2, _writing, steps.append_poison),
    Move(2, _readable, steps.use_reader),
    Move(1, _holding, steps.close_twice),
    Move(2, lambda run: bool(run.handles(lambda _: True)), steps.use_closed),
    Move(2, _writing, steps.flush_all),
    Move(2, _mortal, endings.restart),
    Move(6, _mortal, endings.kill),
    Move(1, _any, endings.switch),
    Move(1, _locked, rivals.write_beside),
    Move(1, lambda run: _shared(run) and _readable(run), rivals.read_beside),
    Move(2, lambda run: _shared(run) and steps.room(run), rivals.create_beside),
    Move(7, lambda run: run.lives > 0 and _locked(run), rivals.die_writing),
    Move(2, _damageable, harm.torn),
    Move(1, _damageable, harm.committed),
    Move(1, _damageable, harm.foreign_events),
    Move(1, _damageable, harm.broken_events),
    Move(1, _damageable, harm.foreign_header),
    Move(1, _damageable, harm.other_version),
)

_TABLE = Table(MOVES)


def chosen(choice: int, run: Run) -> Move[Run]:
    """Return the move that a choice (0 to 65535) means now."""
    return _TABLE.chosen(choice, run)
