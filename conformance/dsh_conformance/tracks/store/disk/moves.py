"""The moves of a run on a store's directories."""

from dsh_conformance.generate.tape import Tape
from dsh_conformance.tracks.store import endings, steps
from dsh_conformance.tracks.store.course import StakesOf
from dsh_conformance.tracks.store.disk import kin, layout, locks, older, scenes
from dsh_conformance.tracks.store.disk.run import DiskRun
from dsh_conformance.tracks.store.table import Move, Table
from dsh_reference.header import VERSION

#: How many sessions a run has at most.
_MOST = 4


def _room(run: DiskRun) -> bool:
    return len(run.world.sessions("main")) < _MOST and steps.handle_room(run)


def _migrating(run: DiskRun) -> bool:
    return bool(run.arena.claims.migrates_from) and _room(run)


def _listing(run: DiskRun) -> bool:
    """Only v4 lists the children of a session."""
    return _migrating(run) and run.format == VERSION


def _writable(run: DiskRun) -> bool:
    return _room(run) or (bool(run.present()) and steps.handle_room(run))


def _mortal(run: DiskRun) -> bool:
    return run.lives > 0 and run.arena.claims.durable and bool(run.homes)


def _locked(run: DiskRun) -> bool:
    return run.arena.claims.cross_process_lock and _writable(run)


def _handled(run: DiskRun) -> bool:
    return steps.handle_room(run)


def _die(run: DiskRun, _: Tape) -> StakesOf:
    run.lives -= 1
    return endings.die(run)


#: Every move, the plainest first.
MOVES: tuple[Move[DiskRun], ...] = (
    Move(5, _migrating, older.place),
    Move(5, lambda run: bool(run.older()) and _handled(run), older.publish),
    Move(3, lambda run: bool(older.published(run)) and _handled(run), older.reopen),
    Move(5, _migrating, older.place_torn),
    Move(4, _migrating, older.place_broken),
    Move(3, _migrating, older.place_disagreeing),
    Move(7, lambda run: bool(older.drifting(run)) and _handled(run), older.drift),
    Move(6, lambda run: _listing(run) and len(run.homes) < 2, kin.place_family),
    Move(1, lambda run: bool(run.writers()), steps.append),
    Move(1, lambda run: bool(run.writers()), steps.close),
    Move(1, _mortal, endings.restart),
    Move(2, _mortal, _die),
    Move(2, _writable, layout.foreign),
    Move(3, _room, layout.generations),
    Move(4, _room, layout.intruder),
    Move(3, _writable, layout.torn),
    Move(2, _locked, locks.held),
    Move(2, _locked, locks.shut_out),
    Move(2, lambda _: True, scenes.two_homes),
    Move(2, lambda _: True, scenes.two_encodings),
    Move(2, lambda _: True, scenes.flat),
)

_TABLE = Table(MOVES)


def chosen(choice: int, run: DiskRun) -> Move[DiskRun]:
    """Return the move that a choice (0 to 65535) means now."""
    return _TABLE.chosen(choice, run)
