"""The ends of a process, orderly and not, the moves to another workspace, and a second process."""

from collections.abc import Sequence

from attrs import evolve

from dsh_conformance.generate.tape import Tape
from dsh_conformance.implementation.outcome import Ok
from dsh_conformance.tracks.store.course import StakesOf
from dsh_conformance.tracks.store.expect import Check, NewRevision
from dsh_conformance.tracks.store.script import Life, Workspace
from dsh_conformance.tracks.store.view import Stakes
from dsh_conformance.tracks.store_seam import view
from dsh_conformance.tracks.store_seam.asking import ask
from dsh_conformance.tracks.store_seam.run import SeamRun
from dsh_conformance.tracks.store_seam.steps import append_open, append_to, counted, free_id, load
from dsh_reference.store.seam import Append, Create, ListSnapshots, decide, end

#: The name of the second process.
RIVAL = "rival"


def renew(run: SeamRun, tape: Tape) -> StakesOf:
    """Begin anew on the workspace; mostly with a turn left open, which is then met cold."""
    written = append_open(run, tape) if run.writable() and tape.pick(3) else {}
    lost = run.reserved()
    run.reopen("move the process away from the workspace and back")
    after = _after_end(run, view.RESTARTED, written, lost)
    cold = tape.pick(4)
    if not run.readable() or cold == 0:
        return after
    run.look(after)
    if cold == 1:
        session_id = tape.one_of(run.readable())
        return append_to(run, session_id, run.batch(session_id))
    return load(run, tape)


def restart(run: SeamRun, _: Tape) -> StakesOf:
    """End the process in order, and start it again."""
    run.lives -= 1
    lost = run.reserved()
    run.player.play(Life(event="stop", says="end the process in order, and start it again"))
    run.player.play(Life(event="start", workspace=run.workspace))
    run.world = end(run.world, "main")
    return _after_end(run, view.RESTARTED, {}, lost)


def kill(run: SeamRun, tape: Tape) -> StakesOf:
    """Kill the process and start it again: what was acknowledged must be there."""
    run.lives -= 1
    written = append_open(run, tape) if run.writable() and tape.pick(3) else {}
    lost = run.reserved()
    run.player.play(Life(event="kill", says="kill the process (SIGKILL) and start it again"))
    run.player.play(Life(event="start", workspace=run.workspace))
    run.world = end(run.world, "main")
    return _after_end(run, view.KILLED, written, lost)


def switch(run: SeamRun, tape: Tape) -> StakesOf:
    """Move the process to another workspace, or back; often the same session is written there."""
    other = "v" if run.workspace == "w" else "w"
    twins = [key for key in run.readable() if key in run.view.kept]
    run.player.play(Workspace(name=other, says=f"move the process to workspace {other!r}"))
    before = run.world.ids("main")
    run.elsewhere[run.workspace] = end(run.world, "main")
    run.world = run.elsewhere.get(other, run.empty)
    run.workspace = other
    run.view.forget()
    run.view.committed.clear()
    run.view.contents.clear()
    foreign = Stakes(count="STORE-WORKSPACE-ISOLATION", content="STORE-WORKSPACE-ISOLATION")
    stakes = {key: foreign for key in before if key not in run.world.stored}
    run.look(stakes | dict.fromkeys(run.world.stored, view.RESTARTED))
    free = [key for key in twins if not run.world.has(key, "main")]
    return _twin(run, tape, tape.one_of(free)) if free else {}


def _twin(run: SeamRun, tape: Tape, session_id: str) -> StakesOf:
    """Write a session of the other workspace here: its revision is another all the same."""
    header = run.header(tape, session_id)
    run.do(Create(header=header), f"create session {session_id!r} here too")
    batch = run.batch(session_id)
    run.do(Append(session=session_id, events=batch), f"append {counted(len(batch))} to it")
    looking = ListSnapshots()
    call = ask(looking, decide(run.world, looking), view=True)
    if call.checks:
        differs = NewRevision(("snapshots", session_id), f"revision of {session_id}")
        checks = (*call.checks, Check("STORE-REVISION-QUALIFIED", differs))
        run.player.play(evolve(call, checks=checks))
    return {session_id: view.APPENDED}


def create_beside(run: SeamRun, tape: Tape) -> StakesOf:
    """Create a session in two processes; the first to store it wins."""
    session_id = free_id(run, tape)
    header = run.header(tape, session_id)
    run.do(Create(header=header), f"create session {session_id!r}")
    if RIVAL in run.player.alive:
        run.player.play(Workspace(name=run.workspace, process=RIVAL))
    else:
        run.player.play(Life(event="start", process=RIVAL, workspace=run.workspace))
    run.world = end(run.world, RIVAL)
    creation = Create(header=header, process=RIVAL)
    says = f"in a second process, create session {session_id!r} too"
    outcome = run.player.play(
        evolve(ask(creation, decide(run.world, creation)), checks=(), says=says)
    )
    if not isinstance(outcome, Ok):
        return {session_id: view.RESERVED}
    after = decide(run.world, creation).accepted
    assert after is not None
    run.world = after
    batch = run.batch(session_id)
    run.do(Append(session=session_id, events=batch, process=RIVAL), "append to it there")
    mine = Append(session=session_id, events=batch)
    run.do(mine, "append the same batch here")
    run.reopen("move the process away from the workspace and back")
    stakes = Stakes(count="STORE-NO-CLOBBER", content="STORE-NO-CLOBBER", revision="any")
    return {session_id: stakes}


def _after_end(
    run: SeamRun, stakes: Stakes, written: StakesOf, reserved: Sequence[str]
) -> StakesOf:
    """Say what is at stake after an end: what was stored is there, what was reserved is not.

    *written* are the sessions that were written in this very step.
    """
    run.view.forget()
    lost = Stakes(count="STORE-LAZY-CREATE")
    stored = {
        key: evolve(stakes, artifact="extends") if key in written else stakes
        for key in run.world.stored
    }
    return dict.fromkeys(reserved, lost) | stored
