"""What is read out of some golden files, where the number of events does not say enough."""

import json

from dsh_conformance.golden import Case, corpus, select
from dsh_reference.files import LogFile, read_log
from dsh_spec.values import Json


def _case(place: str) -> Case:
    found = select(corpus(), [place])
    assert not isinstance(found, str)
    (case,) = found
    return case


def _read(place: str) -> LogFile:
    case = _case(place)
    log = read_log(case.log, compression=case.compression, format=case.format)
    assert isinstance(log, LogFile)
    return log


def _data(place: str, seq: int) -> Json:
    data: Json = json.loads(json.dumps(_read(place).events[seq]["data"]))
    return data


def test_code_units_come_through() -> None:
    """F23: the same code units, odd keys included."""
    assert _data("v4/files-f23-surrogates-and-nul", 1) == {
        "id": "m1",
        "role": "user",
        "content": [{"type": "text", "text": "\ud83d \ude00x a\0b \U0001f600"}],
        "source": {"kind": "user", "\ud800": 1, "__proto__": 2, "": 3},
    }


def test_only_a_line_feed_ends_a_row() -> None:
    """F24: the three characters that line splitters take for line ends."""
    event = _data("v4/files-f24-separators", 1)
    assert isinstance(event, dict)
    assert event["content"] == [{"type": "text", "text": "a\u2028b\u2029c\u0085d"}]


def test_ranges_are_expanded() -> None:
    """SRCPACK-DECODE-V2PLUS: the row cites ``[1,3,[7,9]]``."""
    assert _read("v4/files-packed-sources").events[12]["sourceEventSeqs"] == [1, 3, 7, 8, 9]


def test_ranges_are_expanded_in_a_log_that_says_v0() -> None:
    """F13: the row cites ``[[3,4]]``."""
    assert _read("v0/migrate-f13-packed-sources").events[5]["sourceEventSeqs"] == [3, 4]


def test_the_marker_states_the_inherited_count() -> None:
    """CUT-V2PLUS: the marker stands at seq 6."""
    assert _read("v4/files-seeded").inherited == 6


def test_the_header_states_the_inherited_count() -> None:
    """CUT-V0V1: the header says ``"seedLength":1``."""
    assert _read("v0/migrate-ex01-1-seeded-header").inherited == 1
