"""Events become classes and JSON again without loss; nothing is coerced."""

import re
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from dsh_reference.values import equal
from dsh_spec.events import (
    CHECKED_TYPES,
    CORE_TYPES,
    EVENT_TYPES,
    SURFACE_TYPES,
    Append,
    AssistantMessage,
    EndSeed,
    Event,
    Message,
    OtherBlock,
    PlanMode,
    Replace,
    ShapeError,
    Source,
    TextBlock,
    TokenUsage,
    ToolResult,
    TurnEnd,
    TurnEndReason,
    TurnStart,
    Undeclared,
    Unknown,
    UserMessage,
    structure_event,
    structure_header,
    unstructure_event,
    unstructure_header,
)
from dsh_spec.values import Json

Raw: TypeAlias = dict[str, Any]
Events: TypeAlias = Callable[[str], st.SearchStrategy[Raw]]
TYPES = st.sampled_from(sorted(EVENT_TYPES))


def test_the_vocabulary_has_its_size() -> None:
    assert (len(EVENT_TYPES), len(CORE_TYPES), len(SURFACE_TYPES)) == (62, 14, 5)
    assert SURFACE_TYPES < CORE_TYPES < CHECKED_TYPES < EVENT_TYPES.keys()
    assert len(set(EVENT_TYPES.values())) == 62


@given(data=st.data(), type_=TYPES)
def test_a_written_event_is_read_and_written_the_same(
    valid_events: Events, data: st.DataObject, type_: str
) -> None:
    raw = data.draw(valid_events(type_))
    event = structure_event(raw)
    assert isinstance(event.data, (EVENT_TYPES[type_], Undeclared))
    assert type_ not in CHECKED_TYPES or not isinstance(event.data, Undeclared)
    assert equal(unstructure_event(event), raw)
    assert structure_event(unstructure_event(event)) == event


@given(data=st.data())
def test_any_value_is_refused_or_kept_whole(
    mutants: st.SearchStrategy[Raw], data: st.DataObject
) -> None:
    raw = data.draw(mutants)
    try:
        event = structure_event(raw)
    except ShapeError:
        return
    assert equal(unstructure_event(event), raw)


def test_every_core_event_is_read(log: dict[str, Raw]) -> None:
    for type_, raw in log.items():
        event = structure_event(raw)
        assert type(event.data) is EVENT_TYPES[type_]
        assert unstructure_event(event) == raw


def test_an_event_reads_as_its_class(log: dict[str, Raw]) -> None:
    assert structure_event(log["user/message"]) == Event(
        type="user/message",
        seq=3,
        time=103,
        data=UserMessage(
            message=Message(
                id="user-1",
                role="user",
                content=(TextBlock(text="hi"),),
                source=Source(kind="user"),
            )
        ),
        surface_op=Append(),
    )


def test_a_class_writes_as_its_json() -> None:
    reason = TurnEndReason(kind="aborted", fields={"reason": {"kind": "user"}})
    event = Event(type="turn/end", seq=1, time=2, data=TurnEnd(turn=1, reason=reason))
    assert unstructure_event(event) == {
        "type": "turn/end",
        "seq": 1,
        "time": 2,
        "data": {"turn": 1, "reason": {"kind": "aborted", "reason": {"kind": "user"}}},
    }


def test_a_replacement_keeps_its_metadata(log: dict[str, Raw]) -> None:
    op = {"op": "replace", "startSeq": 2.0, "endSeq": 1}
    raw = {**log["user/message"], "surfaceOp": op, "sourceEventSeqs": [2, 1.0]}
    event = structure_event(raw)
    assert (event.surface_op, event.source_event_seqs) == (Replace(start_seq=2, end_seq=1), (2, 1))
    assert unstructure_event(event) == raw


