"""Beats of assistants in older formats: what streams, what settles it, and what comes to nothing.

In formats v0 and v1 each chunk is an event, and the message cites all chunks of its attempt; from
v2 on the message holds its stream.

Sources: facts migration §2.3 (MIG12-ATTEMPT-*, MIG12-SETTLE-*); events §4.2, §5.5 and §6.4.
"""

from attrs import evolve

from dsh_conformance.generate.beats.beat import Beat, always
from dsh_conformance.generate.beats.messages import ANSWERS, advertised, ask, may_speak
from dsh_conformance.generate.formats.state import Past, Stream, past
from dsh_conformance.generate.formats.streams import (
    Timed,
    block_chunks,
    failed,
    interrupted,
    records,
    tail_chunks,
    usage,
)
from dsh_conformance.generate.formats.writer import PastWriter
from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.strings import NAMES
from dsh_conformance.generate.tape import Tape
from dsh_conformance.generate.voice import picture
from dsh_conformance.generate.writer import Writer
from dsh_reference.values import dump


def _may_ask(state: State) -> bool:
    """Before the first step of a log nothing may be said that shall migrate."""
    return past(state).stepped


def _content(tape: Tape, stream: Stream | None) -> tuple[list[Raw], str]:
    """Return what is said, and why the model stops; calls come once in an attempt."""
    content = tape.one_of(ANSWERS)(tape)
    if tape.rarely(6):
        content.append(picture(tape))
    calling = stream is not None and any(each["type"] == "tool-call" for each in stream.content)
    if tape.pick(3) and not calling:
        return [*content, *advertised(tape)], "tool-calls"
    return content, tape.one_of(("stop", "stop", "tool-calls", "acme"))


def _chunks(first: int, content: list[Raw], kind: str, tape: Tape) -> list[Raw]:
    """Return the chunks of blocks from index *first* on; none is cut short."""
    blocks = [block_chunks(first + at, block, tape) for at, block in enumerate(content)]
    return [*(chunk for chunks in blocks for chunk in chunks), *tail_chunks(tape, kind)]


def _source(replay: Raw | None) -> Raw:
    more = {} if replay is None else {"replayState": replay}
    return {"kind": "model", "provider": "p", "model": "m", **more}


# ------------------------------------------------------------------ chunks that are events


def _streaming(state: State) -> Stream | None:
    """Return the stream that goes on with the next chunk."""
    stream = past(state).stream
    return stream if stream is not None and not stream.finished else None


def _may_stream(state: State) -> bool:
    stream = past(state).stream
    return may_speak(state) and (stream is None or not stream.sealed)


def _stream(writer: Writer, tape: Tape) -> None:
    """Some blocks come in, and nothing has settled them so far."""
    assert isinstance(writer, PastWriter)
    running = _streaming(writer.state) or Stream()
    content, kind = _content(tape, running)
    chunks = _chunks(len(running.content), content, kind, tape)
    if tape.rarely(5):
        chunks = [*filter(_goes_on, chunks), failed(tape)]
    for chunk in chunks:
        writer.emit("assistant/chunk", writer.here(chunk=chunk))
    if chunks:
        _remember(writer, running, content, chunks)


def _goes_on(chunk: Raw) -> bool:
    return bool(chunk["type"] != "finish")


def _remember(writer: PastWriter, running: Stream, content: list[Raw], chunks: list[Raw]) -> None:
    stream = writer.state.stream
    assert stream is not None
    counted = [chunk["usage"] for chunk in chunks if chunk["type"] == "usage"]
    replays = [chunk["replayState"] for chunk in chunks if "replayState" in chunk]
    spent = counted[-1] if counted else running.usage
    whole = (*running.content, *content)
    writer.know(
        stream=evolve(stream, content=whole, usage=spent, replay=replays[-1] if replays else None)
    )


def _settle(writer: Writer, tape: Tape) -> None:
    """The message comes: what streamed, or something else beside it, or all that there is."""
    assert isinstance(writer, PastWriter)
    if writer.state.stream is None and tape.pick(3):
        _stream(writer, tape)
    stream = writer.state.stream
    if stream is not None and not stream.sealed and not tape.rarely(5):
        _settle_stream(writer, stream, tape)
        return
    content, _ = _content(tape, None)
    data = writer.here(message=writer.message("assistant", content, _source(None)))
    if tape.rarely(3):
        data["usage"] = usage(tape)
    cited: Raw = {"sourceEventSeqs": []} if stream is not None or tape.pick(2) else {}
    writer.emit("assistant/message", data, surfaceOp="append", **cited)


