"""What others leave in the directories of a store, and what its writers leave there."""

from collections.abc import Mapping

from attrs import evolve

from dsh_conformance.generate.tape import Tape
from dsh_conformance.tracks.store.batches import Batches
from dsh_conformance.tracks.store.course import StakesOf
from dsh_conformance.tracks.store.disk.older import stakes_of
from dsh_conformance.tracks.store.disk.run import PING, DiskRun
from dsh_conformance.tracks.store.disk.writing import file_of
from dsh_conformance.tracks.store.encoding import encoding_of
from dsh_conformance.tracks.store.expect import Check, SameBytes
from dsh_conformance.tracks.store.run import Run
from dsh_conformance.tracks.store.script import Artifact, Damage
from dsh_conformance.tracks.store.steps import free_id
from dsh_reference.files import LogFile, log_name
from dsh_reference.session_log import SessionLog
from dsh_reference.store import Append, Close, Create, Flush, Open, Session, Trouble, damage
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject

#: Names that are almost those of logs; ``{}`` is what ends the name of a log.
_FOREIGN = (
    "session.v04{}",
    "session.v0{}",
    "SESSION.v9{}",
    "session.v9{}.bak",
    "session.v9{}.0123456789ab.tmp",
    "session.migration.0123456789abcdef{}.tmp",
    "session.v9.json",
    "notes.txt",
)
_UNREADABLE = (RefusalKind.CORRUPT, RefusalKind.UNSUPPORTED_FORMAT)


def log_of(session_id: str, events: int, version: int, *, word: str = "") -> SessionLog:
    """Return a log of a few events that say a word."""
    header: JsonObject = {
        "version": version,
        "id": session_id,
        "createdAt": 0,
        "isSeeded": False,
        "delegationDepth": 0,
    }
    rows = [{**PING, "seq": seq, "data": {"word": word}} for seq in range(events)]
    return SessionLog(header=header, inherited=0, events=tuple(rows))


def settled(run: DiskRun, tape: Tape) -> str:
    """Return a session of the present format that nobody has open, made here if there is none."""
    there = run.present()
    if there:
        session_id = tape.one_of(there)
    else:
        session_id = free_id(run, tape)
        name, log = run.name(), log_of(session_id, 1, run.format)
        run.do(Create(handle=name, header=log.header), f"create session {session_id!r}")
        run.do(Append(handle=name, events=[*log.events]), "append 1 event to it")
    run.let_go(session_id)
    return session_id


def foreign(run: DiskRun, tape: Tape) -> StakesOf:
    """Put files into a session's directory that are none of its logs, and write the session."""
    session_id = settled(run, tape)
    log = log_of(session_id, 5, run.format, word="foreign")
    content = file_of(log, run.artifacts)
    end = _ending(run)
    first = tape.pick(len(_FOREIGN))
    names = [name.format(end) for name in (_FOREIGN * 2)[first : first + 3]]
    _put(run, session_id, dict.fromkeys(names, content), f"put {', '.join(names)}", _OTHERS)
    stakes = {session_id: stakes_of(_OTHERS)}
    run.look(stakes)
    name = run.name()
    opening = Open(handle=name, session=session_id, access="write")
    run.do(opening, f"open session {session_id!r} to write", rule=_OTHERS)
    run.do(Append(handle=name, events=run.batch(session_id)), "append 1 event")
    run.do(Close(handle=name), "close it")
    return stakes


_OTHERS = "FILE-FOREIGN-NAMES"
_NEWEST = "STORE-NEWEST-GENERATION-WINS"


def generations(run: DiskRun, tape: Tape) -> StakesOf:
    """Put logs of several formats into one directory; the newest counts, readable or not."""
    session_id = free_id(run, tape)
    own = run.format
    older, present = log_of(session_id, 0, own - 1), log_of(session_id, 2, own, word="present")
    newer = {**present.header, "version": own + 1}
    files: dict[int, bytes]
    match tape.pick(4):
        case 0:
            files, trouble = {own: file_of(present, run.artifacts)}, None
        case 1:
            files, trouble = {own: b""}, _trouble(_UNREADABLE)
        case 2:
            files = {own: file_of(present, run.artifacts), own + 1: b""}
            trouble = _trouble(_UNREADABLE)
        case _:
            header = evolve(present, header=newer, events=())
            files = {own: file_of(present, run.artifacts), own + 1: _later(header, run)}
            trouble = _trouble((RefusalKind.UNSUPPORTED_FORMAT,))
    files = {own - 1: file_of(older, run.artifacts), **files}
    what = " and ".join(f"v{v}{'' if content else ' (empty)'}" for v, content in files.items())
    named = {log_name(number, run.compression): content for number, content in files.items()}
    says = f"put logs of session {session_id!r} of {what}"
    _put(run, session_id, named, says, _NEWEST)
    _know(run, present if trouble is None else older, trouble)
    if trouble is not None:
        opening = Open(handle=run.name(), session=session_id, access="write")
        run.do(opening, f"open session {session_id!r} to write", rule=_NEWEST)
    return {session_id: stakes_of(_NEWEST)}


