"""References move with their events, and nothing else moves."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_reference.migrate.references import (
    NEW_ENDPOINTS,
    OLD_ENDPOINTS,
    Dangling,
    moves,
    remap,
)

#: Every payload with a reference, to event 1.
PAYLOADS: list[tuple[str, Any, str]] = [
    ("command/done", {"sourceEventSeq": 1, "seq": 1}, "data.sourceEventSeq"),
    ("compaction/prune", {"shadowedRange": {"start": 1, "end": 1}}, "data.shadowedRange.start"),
    ("compaction/summary", {"shadowedSeqs": [1, 1], "maxTokens": 1}, "data.shadowedSeqs[]"),
    ("session/title", {"messageSeqs": [1]}, "data.messageSeqs[]"),
    ("session/title-llm-request", {"messageSeqs": [1], "maxTokens": 1}, "data.messageSeqs[]"),
    ("image/offload", {"targets": [{"seq": 1, "imageIndexes": [1]}]}, "data.targets[].seq"),
]
KEPT = {"seq", "maxTokens", "imageIndexes"}


def _moved(value: Any, key: str = "") -> Any:
    """Return what a payload looks like when event 1 is event 7, by hand."""
    if isinstance(value, dict):
        return {name: _moved(member, name) for name, member in value.items()}
    if isinstance(value, list) and key not in KEPT:
        return [{**_moved(member), "seq": 7} if key == "targets" else 7 for member in value]
    return 7 if value == 1 and key not in KEPT else value


@pytest.mark.parametrize(("type_", "data", "path"), PAYLOADS)
def test_a_payload_moves_its_references_alone(type_: str, data: Any, path: str) -> None:
    event = {"type": type_, "seq": 9, "data": data}
    moved = remap(event, moves({1: 7}), read=OLD_ENDPOINTS, write=OLD_ENDPOINTS)
    assert moved == {**event, "data": _moved(data)}
    gone = remap(event, moves({2: 7}), read=OLD_ENDPOINTS, write=OLD_ENDPOINTS)
    assert gone == Dangling(path=path, seq=1)


def test_an_operation_is_written_in_the_other_spelling() -> None:
    event: dict[str, Any] = {
        "type": "user/message",
        "surfaceOp": {"op": "replace", "start": 0, "end": 2},
    }
    moved = remap(event, moves({0: 1, 2: 3}), read=OLD_ENDPOINTS, write=NEW_ENDPOINTS)
    assert moved == {**event, "surfaceOp": {"op": "replace", "startSeq": 1, "endSeq": 3}}
    assert remap(event, moves({0: 1}), read=NEW_ENDPOINTS, write=NEW_ENDPOINTS) == Dangling(
        path="surfaceOp.startSeq", seq=None
    )


@pytest.mark.parametrize("operation", ["prepend", None, [], {"op": "replace"}])
def test_an_operation_without_ends_leads_nowhere(operation: Any) -> None:
    event = {"type": "user/message", "surfaceOp": operation}
    assert isinstance(remap(event, moves({}), read=OLD_ENDPOINTS, write=OLD_ENDPOINTS), Dangling)


@given(st.lists(st.integers(0, 9)))
def test_sources_move_one_by_one(sources: list[int]) -> None:
    event: dict[str, Any] = {
        "type": "user/message",
        "sourceEventSeqs": sources,
        "surfaceOp": "append",
    }
    shift = moves({seq: seq + 3 for seq in range(10)})
    moved = remap(event, shift, read=OLD_ENDPOINTS, write=NEW_ENDPOINTS)
    assert moved == {**event, "sourceEventSeqs": [seq + 3 for seq in sources]}


@pytest.mark.parametrize("seq", [True, -0.0, 1.5, "1", None, [1]])
def test_what_is_no_count_leads_nowhere(seq: Any) -> None:
    assert moves({0: 0, 1: 1})(seq) is None
