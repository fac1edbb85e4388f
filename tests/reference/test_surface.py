"""The surface: its laws over whole sessions, and one log for each rule that refuses."""

from collections.abc import Sequence
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.sessions import sessions
from dsh_reference.refusal import Refusal
from dsh_reference.surface import Surface, fold
from dsh_spec.events import SURFACE_TYPES, Append, Event, Replace, SystemMessage, structure_event
from dsh_spec.refusals import RefusalKind

_LOGS = sessions().map(lambda batches: [structure_event(raw) for batch in batches for raw in batch])


def _surface(events: Sequence[Event], base_seq: int = 0) -> Surface:
    surface = fold(events, base_seq)
    assert isinstance(surface, Surface), surface
    return surface


@given(_LOGS)
def test_nodes_are_message_events_of_the_log_each_once(log: list[Event]) -> None:
    nodes = _surface(log).nodes
    assert len(set(nodes)) == len(nodes)
    assert all(log[seq].type in SURFACE_TYPES for seq in nodes)


@given(_LOGS)
def test_every_message_event_is_a_node_or_shadowed_once(log: list[Event]) -> None:
    surface = _surface(log)
    shadowed = [seq for made in surface.replacements for seq in made.shadowed_seqs]
    messages = [event.seq for event in log if event.type in SURFACE_TYPES]
    assert sorted([*surface.nodes, *shadowed]) == messages


@given(_LOGS)
def test_generations_count_what_changed_the_surface(log: list[Event]) -> None:
    surface = _surface(log)
    replaces = [event for event in log if isinstance(event.surface_op, Replace)]
    offloads = [event for event in log if event.type == "image/offload"]
    assert surface.replace_generation == len(replaces) == len(surface.replacements)
    assert surface.content_generation == len(replaces) + len(offloads)


@given(_LOGS)
def test_a_replacement_shadows_what_it_names_and_cites(log: list[Event]) -> None:
    for made in _surface(log).replacements:
        event = log[made.seq]
        assert event.surface_op == Replace(start_seq=made.start, end_seq=made.end)
        assert (made.shadowed_seqs[0], made.shadowed_seqs[-1]) == (made.start, made.end)
        assert set(made.shadowed_seqs) <= set(event.source_event_seqs or ())


@given(_LOGS)
def test_putting_back_what_was_shadowed_gives_the_append_order(log: list[Event]) -> None:
    """The independent account: undo the replacements, the latest first."""
    surface = _surface(log)
    nodes = list(surface.nodes)
    for made in reversed(surface.replacements):
        at = nodes.index(made.seq)
        nodes[at : at + 1] = made.shadowed_seqs
    assert nodes == [event.seq for event in log if isinstance(event.surface_op, Append)]


@given(_LOGS, st.data())
def test_a_prefix_does_not_know_what_comes(log: list[Event], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(log)))
    before, after = _surface(log[:cut]), _surface(log)
    assert after.replacements[: len(before.replacements)] == before.replacements
    rest = [event for event in log[cut:] if isinstance(event.surface_op, Replace | Append)]
    if not any(isinstance(event.surface_op, Replace) for event in rest):
        assert after.nodes == (*before.nodes, *(event.seq for event in rest))


@given(_LOGS, st.data())
def test_a_system_message_at_the_head_stays_there(log: list[Event], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(log)))
    if _is_led(log[:cut]):
        assert _is_led(log)


def _is_led(log: list[Event]) -> bool:
    head = _surface(log).nodes[:1]
    return bool(head) and isinstance(log[head[0]].data, SystemMessage)


@given(_LOGS, st.data())
def test_a_window_is_refused_or_shows_its_part(log: list[Event], data: st.DataObject) -> None:
    base = data.draw(st.integers(0, len(log)))
    window = fold(log[base:], base)
    if isinstance(window, Surface):
        assert window.nodes == tuple(seq for seq in _surface(log).nodes if seq >= base)


@given(_LOGS)
def test_time_is_no_matter(log: list[Event]) -> None:
    assert fold([evolve(event, time=0) for event in log]) == fold(log)


@given(_LOGS, st.data())
def test_a_misplaced_event_is_refused(log: list[Event], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(log) - 1))
    refusal = fold([*log[:at], evolve(log[at], seq=at + 1), *log[at + 1 :]])
    assert isinstance(refusal, Refusal)
    assert (refusal.kind, refusal.rule) == (RefusalKind.INVALID_EVENT, "SURF-SEQ-CONTIGUOUS")
    assert refusal.where == f"event {at + 1}"


# One log for each rule.  The builders make raw events; `_over` makes one replace.


def _event(kind: str, data: Any, **keys: Any) -> dict[str, Any]:
    return {"type": kind, "time": 0, "data": data, **keys}


def _user(*content: Any, **keys: Any) -> dict[str, Any]:
    message = {"id": "u", "role": "user", "content": content, "source": {"kind": "user"}}
    return _event("user/message", message, **{"surfaceOp": "append", **keys})


