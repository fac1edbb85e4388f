"""The steps of one process: what a user of a store does, rightly and wrongly."""

from collections.abc import Sequence
from typing import cast

from attrs import evolve

from dsh_conformance.generate.batches import HOSTILE, draw_bad_batch, draw_hostile_batch
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.strings import IDS, NEIGHBOURS
from dsh_conformance.generate.tape import Tape
from dsh_conformance.implementation.outcome import Ok
from dsh_conformance.tracks.store.course import StakesOf
from dsh_conformance.tracks.store.view import Stakes
from dsh_conformance.tracks.store_seam import view
from dsh_conformance.tracks.store_seam.run import MOST_SESSIONS, SeamRun
from dsh_reference.store.seam import (
    Append,
    Create,
    Inspect,
    Load,
    Operation,
    ReadFrom,
    decide,
)
from dsh_spec.values import Json, JsonObject


def create(run: SeamRun, tape: Tape) -> StakesOf:
    """Create a session, and mostly append its first batch."""
    session_id = free_id(run, tape)
    header = run.header(tape, session_id)
    if run.format < 2 and tape.rarely(4):
        header["seedLength"] = tape.pick(2)
    run.do(Create(header=header), f"create session {session_id!r}")
    if tape.rarely(3):
        return {session_id: view.RESERVED}
    return append_to(run, session_id, run.batch(session_id))


def create_again(run: SeamRun, tape: Tape) -> StakesOf:
    """Create a session under an id that is taken."""
    session_id = tape.one_of(run.world.ids("main"))
    header = run.header(tape, session_id)
    run.do(Create(header=header), f"create session {session_id!r} again")
    return {session_id: view.CLAIMED}


def create_wrongly(run: SeamRun, tape: Tape) -> StakesOf:
    """Create a session with a time that is none, then rightly: the refusal reserves nothing."""
    session_id = free_id(run, tape)
    header = run.header(tape, session_id)
    says = f"create session {session_id!r}"
    if run.arena.capabilities.hostile_values and tape.pick(2):
        changed: Raw = {**header, tape.one_of(("cwd", "extra")): {"$hostile": tape.one_of(HOSTILE)}}
        wrong = Create(header=changed, hostile=True)
        run.do(wrong, f"{says} with a value outside JSON in its header")
    else:
        time: Json = tape.one_of(_NO_TIMES)
        wrong = Create(header={**header, "createdAt": time})
        run.do(wrong, f"{says} with createdAt {time!r}")
    rule = decide(run.world, wrong).rule
    run.do(Create(header=header), f"{says} rightly", rule=rule)
    return append_to(run, session_id, run.batch(session_id))


_NO_TIMES: tuple[Json, ...] = (1.5, -1, "now")


def append(run: SeamRun, tape: Tape) -> StakesOf:
    """Append a batch that continues the log."""
    session_id = tape.one_of(run.writable())
    return append_to(run, session_id, run.batch(session_id))


def append_antique(run: SeamRun, tape: Tape) -> StakesOf:
    """Append a batch in which some events have the shapes of the format's early days."""
    session_id = tape.one_of(run.writable())
    return append_to(run, session_id, run.batch(session_id, antique=True))


def append_open(run: SeamRun, tape: Tape) -> StakesOf:
    """Append a batch that leaves a turn open, and often one that goes on in it at once."""
    session_id = tape.one_of(run.writable())
    events = run.pen.open_turn(run.draw, session_id, run.events(session_id))
    stakes = append_to(run, session_id, events)
    if tape.pick(2):
        append_to(run, session_id, run.pen.open_turn(run.draw, session_id, run.events(session_id)))
    return stakes


def append_to(run: SeamRun, session_id: str, events: Sequence[JsonObject]) -> StakesOf:
    """Append a batch to a session, which the instance adopts if it does not know it."""
    adopting = not run.knows(session_id) and run.stored(session_id).needs_repair
    says = f"append {counted(len(events))} to session {session_id!r}"
    run.do(Append(session=session_id, events=events), says)
    return {session_id: view.ADOPTED if adopting else view.APPENDED}


