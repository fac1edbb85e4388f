"""The steps of one process: what a user of a store does, rightly and wrongly."""

from collections.abc import Sequence
from typing import cast

from attrs import evolve

from dsh_conformance.generate.batches import HOSTILE, draw_bad_batch, draw_hostile_batch
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.strings import IDS, NEIGHBOURS
from dsh_conformance.generate.tape import Tape
from dsh_conformance.implementation.outcome import Ok
from dsh_conformance.tracks.store import view
from dsh_conformance.tracks.store.course import StakesOf
from dsh_conformance.tracks.store.run import MOST_HANDLES, MOST_SESSIONS, Run
from dsh_conformance.tracks.store.view import Stakes
from dsh_reference.header import VERSION
from dsh_reference.store import (
    Append,
    Close,
    Create,
    Flush,
    FlushAll,
    Open,
    Read,
    decide,
)
from dsh_spec.values import Json


def create(run: Run, tape: Tape) -> StakesOf:
    """Create a session; sometimes flush it at once."""
    session_id = free_id(run, tape)
    header = run.header(tape, session_id)
    name = run.name()
    run.do(Create(handle=name, header=header), f"create session {session_id!r}")
    if tape.rarely(4):
        run.do(Flush(handle=name), "flush it while it is empty")
        return {session_id: view.FLUSHED}
    return {session_id: view.TURNED}


def create_seeded(run: Run, tape: Tape) -> StakesOf:
    """Create a session that inherits a prefix, and store its seed; sometimes flush too early."""
    early = tape.rarely(4)
    session_id = free_id(run, tape)
    header = run.header(tape, session_id, seeded=True)
    events, inherited = run.seed(session_id)
    name = run.name()
    creation = Create(handle=name, header=header, inherited=inherited)
    run.do(creation, f"create session {session_id!r}, seeded with {inherited} inherited events")
    if early:
        run.do(Flush(handle=name), "flush it before its seed is appended")
        run.view.look(run.world, {session_id: view.RUINED})
    run.do(Append(handle=name, events=events), f"append the seed of {len(events)} events")
    return {session_id: view.APPENDED}


def create_again(run: Run, tape: Tape) -> StakesOf:
    """Create a session under an id that is taken."""
    session_id = tape.one_of(list(run.world.sessions("main")))
    header = run.header(tape, session_id)
    run.do(Create(handle=run.name(), header=header), f"create session {session_id!r} again")
    return {session_id: view.CLAIMED}


def create_with_wrong_member(run: Run, tape: Tape) -> StakesOf:
    """Create a session with a header that no reader admits, in three ways one after the other."""
    session_id = free_id(run, tape)
    first = tape.pick(len(_WRONG_MEMBERS))
    plain = run.header(tape, session_id)
    rule = ""
    for key, value in (_WRONG_MEMBERS * 2)[first : first + 3]:
        wrong_one = another_version(run.format) if key == "version" else value
        wrong = Create(handle=run.name(), header={**plain, key: wrong_one})
        rule = decide(run.world, wrong).rule
        run.do(wrong, f"create session {session_id!r} with {key} {wrong_one!r} in its header")
    return {session_id: Stakes(count=rule)}


def create_wrongly(run: Run, tape: Tape) -> StakesOf:
    """Create a session with a wrong inherited count, or with a value outside JSON."""
    fault = tape.pick(3 if run.arena.capabilities.hostile_values else 2)
    session_id = free_id(run, tape)
    says = f"create session {session_id!r}"
    seeded = run.header(tape, session_id, seeded=True)
    plain = run.header(tape, session_id)
    name = run.name()
    match fault:
        case 0:
            wrong = Create(handle=name, header=seeded)
            says += ", seeded, with no inherited count"
        case 1:
            wrong = Create(handle=name, header=plain, inherited=3)
            says += ", unseeded, with 3 inherited events"
        case _:
            header = {**plain, tape.one_of(("cwd", "extra")): {"$hostile": tape.one_of(HOSTILE)}}
            wrong = Create(handle=name, header=header, hostile=True)
            says += " with a value outside JSON in its header"
    rule = decide(run.world, wrong).rule
    run.do(wrong, says)
    return {session_id: Stakes(count=rule)}