def _settle_stream(writer: PastWriter, stream: Stream, tape: Tape) -> None:
    cancelled = tape.rarely(6)
    content = interrupted(stream.content) if cancelled else list(stream.content)
    message = writer.message("assistant", content, _source(stream.replay))
    data = writer.here(message=message)
    if stream.usage is not None:
        data["usage"] = stream.usage
    if cancelled:
        data["interrupted"] = True
    writer.append("assistant/message", data, stream.seqs)


# ------------------------------------------------------------------ streams within events


def _answer(writer: Writer, tape: Tape) -> None:
    """The message holds its stream, or an empty one."""
    content, kind = _content(tape, None)
    chunks = _chunks(0, content, kind, tape) if tape.pick(3) else []
    counted = [chunk["usage"] for chunk in chunks if chunk["type"] == "usage"]
    replays = [chunk["replayState"] for chunk in chunks if "replayState" in chunk]
    cancelled = tape.rarely(6)
    said = interrupted(content) if cancelled and chunks else content
    source = _source(replays[-1] if replays else None)
    message = writer.embellished(tape, writer.message("assistant", said, source))
    data = writer.here(message=message, stream=records(_timed(writer, chunks, tape)))
    if counted:
        data["usage"] = counted[-1]
    if cancelled:
        data["interrupted"] = True
    writer.append("assistant/message", data)


def _attempt(writer: Writer, tape: Tape) -> None:
    """A request came to nothing; what it sent is kept."""
    content, kind = _content(tape, None)
    chunks = _chunks(0, content, kind, tape)[: tape.pick(8)]
    if tape.pick(2):
        chunks = [*filter(_goes_on, chunks), failed(tape)]
    writer.emit("assistant/attempt", writer.here(stream=records(_timed(writer, chunks, tape))))


def _timed(writer: Writer, chunks: list[Raw], tape: Tape) -> list[Timed]:
    gap = tape.one_of((0, 1, 60_000, -7))
    return [(writer.state.time + gap * at, chunk) for at, chunk in enumerate(chunks)]


# ------------------------------------------------------------------ goals that were messages


def _may_pursue(state: State) -> bool:
    """Beside an attempt the edge puts the message ahead of others, and ranges lose their ends."""
    return past(state).stepped and past(state).stream is None


def _pursue(writer: Writer, tape: Tape) -> None:
    """A goal changed, and the message that told so held the change itself (MIG12-GOAL-SPLIT)."""
    change: Raw = {"kind": "goal/change", "version": 1}
    if tape.pick(2):
        shown: Raw = {"cleared": {"id": "g", "revision": 1}, "clearedAt": 0}
        change |= {"operation": "clear", **shown}
    else:
        goal: Raw = {"id": "g", "revision": 1, "objective": tape.one_of(NAMES), "phase": "active"}
        shown = {"goal": {**goal, "maxGoalRounds": 1}, "roundsStarted": 0}
        shown |= {"createdAt": 0, "updatedAt": 2**53 - 1}
        change |= {"operation": "create", **shown}
    source = {"kind": "goal", "goalId": "g", "revision": 1, "round": 0, "change": change}
    words = f"<goal_state>{dump(shown)}</goal_state>"
    said = writer.message("user", [{"type": "text", "text": words}], source)
    writer.append("user/message", said)


def speaking(version: Past) -> tuple[Beat, ...]:
    """Return the beats of a format's assistants, and of those who talk to them."""
    asking = (Beat("user message", 3, always if version == 3 else _may_ask, ask),)
    if version > 1:
        return (
            Beat("assistant message", 12, may_speak, _answer),
            *asking,
            Beat("assistant attempt", 2, may_speak, _attempt),
        )
    return (
        Beat("assistant message", 12, may_speak, _settle),
        *asking,
        Beat("assistant chunks", 3, _may_stream, _stream),
        Beat("goal message", 1, _may_pursue, _pursue),
    )
