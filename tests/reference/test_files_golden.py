"""The golden file cases: a log as bytes, and what must come of it."""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable

import pytest

from dsh_conformance.backends.zstd import Zstd
from dsh_reference.files import LogFile, load
from dsh_reference.refusal import Refusal
from dsh_spec.catalogue import rule
from dsh_spec.values import Json


def _cases() -> Sequence[Traversable]:
    root = files("dsh_spec") / "golden" / "v4"
    return [case for case in root.iterdir() if case.name.startswith("files-")]


def _case(case: Traversable) -> Mapping[str, Json]:
    loaded: Mapping[str, Json] = json.loads((case / "case.json").read_text("utf-8"))
    return loaded


def _load(case: Traversable) -> LogFile | Refusal:
    compressed = case / "log.jsonl.zstd"
    if compressed.is_file():
        data = compressed.read_bytes()
        return load(data, compression="zstd", decompressor=Zstd().inflate())
    return load((case / "log.jsonl").read_bytes(), compression="none")


def _outcome(result: LogFile | Refusal) -> Mapping[str, Json]:
    if isinstance(result, Refusal):
        return {"verdict": {"refused": {"kind": str(result.kind), "rule": result.rule}}}
    return {
        "verdict": "admitted",
        "events": len(result.events),
        "torn": result.torn,
        "committedBytes": result.committed_bytes,
    }


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case.name)
def test_a_golden_file_comes_to_what_it_must(case: Traversable) -> None:
    assert _outcome(_load(case)) == _case(case)["expect"]


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case.name)
def test_a_golden_case_names_itself_and_rules_of_the_catalogue(case: Traversable) -> None:
    said = _case(case)
    assert said["name"] == case.name
    assert isinstance(said["rules"], list)
    assert all(rule(slug) for slug in said["rules"])


def _text(name: str, seq: int) -> Json:
    log = _load(files("dsh_spec") / "golden" / "v4" / name)
    assert isinstance(log, LogFile)
    event: Json = json.loads(json.dumps(log.events[seq]["data"]))
    assert isinstance(event, dict)
    return event


def test_code_units_come_through() -> None:
    """F23: the same code units, odd keys included."""
    assert _text("files-f23-surrogates-and-nul", 1) == {
        "id": "m1",
        "role": "user",
        "content": [{"type": "text", "text": "\ud83d \ude00x a\0b \U0001f600"}],
        "source": {"kind": "user", "\ud800": 1, "__proto__": 2, "": 3},
    }


def test_only_a_line_feed_ends_a_row() -> None:
    """F24: the three characters that line splitters take for line ends."""
    event = _text("files-f24-separators", 1)
    assert isinstance(event, dict)
    assert event["content"] == [{"type": "text", "text": "a\u2028b\u2029c\u0085d"}]


def test_ranges_are_expanded() -> None:
    """SRCPACK-DECODE-V2PLUS: the row cites ``[1,3,[7,9]]``."""
    log = _load(files("dsh_spec") / "golden" / "v4" / "files-packed-sources")
    assert isinstance(log, LogFile)
    assert log.events[12]["sourceEventSeqs"] == [1, 3, 7, 8, 9]


def test_the_marker_states_the_inherited_count() -> None:
    """CUT-V2PLUS: the marker stands at seq 6."""
    log = _load(files("dsh_spec") / "golden" / "v4" / "files-seeded")
    assert isinstance(log, LogFile)
    assert log.inherited == 6