#: Members that make a header invalid, whatever else stands in it (`HDR-EXACT`, `HDR-CWD-ABS`, ...).
_WRONG_MEMBERS: tuple[tuple[str, Json], ...] = (
    ("createdAt", 1.5),
    ("version", None),  # That of another format.
    ("extra", 1),
    ("cwd", "relative/path"),
    ("createdAt", -1),
    ("origin", "elsewhere"),
    ("isSeeded", "no"),
    ("seedLength", 0),
)


def another_version(version: int) -> int:
    """Return the format next to the store's: a newer one where there is one."""
    return version + 1 if version < VERSION else version - 1


def open_again(run: Run, tape: Tape) -> StakesOf:
    """Open a session, for reading or for writing, whoever has it open."""
    session_id = tape.one_of(list(run.world.sessions("main")))
    access = tape.one_of(("write", "read"))
    opening = Open(handle=run.name(), session=session_id, access=access)  # type: ignore[arg-type]
    run.do(opening, f"open session {session_id!r} to {access}")
    return {session_id: view.LOOKED}


def reopen(run: Run, tape: Tape) -> StakesOf:
    """Close a session's writer and open the session to write again."""
    session_id = tape.one_of(run.readable())
    run.do(Close(handle=run.writer(session_id)), f"close the writer of session {session_id!r}")
    run.writer(session_id)
    return {session_id: view.CLOSED}


def open_owned(run: Run, tape: Tape) -> StakesOf:
    """Open a session for writing that is open for writing already."""
    session_id = tape.one_of(run.readable())
    run.writer(session_id)
    opening = Open(handle=run.name(), session=session_id, access="write")
    run.do(opening, f"open session {session_id!r} to write once more")
    return {session_id: view.LOOKED}


def open_troubled(run: Run, tape: Tape) -> StakesOf:
    """Open a session that cannot be read, twice: the first refusal must leave no claim behind."""
    session_id = tape.one_of(troubled(run))
    run.let_go(session_id)
    for _ in range(2):
        opening = Open(handle=run.name(), session=session_id, access="write")
        run.do(opening, f"open the damaged session {session_id!r} to write")
    return {session_id: view.TURNED}


def open_absent(run: Run, tape: Tape) -> StakesOf:
    """Open and stat a session that does not exist."""
    session_id = free_id(run, tape)
    access = tape.one_of(("read", "write"))
    opening = Open(handle=run.name(), session=session_id, access=access)  # type: ignore[arg-type]
    run.do(opening, f"open the absent session {session_id!r} to {access}")
    return {session_id: Stakes(count="STORE-NOT-FOUND")}


def read(run: Run, tape: Tape) -> StakesOf:
    """Read a slice."""
    name = tape.one_of(run.open_handles())
    count = len(run.session_of(name).events)
    offset = tape.pick(count + 3)
    length = tape.one_of((None, 0, 1, 2, count + 5))
    run.do(Read(handle=name, offset=offset, length=length), f"read {length} from {offset} on")
    return {run.world.handles[name].session: view.LOOKED}


def read_wrongly(run: Run, tape: Tape) -> StakesOf:
    """Read with every offset, or with every length, that is no count."""
    name = tape.one_of(run.open_handles())
    lengths = tape.pick(2)
    for wrong in (-1, 1.5, 2**53):
        if lengths:
            run.do(Read(handle=name, offset=0, length=wrong), f"read {wrong} events")
        else:
            run.do(Read(handle=name, offset=wrong), f"read from {wrong} on")
    return {run.world.handles[name].session: view.LOOKED}


def append(run: Run, tape: Tape) -> StakesOf:
    """Append a batch that continues the log."""
    name = tape.one_of(run.writers())
    session_id = run.world.handles[name].session
    events = run.batch(session_id)
    first = len(run.session_of(name).events)
    says = f"append {counted(len(events))} from seq {first} on"
    run.do(Append(handle=name, events=events), says)
    return {session_id: view.APPENDED}