def _later(log: SessionLog, run: DiskRun) -> bytes:
    """Return the file of a log of a format that is not there yet: a header alone."""
    present = file_of(evolve(log, header={**log.header, "version": run.format}), run.artifacts)
    return encoding_of(run.artifacts, run.format).with_header(
        present, {"version": log.header["version"]}
    )


def _trouble(kinds: tuple[RefusalKind, ...]) -> Trouble:
    return Trouble(rule=_NEWEST, kinds=kinds, header=True)


_EXCLUSIVE = "STORE-EXCLUSIVE-PUBLISH"


def intruder(run: DiskRun, tape: Tape) -> StakesOf:
    """Create a session, and let another program store one of that id before its first batch."""
    session_id = free_id(run, tape)
    theirs = log_of(session_id, 2, run.format, word="theirs")
    name = run.name()
    run.do(Create(handle=name, header=theirs.header), f"create session {session_id!r}")
    content = file_of(theirs, run.artifacts)
    says = f"another program stores a session {session_id!r}"
    _put(run, session_id, {log_name(run.format, run.compression): content}, says, _EXCLUSIVE)
    _know(run, theirs)
    ours = [*log_of(session_id, 1, run.format, word="ours").events]
    run.do(Append(handle=name, events=ours), "append 1 event to the created one", rule=_EXCLUSIVE)
    run.do(Close(handle=name), "close it")
    return {session_id: stakes_of(_EXCLUSIVE)}


_TORN = "TORN-BEFORE-APPEND"


def torn(run: DiskRun, tape: Tape) -> StakesOf:
    """Put half a record behind a log, and write the session: only a batch removes the tail."""
    session_id = settled(run, tape)
    content = _half_written(run, session_id, tape)
    found = encoding_of(run.artifacts, run.format).load(content)
    assert isinstance(found, LogFile)
    says = f"in the file of session {session_id!r}, append a half-written record"
    run.player.play(Damage(session=session_id, content=content, says=says))
    run.world = damage(
        run.world, session_id, events=found.events, inherited=found.inherited, trouble=None
    )
    held = f"torn {session_id}"
    run.player.play(Artifact(session=session_id, keeps=held))
    name = run.name()
    still = (Check(_TORN, SameBytes(held)),)
    opening = Open(handle=name, session=session_id, access="write")
    run.do(opening, f"open session {session_id!r} to write", rule=_TORN)
    run.player.play(Artifact(session=session_id, checks=still))
    run.do(Append(handle=name, events=[]), "append an empty batch")
    run.do(Flush(handle=name), "flush it")
    run.player.play(Artifact(session=session_id, checks=still))
    batch = run.batch(session_id)
    run.do(Append(handle=name, events=batch), "append 1 event", rule=_TORN)
    recovered = (tuple(found.recovered),) if found.recovered else ()
    right = Batches(run.artifacts, (*recovered, tuple(batch)), held, found.committed_bytes)
    run.player.play(Artifact(session=session_id, checks=(Check(_TORN, right),)))
    return {session_id: stakes_of(_TORN)}


def _half_written(run: DiskRun, session_id: str, tape: Tape) -> bytes:
    """Return the bytes of a session's file with a batch behind them that lacks its end."""
    held = f"artifact of {session_id}"
    run.player.play(Artifact(session=session_id, keeps=held))
    whole = run.player.bindings[held]
    assert isinstance(whole, bytes)
    batch = encoding_of(run.artifacts, run.format).batch(run.batch(session_id))
    return whole + batch[: -1 - tape.pick(min(len(batch) - 1, 40))]


def _put(run: DiskRun, session_id: str, files: Mapping[str, bytes], says: str, rule: str) -> None:
    """Put files beside a session's log, or in its place."""
    known = run.world.session(session_id, "main")
    header = log_of(session_id, 0, run.format).header if known is None else known.header
    home = run.put(header, files, f"{says} into its directory")
    run.homes[session_id] = evolve(home, touched=True, rule=rule, named=rule, kept=rule)


def _know(run: Run, log: SessionLog, trouble: Trouble | None = None) -> None:
    """Have the model know a log that was put there."""
    session = Session(
        header={**log.header, "version": run.format},
        events=log.events,
        flushed=len(log.events),
        kept=True,
        trouble=trouble,
    )
    run.world = run.world.with_stored(str(log.header["id"]), session)


def _ending(run: DiskRun) -> str:
    return log_name(0, run.compression).removeprefix("session")