def _system(**keys: Any) -> dict[str, Any]:
    message = {
        "id": "s",
        "role": "system",
        "content": [],
        "source": {"kind": "system-prompt"},
    }
    data = {"turn": 1, "step": 1, "message": message}
    return _event("system/message", data, **{"surfaceOp": "append", **keys})


def _result(meta: Any = 1, *, text: str = "", **keys: Any) -> dict[str, Any]:
    message = {
        "id": "r",
        "role": "tool",
        "toolCallId": "c",
        "content": [{"type": "text", "text": text}],
        "source": {"kind": "tool", "callId": "c"},
    }
    data = {"turn": 1, "step": 1, "message": message, "meta": meta}
    return _event("tool/result", data, **{"surfaceOp": "append", **keys})


def _answer(**keys: Any) -> dict[str, Any]:
    source = {"kind": "model", "provider": "p", "model": "m"}
    message = {"id": "a", "role": "assistant", "content": [], "source": source}
    data = {"turn": 1, "step": 1, "message": message, "stream": []}
    return _event("assistant/message", data, **{"surfaceOp": "append", **keys})


def _header(*tools: Any) -> dict[str, Any]:
    header = {"config": {"provider": "p", "model": "m"}, "tools": tools}
    return _event("request/header", {"header": header, "reason": "initial"})


def _adds(name: str, header_seq: int) -> dict[str, Any]:
    message = {
        "id": "d",
        "role": "developer",
        "content": [{"type": "tool-addition", "toolName": name}],
        "source": {"kind": "tool-registry"},
    }
    data = {"turn": 1, "step": 1, "message": message, "headerSeq": header_seq}
    return _event("developer/message", data, surfaceOp="append")


def _offload(*targets: tuple[int, list[int]], **data: Any) -> dict[str, Any]:
    note = {"note": data.pop("note")} if "note" in data else {}
    listed = [{"seq": seq, "imageIndexes": indexes, **note} for seq, indexes in targets]
    return _event("image/offload", {"targets": listed, **data})


def _over(start: int, end: int, *sources: int) -> dict[str, Any]:
    op = {"op": "replace", "startSeq": start, "endSeq": end}
    return {"surfaceOp": op, **({"sourceEventSeqs": sources} if sources else {})}


def _log(*raws: dict[str, Any]) -> list[Event]:
    return [structure_event({**raw, "seq": seq}) for seq, raw in enumerate(raws)]


_TOOL = {"name": "t", "description": "", "parameters": {}}
_IMAGE = {
    "type": "image",
    "attachment": {
        "attachmentId": "i",
        "mediaType": "image/png",
        "bytes": 1,
        "width": 1,
        "height": 1,
    },
}
_REFUSED = {
    "SURF-MARKER-REQUIRED": [{k: v for k, v in _user().items() if k != "surfaceOp"}],
    "SURF-REPLACE-EARLIER": [_user(), _user(**_over(0, 1, 0))],
    "SURF-REPLACE-START": [_user(), _user(**_over(0, 0, 0)), _user(**_over(0, 1, 0, 1))],
    "SURF-REPLACE-END": [_user(), _user(), _user(**_over(0, 0, 0)), _user(**_over(1, 0, 1))],
    "SURF-REPLACE-ORDER": [_user(), _user(), _user(**_over(1, 0, 0, 1))],
    "SURF-REPLACE-COVERAGE": [_user(), _user(), _user(**_over(0, 1, 1))],
    "SRC-ASSISTANT-FORBID": [_user(), _answer(sourceEventSeqs=[0])],
    "SRC-EMPTY": [_user(sourceEventSeqs=[])],
    "SRC-NO-DUP": [_user(), _user(sourceEventSeqs=[0, 0])],
    "SRC-EARLIER": [_user(), _user(sourceEventSeqs=[0, 1])],
    "SURF-TOOL-ONE": [_result(), _result(), _result(**_over(0, 1, 0, 1))],
    "SURF-TOOL-TARGET": [_user(), _result(**_over(0, 0, 0))],
    "SURF-TOOL-CONTENT-ONLY": [_result(1), _result(True, **_over(0, 0, 0))],  # noqa: FBT003
    "SURF-SYSTEM-HEAD": [_system(), _user(), _user(**_over(0, 0, 0))],
    "DEV-HEADER-REF": [_user(), _adds("t", 0)],
    "DEV-HEADER-TOOL": [_header(_TOOL), _adds("other", 0)],
    "IMG-TARGETS": [_user(_IMAGE), _offload((0, []))],
    "IMG-NODE": [_user(_IMAGE), _user(**_over(0, 0, 0)), _offload((0, [0]))],
    "IMG-INDEXES": [_user(_IMAGE), _offload((0, [0, 1]))],
    "IMG-ONCE": [_user(_IMAGE), _offload((0, [0])), _offload((0, [0]))],
}


@pytest.mark.parametrize("rule", _REFUSED)
def test_the_last_event_breaks_the_rule_and_the_others_do_not(rule: str) -> None:
    log = _log(*_REFUSED[rule])
    assert isinstance(fold(log[:-1]), Surface)
    refusal = fold(log)
    assert isinstance(refusal, Refusal)
    assert (refusal.rule, refusal.where) == (rule, f"event {len(log) - 1}")


