"""Damage to an artifact from outside, and what a right reader makes of it.

What must come of a damaged file is not written here: the file's new bytes are given to
`dsh_reference.files.load`, which is held to the golden cases and to the real runtime.
Damage is done to sessions that are stored, whole, and open in no handle.
"""

from collections.abc import Callable, Container, Mapping, Sequence

from attrs import frozen

from dsh_conformance.generate.tape import Tape
from dsh_conformance.tracks.store.course import StakesOf
from dsh_conformance.tracks.store.encoding import Encoding, encoding_of
from dsh_conformance.tracks.store.expect import Check, HoldsLog
from dsh_conformance.tracks.store.run import Run, Step
from dsh_conformance.tracks.store.script import Artifact, Damage
from dsh_conformance.tracks.store.view import FLUSHED, Stakes
from dsh_reference.files import LogFile
from dsh_reference.refusal import Refusal
from dsh_reference.store import Append, Flush, Trouble, damage
from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class Whole:
    """An artifact before the damage."""

    #: How it is encoded.
    encoding: Encoding
    #: Its bytes.
    content: bytes
    #: The logical header.
    header: JsonObject
    #: The events.
    events: Sequence[JsonObject]
    #: Events that would follow validly.
    more: Sequence[JsonObject]


@frozen(kw_only=True)
class Harm:
    """One kind of damage."""

    #: The line for people.
    says: str
    #: The rule that says what must come of it.
    rule: str
    #: Whether the header is damaged, so that stat and list are free.
    header: bool = False
    #: Whether a finished turn has to stand in the log.
    turned: bool = False
    #: The formats in whose logs it is damage that a reader sees.
    formats: Container[int] = range(5)
    #: Makes the new bytes; nothing where the damage does not apply.
    change: Callable[[Whole, Tape], bytes | None]


def harm(kinds: Sequence[Harm]) -> Step:
    """Return the step that does one of these kinds of damage, the first that is possible."""

    def step(run: Run, tape: Tape) -> StakesOf:
        """Damage the artifact of a session, once it is flushed and closed."""
        session_id = tape.one_of(run.readable())
        fitting = [kind for kind in kinds if run.format in kind.formats]
        start = tape.pick(len(fitting))
        _prepare(run, session_id, turned=fitting[start].turned)
        whole = _whole(run, session_id)
        for kind in (*fitting[start:], *fitting[:start]):
            changed = kind.change(whole, tape)
            if changed is not None:
                return _do(run, session_id, whole.encoding, kind, changed)
        return {session_id: FLUSHED}

    return step


def _prepare(run: Run, session_id: str, *, turned: bool) -> None:
    """Make sure that the session's file is whole, and that a turn ends in it if one has to."""
    if turned:
        ending = Append(handle=run.writer(session_id), events=run.ended_turn(session_id))
        run.do(ending, "append the end of a turn")
    if turned or not run.world.stored[session_id].kept:
        run.do(Flush(handle=run.writer(session_id)), f"flush session {session_id!r}")
    run.let_go(session_id)


def _whole(run: Run, session_id: str) -> Whole:
    """Read the session's file, which must hold its log."""
    session = run.world.stored[session_id]
    artifacts = run.arena.claims.artifacts
    assert artifacts is not None
    held = f"artifact of {session_id}"
    right = HoldsLog(artifacts, session.header, session.events, run.format)
    check = Check("STORE-ARTIFACT-HOLDS-LOG", right)
    run.player.play(Artifact(session=session_id, checks=(check,), keeps=held))
    content = run.player.bindings[held]
    assert isinstance(content, bytes)
    return Whole(
        encoding=encoding_of(artifacts, run.format),
        content=content,
        header=session.header,
        events=[event for event in session.events if isinstance(event, Mapping)],
        more=run.batch(session_id),
    )


def _do(run: Run, session_id: str, encoding: Encoding, kind: Harm, changed: bytes) -> StakesOf:
    says = f"in the file of session {session_id!r}, {kind.says}"
    run.player.play(Damage(session=session_id, content=changed, says=says))
    found = encoding.load(changed)
    trouble = _trouble(found, kind, session_id)
    sound = found if isinstance(found, LogFile) and trouble is None else None
    events, inherited = (sound.events, sound.inherited) if sound is not None else ((), 0)
    run.world = damage(run.world, session_id, events=events, inherited=inherited, trouble=trouble)
    if isinstance(found, LogFile):
        run.view.committed[session_id] = found.committed_bytes
    stakes = Stakes(count=kind.rule, content=kind.rule, revision="any", artifact="damaged")
    return {session_id: stakes}


def _trouble(found: LogFile | Refusal, kind: Harm, session_id: str) -> Trouble | None:
    if isinstance(found, Refusal):
        return Trouble(rule=kind.rule, kinds=(found.kind,), header=kind.header)
    if found.header["id"] != session_id:
        return Trouble(rule="STORE-IDENTITY-BOUND", header=True)
    return None


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
    return whole.content[: -1 - tape.pick(min(last - 1, 250))] if whole.events else None


