"""The ends of a process, orderly and not, and the move to another workspace."""

from dsh_conformance.generate.tape import Tape
from dsh_conformance.implementation.outcome import Ok, Refused
from dsh_conformance.tracks.store import view
from dsh_conformance.tracks.store.answers import events_of, look
from dsh_conformance.tracks.store.course import StakesOf
from dsh_conformance.tracks.store.expect import (
    Check,
    Counts,
    Dense,
    Equals,
    PrefixOf,
)
from dsh_conformance.tracks.store.run import Run
from dsh_conformance.tracks.store.script import Call, Life, Workspace
from dsh_conformance.tracks.store.steps import counted, free_id, room
from dsh_conformance.tracks.store.view import Stakes
from dsh_reference.store import (
    Append,
    Close,
    Create,
    Flush,
    Open,
    Session,
    World,
    adopt,
    crash,
    shutdown,
)


def restart(run: Run, _: Tape) -> StakesOf:
    """Close every handle, end the process in order, and start it again."""
    run.lives -= 1
    before = set(run.world.sessions("main"))
    for name in run.open_handles():
        run.do(Close(handle=name))
    run.player.play(
        Life(event="stop", says="close every handle, end the process in order, and start it again")
    )
    run.world = shutdown(run.world, "main")
    run.view.forget()
    run.player.play(Life(event="start", workspace=run.workspace))
    return _after_end(run, before, view.RESTARTED)


def kill(run: Run, tape: Tape) -> StakesOf:
    """Kill the process and start it again; what was flushed must be there."""
    run.lives -= 1
    prepared = tape.one_of((1, 3, 0, 1))
    if prepared and room(run):
        session_id = free_id(run, tape)
        name, header = run.name(), run.header(tape, session_id)
        run.do(Create(handle=name, header=header), f"create session {session_id!r}")
        for _ in range(prepared):
            events = run.batch(session_id)
            run.do(Append(handle=name, events=events), f"append {counted(len(events))} to it")
        if prepared > 1:
            run.do(Flush(handle=name), "flush it")
    return die(run)


def die(run: Run) -> StakesOf:
    """Kill the process and start it again."""
    before = set(run.world.sessions("main"))
    run.player.play(Life(event="kill", says="kill the process (SIGKILL) and start it again"))
    run.world = crash(run.world, "main")
    run.view.forget()
    run.player.play(Life(event="start", workspace=run.workspace))
    settle(run)
    return _after_end(run, before, view.KILLED)


def settle(run: Run) -> None:
    """Find out how much of every session survived a crash, which is at least what was flushed."""
    for session_id, session in run.world.stored.items():
        run.world = adopt(run.world, session_id, _survived(run, session_id, session))


def _survived(run: Run, session_id: str, session: Session) -> int | None:
    """Return how many events of a session are left; nothing when the session is not."""
    is_there = Check("STORE-DURABLE", Equals(("snapshot", "header", "id"), session_id))
    asking = Call(
        method="store/stat",
        params={"id": session_id},
        checks=(is_there,) if session.kept and session.trouble is None else (),
        view=True,
    )
    found = run.player.play(asking)
    if session.trouble is not None:
        return len(session.events)
    if isinstance(found, Refused) or look(found.value, ("snapshot",)) is None:
        return None
    name = run.name()
    run.do(Open(handle=name, session=session_id, access="read"), view=True)
    least = (
        Check("STORE-DURABLE", Counts(session.flushed))
        if session.kept
        else Check("STORE-ATOMIC-MATERIALISE", Counts(session.first_batch))
    )
    whole = Check("STORE-DURABLE", PrefixOf(session.events))
    reading = Call(
        method="store/read",
        params={"handle": name},
        checks=(Check("STORE-DENSE-SEQ", Dense(0)), least, whole),
        view=True,
    )
    result = run.player.play(reading)
    run.do(Close(handle=name), view=True)
    return len(events_of(result.value)) if isinstance(result, Ok) else None


def switch(run: Run, _: Tape) -> StakesOf:
    """Move the process to another workspace, or back."""
    other = "v" if run.workspace == "w" else "w"
    for name in run.open_handles():
        run.do(Close(handle=name))
    run.player.play(Workspace(name=other, says=f"move the process to workspace {other!r}"))
    before = set(run.world.sessions("main"))
    run.elsewhere[run.workspace] = shutdown(run.world, "main")
    run.world = run.elsewhere.get(other, World(promises=run.promises))
    run.workspace = other
    run.view.forget()
    run.view.committed.clear()
    run.view.contents.clear()
    foreign = Stakes(count="STORE-WORKSPACE-ISOLATION")
    return dict.fromkeys(before, foreign) | _after_end(run, set(), view.RESTARTED)


def _after_end(run: Run, before: set[str], stakes: Stakes) -> dict[str, Stakes]:
    """Say what is at stake after an end: what was stored is there, what was pending is not."""
    lost = Stakes(count="STORE-LAZY-CREATE")
    now = run.world.sessions("main")
    return {key: lost for key in before if key not in now} | dict.fromkeys(now, stakes)
