"""What the edges from v0 and v1 hold for every log that a writer of its format could have left."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import accumulate
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsh_conformance.generate.formats import logs
from dsh_reference.files import LogFile, batch_lines, header_line, read_log
from dsh_reference.migrate.v0_to_v1 import v0_to_v1
from dsh_reference.migrate.v1_to_v2 import v1_to_v2
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.values import equal
from dsh_spec.values import JsonObject

slow = settings(suppress_health_check=[HealthCheck.too_slow])


def first(log: SessionLog) -> SessionLog:
    moved = v0_to_v1(log)
    assert not isinstance(moved, Refusal), moved
    return moved


def second(log: SessionLog, *, decoded: bool = True) -> SessionLog:
    moved = v1_to_v2(log, decoded=decoded)
    assert not isinstance(moved, Refusal), moved
    return moved


@slow
@given(logs(0))
def test_v0_to_v1_keeps_place_and_time_and_mints_once(log: SessionLog) -> None:
    moved = first(log)
    kept = [[(event["seq"], event["time"]) for event in each.events] for each in (log, moved)]
    assert kept[0] == kept[1]
    assert moved.inherited == log.inherited
    again = first(evolve(moved, header={**moved.header, "version": 0}))
    assert equal(again.events, moved.events)


@slow
@given(logs(0), logs(1))
def test_an_edge_leaves_its_source_alone_and_says_the_same_twice(
    old: SessionLog, new: SessionLog
) -> None:
    before = deepcopy((old, new))
    assert equal(first(old).events, first(old).events)
    assert equal(second(new).events, second(new).events)
    assert equal([old.events, new.events], [each.events for each in before])


@slow
@given(logs(0))
def test_what_comes_from_v0_is_sound_in_v1(log: SessionLog) -> None:
    moved = first(log)
    assert second(moved, decoded=True) == second(moved, decoded=False)


@slow
@given(logs(1))
def test_no_chunk_is_lost_and_none_is_made_up(log: SessionLog) -> None:
    chunks = [
        (event["time"], event["data"]["chunk"])  # type: ignore[index,call-overload]
        for event in log.events
        if event["type"] == "assistant/chunk"
    ]
    assert equal(list(_streamed(second(log))), chunks)


@slow
@given(logs(1), st.integers(1, 9))
def test_it_does_not_matter_how_chunks_are_packed(log: SessionLog, size: int) -> None:
    batches = [log.events[at : at + size] for at in range(0, len(log.events), size)]
    lines = b"".join(batch_lines(batch, 1) for batch in batches)
    read = read_log(header_line(log.header, log.inherited) + lines, compression="none")
    assert isinstance(read, LogFile)
    assert equal(second(evolve(log, events=read.events)).events, second(log).events)


@slow
@given(logs(1))
def test_survivors_keep_their_order_and_time(log: SessionLog) -> None:
    moved = second(log)
    assert [event["seq"] for event in moved.events] == list(range(len(moved.events)))
    survivors = [_key(event) for event in log.events if event["type"] != "assistant/chunk"]
    # A goal's message may overtake, and what is put in stands among them.
    assert sorted(survivors) == sorted(_without(map(_key, moved.events), survivors))


@slow
@given(logs(1))
def test_the_cut_is_the_seq_of_its_marker(log: SessionLog) -> None:
    moved = second(log)
    marks = [
        event["seq"]
        for event in moved.events
        if event["type"] == "session/end-seed" and event["data"] == {"inherited": True}
    ]
    assert (marks[-1:] or [0])[0] == moved.inherited
    assert bool(marks) is log.header["isSeeded"]


@slow
@given(logs(1))
def test_a_reference_still_leads_to_the_event_that_it_led_to(log: SessionLog) -> None:
    moved = second(log)
    for before, after in zip(_cited(log), _cited(moved), strict=True):
        assert _key(log.events[before]) == _key(moved.events[after])


@pytest.mark.parametrize("edge", [first, second])
def test_the_work_grows_with_the_log(edge: Callable[[SessionLog], SessionLog]) -> None:
    version = 0 if edge is first else 1
    work = [_calls(edge, _long(version, turns)) for turns in (50, 100, 200)]
    assert work[2] - work[1] <= 2.2 * (work[1] - work[0])


def _streamed(log: SessionLog) -> Iterator[tuple[Any, Any]]:
    for event in log.events:
        data: Any = event["data"]
        if event["type"] in ("assistant/message", "assistant/attempt"):
            for record in data["stream"]:
                yield from _expanded(record)


def _expanded(record: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    if record["type"] == "chunk":
        yield record["time"], record["chunk"]
        return
    kind = record["type"].removesuffix("-chunks") + "-delta"
    text = "argumentsDelta" if "args" in record else "text"
    shared = {key: record[key] for key in ("index", "id", "name") if key in record}
    times = accumulate(record["dt"], initial=record["time0"])
    for time, member in zip(times, record.get("texts", record.get("args")), strict=True):
        yield time, {"type": kind, **shared, text: member}


def _key(event: JsonObject) -> tuple[str, Any]:
    return str(event["type"]), event["time"]


def _without(
    keys: Iterator[tuple[str, Any]], wanted: Sequence[tuple[str, Any]]
) -> Iterator[tuple[str, Any]]:
    """Yield the wanted keys among *keys*, each as often as it is wanted."""
    left = list(wanted)
    for key in keys:
        if key in left:
            left.remove(key)
            yield key


def _cited(log: SessionLog) -> Iterator[int]:
    for event in log.events:
        data: Any = event["data"]
        if event["type"] != "assistant/message":
            yield from event.get("sourceEventSeqs", ())  # type: ignore[misc]
        match event.get("surfaceOp"):
            case {"start": int(start), "end": int(end)}:
                yield from (start, end)
        match event["type"]:
            case "command/done":
                yield from (data[key] for key in ("sourceEventSeq",) if key in data)
            case "compaction/prune" | "compaction/summary":
                yield from (*data["shadowedRange"].values(), *data["shadowedSeqs"])
            case "session/title" | "session/title-llm-request":
                yield from data["messageSeqs"]


def _long(version: int, turns: int) -> SessionLog:
    """Return a log of turns whose answers have more chunks the longer the log is."""
    events: list[JsonObject] = []

    def add(type_: str, data: JsonObject, **envelope: Any) -> int:
        events.append({"type": type_, "seq": len(events), "time": 0, "data": data, **envelope})
        return len(events) - 1

    delta: Any = {"type": "text-delta", "index": 0, "text": "a"}
    source: Mapping[str, Any] = {"kind": "model", "provider": "p", "model": "m"}
    said: Any = {"id": "a", "role": "assistant", "content": [], "source": source}
    for turn in range(1, turns + 1):
        place: Mapping[str, Any] = {"turn": turn, "step": 1}
        add("turn/start", {"turn": turn})
        cited = [add("assistant/chunk", {**place, "chunk": delta}) for _ in range(5)]
        add("feedback/record", {"text": "f"})
        message: Any = {**place, "message": said}
        add("assistant/message", message, surfaceOp="append", sourceEventSeqs=cited)
        add("turn/end", {"turn": turn, "reason": {"kind": "completed"}})
    header: Mapping[str, Any] = {
        "version": version,
        "id": "s",
        "createdAt": 0,
        "delegationDepth": 0,
    }
    return SessionLog(header={**header, "isSeeded": False}, inherited=0, events=tuple(events))


def _calls(edge: Callable[[SessionLog], SessionLog], log: SessionLog) -> int:
    """Count the calls that an edge makes; a count, unlike a time, is always the same."""
    count = 0

    def count_call(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count_call)
    try:
        edge(log)
    finally:
        sys.setprofile(before)
    return count