def _broken_row(whole: Whole, tape: Tape) -> bytes | None:
    """A record before a later turn end becomes garbage (F03)."""
    ends = [event["seq"] for event in whole.events if event["type"] == "turn/end"]
    before = [n for n in range(len(whole.events)) if ends and n < int(str(ends[-1]))]
    if not before:
        return None
    return whole.encoding.garbled(whole.content, tape.one_of(before[:200]))


def _repeated(whole: Whole, _: Tape) -> bytes | None:
    """A stale writer's copy of a finished turn follows the log (F01, F02)."""
    if not any(event["type"] == "turn/end" for event in whole.events):
        return None
    return whole.content + whole.encoding.batch(whole.events[-3:])


def _row(**members: Json) -> Callable[[Whole, Tape], bytes | None]:
    """A complete row more, with these members."""

    def change(whole: Whole, _: Tape) -> bytes | None:
        seq = len(whole.events)
        event = {"type": "acme/ping", "seq": seq, "time": 1, "data": {}, **members}
        return whole.content + whole.encoding.batch([event])

    return change


def _said(role: str, **more: Json) -> JsonObject:
    """A message of one block."""
    block: JsonObject = {"type": "text", "text": "a"}
    return {"id": "m", "role": role, "content": [block], "source": {"kind": "user"}, **more}


#: The answer to a call as v4 has it: a message in a role of its own.
_ANSWER: JsonObject = {
    "turn": 1,
    "step": 1,
    "message": _said("tool", source={"kind": "tool", "callId": "c"}, toolCallId="c"),
}


def _version(by: int) -> Callable[[Whole, Tape], bytes | None]:
    """A header line of a format that is so much newer."""

    def change(whole: Whole, _: Tape) -> bytes | None:
        return whole.encoding.with_header(whole.content, {"version": whole.encoding.format + by})

    return change


def _header(**members: Json) -> Callable[[Whole, Tape], bytes | None]:
    """Another header line, with these members."""

    def change(whole: Whole, _: Tape) -> bytes | None:
        return whole.encoding.with_header(whole.content, members)

    return change


#: A writer was interrupted.
torn = harm(
    (
        Harm(says="append a half-written record", rule="STORE-TORN-TAIL", change=_half_row),
        Harm(says="cut the last record short", rule="STORE-TORN-TAIL", change=_cut),
        Harm(
            says="append a record without its line feed",
            rule="STORE-TORN-TAIL",
            change=_no_line_end,
        ),
    )
)
#: Something happened to records that a finished turn follows.
committed = harm(
    (
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
)
#: Another build wrote events that this one does not know.
foreign_events = harm(
    (
        Harm(
            says="append an event of an unknown required type",
            rule="STORE-FAIL-CLOSED-VOCAB",
            change=_row(),
        ),
        Harm(
            says="append an ignorable event of an unknown type",
            rule="STORE-IGNORABLE-KEPT",
            change=_row(ignorable=True),
        ),
        Harm(
            says="append an event of a type that came with v4",
            rule="STORE-FAIL-CLOSED-VOCAB",
            formats=range(4),
            change=_row(type="developer/message", surfaceOp="append"),
        ),
    )
)
#: A broken writer wrote events that no log may hold.
broken_events = harm(
    (
        Harm(
            says="append a turn/start with a wrong number",
            rule="STORE-REFUSES-BROKEN-LOG",
            formats=(4,),
            change=_row(type="turn/start", data={"turn": 99}),
        ),
        Harm(
            says="append a step/end outside every step",
            rule="STORE-REFUSES-BROKEN-LOG",
            formats=(4,),
            change=_row(type="step/end", data={"turn": 99, "step": 99}),
        ),
        Harm(
            says="append a message of a user's in the role of the model",
            rule="STORE-REFUSES-BROKEN-LOG",
            formats=range(4),
            change=_row(type="user/message", data=_said("assistant"), surfaceOp="append"),
        ),
        Harm(
            says="append a message in the role tool, as v4 has it",
            rule="STORE-REFUSES-BROKEN-LOG",
            formats=range(4),
            change=_row(type="tool/result", data=_ANSWER, surfaceOp="append"),
        ),
    )
)
#: The file belongs to another session.
foreign_header = harm(
    (
        Harm(
            says="put another session's id into the header",
            rule="STORE-IDENTITY-BOUND",
            header=True,
            change=_header(id="somebody-else"),
        ),
    )
)
#: Another build wrote the file.
other_version = harm(
    (
        Harm(
            says="put a newer version into the header",
            rule="STORE-VERSION-GATE",
            header=True,
            change=_version(1),
        ),
        Harm(
            says="put an older version into the header",
            rule="STORE-VERSION-GATE",
            header=True,
            change=_version(-1),
        ),
    )
)
