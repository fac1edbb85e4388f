"""The steps of a second process on the same workspace.

The rival never keeps a handle from one step to the next, and starts each step on a freshly opened
workspace: what an instance shows of another instance's later work is promised to nobody.
"""

from dsh_conformance.generate.tape import Tape
from dsh_conformance.tracks.store import view
from dsh_conformance.tracks.store.course import StakesOf
from dsh_conformance.tracks.store.expect import Check, Counts, Dense, PrefixOf
from dsh_conformance.tracks.store.run import Run
from dsh_conformance.tracks.store.script import Call, Life, Workspace
from dsh_conformance.tracks.store.steps import free_id
from dsh_conformance.tracks.store.view import Stakes
from dsh_reference.store import Append, Close, Create, Flush, Open, crash

#: The name of the second process.
RIVAL = "rival"

#: What a rival's work puts at stake: nothing may have changed but what it did.
RIVALLED = Stakes(count="STORE-STALE-WRITER-REFUSED", content="STORE-LOSSLESS-JSON", revision="any")


def write_beside(run: Run, tape: Tape) -> StakesOf:
    """Open a session for writing that the first process is writing."""
    session_id = tape.one_of(run.readable())
    run.writer(session_id)
    _begin(run)
    opening = Open(handle=run.name(RIVAL), session=session_id, access="write", process=RIVAL)
    run.do(opening, f"in a second process, open session {session_id!r} to write")
    return {session_id: view.LOOKED}


def read_beside(run: Run, tape: Tape) -> StakesOf:
    """Read a session that the first process is writing."""
    session_id = tape.one_of(run.readable())
    run.do(Flush(handle=run.writer(session_id)), f"flush session {session_id!r}")
    session = run.world.stored[session_id]
    _begin(run)
    name = run.name(RIVAL)
    opening = Open(handle=name, session=session_id, access="read", process=RIVAL)
    says = f"in a second process, open session {session_id!r} and read"
    run.do(opening, says, rule="STORE-SECOND-READER")
    reading = Call(
        method="store/read",
        params={"handle": name},
        checks=(
            Check("STORE-DENSE-SEQ", Dense(0)),
            Check("STORE-SECOND-READER", Counts(session.flushed)),
            Check("STORE-SECOND-READER", PrefixOf(session.events)),
        ),
        process=RIVAL,
    )
    run.player.play(reading)
    run.do(Close(handle=name))
    return {session_id: view.FLUSHED}


def create_beside(run: Run, tape: Tape) -> StakesOf:
    """Create a session in both processes; the first to store it wins.

    A store that reserves the id for the first process may refuse the second one.
    """
    session_id = free_id(run, tape)
    mine = run.name()
    header = run.header(tape, session_id)
    run.do(Create(handle=mine, header=header), f"create session {session_id!r}")
    _begin(run)
    theirs = run.name(RIVAL)
    another = run.header(tape, session_id) if tape.rarely(6) else header
    creation = Create(handle=theirs, header=another, process=RIVAL)
    if not run.attempt(creation, f"in a second process, create session {session_id!r} too"):
        return {session_id: view.TURNED}
    batch = run.batch(session_id)
    if not run.attempt(Append(handle=theirs, events=batch), "append to it there"):
        run.do(Close(handle=theirs), "close it there")
        return {session_id: view.TURNED}
    run.do(Flush(handle=theirs), "flush it there")
    run.do(Close(handle=theirs), "close it there")
    run.do(Append(handle=mine, events=batch), "append the same batch here")
    run.do(Close(handle=mine), "close it here")
    return {session_id: RIVALLED}


def die_writing(run: Run, tape: Tape) -> StakesOf:
    """Write a session in the second process and kill that; then write it here."""
    run.lives -= 1
    session_id = tape.one_of(run.readable())
    run.let_go(session_id)
    _begin(run)
    name = run.name(RIVAL)
    opening = Open(handle=name, session=session_id, access="write", process=RIVAL)
    run.do(opening, f"in a second process, open session {session_id!r} to write")
    batch = run.batch(session_id)
    run.do(Append(handle=name, events=batch), f"append {len(batch)} events there")
    run.do(Flush(handle=name), "flush them")
    run.player.play(Life(event="kill", process=RIVAL, says="kill the second process"))
    run.world = crash(run.world, RIVAL)
    again = Open(handle=run.name(), session=session_id, access="write")
    says = f"open session {session_id!r} to write"
    run.do(again, says, rule="STORE-LOCK-FREED-BY-DEATH")
    return {session_id: Stakes(count="STORE-DURABLE", revision="any", artifact="extends")}


def _begin(run: Run) -> None:
    """Have the rival freshly started on the open workspace."""
    if RIVAL in run.player.alive:
        run.player.play(Workspace(name=run.workspace, process=RIVAL))
    else:
        run.player.play(Life(event="start", process=RIVAL, workspace=run.workspace))
