"""The edges v2 to v3 and v3 to v4, put to the real runtime, children included.

The examples stand beside the tests of the reference, which judges them without the runtime.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsh_reference.session_log import SessionLog
from dsh_spec.values import Json

EXAMPLES = Path(__file__).parents[2] / "reference" / "migrate" / "examples"
NAMES = ("v2-to-v3.txt", "v2-to-v3-refused.txt", "v3-to-v4.txt", "v3-to-v4-refused.txt")
HEADER: Mapping[str, Any] = {"version": 3, "createdAt": 9, "delegationDepth": 0}
PARENT: Mapping[str, Any] = {**HEADER, "id": "s", "isSeeded": False}
MARK: Mapping[str, Any] = {"type": "session/end-seed", "data": {"inherited": True}}

#: What a descriptor may hold in the place of a member, and what leaves the member out.
_ABSENT = object()
_WORDS: tuple[Any, ...] = (_ABSENT, None, 0, 1, 2, 3, 4, True, "", "L", "continuable", "one-shot")
_DESCRIPTOR = st.fixed_dictionaries(
    {
        "version": st.sampled_from((1, 2, 3)),
        "mode": st.sampled_from(("continuable", "one-shot")),
        "provider": st.just("p"),
        "label": st.sampled_from(("L", "", _ABSENT)),
    }
)
_ODD: st.SearchStrategy[dict[str, Any]] = st.just({}) | st.dictionaries(
    st.sampled_from(("version", "mode", "provider", "label", "x")),
    st.sampled_from(_WORDS),
    max_size=2,
)

_some = settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


def _examples() -> list[Any]:
    texts = [(EXAMPLES / name).read_text("utf-8").removeprefix("# ").strip() for name in NAMES]
    blocks = [block.splitlines() for text in texts for block in text.split("\n\n# ")]
    return [pytest.param(lines, id=title) for title, *lines in blocks]


@pytest.mark.parametrize("lines", _examples())
def test_a_worked_example(judge: Any, lines: list[str]) -> None:
    rows = [line[4:].removeprefix("header ") for line in lines if line.startswith("IN  ")]
    header, *events = (json.loads(row) for row in rows if row.startswith("{"))
    del header["type"]
    assert judge.difference(_log(header, *events)) is None


def _log(header: Mapping[str, Json], *events: Mapping[str, Any]) -> SessionLog:
    numbered = tuple({"seq": seq, "time": seq, **event} for seq, event in enumerate(events))
    marks = [event["seq"] for event in numbered if event["data"] == {"inherited": True}]
    return SessionLog(header=header, inherited=max(marks, default=0), events=numbered)


@st.composite
def _child(draw: st.DrawFn, name: str) -> SessionLog:
    """A log of a child, or of a session that is none, of any format from v2."""
    events: list[Mapping[str, Any]] = []
    for _ in range(draw(st.sampled_from((1, 1, 1, 0, 2)))):
        members = {**draw(_DESCRIPTOR), **draw(_ODD)}
        data = {key: value for key, value in members.items() if value is not _ABSENT}
        events.append({"type": "subagent/descriptor", "data": data})
    around = ({"type": "turn/start", "data": {"turn": 1}}, {"type": "turn/start", "data": {}}, MARK)
    events += draw(st.lists(st.sampled_from(around), max_size=1))
    header: dict[str, Any] = {
        "version": draw(st.sampled_from((2, 3, 3, 3, 4))),
        "id": name,
        "createdAt": draw(st.sampled_from((5, 5, 6))),
        "delegationDepth": 0,
        "isSeeded": MARK in events,
        "parentSession": draw(st.sampled_from(("s", "s", "s", "t"))),
    }
    origin: Mapping[str, Any] = draw(
        st.sampled_from(({"origin": "subagent"}, {"origin": "subagent"}, {}))
    )
    return _log({**header, **origin}, *events)


_ENTRY = st.builds(
    lambda child, created, mode: {
        "type": "subagent/catalog",
        "data": {"childId": child, "childCreatedAt": created, **mode},
    },
    st.sampled_from(("a", "B")),
    st.sampled_from((5, 6)),
    st.sampled_from(
        (
            {"version": 0, "mode": "one-shot"},
            {"version": 0, "mode": "continuable", "label": "L"},
            {"version": 1, "mode": "unknown"},
            {"version": 2, "mode": "external"},
        )
    ),
)


@_some
@given(
    children=st.tuples(_child("a"), _child("B"), _child("\U0001f600"), _child("\uffee")),
    entries=st.lists(_ENTRY, max_size=2),
    is_forked=st.booleans(),
)
def test_a_catalogue_is_completed(
    judge: Any, children: Sequence[SessionLog], entries: list[Any], *, is_forked: bool
) -> None:
    if is_forked:
        parent = _log({**PARENT, "isSeeded": True, "parentSession": "q"}, *entries, MARK)
    else:
        parent = _log(PARENT, *entries)
    assert judge.difference(parent, children=children) is None