def append_nothing(run: Run, tape: Tape) -> StakesOf:
    """Append an empty batch."""
    pending = [name for name in run.writers() if not run.session_of(name).events]
    name = tape.one_of(pending or run.writers())
    run.do(Append(handle=name, events=[]), "append an empty batch")
    return {run.world.handles[name].session: view.EMPTY}


def append_wrongly(run: Run, tape: Tape) -> StakesOf:
    """Append a batch whose seqs do not continue the log, then perhaps one whose seqs do."""
    grown = [name for name in run.writers() if run.session_of(name).events]
    name = tape.one_of(grown or run.writers())
    session_id = run.world.handles[name].session
    stored = run.session_of(name).events
    bad = draw_bad_batch(run.draw, len(stored), cast("Sequence[Raw]", stored[-4:]))
    says = f"append {counted(len(bad.events))} with wrong seqs: the batch {bad.fault}"
    run.do(Append(handle=name, events=bad.events), says)
    if not tape.rarely(3):
        return {session_id: view.REFUSED}
    run.view.look(run.world, {session_id: view.REFUSED})
    right = Append(handle=name, events=run.batch(session_id))
    run.do(right, "append a right batch", rule="STORE-BATCH-ALL-OR-NOTHING-ON-REFUSAL")
    return {session_id: view.APPENDED}


def append_hostile(run: Run, tape: Tape) -> StakesOf:
    """Append a batch that holds a value outside JSON."""
    name = tape.one_of(run.writers())
    session_id = run.world.handles[name].session
    events, what = draw_hostile_batch(run.draw, len(run.session_of(name).events))
    run.do(Append(handle=name, events=events, hostile=True), f"append a batch with {what} in it")
    return {session_id: view.REFUSED}


def append_poison(run: Run, tape: Tape) -> StakesOf:
    """Append JSON that continues the log and that no reader may admit.

    Of a store without artifacts only an unknown type is asked (`STORE-REFUSES-BROKEN-LOG`).
    """
    name = tape.one_of(run.writers())
    session_id = run.world.handles[name].session
    strangers = run.arena.claims.artifacts is None
    events, kind = run.poison(session_id, strangers=strangers)
    says = f"append {counted(len(events))} of which the last must make reads refuse ({kind})"
    outcome = run.do(Append(handle=name, events=events, poison=kind), says)
    return {session_id: view.APPENDED if isinstance(outcome, Ok) else view.REFUSED}


def use_reader(run: Run, tape: Tape) -> StakesOf:
    """Append or flush through a read handle."""
    session_id = tape.one_of(run.readable())
    name = run.reader(session_id)
    if tape.pick(3) == 1:
        run.do(Flush(handle=name), "flush through a read handle")
    else:
        events = run.batch(session_id) if tape.pick(3) else []
        batch = counted(len(events))
        run.do(Append(handle=name, events=events), f"append {batch} through a read handle")
    return {session_id: view.REFUSED}


def use_closed(run: Run, tape: Tape) -> StakesOf:
    """Read, append or flush through a closed handle."""
    name = tape.one_of(run.handles(lambda _: True))
    session_id = run.world.handles[name].session
    stakes = view.REFUSED
    if run.world.handles[name].is_open:
        run.do(Close(handle=name), f"close a handle of session {session_id!r}")
        stakes = view.TURNED
    match tape.pick(4):
        case 0:
            run.do(Read(handle=name), "read through the closed handle")
        case 1:
            events = run.batch(session_id)
            run.do(Append(handle=name, events=events), "append through the closed handle")
        case 2:
            run.do(Append(handle=name, events=[]), "append nothing through the closed handle")
        case _:
            run.do(Flush(handle=name), "flush the closed handle")
    return {session_id: stakes}


def flush(run: Run, tape: Tape) -> StakesOf:
    """Flush one write handle."""
    name = tape.one_of(run.writers())
    run.do(Flush(handle=name), f"flush {_quoted(run, name)}")
    return {run.world.handles[name].session: view.FLUSHED}


