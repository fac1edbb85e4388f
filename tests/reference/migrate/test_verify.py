"""MIG-VERIFY: an answer that was migrated says what was streamed of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.formats import logs
from dsh_reference.migrate import migrate, verify
from dsh_reference.migrate.verify import assemble
from dsh_reference.session_log import SessionLog

Raw = dict[str, Any]
USAGE = {"inputTokens": 1, "outputTokens": 2}


def chunk(**members: Any) -> Raw:
    return {"type": "chunk", "time": 0, "chunk": members}


def text(*pieces: str, index: int = 0) -> Raw:
    dt = [0] * (len(pieces) - 1)
    return {"type": "text-chunks", "time0": 0, "index": index, "dt": dt, "texts": list(pieces)}


def call(*pieces: str, **named: str) -> Raw:
    return {
        "type": "tool-call-chunks",
        "time0": 0,
        "index": 1,
        "dt": [],
        "args": [*pieces],
        **named,
    }


def finish(kind: str, **more: Any) -> Raw:
    return chunk(type="finish", reason={"kind": kind}, **more)


def answer(stream: list[Raw], content: list[Raw], **data: Any) -> SessionLog:
    source = {"kind": "model", **data.pop("source", {})}
    message = {"id": "m", "role": "assistant", "content": content, "source": source}
    event: Raw = {"type": "assistant/message", "seq": 0, "time": 0}
    event["data"] = {"turn": 1, "step": 1, "message": message, "stream": stream, **data}
    return SessionLog(header={"version": 4, "id": "s"}, inherited=0, events=(event,))


YES = [{"type": "text", "text": "yes"}]
BLANK = [text(" "), text("x", index=2)]


@pytest.mark.parametrize(
    ("log", "problem"),
    [
        (answer([text("y", "es")], YES), None),
        (answer([], YES), None),
        (answer([text("no")], YES), "content"),
        (answer([text("yes"), chunk(type="usage", usage=USAGE)], YES, usage=USAGE), None),
        (answer([text("yes"), chunk(type="usage", usage=USAGE)], YES), "usage"),
        (
            answer([text("yes"), finish("stop", replayState=7)], YES, source={"replayState": 7}),
            None,
        ),
        (answer([text("yes"), finish("stop", replayState=7)], YES), "replay"),
        (answer(BLANK, [{"type": "text", "text": "x"}], interrupted=True), None),
        (answer(BLANK, [{"type": "text", "text": "x"}]), "content"),
        (answer([text("yes"), call("{", id="c"), finish("max-tokens")], YES), None),
        (answer([text("yes"), call("{", id="c"), finish("stop")], YES), "content"),
        (answer([chunk(type="block-start", index=0, blockType="image")], []), "made out"),
    ],
)
def test_an_answer_agrees_with_its_stream(log: SessionLog, problem: str | None) -> None:
    found = verify(log)
    assert (found is None) if problem is None else (found is not None and problem in found.problem)


def test_the_end_of_a_block_stands_for_its_deltas() -> None:
    whole = {"type": "tool-call", "id": "c", "name": "n", "arguments": "{}"}
    said = assemble([call("{", id="c"), chunk(type="block-end", index=1, block=whole)])
    assert said is not None
    assert said.content == (whole,)


def test_a_call_has_the_last_id_and_name_that_came() -> None:
    said = assemble([call("{", id="c", name="n"), call("}", id="d")])
    assert said is not None
    assert said.content == ({"type": "tool-call", "id": "d", "name": "n", "arguments": "{}"},)


@given(version=st.sampled_from((0, 1, 2, 3)), data=st.data())
def test_what_a_writer_could_have_left_agrees(version: Any, data: st.DataObject) -> None:
    moved = migrate(data.draw(logs(version, max_batches=3)))
    assert isinstance(moved, SessionLog)
    assert verify(moved) is None
