"""Logs of older formats, as an older build left them: read, published, and refused.

What must come of one is not written here: its bytes are given to `dsh_reference.files`, and what
those hold to `dsh_reference.migrate`, which are held to the golden cases and to the real runtime.
"""

from collections.abc import Sequence
from typing import cast

from attrs import evolve

from dsh_conformance.generate.formats.broken import broken_logs
from dsh_conformance.generate.formats.logs import logs
from dsh_conformance.generate.formats.state import Past
from dsh_conformance.generate.tape import Tape
from dsh_conformance.tracks.store.batches import Batches
from dsh_conformance.tracks.store.course import StakesOf
from dsh_conformance.tracks.store.disk.answers import disagreeing
from dsh_conformance.tracks.store.disk.run import DiskRun
from dsh_conformance.tracks.store.disk.writing import file_of
from dsh_conformance.tracks.store.encoding import encoding_of
from dsh_conformance.tracks.store.expect import Check, HoldsLog, SameBytes
from dsh_conformance.tracks.store.script import Artifact
from dsh_conformance.tracks.store.steps import counted
from dsh_conformance.tracks.store.view import Stakes
from dsh_reference.files import log_name
from dsh_reference.migrate import migrate_header
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.store import Append, Open
from dsh_spec.values import JsonObject

#: An event that may stand anywhere in a log of any format.
MODE: JsonObject = {"type": "plan/mode", "time": 0, "data": {"active": True}}
_MOST_BATCHES = 3


def place(run: DiskRun, tape: Tape) -> StakesOf:
    """Put a valid log of an older format where the store looks for it."""
    log = run.draw(logs(version_of(run, tape), max_batches=_MOST_BATCHES))
    content = file_of(log, run.artifacts, tape.pick(4))
    return put_log(run, log, content, "MIG-FORK-CHILD" if log.header["isSeeded"] else "")


def place_torn(run: DiskRun, tape: Tape) -> StakesOf:
    """Put a log there whose writer was interrupted; sometimes open it for writing at once."""
    log = run.draw(logs(version_of(run, tape), max_batches=_MOST_BATCHES))
    batch = encoding_of(run.artifacts, log.format).batch(more(log, 2))
    torn = batch[: 1 + tape.pick(min(len(batch) - 1, 250))]
    content = file_of(log, run.artifacts, tape.pick(4)) + torn
    says = ", with a half-written record behind it"
    stakes = put_log(run, log, content, "MIG-TORN-TAIL", says)
    session_id = str(log.header["id"])
    if session_id in stakes and tape.pick(2):
        open_to_write(run, session_id)
    return stakes


def place_broken(run: DiskRun, tape: Tape) -> StakesOf:
    """Put a log there that cannot be migrated, and open it for writing, twice."""
    version = version_of(run, tape)
    way = tape.pick(3)
    log = run.draw(broken_logs(version)).log if way < 2 else _finished(version)
    content = file_of(log, run.artifacts)
    if way == 2:
        content = encoding_of(run.artifacts, version).garbled(content, 0)
    stakes = put_log(run, log, content, "MIG-ERROR-MAP", ", which cannot be migrated")
    session_id = str(log.header["id"])
    if session_id in stakes and run.world.stored[session_id].trouble is not None:
        run.look(stakes)
        for _ in range(2):
            open_to_write(run, session_id)
    return stakes


def place_disagreeing(run: DiskRun, tape: Tape) -> StakesOf:
    """Put a log there in which an answer and its stream differ, and open it for writing."""
    log, says = disagreeing(run, tape)
    stakes = put_log(run, log, file_of(log, run.artifacts), "MIG-VERIFY", f", {says}")
    session_id = str(log.header["id"])
    if session_id in stakes:
        run.look(stakes)
        open_to_write(run, session_id)
    return stakes


def drift(run: DiskRun, tape: Tape) -> StakesOf:
    """Let an older build append to a log that was migrated for reading, then open it to write."""
    session_id = tape.one_of(drifting(run))
    log = run.logs[session_id]
    assert isinstance(log, SessionLog)
    home = run.homes[session_id]
    (name,) = home.logs
    grown = evolve(log, events=(*log.events, *more(log, 1 + tape.pick(2))))
    added = grown.events[len(log.events) :]
    encoding = encoding_of(run.artifacts, log.format)
    content = home.placed[name] + encoding.batch(added)
    session = run.found(grown, content, "MIG-DRIFT")
    says = f"an older build appends {counted(len(added))} to the old log of session {session_id!r}"
    run.put(grown.header, {name: content}, says)
    run.homes[session_id] = evolve(run.homes[session_id], rule="MIG-DRIFT")
    run.world = run.world.with_stored(session_id, session)
    open_to_write(run, session_id)
    return {session_id: stakes_of("MIG-DRIFT")}


def publish(run: DiskRun, tape: Tape) -> StakesOf:
    """Open a session whose log is older for writing."""
    session_id = tape.one_of(run.older())
    open_to_write(run, session_id)
    return {session_id: stakes_of(run.homes[session_id].rule or "MIG-WRITE-PUBLISH")}


