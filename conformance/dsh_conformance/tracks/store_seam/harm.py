"""Damage to an artifact from outside, and what a right reader makes of it.

What must come of a damaged file is not written here but for its kind of refusal: the file's new
bytes are given to `dsh_reference.files.read_log`, which is held to the golden cases and to the real
runtimes.  Damage is done to sessions that no instance knows.
"""

from collections.abc import Callable, Mapping, Sequence

from attrs import evolve, frozen

from dsh_conformance.generate.tape import Tape
from dsh_conformance.tracks.store.course import StakesOf
from dsh_conformance.tracks.store.encoding import Encoding, encoding_of
from dsh_conformance.tracks.store.script import Artifact, Damage
from dsh_conformance.tracks.store.view import Stakes
from dsh_conformance.tracks.store_seam import view
from dsh_conformance.tracks.store_seam.run import SeamRun
from dsh_conformance.tracks.store_seam.steps import append_to
from dsh_reference.files import LogFile
from dsh_reference.header import VERSION
from dsh_reference.refusal import Refusal
from dsh_reference.store.seam import Load, Trouble, damage
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class Whole:
    """An artifact before the damage."""

    #: How it is encoded.
    encoding: Encoding
    #: Its bytes.
    content: bytes
    #: The events.
    events: Sequence[JsonObject]
    #: Events that would follow validly.
    more: Sequence[JsonObject]


#: Makes the new bytes; nothing where the damage does not apply.
Change = Callable[[Whole, Tape], bytes | None]


@frozen(kw_only=True)
class Harm:
    """One kind of damage."""

    #: The line for people.
    says: str
    #: The rule that says what must come of it.
    rule: str
    #: The kinds of refusal that are right where the file itself reads; nothing: it is served.
    kinds: tuple[RefusalKind, ...] | None = None
    #: Whether the header is damaged, so that the lists are free.
    header: bool = False
    #: Whether only what builds a session refuses it.
    late: bool = False
    #: Whether a finished turn has to stand in the log.
    turned: bool = False
    #: Makes the new bytes.
    change: Change


Step = Callable[[SeamRun, Tape], StakesOf]


def harm(*kinds: Harm) -> Step:
    """Return the step that does one of these kinds of damage, the first that is possible."""

    def step(run: SeamRun, tape: Tape) -> StakesOf:
        """Damage the artifact of a session, once nobody knows it."""
        session_id = tape.one_of(harmable(run))
        start = tape.pick(len(kinds))
        if kinds[start].turned:
            events = run.pen.ended_turn(session_id, run.events(session_id))
            append_to(run, session_id, events)
        run.reopen("move the process away from the workspace and back")
        whole = _whole(run, session_id)
        for kind in (*kinds[start:], *kinds[:start]):
            changed = kind.change(whole, tape)
            if changed is not None:
                return _do(run, tape, session_id, whole.encoding, kind, changed)
        return {session_id: view.RESTARTED}

    return step


def harmable(run: SeamRun) -> Sequence[str]:
    """Return the sessions that can be damaged: their header must stay right without events."""
    return [key for key in run.readable() if "seedLength" not in run.stored(key).header]


def _whole(run: SeamRun, session_id: str) -> Whole:
    """Read the session's file, which must hold its log."""
    session = run.stored(session_id)
    check = run.view.holds(session, whole=not session.torn)
    held = f"artifact of {session_id}"
    run.player.play(Artifact(session=session_id, checks=(check,), keeps=held))
    content = run.player.bindings[held]
    artifacts = run.arena.claims.artifacts
    assert isinstance(content, bytes)
    assert artifacts is not None
    return Whole(
        encoding=encoding_of(artifacts, run.format),
        content=content,
        events=[event for event in session.events if isinstance(event, Mapping)],
        more=run.pen.batch(run.draw, session_id, session.events),
    )


def _do(
    run: SeamRun, tape: Tape, session_id: str, encoding: Encoding, kind: Harm, changed: bytes
) -> StakesOf:
    says = f"in the file of session {session_id!r}, {kind.says}"
    run.player.play(Damage(session=session_id, content=changed, says=says))
    found = encoding.load(changed) if run.format == VERSION else encoding.read(changed)
    trouble = _trouble(found, kind)
    sound = found if isinstance(found, LogFile) and trouble is None else None
    events = sound.events if sound is not None else ()
    torn = sound is not None and sound.torn
    run.world = damage(run.world, session_id, events=events, torn=torn, trouble=trouble)
    if isinstance(found, LogFile):
        run.view.committed[session_id] = found.committed_bytes
    stakes = Stakes(count=kind.rule, content=kind.rule, revision="any", artifact="damaged")
    if sound is None or not tape.pick(2):
        return {session_id: stakes}
    run.look({session_id: stakes})
    return _mended(run, tape, session_id, stakes)


