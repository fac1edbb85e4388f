"""Parts of events are picked by type and path, and compared with what they should be."""

from typing import Any

import pytest

from dsh_conformance.implementation.outcome import Ok, Refused
from dsh_conformance.report.demand import comparable
from dsh_conformance.tracks.store.expect import NotPart, Picks, holds
from dsh_conformance.tracks.store.picking import picked, reach
from dsh_conformance.tracks.store.script import expectation_json
from dsh_spec.refusals import RefusalKind

EVENTS: list[Any] = [
    {"type": "a/b", "seq": 0, "data": {"x": [{"y": 1}, {"y": None}, 3]}},
    {"type": "a/c", "seq": 1, "data": {"x": {"y": 2}}},
    {"type": "d", "seq": 2, "data": None},
]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("seq", 0),
        ("data.x.*.y", [1, None, None]),
        ("data.x.*", [{"y": 1}, {"y": None}, 3]),
        ("data.x.y", None),
        ("seq.x", None),
        ("seq.*", []),
    ],
)
def test_a_path_leads_into_objects_and_lists(path: str, found: object) -> None:
    assert reach(EVENTS[0], path) == found


def test_types_are_named_whole_or_by_their_beginning() -> None:
    assert picked(EVENTS, ("a/*",), ("seq",)) == [[0], [1]]
    assert picked(EVENTS, ("a/c", "d"), ("seq", "data.x.y")) == [[1, 2], [2, None]]
    assert picked(EVENTS, ("*",), ("seq",)) == [[0], [1], [2]]
    assert picked(EVENTS, ("a",), ("seq",)) == []


def test_what_is_picked_is_compared() -> None:
    expected = Picks(("a/*",), ("seq",), ([0], [1]))
    assert holds(expected, Ok({"events": EVENTS}), {})
    assert not holds(expected, Ok({"events": EVENTS[1:]}), {})
    assert not holds(expected, Ok({"events": [{**EVENTS[0], "seq": True}, EVENTS[1]]}), {})
    assert not holds(expected, Refused(kind=RefusalKind.CORRUPT, message=""), {})


def test_a_part_is_no_result() -> None:
    expected = NotPart((EVENTS[0],))
    assert holds(expected, Refused(kind=RefusalKind.CORRUPT, message=""), {})
    assert holds(expected, Ok({"events": EVENTS}), {})
    assert not holds(expected, Ok({"events": EVENTS[:1]}), {})


def test_both_sides_are_shown_as_what_was_picked() -> None:
    expected = expectation_json(Picks(("a/*",), ("seq",), ([0], [7])))
    shown = comparable(expected, {"result": {"events": EVENTS}})
    assert shown == ({"events": [{"seq": 0}, {"seq": 7}]}, {"events": [{"seq": 0}, {"seq": 1}]})
    words, _ = comparable(expectation_json(NotPart(())), {"result": {"events": []}})
    assert "a part of the log" in str(words)
