"""Rows: ranges of cited seqs, and what makes a row a bad one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_reference.files import check_row, decode_row, encode_row
from dsh_reference.files.header import header_row
from dsh_reference.refusal import Refusal
from dsh_spec.values import Json

GOOD: dict[str, Json] = {"type": "user/message", "seq": 9, "time": 0, "data": {}}


@given(st.lists(st.integers(0, 40), unique=True))
def test_any_list_of_sources_comes_back(sources: list[Json]) -> None:
    event = {**GOOD, "seq": 41, "sourceEventSeqs": sources}
    assert decode_row(encode_row(event), 41) == event


@pytest.mark.parametrize(
    ("sources", "packed"),
    [
        ([], []),
        ([1, 2], [1, 2]),
        ([1, 2, 3], [[1, 3]]),
        ([0, 2, 3, 4, 6, 7], [0, [2, 4], 6, 7]),
        ([3, 2, 1], [3, 2, 1]),
        ([0, 1, 2, 8, 7], [0, 1, 2, 8, 7]),
        (["x", 1, 2, 3], ["x", 1, 2, 3]),
    ],
)
def test_runs_of_three_are_packed(sources: list[Json], packed: list[Json]) -> None:
    """Facts: events §1.6 (SRCPACK-ENCODE)."""
    assert encode_row({**GOOD, "sourceEventSeqs": sources})["sourceEventSeqs"] == packed


@pytest.mark.parametrize(
    ("packed", "sources"),
    [
        ([[0, 2]], [0, 1, 2]),
        ([[0, 1]], [0, 1]),
        ([[1, 1]], [1]),
        ([2, 1], [2, 1]),
        ([], []),
        ([1.0, 2], [1, 2]),
    ],
)
def test_good_packed_lists(packed: list[Json], sources: list[Json]) -> None:
    """Observed on 0.2.1rc2."""
    event = decode_row({**GOOD, "sourceEventSeqs": packed}, 9)
    assert event == {**GOOD, "sourceEventSeqs": sources}


@pytest.mark.parametrize(
    "packed",
    [
        [1, 1],
        [9],
        [[2, 1]],
        [[0, 2], [2, 4]],
        [[2, 4], 0],
        [[0, 2**53 - 1]],
        "x",
        None,
        [[0, 1, 2]],
        [True],
        [-1],
        ["01"],
        [[[0, 1], 2]],
    ],
)
def test_bad_packed_lists(packed: Json) -> None:
    """Observed on 0.2.1rc2: each of them makes the row a bad one, not the log a corrupt one."""
    refusal = decode_row({**GOOD, "sourceEventSeqs": packed}, 9)
    assert isinstance(refusal, Refusal)
    assert refusal.rule == "SRCPACK-DECODE-V2PLUS"


@pytest.mark.parametrize(
    "row",
    [
        None,
        [],
        {},
        {**GOOD, "seq": 8},
        {**GOOD, "seq": "9"},
        {**GOOD, "time": 0.5},
        {**GOOD, "time": -0.0},
        {**GOOD, "time": 2**53},
        {**GOOD, "type": 1},
        {**GOOD, "ignorable": False},
        {**GOOD, "more": 1},
        {key: value for key, value in GOOD.items() if key != "data"},
    ],
)
def test_bad_rows(row: Json) -> None:
    """Facts: persistence §4.4, observed on 0.2.1rc2."""
    assert isinstance(decode_row(row, 9), Refusal)


def test_what_a_row_means_is_not_looked_at() -> None:
    """Observed on 0.2.1rc2: a bad ``surfaceOp`` makes the log corrupt, not the row a bad one."""
    row = {**GOOD, "type": "no/such", "data": None, "surfaceOp": "nope"}
    assert decode_row(row, 9) == row


@pytest.mark.parametrize("sources", [[9], [[1, 3]], [1, 1], {}, None])
def test_an_event_lists_its_sources(sources: Json) -> None:
    refusal = check_row({**GOOD, "sourceEventSeqs": sources}, 9)
    assert refusal is not None
    assert refusal.rule == "SRCPACK-DECODE-V2PLUS"


def test_a_header_row_has_the_order_of_the_writers() -> None:
    """Facts: persistence §4.3."""
    header: dict[str, Json] = {
        "agentPreset": "ptc",
        "origin": "subagent",
        "isSeeded": True,
        "parentSession": "s0",
        "cwd": "/w",
        "createdAt": 1,
        "id": "s1",
        "version": 4,
    }
    assert list(header_row(header).items()) == [
        ("type", "session"),
        ("version", 4),
        ("id", "s1"),
        ("createdAt", 1),
        ("cwd", "/w"),
        ("parentSession", "s0"),
        ("isSeeded", True),
        ("origin", "subagent"),
        ("delegationDepth", 0),
        ("agentPreset", "ptc"),
    ]
