"""The moves of a run: which steps there are, when each is possible, and how often it is made."""

from collections.abc import Callable

from attrs import frozen

from dsh_conformance.tracks.store import endings, harm, rivals, steps
from dsh_conformance.tracks.store.run import Run, Step


@frozen
class Move:
    """One kind of step."""

    #: How often it is made, relative to the others.
    weight: int
    #: Whether it is possible now.
    may: Callable[[Run], bool]
    #: The step.
    step: Step


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
MOVES: tuple[Move, ...] = (
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
    Move(3, _always, steps.create_wrongly),
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
    Move(1, lambda run: bool(run.handles(lambda _: True)), steps.use_closed),
    Move(2, _writing, steps.flush_all),
    Move(2, _mortal, endings.restart),
    Move(4, _mortal, endings.kill),
    Move(1, _any, endings.switch),
    Move(1, _locked, rivals.write_beside),
    Move(1, lambda run: _shared(run) and _readable(run), rivals.read_beside),
    Move(2, lambda run: _shared(run) and steps.room(run), rivals.create_beside),
    Move(5, lambda run: run.lives > 0 and _locked(run), rivals.die_writing),
    Move(1, _damageable, harm.torn),
    Move(1, _damageable, harm.committed),
    Move(1, _damageable, harm.foreign_events),
    Move(1, _damageable, harm.broken_events),
    Move(1, _damageable, harm.foreign_header),
    Move(1, _damageable, harm.other_version),
)

_PRIME = 2**16 + 1
#: Each place of the table, as often as its move is made, with a multiplier that scatters choices.
_TABLE = tuple(
    (move, pow(75, place + 1, _PRIME))
    for place, move in enumerate(move for move in MOVES for _ in range(move.weight))
)


def chosen(choice: int, run: Run) -> Move:
    """Return the move that a choice (0 to 65535) means now.

    Each choice ranks all moves, and the first possible one is made: so a choice keeps its meaning
    when Hypothesis takes earlier steps away.  0 ranks them as they stand.
    """
    ranked = sorted(_TABLE, key=lambda entry: choice * entry[1] % _PRIME)
    return next(move for move, _ in ranked if move.may(run))