def flush_all(run: Run, tape: Tape) -> StakesOf:
    """Flush the whole service, often with two sessions that need it, which are closed then."""
    both = tape.pick(2) == 1 and room(run)
    if both:
        session_id = free_id(run, tape)
        header = run.header(tape, session_id)
        run.do(Create(handle=run.name(), header=header), f"create session {session_id!r}")
    run.do(FlushAll(), "flush the service")
    writing = run.handles(lambda handle: handle.is_open and handle.writes)
    if not both:
        return {run.world.handles[name].session: view.FLUSHED for name in writing}
    for name in writing:
        run.do(Close(handle=name), f"close session {run.world.handles[name].session!r}")
    stakes = evolve(view.FLUSHED, count="STORE-FLUSH-SERVICE")
    return {run.world.handles[name].session: stakes for name in writing}


def close(run: Run, tape: Tape) -> StakesOf:
    """Close a handle."""
    name = tape.one_of(run.open_handles())
    session_id = run.world.handles[name].session
    handle = run.world.handles[name]
    pending = run.world.is_pending(session_id, "main")
    what = "write" if handle.writes else "read"
    run.do(Close(handle=name), f"close the {what} handle of session {session_id!r}")
    if handle.writes and pending:
        return {session_id: view.TURNED}
    return {session_id: view.CLOSED if handle.writes else view.LOOKED}


def close_twice(run: Run, tape: Tape) -> StakesOf:
    """Close a handle twice, often with another writer opened in between."""
    name = tape.one_of(run.open_handles())
    session_id = run.world.handles[name].session
    stored = session_id in run.readable()
    run.do(Close(handle=name), f"close a handle of session {session_id!r}")
    writer = run.writer(session_id) if stored and tape.pick(2) else None
    run.do(Close(handle=name), "close the first handle once more" if writer else "close it again")
    if writer is None:
        return {session_id: view.CLOSED if stored else view.TURNED}
    batch = Append(handle=writer, events=run.batch(session_id))
    run.do(batch, "append through the other writer", rule="STORE-CLOSE-IDEMPOTENT")
    return {session_id: view.APPENDED}


def troubled(run: Run) -> list[str]:
    """Return the sessions that cannot be read, those first that were not tried yet."""
    found = [key for key, session in run.world.stored.items() if session.trouble is not None]
    return sorted(found, key=lambda key: key in run.world.refused)


def room(run: Run) -> bool:
    """Whether one more session may be created; damaged ones are no use and hardly count."""
    sessions = run.world.sessions("main").values()
    sound = [session for session in sessions if session.trouble is None]
    return len(sound) < MOST_SESSIONS and len(sessions) < 2 * MOST_SESSIONS and handle_room(run)


def openable(run: Run) -> bool:
    """Whether there is a session, and room for a handle."""
    return bool(run.world.sessions("main")) and handle_room(run)


def handle_room(run: Run) -> bool:
    """Whether one more handle may be opened."""
    return len(run.open_handles()) < MOST_HANDLES


def free_id(run: Run, tape: Tape) -> str:
    """Return an id that no session has, often one that is easily taken for another."""
    taken = run.world.sessions("main")
    likely = [key for key in _likely_ids(run, tape.pick(3)) if key not in taken]
    return tape.one_of(likely or [key for key in IDS if key not in taken])


def _likely_ids(run: Run, choice: int) -> Sequence[str]:
    """Return ids at which stores go wrong: those that were erased, and neighbours of taken ones."""
    if choice == 1:
        return sorted(run.world.released)
    taken = run.world.sessions("main").keys()
    near = [group for group in NEIGHBOURS if taken & set(group)] if choice == 2 else []
    return [key for group in near for key in group]


def counted(count: int) -> str:
    """Return a number of events in words."""
    return "1 event" if count == 1 else f"{count} events"


def _quoted(run: Run, name: str) -> str:
    return repr(run.world.handles[name].session)
