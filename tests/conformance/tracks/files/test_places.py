"""Places of logs, as the facts have them (persistence §4.1, §4.2), and written sources."""

from typing import Any

import pytest

from dsh_conformance.tracks.files.laws.writing import ranges
from dsh_conformance.tracks.files.places import key, name, place, segment


@pytest.mark.parametrize(
    ("cwd", "found"),
    [
        ("/", "root"),
        ("/work/x y", "work-x~0020y"),
        ("/a//b", "a-b"),
        ("/a/../b", "a-..-b"),
        ("/-x", "x"),
        ("/a:b\\c", "a-b-c"),
        ("/" + "y" * 300, "y" * 251),
        ("/😀", "~D83D~DE00"),
        ("/~", "~007E"),
    ],
)
def test_keys_of_directories(cwd: str, found: str) -> None:
    assert key(cwd) == found


@pytest.mark.parametrize(
    ("identity", "found"),
    [
        ("s1", "s1"),
        (".", "~002E"),
        ("..", "~002E~002E"),
        ("...", "..."),
        ("../../x", "..~002F..~002Fx"),
        ("~002E", "~007E002E"),
        ("\ud83d", "~D83D"),
        ("é", "~00E9"),
    ],
)
def test_segments_of_ids(identity: str, found: str) -> None:
    assert segment(identity) == found


def test_names_and_whole_places() -> None:
    assert name(0, "none") == "session.jsonl"
    assert name(3, "zstd") == "session.v3.jsonl.zstd"
    header: Any = {"version": 4, "id": "s", "createdAt": 1, "isSeeded": False}
    assert place(header, "none") == ("_no-cwd", "s", "session.v4.jsonl")
    assert place({**header, "cwd": "/w"}, "none")[0] == "--w--"


@pytest.mark.parametrize(
    ("seqs", "written"),
    [
        ([], []),
        ([1, 2], [1, 2]),
        ([1, 2, 3], [[1, 3]]),
        ([0, 2, 3, 4, 6, 7], [0, [2, 4], 6, 7]),
        ([3, 2, 1], [3, 2, 1]),
        ([1, 2, 3, 3], [1, 2, 3, 3]),
    ],
)
def test_what_is_written_for_sources(seqs: list[int], written: Any) -> None:
    """Facts: events §1.6 (SRCPACK-ENCODE)."""
    assert ranges(seqs) == written