def reopen(run: DiskRun, tape: Tape) -> StakesOf:
    """Open a published session for writing once more, perhaps with more events in it."""
    session_id = tape.one_of(published(run))
    if tape.pick(2):
        name = run.writer(session_id)
        run.do(Append(handle=name, events=run.batch(session_id)), "append 1 event to it")
    run.let_go(session_id)
    held = f"published {session_id}"
    run.player.play(Artifact(session=session_id, keeps=held))
    again = Open(handle=run.name(), session=session_id, access="write")
    run.do(again, f"open session {session_id!r} to write again")
    same = Check("MIG-PUBLISH-ONCE", SameBytes(held))
    run.player.play(Artifact(session=session_id, checks=(same,)))
    return {session_id: stakes_of("MIG-PUBLISH-ONCE")}


def put_log(
    run: DiskRun, log: SessionLog, content: bytes, rule: str = "", says: str = ""
) -> StakesOf:
    """Put a file with this log in it where the store looks for it, if the id is free.

    A log whose header is broken has no place, and is left out.
    """
    session_id = str(log.header["id"])
    placeless = isinstance(migrate_header(log.header, to=run.format), Refusal)
    stray = rule != "MIG-FACTS-COLLECT" and run.related(log)
    if placeless or stray or session_id in run.world.sessions("main"):
        return {}
    version, count = log.format, counted(len(log.events))
    session = run.found(log, content, rule or "MIG-READ-NO-PUBLISH")
    name = log_name(cast("int", version), run.compression)
    told = f"put a v{version} log of session {session_id!r} with {count} into its directory{says}"
    home = run.put(log.header, {name: content}, told)
    kept = "MIG-TORN-TAIL" if rule == "MIG-TORN-TAIL" else home.kept
    run.homes[session_id] = evolve(home, rule=rule, kept=kept)
    run.world = run.world.with_stored(session_id, session)
    return {session_id: stakes_of(rule or "MIG-READ-NO-PUBLISH")}


def open_to_write(run: DiskRun, session_id: str) -> None:
    """Open a session with an older log for writing; what is published is looked at."""
    home = run.homes[session_id]
    run.homes[session_id] = evolve(home, touched=True)
    before = run.world.stored[session_id]
    opening = Open(handle=run.name(), session=session_id, access="write")
    run.do(opening, f"open session {session_id!r} to write", rule=_opening(run, session_id))
    session = run.world.stored[session_id]
    if session.published and not before.published:
        right = HoldsLog(run.artifacts, session.header, session.events, run.format, whole=True)
        batches = (session.events,) if session.events else ()
        checks = (
            Check(home.rule or "MIG-WRITE-PUBLISH", right),
            Check("MIG-LAYOUT", Batches(run.artifacts, batches)),
        )
        run.player.play(Artifact(session=session_id, checks=checks))
    barred = before.barred.rule if before.barred else "MIG-WRITE-PUBLISH"
    run.inspect(session_id, publishing=barred)


def _opening(run: DiskRun, session_id: str) -> str:
    """Name the rule of an opening that succeeds, where the log says more than the operation."""
    session = run.world.stored[session_id]
    refused = session.trouble is not None or session.barred is not None
    return "" if refused else run.homes[session_id].rule


def stakes_of(rule: str) -> Stakes:
    """Return what is at stake: whatever differs breaks the rule."""
    return Stakes(count=rule, content=rule, revision="any", artifact="any", refusal=rule)


def more(log: SessionLog, count: int) -> list[JsonObject]:
    """Return events that follow an older log."""
    first = len(log.events)
    return [{**MODE, "seq": seq} for seq in range(first, first + count)]


def drifting(run: DiskRun) -> Sequence[str]:
    """Return the older sessions whose log another build could append to: whole ones."""
    return [
        key
        for key in run.older()
        if run.homes[key].rule in ("", "MIG-FORK-CHILD") and len(run.homes[key].logs) == 1
    ]


def published(run: DiskRun) -> Sequence[str]:
    """Return the sessions whose log was older and is published."""
    older = (key for key in run.present() if key in run.logs)
    return [key for key in older if run.homes[key].touched]


def version_of(run: DiskRun, tape: Tape) -> Past:
    """Choose one of the formats that the store migrates, the newest first."""
    return cast("Past", tape.one_of(sorted(run.arena.claims.migrates_from, reverse=True)))


def _finished(version: Past) -> SessionLog:
    """Return a log in which a turn ends."""
    header: JsonObject = {
        "version": version,
        "id": "finished",
        "createdAt": 0,
        "isSeeded": False,
        "delegationDepth": 0,
    }
    started: JsonObject = {"type": "turn/start", "seq": 0, "time": 0, "data": {"turn": 1}}
    reason: JsonObject = {"kind": "completed"}
    ended: JsonObject = {
        "type": "turn/end",
        "seq": 1,
        "time": 0,
        "data": {"turn": 1, "reason": reason},
    }
    return SessionLog(header=header, inherited=0, events=(started, ended))