def _mended(run: SeamRun, tape: Tape, session_id: str, stakes: Stakes) -> StakesOf:
    """Load the damaged session, or append to it: either cuts the tail off for good."""
    if tape.pick(2):
        append_to(run, session_id, run.batch(session_id))
    else:
        run.do(Load(session=session_id), f"load session {session_id!r}")
    after = evolve(stakes, artifact="extends")
    return {session_id: after}


def _trouble(found: LogFile | Refusal, kind: Harm) -> Trouble | None:
    if isinstance(found, Refusal) and kind.kinds is None:
        return Trouble(rule=kind.rule, kinds=(found.kind,), header=kind.header)
    if kind.kinds is None:
        return None
    return Trouble(rule=kind.rule, kinds=kind.kinds, header=kind.header, late=kind.late)


def _half_row(whole: Whole, tape: Tape) -> bytes:
    """The first bytes of a record that was never finished."""
    tail = whole.encoding.batch(whole.more)
    return whole.content + tail[: 1 + tape.pick(min(len(tail) - 1, 250))]


def _no_line_end(whole: Whole, _: Tape) -> bytes | None:
    """A complete record that lacks only its line feed is torn all the same (F04)."""
    if whole.encoding.artifacts != "jsonl":
        return None
    return whole.content + whole.encoding.batch(whole.more[:1])[:-1]


def _cut(whole: Whole, tape: Tape) -> bytes | None:
    """The last record loses its end."""
    last = whole.encoding.last_record(whole.content)
    return whole.content[: -1 - tape.pick(min(last - 1, 250))] if len(whole.events) > 1 else None


def _broken_row(whole: Whole, _: Tape) -> bytes | None:
    """A record before a later turn end becomes garbage (F03)."""
    ends = [event["seq"] for event in whole.events if event["type"] == "turn/end"]
    if not ends or not int(str(ends[-1])):
        return None
    return whole.encoding.garbled(whole.content, 0)


def _repeated(whole: Whole, _: Tape) -> bytes | None:
    """A stale writer's copy of a finished turn follows the log (F01, F02)."""
    if not any(event["type"] == "turn/end" for event in whole.events):
        return None
    return whole.content + whole.encoding.batch(whole.events[-3:])


def _row(**members: Json) -> Change:
    """A complete row more, with these members."""

    def change(whole: Whole, _: Tape) -> bytes | None:
        seq = len(whole.events)
        event = {"type": "acme/ping", "seq": seq, "time": 1, "data": {}, **members}
        return whole.content + whole.encoding.batch([event])

    return change


def _header(**members: Json) -> Change:
    """Another header line, with these members."""

    def change(whole: Whole, _: Tape) -> bytes | None:
        return whole.encoding.with_header(whole.content, members)

    return change


_UNSUPPORTED = (RefusalKind.UNSUPPORTED_FORMAT,)

#: A writer was interrupted.
torn = harm(
    Harm(says="append a half-written record", rule="STORE-TORN-TAIL", change=_half_row),
    Harm(says="cut the last record short", rule="STORE-TORN-TAIL", change=_cut),
    Harm(says="append a record without its line feed", rule="STORE-TORN-TAIL", change=_no_line_end),
)
#: Something happened to records that a finished turn follows.
committed = harm(
    Harm(
        says="overwrite a record before a turn end",
        rule="STORE-COMMITTED-CORRUPTION-LOUD",
        turned=True,
        change=_broken_row,
    ),
    Harm(
        says="append a stale copy of the last records",
        rule="STORE-COMMITTED-CORRUPTION-LOUD",
        turned=True,
        change=_repeated,
    ),
)
#: Another build wrote events that this one does not know, or that no session can be built from.
foreign_events = harm(
    Harm(
        says="append an event of an unknown required type",
        rule="STORE-FAIL-CLOSED-VOCAB",
        kinds=_UNSUPPORTED,
        change=_row(),
    ),
    Harm(
        says="append an ignorable event of an unknown type",
        rule="STORE-IGNORABLE-KEPT",
        change=_row(ignorable=True),
    ),
    Harm(
        says="append a message without its surface mark",
        rule="STORE-REFUSES-BROKEN-LOG",
        kinds=(RefusalKind.CORRUPT,),
        late=True,
        change=_row(
            type="user/message",
            data={"id": "m", "role": "user", "content": [], "source": {"kind": "user"}},
        ),
    ),
)
#: The file belongs to another session.
foreign_header = harm(
    Harm(
        says="put another session's id into the header",
        rule="STORE-IDENTITY-BOUND",
        kinds=(),
        header=True,
        change=_header(id="somebody-else"),
    ),
)
#: Another build wrote the file.
other_version = harm(
    Harm(
        says="put a newer version into the header",
        rule="STORE-VERSION-GATE",
        kinds=_UNSUPPORTED,
        header=True,
        change=_header(version=5),
    ),
)
