"""Paths of logs: the facts' own examples, and the properties that keep sessions apart."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_reference.files import (
    Compression,
    decode_segment,
    encode_segment,
    log_name,
    log_path,
    parse_log_name,
    project_directory,
    project_key,
)
from dsh_reference.values import utf16
from dsh_spec.values import JsonObject

ENCODINGS: tuple[Compression, ...] = ("none", "zstd")
#: Any string of UTF-16 code units, lone surrogates and split pairs included.
UNITS = st.text(
    st.characters(codec=None, categories=None) | st.sampled_from("./\\:~-_\ud83d\ude00")
)


@pytest.mark.parametrize(
    ("cwd", "directory"),
    [
        ("/", "--root--"),
        ("/work/x y", "--work-x~0020y--"),
        ("/a//b", "--a-b--"),
        ("/a/../b", "--a-..-b--"),
        ("/-x", "--x--"),
        ("/a:b\\c", "--a-b-c--"),
        ("/😀", "--~D83D~DE00--"),
        (None, "_no-cwd"),
    ],
)
def test_project_directories_of_the_facts(cwd: str | None, directory: str) -> None:
    """Facts: persistence §4.1, probed on 0.2.1rc2."""
    assert project_directory(cwd) == directory


def test_a_long_cwd_is_cut() -> None:
    assert len(project_directory("/" + 300 * "y")) == 255


def test_two_cwds_may_share_a_directory() -> None:
    """F26: the key is lossy, and the session directory keeps their sessions apart."""
    assert project_key("/w/a-b/c") == project_key("/w/a/b-c")


@pytest.mark.parametrize(
    ("session_id", "segment"),
    [
        (".", "~002E"),
        ("..", "~002E~002E"),
        ("../../x", "..~002F..~002Fx"),
        ("~", "~007E"),
        ("a/b", "a~002Fb"),
        ("\ud800", "~D800"),
        ("a.b", "a.b"),
        ("\0", "~0000"),
    ],
)
def test_segments_of_the_facts(session_id: str, segment: str) -> None:
    """Facts: persistence §4.1, field report F26."""
    assert encode_segment(session_id) == segment


@given(UNITS.filter(bool))
def test_a_segment_gives_the_id_back(session_id: str) -> None:
    assert decode_segment(encode_segment(session_id)) == utf16(session_id)


@given(UNITS.filter(bool))
def test_a_segment_is_safe(session_id: str) -> None:
    segment = encode_segment(session_id)
    assert re.fullmatch(r"[A-Za-z0-9._~-]+", segment)
    assert segment not in {".", ".."}


@given(UNITS)
def test_only_segments_are_decoded(segment: str) -> None:
    decoded = decode_segment(segment)
    assert decoded is None or encode_segment(decoded) == segment


def test_the_empty_id_has_no_segment() -> None:
    with pytest.raises(ValueError, match="empty"):
        encode_segment("")


@given(UNITS)
def test_a_project_key_is_short_and_safe(cwd: str) -> None:
    key = project_key(cwd)
    assert 0 < len(key) <= 251
    assert re.fullmatch(r"[A-Za-z0-9._~][A-Za-z0-9._~-]*", key)


@given(st.integers(0, 2**53 - 1), st.sampled_from(ENCODINGS))
def test_a_log_name_states_version_and_encoding(version: int, compression: Compression) -> None:
    assert parse_log_name(log_name(version, compression)) == (version, compression)


@pytest.mark.parametrize(
    "name",
    [
        "session.v0.jsonl",
        "session.v04.jsonl",
        "session.v9007199254740992.jsonl",
        "Session.v4.jsonl",
        "session.v4.jsonl.zst",
        "session.v4.jsonl.0123456789ab.tmp",
        "session.v4.jsonl\n",
        "session.v٤.jsonl",
        "session.lock",
    ],
)
def test_other_names_are_no_logs(name: str) -> None:
    """Facts: persistence §4.2."""
    assert parse_log_name(name) is None


def test_the_path_follows_from_the_header() -> None:
    header: JsonObject = {"version": 4, "id": "s/1", "cwd": "/w"}
    assert log_path(header, "zstd") == "--w--/s~002F1/session.v4.jsonl.zstd"
