"""Changes change something in one place, and leave what they were given alone."""

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.differential.changes import at, changed, paths, rearranged, spoilt

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=8,
)
ROWS = st.lists(
    st.fixed_dictionaries({"type": st.text(max_size=3), "data": VALUES}), min_size=1, max_size=4
).map(lambda rows: [{**row, "seq": seq} for seq, row in enumerate(rows)])


def test_paths_lead_to_every_member() -> None:
    value = {"a": [1, {"b": 2}]}
    assert list(paths(value)) == [("a",), ("a", 0), ("a", 1), ("a", 1, "b")]
    assert at(value, ("a", 1, "b")) == 2


@given(data=st.data(), rows=ROWS)
def test_what_is_spoilt_is_left_alone(data: st.DataObject, rows: list[Any]) -> None:
    before = copy.deepcopy(rows)
    data.draw(spoilt(rows))
    assert rows == before


@given(data=st.data(), rows=ROWS)
def test_a_rearranged_log_has_dense_seqs(data: st.DataObject, rows: list[Any]) -> None:
    moved = data.draw(rearranged(rows))
    assert [row["seq"] for row in moved] == list(range(len(moved)))
    assert abs(len(moved) - len(rows)) <= 1


@given(data=st.data(), value=VALUES)
def test_one_member_is_changed(data: st.DataObject, value: Any) -> None:
    """At most one member of the outermost container differs."""
    other = data.draw(changed(value))
    assert type(other) is type(value)
    if isinstance(value, dict):
        differing = [key for key in {*value, *other} if value.get(key, ...) != other.get(key, ...)]
        assert len(differing) <= 1