def append_nothing(run: SeamRun, tape: Tape) -> StakesOf:
    """Append an empty batch, also to a session that is not there."""
    known = run.world.ids("main")
    session_id = tape.one_of(known) if known and tape.pick(3) else free_id(run, tape)
    run.do(Append(session=session_id, events=[]), f"append nothing to session {session_id!r}")
    return {session_id: view.EMPTY}


def append_wrongly(run: SeamRun, tape: Tape) -> StakesOf:
    """Append a batch whose seqs do not continue the log, then perhaps one whose seqs do."""
    session_id = tape.one_of(run.writable())
    stored = run.events(session_id)
    adopting = not run.knows(session_id)
    bad = draw_bad_batch(run.draw, len(stored), cast("Sequence[Raw]", stored[-4:]))
    says = f"append {counted(len(bad.events))} with wrong seqs: the batch {bad.fault}"
    run.do(Append(session=session_id, events=bad.events), says)
    if adopting:
        return settled(run, session_id)
    if not tape.rarely(3):
        return {session_id: view.REFUSED}
    run.look({session_id: view.REFUSED})
    right = Append(session=session_id, events=run.batch(session_id))
    run.do(right, "append a right batch", rule="STORE-BATCH-ALL-OR-NOTHING-ON-REFUSAL")
    return {session_id: view.APPENDED}


def settled(run: SeamRun, session_id: str) -> StakesOf:
    """Load a session of which an append was refused that may have repaired it, or may not."""
    run.do(Load(session=session_id), f"load session {session_id!r}")
    return {session_id: evolve(view.REPAIRED, revision="any")}


def append_unrepaired(run: SeamRun, tape: Tape) -> StakesOf:
    """Append where the stored events end, to a session whose repair goes there first."""
    session_id = tape.one_of(adoptable(run))
    seq = len(run.stored(session_id).events)
    batch: list[Json] = [{"type": "plugin:acme/ping", "seq": seq, "time": 0, "data": 0}]
    says = f"append at seq {seq} to session {session_id!r}, where its closers have to go"
    run.do(Append(session=session_id, events=batch), says)
    return settled(run, session_id)


def append_hostile(run: SeamRun, tape: Tape) -> StakesOf:
    """Append a batch that holds a value outside JSON."""
    session_id = tape.one_of(run.writable())
    events, what = draw_hostile_batch(run.draw, len(run.events(session_id)))
    says = f"append a batch with {what} in it"
    run.do(Append(session=session_id, events=events, hostile=True), says)
    return {session_id: view.REFUSED}


def append_retired(run: SeamRun, tape: Tape) -> StakesOf:
    """Append an event of a kind that no store takes any more."""
    session_id = tape.one_of(run.writable())
    kind, data = tape.one_of(_RETIRED)
    event: Raw = {"type": kind, "seq": len(run.events(session_id)), "time": 0, "data": data}
    run.do(Append(session=session_id, events=[event]), f"append a retired {kind}")
    return {session_id: view.REFUSED}


_RETIRED: tuple[tuple[str, Raw], ...] = (
    ("request/header-delta", {}),
    ("mode/set", {"mode": "plan"}),
    ("request/header", {"header": {"config": {}}, "reason": "fallback"}),
)


def append_poison(run: SeamRun, tape: Tape) -> StakesOf:
    """Append JSON that continues the log and that no session can be built from."""
    session_id = tape.one_of([key for key in run.writable() if run.knows(key)])
    kind, event = tape.one_of(_POISONS)
    batch: list[Json] = [{**event, "seq": len(run.events(session_id)), "time": 0}]
    says = f"append an event that must make loads refuse ({kind})"
    outcome = run.do(Append(session=session_id, events=batch, poison=kind), says)
    return {session_id: view.APPENDED if isinstance(outcome, Ok) else view.REFUSED}


#: Observed on 0.1.0rc7; what each of them breaks holds in every format.
_POISONS: tuple[tuple[str, Raw], ...] = (
    ("unsupported-format", {"type": "acme/ping", "data": {}}),
    ("corrupt", {"type": "user/message", "data": {"id": "m", "role": "user", "content": []}}),
    ("corrupt", {"type": "turn/start", "data": {"turn": 99}, "surfaceOp": "append"}),
)