def test_an_integral_number_is_an_integer(log: dict[str, Raw]) -> None:
    raw = {**log["turn/start"], "seq": 0.0, "time": -5.0, "data": {"turn": 1e0}}
    event = structure_event(raw)
    assert [type(value) for value in (event.seq, event.time)] == [int, int]
    assert type(unstructure_event(event)["data"]["turn"]) is int  # type: ignore[index,call-overload]


@pytest.mark.parametrize("value", [True, "1", 1.5, -1, -0.0, 2**53, None, [1], {}])
def test_nothing_else_is_a_count(log: dict[str, Raw], value: Json) -> None:
    with pytest.raises(ShapeError) as refused:
        structure_event({**log["turn/start"], "data": {"turn": value}})
    assert (refused.value.rule, refused.value.path) == ("PL-TURN-START", "data.turn")
    assert str(refused.value) == ("data.turn must be an integer from 0 to 2^53-1 [PL-TURN-START]")


@pytest.mark.parametrize("value", [0, 2**53 - 1, 9007199254740991.0])
def test_a_count_has_these_ends(log: dict[str, Raw], value: float) -> None:
    event = structure_event({**log["turn/start"], "data": {"turn": value}, "seq": value})
    assert event.data == TurnStart(turn=int(value))
    assert structure_event({**log["turn/start"], "time": -(2**53 - 1)}).time == 1 - 2**53


def test_any_mapping_is_an_object_and_any_tuple_a_list(log: dict[str, Raw]) -> None:
    raw = log["user/message"]
    frozen = {**raw, "data": MappingProxyType({**raw["data"], "content": ()})}
    raw["data"]["content"] = []
    assert structure_event(MappingProxyType(frozen)) == structure_event(raw)


def test_undeclared_keys_are_kept_where_they_stand(log: dict[str, Raw]) -> None:
    raw = log["user/message"] | {"ignorable": True}
    raw["data"] |= {"priority": None}
    raw["data"]["content"][0]["lang"] = "\ud800"
    event = structure_event(raw)
    assert isinstance(event.data, UserMessage)
    assert event.data.message.extra == {"priority": None}
    assert event.data.message.content == (TextBlock(text="hi", extra={"lang": "\ud800"}),)
    assert unstructure_event(event) == raw


@pytest.mark.parametrize(
    "extra",
    [
        {"usage": None},
        {"usage": {"inputTokens": 1}},
        {"interrupted": False},
        {"interrupted": None, "usage": 7},
    ],
)
def test_unchecked_misfits_stay_in_extra(log: dict[str, Raw], extra: Raw) -> None:
    raw = log["assistant/message"]
    raw["data"] |= extra
    event = structure_event(raw)
    assert isinstance(event.data, AssistantMessage)
    assert (event.data.usage, event.data.interrupted) == (None, False)
    assert event.data.extra == extra
    assert unstructure_event(event) == raw


def test_a_field_that_is_set_wins_over_a_misfit(log: dict[str, Raw]) -> None:
    log["assistant/message"]["data"]["usage"] = None
    event = structure_event(log["assistant/message"])
    assert isinstance(event.data, AssistantMessage)
    usage = TokenUsage(input_tokens=1, output_tokens=2)
    changed = evolve(event, data=evolve(event.data, usage=usage))
    assert structure_event(unstructure_event(changed)).data == evolve(
        event.data, usage=usage, extra={}
    )


def test_a_block_that_fits_no_class_is_kept(log: dict[str, Raw]) -> None:
    blocks: list[Json] = [{"type": "text"}, {"type": "file", "n": 1}, {"type": 1}, {}, None, 7]
    log["user/message"]["data"]["content"] = blocks
    event = structure_event(log["user/message"])
    assert isinstance(event.data, UserMessage)
    assert event.data.message.content == (
        OtherBlock(type="text"),
        OtherBlock(type="file", fields={"n": 1}),
        *(Undeclared(value=value) for value in blocks[2:]),
    )