@pytest.mark.parametrize(
    ("rule", "raws"),
    [
        ("SURF-SYSTEM-HEAD", [_system(), _user(), _system(**_over(0, 1, 0, 1))]),
        ("SURF-TOOL-TARGET", [_result(), _user(**_over(0, 0, 0)), _result(**_over(1, 1, 1))]),
        ("SURF-TOOL-CONTENT-ONLY", [_result({}), _result({"a": None}, **_over(0, 0, 0))]),
        ("DEV-HEADER-REF", [_adds("t", 0), _header(_TOOL)]),
        ("DEV-HEADER-REF", [_adds("t", 1), _header(_TOOL)]),
        ("DEV-HEADER-TOOL", [_header(_TOOL, _TOOL), _adds("t", 0)]),
        ("DEV-HEADER-TOOL", [_header({**_TOOL, "description": 1}), _adds("t", 0)]),
        ("DEV-HEADER-TOOL", [_header({**_TOOL, "parameters": []}), _adds("t", 0)]),
        ("IMG-TARGETS", [_user(_IMAGE), _offload()]),
        ("IMG-TARGETS", [_user(_IMAGE), _offload((0, [0]), (0, [0]))]),
        ("IMG-TARGETS", [_user(_IMAGE, _IMAGE), _offload((0, [1, 0]))]),
        ("IMG-TARGETS", [_user(_IMAGE), _event("image/offload", None)]),
        ("IMG-TARGETS", [_user(_IMAGE), _offload((0, [0]), more=1)]),
        ("IMG-TARGETS", [_user(_IMAGE), _offload((0, [0]), note=1)]),
        ("IMG-INDEXES", [_user({"type": "x"}, _IMAGE), _offload((0, [1]))]),
        ("IMG-ONCE", [_user({"type": "image"}, _IMAGE), *[_offload((0, [0]))] * 2]),
        ("IMG-NODE", [_answer(), _offload((0, [0]))]),
        ("IMG-NODE", [_offload((0, [0]))]),
        ("IMG-NODE", [_offload((9, [0]))]),
    ],
)
def test_more_ways_to_break_a_rule(rule: str, raws: list[dict[str, Any]]) -> None:
    refusal = fold(_log(*raws))
    assert isinstance(refusal, Refusal)
    assert refusal.rule == rule


def test_log_only_events_have_no_place() -> None:
    (event,) = _log(_event("todo/write", {"todos": []}))
    marked, cited = evolve(event, surface_op=Append()), evolve(event, source_event_seqs=())
    for rule, log in (("SURF-LOGONLY-NO-OP", [marked]), ("SURF-LOGONLY-NO-SOURCES", [cited])):
        refusal = fold(log)
        assert isinstance(refusal, Refusal)
        assert refusal.rule == rule


def test_an_unknown_event_may_carry_anything_if_it_is_ignorable() -> None:
    raw = _event("acme/x", 5, surfaceOp=7, sourceEventSeqs="?")
    assert _surface(_log({**raw, "ignorable": True})).nodes == ()
    for rule in ("SURF-LOGONLY-NO-OP", "SURF-LOGONLY-NO-SOURCES"):
        refusal = fold(_log(raw))
        assert isinstance(refusal, Refusal)
        assert refusal.rule == rule
        del raw["surfaceOp" if "surfaceOp" in raw else "sourceEventSeqs"]


def test_a_window_protects_its_own_head() -> None:
    """WIN-SYSTEM-HEAD: accepted in the whole log, refused in a window that begins at the prompt."""
    log = _log(_user(), _system(), _user(), _user(**_over(1, 2, 1, 2)))
    assert _surface(log).nodes == (0, 3)
    refusal = fold(log[1:], 1)
    assert isinstance(refusal, Refusal)
    assert refusal.rule == "SURF-SYSTEM-HEAD"


def test_a_window_knows_nothing_before_it() -> None:
    replaced = _log(_user(), _user(**_over(0, 0, 0)))
    added = _log(_header(_TOOL), _adds("t", 0))
    for rule, log in (("SURF-REPLACE-START", replaced), ("DEV-HEADER-REF", added)):
        refusal = fold(log[1:], 1)
        assert isinstance(refusal, Refusal)
        assert refusal.rule == rule


def test_positions_count_not_numbers() -> None:
    """F11: after a replacement the first node of a stretch may have the greater seq."""
    log = _log(_user(), _user(), _user(), _user(**_over(0, 1, 0, 1)), _user(**_over(3, 2, 3, 2)))
    assert _surface(log).nodes == (4,)
    assert [made.shadowed_seqs for made in _surface(log).replacements] == [(0, 1), (3, 2)]


def test_a_rewrite_of_a_rewrite_changes_only_the_content() -> None:
    log = _log(_result(), _result(text="b", **_over(0, 0, 0)), _result(text="c", **_over(1, 1, 1)))
    assert _surface(log).nodes == (2,)