def load(run: SeamRun, tape: Tape) -> StakesOf:
    """Load a session, sometimes twice."""
    session_id = tape.one_of(run.readable())
    repairs = run.stored(session_id).needs_repair
    run.do(Load(session=session_id), f"load session {session_id!r}")
    if repairs and tape.pick(2):
        run.look({session_id: view.REPAIRED})
        run.do(Load(session=session_id), "load it once more", rule="STORE-CLOSERS-ONCE")
        return {session_id: view.CLEAN}
    return {session_id: view.REPAIRED if repairs else view.CLEAN}


def load_troubled(run: SeamRun, tape: Tape) -> StakesOf:
    """Load and, if the instance does not know it, append to a session that cannot be read."""
    session_id = tape.one_of(run.troubled())
    run.do(Load(session=session_id), f"load the damaged session {session_id!r}")
    if not run.knows(session_id):
        batch: list[Json] = [{"type": "plugin:acme/ping", "seq": 0, "time": 0, "data": 0}]
        run.do(Append(session=session_id, events=batch), "append to it")
    return {session_id: view.LOOKED}


def inspect(run: SeamRun, tape: Tape) -> StakesOf:
    """Inspect a session."""
    session_id = tape.one_of(run.readable())
    run.do(Inspect(session=session_id), f"inspect session {session_id!r}")
    return {session_id: view.LOOKED}


def read_from(run: SeamRun, tape: Tape) -> StakesOf:
    """Read the stored events from somewhere on."""
    session_id = tape.one_of(run.readable())
    start = tape.pick(min(256, len(run.stored(session_id).events) + 3))
    run.do(ReadFrom(session=session_id, start=start), f"read from {start} on")
    return {session_id: view.LOOKED}


def read_wrongly(run: SeamRun, tape: Tape) -> StakesOf:
    """Read from something that is no seq."""
    session_id = tape.one_of(run.readable())
    wrong = tape.one_of((-1, 1.5, 2**53))
    run.do(ReadFrom(session=session_id, start=wrong), f"read from {wrong} on")
    return {session_id: view.LOOKED}


def ask_absent(run: SeamRun, tape: Tape) -> StakesOf:
    """Ask for a session that has no event: it is not there, created or not."""
    reserved = run.reserved()
    session_id = tape.one_of(reserved) if reserved and tape.pick(2) else free_id(run, tape)
    batch: list[Json] = [{"type": "turn/start", "seq": 0, "time": 0, "data": {"turn": 1}}]
    asking: list[Operation] = [
        Load(session=session_id),
        Inspect(session=session_id),
        ReadFrom(session=session_id),
    ]
    if session_id not in reserved:
        asking.append(Append(session=session_id, events=batch))
    operation = tape.one_of(asking)
    verb = type(operation).__name__.lower()
    run.do(operation, f"{verb} session {session_id!r}, which holds nothing")
    rule = "STORE-LAZY-CREATE" if session_id in reserved else "STORE-NOT-FOUND"
    return {session_id: Stakes(count=rule)}


def adoptable(run: SeamRun) -> Sequence[str]:
    """Return the sessions that an append would close an open turn of."""
    return [key for key in run.readable() if not run.knows(key) and run.stored(key).closers]


def room(run: SeamRun) -> bool:
    """Whether one more session may be created; damaged ones are no use and hardly count."""
    everything = run.world.ids("main")
    return len(run.writable()) < MOST_SESSIONS and len(everything) < 2 * MOST_SESSIONS


def free_id(run: SeamRun, tape: Tape) -> str:
    """Return an id that no session has, often one that is easily taken for another."""
    taken = set(run.world.ids("main"))
    likely = [key for key in _likely_ids(run, tape.pick(3)) if key not in taken]
    return tape.one_of(likely or [key for key in IDS if key not in taken])


def _likely_ids(run: SeamRun, choice: int) -> Sequence[str]:
    """Return ids at which stores go wrong: those that are free again, and neighbours of others."""
    if choice == 1:
        return sorted(run.world.freed)
    taken = set(run.world.ids("main"))
    near = [group for group in NEIGHBOURS if taken & set(group)] if choice == 2 else []
    wanted = near or (NEIGHBOURS if choice == 2 else [])
    return [key for group in wanted for key in group]


def counted(count: int) -> str:
    """Return a number of events in words."""
    return "1 event" if count == 1 else f"{count} events"
