"""Batches to refuse: seqs that do not go on, and values outside JSON."""

from typing import Any, TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.batches import HOSTILE, draw_bad_batch, draw_hostile_batch
from dsh_conformance.generate.sessions import sessions

Raw: TypeAlias = dict[str, Any]


@given(data=st.data(), batches=sessions(max_batches=2), fresh=st.booleans())
def test_bad_batches_do_not_go_on(
    data: st.DataObject, batches: list[list[Raw]], *, fresh: bool
) -> None:
    stored = [] if fresh else [event for batch in batches for event in batch]
    bad = draw_bad_batch(data.draw, len(stored), stored[-3:])
    seqs = [event["seq"] for event in bad.events]
    assert seqs
    assert min(seqs) >= 0
    assert seqs != list(range(len(stored), len(stored) + len(seqs)))


@given(st.data(), st.integers(0, 3))
def test_a_batch_is_bad_in_the_way_it_says(data: st.DataObject, next_seq: int) -> None:
    bad = draw_bad_batch(data.draw, next_seq)
    seqs = [event["seq"] for event in bad.events]
    match bad.fault:
        case "starts late":
            assert seqs[0] > next_seq
        case "starts early":
            assert seqs[0] < next_seq
        case "skips":
            assert seqs[0] == next_seq
            assert seqs[-1] > seqs[-2] + 1
        case "repeats":
            assert seqs[0] == next_seq
            assert seqs[-1] in seqs[:-1]
        case fault:
            raise AssertionError(fault)


@given(st.data(), st.integers(0, 3))
def test_a_hostile_batch_is_dense_and_holds_one_hostile_value(
    data: st.DataObject, next_seq: int
) -> None:
    events, name = draw_hostile_batch(data.draw, next_seq)
    assert [event["seq"] for event in events] == list(range(next_seq, next_seq + len(events)))
    assert _marks(events) == [name]
    assert name in HOSTILE


def _marks(value: Any) -> list[str]:
    if isinstance(value, list):
        return [mark for item in value for mark in _marks(item)]
    if not isinstance(value, dict):
        return []
    assert "$literal" not in value
    own = [value["$hostile"]] if "$hostile" in value else []
    return own + [mark for item in value.values() for mark in _marks(item)]