@pytest.mark.parametrize("value", [None, 7, [], {}, {"active": 1}, {"active": None}])
def test_a_plugin_payload_that_does_not_fit_is_undeclared(value: Json) -> None:
    raw: Raw = {"type": "plan/mode", "seq": 0, "time": 0, "data": value}
    event = structure_event(raw)
    assert event.data == Undeclared(value=value)
    assert unstructure_event(event) == raw
    fitting = structure_event({**raw, "data": {"active": True, "by": None}})
    assert fitting.data == PlanMode(active=True, extra={"by": None})


def test_an_unknown_type_is_kept_whole() -> None:
    metadata: Raw = {"surfaceOp": 7, "sourceEventSeqs": [99, "x"]}
    raw: Raw = {"type": "plugin:a/b", "seq": 0, "time": 0, "data": 5, "ignorable": True, **metadata}
    event = structure_event(raw)
    assert event == Event(
        type="plugin:a/b",
        seq=0,
        time=0,
        data=Unknown(value=5, metadata=metadata),
        ignorable=True,
    )
    assert unstructure_event(event) == raw


@pytest.mark.parametrize("value", [False, None, 1, "x"])
def test_only_true_says_that_a_prefix_was_inherited(log: dict[str, Raw], value: Json) -> None:
    raw = {**log["session/end-seed"], "data": {"inherited": value}}
    assert structure_event(raw).data == EndSeed(inherited=False, extra={"inherited": value})
    assert structure_event({**raw, "data": {"inherited": True}}).data == EndSeed(inherited=True)


def test_no_meta_is_not_null_meta(log: dict[str, Raw]) -> None:
    raw = log["tool/result"]
    raw["data"]["meta"] = None
    event = structure_event(raw)
    assert isinstance(event.data, ToolResult)
    assert event.data.extra == {"meta": None}
    assert unstructure_event(event) == raw


HEADER: Raw = {"version": 4, "id": "", "createdAt": 1.0, "isSeeded": False, "cwd": "/home/ada"}


def test_a_header_is_read_and_written_the_same() -> None:
    header = structure_header(HEADER)
    assert (header.created_at, header.delegation_depth, header.origin) == (1, None, None)
    assert unstructure_header(header) == HEADER
    child = {"delegationDepth": 1, "parentSession": "s", "origin": "subagent", "agentPreset": ""}
    assert unstructure_header(structure_header(HEADER | child)) == HEADER | child


@pytest.mark.parametrize(
    ("change", "rule", "path"),
    [
        ({"version": 3}, "HDR-VERSION-FIRST", "version"),
        ({"version": True}, "HDR-VERSION-FIRST", "version"),
        ({"cwd": "work"}, "HDR-CWD-ABS", "cwd"),
        ({"origin": None}, "HDR-EXACT", "origin"),
        ({"createdAt": -0.0}, "HDR-EXACT", "createdAt"),
        ({"seedLength": 0}, "HDR-EXACT", ""),
        ({"isSeeded": 0}, "HDR-EXACT", "isSeeded"),
    ],
)
def test_a_header_of_another_shape_is_refused(change: Raw, rule: str, path: str) -> None:
    with pytest.raises(ShapeError) as refused:
        structure_header({**HEADER, **change})
    assert (refused.value.rule, refused.value.path) == (rule, path)


def test_the_chapter_lists_the_vocabulary() -> None:
    chapter = Path(__file__).parents[2] / "spec" / "chapters" / "events.md"
    row = re.compile(r"\| `([a-z/-]+)` \| (yes|) \| (core|plugin) \| [^|]+ \| (\w+) \|")
    rows = {type_: rest for type_, *rest in row.findall(chapter.read_text(encoding="utf-8"))}
    assert rows == {
        type_: [
            "yes" if type_ in SURFACE_TYPES else "",
            "core" if type_ in CORE_TYPES else "plugin",
            "checked" if type_ in CHECKED_TYPES else "declared",
        ]
        for type_ in EVENT_TYPES
    }
