"""The golden cases of the kernel: what a reader, the surface and the repair make of a log."""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import pytest

from dsh_reference.admit import admit
from dsh_reference.derive import derive
from dsh_reference.files import decode_row
from dsh_reference.fork import ForkSeed, fork_seed
from dsh_reference.header import check_header_line
from dsh_reference.refusal import Refusal
from dsh_reference.repair import closers
from dsh_reference.surface import Surface, fold
from dsh_reference.values import equal, parse
from dsh_spec.catalogue import rule
from dsh_spec.events import Event, structure_event, unstructure_event
from dsh_spec.values import Json, JsonObject

_CASES = sorted(
    (case for case in (files("dsh_spec") / "golden" / "v4").iterdir() if "files-" not in case.name),
    key=lambda case: case.name,
)


def _case(case: Traversable) -> Mapping[str, Any]:
    said: Mapping[str, Any] = json.loads((case / "case.json").read_text("utf-8"))
    return said


def _log(case: Traversable) -> tuple[JsonObject, list[JsonObject]]:
    """Return the logical header and the logical events of a case's log."""
    header, *rows = map(parse, (case / "log.jsonl").read_bytes().splitlines())
    assert isinstance(header, Mapping)
    assert check_header_line(header) is None
    events: list[JsonObject] = []
    for seq, row in enumerate(rows):
        event = row if isinstance(row, Refusal) else decode_row(row, seq)
        assert not isinstance(event, Refusal)
        events.append(event)
    return {key: value for key, value in header.items() if key != "type"}, events


def _verdict(outcome: object) -> Json:
    if not isinstance(outcome, Refusal):
        return "admitted"
    seq = int(outcome.where.removeprefix("event "))
    return {"refused": {"kind": str(outcome.kind), "rule": outcome.rule, "seq": seq}}


def _surface(events: Sequence[Event]) -> Json:
    surface = fold(events)
    if not isinstance(surface, Surface):
        return _verdict(surface)
    replacements: list[Json] = [
        {
            "seq": made.seq,
            "start": made.start,
            "end": made.end,
            "shadowedSeqs": list(made.shadowed_seqs),
        }
        for made in surface.replacements
    ]
    return {
        "nodes": list(surface.nodes),
        "replaceGeneration": surface.replace_generation,
        "contentGeneration": surface.content_generation,
        "replacements": replacements,
    }


def _fork(events: Sequence[Event], boundary: int) -> Json:
    seed = fork_seed(events, boundary)
    assert isinstance(seed, ForkSeed)
    added = [unstructure_event(event) for event in seed.events[boundary + 1 :]]
    return {"boundary": boundary, "inheritedEventCount": seed.inherited, "added": added}


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.name)
def test_a_golden_log_comes_to_what_it_must(case: Traversable) -> None:
    expect = _case(case)["expect"]
    header, raws = _log(case)
    assert _verdict(admit(header, 0, raws)) == expect["verdict"]
    if expect.keys() == {"verdict"}:
        return
    events = [structure_event(raw) for raw in raws]
    if "surface" in expect:
        assert _surface(events) == expect["surface"]
    if "messages" in expect:
        messages = derive(events)
        assert isinstance(messages, list)
        assert equal(messages, expect["messages"])
    if "closers" in expect:
        made = [unstructure_event(event) for event in closers(events)]
        assert equal(made, expect["closers"])
    if "fork" in expect:
        assert equal(_fork(events, expect["fork"]["boundary"]), expect["fork"])


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case.name)
def test_a_golden_case_says_what_it_is_and_where_it_is_from(case: Traversable) -> None:
    said = _case(case)
    assert said["name"] == case.name
    assert all(rule(slug) for slug in said["rules"])
    assert said["provenance"]["kind"] in ("facts", "field-report", "hand-worked", "real-runtime")
    assert said["provenance"]["detail"]
    verdict = said["expect"]["verdict"]
    assert verdict == "admitted" or verdict["refused"]["rule"] in said["rules"]
