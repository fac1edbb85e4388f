"""The lock that a session's writer holds, tried and held from outside."""

from dsh_conformance.generate.tape import Tape
from dsh_conformance.tracks.store import view
from dsh_conformance.tracks.store.course import StakesOf
from dsh_conformance.tracks.store.disk.layout import log_of, settled
from dsh_conformance.tracks.store.disk.run import DiskRun
from dsh_conformance.tracks.store.expect import Check, Equals, RefusedAs
from dsh_conformance.tracks.store.script import Call, Lock
from dsh_conformance.tracks.store.steps import free_id
from dsh_reference.files import log_path
from dsh_reference.store import Append, Close, Create, Open
from dsh_spec.refusals import RefusalKind

_RULE = "FILE-LOCK"


def held(run: DiskRun, tape: Tape) -> StakesOf:
    """Try the lock while a writer has the session open, and when it has closed."""
    session_id, name = (_made if tape.pick(2) else _opened)(run, tape)
    _try(run, session_id, "try to lock the session from outside", free=False)
    run.do(Close(handle=name), "close the writer")
    _try(run, session_id, "try again to lock it", free=True)
    return {session_id: view.CLOSED}


def shut_out(run: DiskRun, tape: Tape) -> StakesOf:
    """Hold the lock, and open the session for writing meanwhile and afterwards."""
    session_id = settled(run, tape)
    directory = _directory(run, session_id)
    says = f"lock session {session_id!r} from outside"
    run.player.play(Lock(directory=directory, does="hold", says=says))
    owned = Check(_RULE, RefusedAs((RefusalKind.ALREADY_OWNED,)))
    opening = Call(
        method="store/open",
        params={"id": session_id, "access": "write"},
        checks=(owned,),
        says=f"open session {session_id!r} to write",
    )
    run.player.play(opening)
    run.player.play(Lock(directory=directory, does="let-go", says="unlock it"))
    again = Open(handle=run.name(), session=session_id, access="write")
    run.do(again, f"open session {session_id!r} to write", rule=_RULE)
    return {session_id: view.CLOSED}


def _opened(run: DiskRun, tape: Tape) -> tuple[str, str]:
    session_id = settled(run, tape)
    name = run.name()
    opening = Open(handle=name, session=session_id, access="write")
    run.do(opening, f"open session {session_id!r} to write")
    return session_id, name


def _made(run: DiskRun, tape: Tape) -> tuple[str, str]:
    session_id = free_id(run, tape)
    name, log = run.name(), log_of(session_id, 1, run.format)
    run.do(Create(handle=name, header=log.header), f"create session {session_id!r}")
    run.do(Append(handle=name, events=[*log.events]), "append 1 event to it")
    return session_id, name


def _try(run: DiskRun, session_id: str, says: str, *, free: bool) -> None:
    checks = [Check(_RULE, Equals((key,), True)) for key in ("exists", "same")]  # noqa: FBT003
    checks.append(Check(_RULE, Equals(("free",), free)))
    directory = _directory(run, session_id)
    run.player.play(Lock(directory=directory, does="try", checks=tuple(checks), says=says))


def _directory(run: DiskRun, session_id: str) -> str:
    path = log_path(run.world.stored[session_id].header, run.compression)
    return path.rpartition("/")[0]
