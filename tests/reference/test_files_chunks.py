"""Packed rows of v0 and v1: what they hold, which are bad, and which runs are packed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_reference.files import batch_lines, encode_rows, expand_row
from dsh_reference.refusal import Refusal
from dsh_reference.values import MAX_SAFE, parse
from dsh_spec.values import JsonObject

TEXT: dict[str, Any] = {"type": "text-delta", "index": 0, "text": "a"}
CALL: dict[str, Any] = {
    "type": "tool-call-delta",
    "index": 2,
    "id": "c1",
    "name": "f",
    "argumentsDelta": "{",
}


def chunk(seq: int, time: int = 0, body: Any = TEXT, **more: Any) -> JsonObject:
    data: JsonObject = {"turn": 1, "step": 1, "chunk": body}
    return {"type": "assistant/chunk", "seq": seq, "time": time, "data": data, **more}


def packed(events: list[JsonObject]) -> list[Any]:
    return list(encode_rows(events, 1))


def test_the_example_of_the_chapter() -> None:
    """Worked by hand: chapter files, "Header line and rows"."""
    data: JsonObject = {"turn": 1, "step": 1, "index": 0, "dt": [5, -2], "texts": ["He", "ll", "o"]}
    row: JsonObject = {"type": "text-chunks", "seq0": 3, "time0": 100, "data": data}
    events = [
        chunk(seq, time, {**TEXT, "text": text})
        for seq, time, text in ((3, 100, "He"), (4, 105, "ll"), (5, 103, "o"))
    ]
    expanded = expand_row(row, 3, 0)
    assert not isinstance(expanded, Refusal)
    assert list(expanded) == events
    assert packed(events) == [row]


def test_a_call_without_a_name_and_one_with_an_empty_name_are_two_runs() -> None:
    nameless = {key: value for key, value in CALL.items() if key != "name"}
    bodies = [nameless] * 3 + [{**CALL, "name": ""}] * 3
    rows = packed([chunk(seq, body=body) for seq, body in enumerate(bodies)])
    assert [("name" in row["data"], row["seq0"]) for row in rows] == [(False, 0), (True, 3)]
    assert list(rows[1]["data"]) == ["turn", "step", "index", "id", "name", "dt", "args"]


#: Each ends a run, or is none: the facts' list (events §6.2, CHUNKROW-ENCODE).
ODD: dict[str, JsonObject] = {
    "another index": chunk(2, body={**TEXT, "index": 1}),
    "another kind": chunk(2, body={**TEXT, "type": "reasoning-delta"}),
    "another step": {**chunk(2), "data": {"turn": 1, "step": 2, "chunk": TEXT}},
    "a strange key": chunk(2, body={**TEXT, "q": 1}),
    "a mark": chunk(2, ignorable=True),
    "sources": chunk(2, sourceEventSeqs=[0]),
    "a strange key of the data": {
        **chunk(2),
        "data": {"turn": 1, "step": 1, "chunk": TEXT, "q": 1},
    },
    "no text": chunk(2, body={**TEXT, "text": 1}),
    "a gap": chunk(3),
    "a jump in time": chunk(2, -MAX_SAFE),
    "a finish": chunk(2, body={"type": "finish", "reason": {"kind": "stop"}}),
    "another event": {"type": "todo/write", "seq": 2, "time": 0, "data": {}},
    "no chunk": {**chunk(2), "data": None},
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD.keys())
def test_what_a_run_does_not_hold(odd: JsonObject) -> None:
    events = [chunk(0, MAX_SAFE), chunk(1, MAX_SAFE), odd, *map(chunk, (5, 6, 7))]
    rows = packed(events)
    assert rows[:3] == events[:3]
    assert rows[3:] == packed(events[3:])
    assert [row["type"] for row in rows[3:]] == ["text-chunks"]


def test_two_chunks_are_no_run() -> None:
    events = [chunk(0), chunk(1)]
    assert packed(events) == events


BODIES = st.sampled_from(
    [
        TEXT,
        {**TEXT, "type": "reasoning-delta"},
        CALL,
        {**CALL, "name": ""},
        {**CALL, "id": ""},
        {key: value for key, value in CALL.items() if key != "name"},
        {"type": "usage", "usage": {}},
        {**TEXT, "index": -1},
    ]
)


@st.composite
def streams(draw: st.DrawFn) -> list[JsonObject]:
    """Chunks in runs, with some other events between them."""
    events: list[JsonObject] = []
    for body, count in draw(st.lists(st.tuples(BODIES, st.integers(1, 5)), max_size=5)):
        for _ in range(count):
            time = draw(st.integers(-5, 5) | st.integers(-MAX_SAFE, MAX_SAFE))
            events.append(chunk(len(events), time, body))
    return events


@given(streams(), st.sampled_from([0, 1]))
def test_what_was_packed_is_read_back(events: list[JsonObject], format: Any) -> None:  # noqa: A002
    read: list[JsonObject] = []
    for line in batch_lines(events, format).splitlines():
        found = expand_row(parse(line), len(read), format)  # type: ignore[arg-type]
        assert not isinstance(found, Refusal)
        read += found
    assert read == events


@given(st.dictionaries(st.sampled_from(["type", "seq0", "time0", "data", "x"]), st.none()))
def test_no_row_raises(row: dict[str, Any]) -> None:
    assert isinstance(expand_row({**row, "type": "tool-call-chunks"}, 0, 0), Refusal)
