"""The envelope of a stored event."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_reference.envelope import check_envelope
from dsh_reference.values import MAX_SAFE
from dsh_spec.refusals import RefusalKind

_EVENTS = st.fixed_dictionaries(
    {
        "type": st.text(max_size=3),
        "seq": st.integers(0, MAX_SAFE),
        "time": st.integers(-MAX_SAFE, MAX_SAFE),
        "data": st.none() | st.integers() | st.just({}),
    },
    optional={
        "ignorable": st.just(True),  # noqa: FBT003
        "surfaceOp": st.just("?"),
        "sourceEventSeqs": st.none(),
    },
)
_GONE = object()


@given(_EVENTS)
def test_a_whole_envelope_is_accepted_in_its_place(event: dict[str, Any]) -> None:
    assert check_envelope(event, event["seq"]) is None
    refusal = check_envelope(event, event["seq"] + 1)
    assert refusal is not None
    assert refusal.rule == "ENV-SEQ-CONTIGUOUS"


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [
        ("type", _GONE, "ENV-KEYS"),
        ("seq", _GONE, "ENV-KEYS"),
        ("time", _GONE, "ENV-KEYS"),
        ("data", _GONE, "ENV-DATA-PRESENT"),
        ("extra", None, "ENV-KEYS"),
        ("Type", "a", "ENV-KEYS"),
        ("type", 1, "ENV-TYPE-STR"),
        ("type", ["a"], "ENV-TYPE-STR"),
        ("seq", 1, "ENV-SEQ-CONTIGUOUS"),
        ("seq", -1, "ENV-SEQ-CONTIGUOUS"),
        ("seq", "0", "ENV-SEQ-CONTIGUOUS"),
        ("seq", None, "ENV-SEQ-CONTIGUOUS"),
        ("seq", -0.0, "ENV-SEQ-NEGZERO"),
        ("seq", False, "ENV-SEQ-NEGZERO"),
        ("time", 1.5, "ENV-TIME-INT"),
        ("time", -0.0, "ENV-TIME-INT"),
        ("time", True, "ENV-TIME-INT"),
        ("time", MAX_SAFE + 1, "ENV-TIME-INT"),
        ("time", None, "ENV-TIME-INT"),
        ("ignorable", False, "ENV-IGNORABLE-TRUE"),
        ("ignorable", None, "ENV-IGNORABLE-TRUE"),
        ("ignorable", 1, "ENV-IGNORABLE-TRUE"),
    ],
)
def test_each_fault_is_refused_by_its_rule(key: str, value: Any, rule: str) -> None:
    event = {"type": "a", "seq": 0, "time": 0, "data": {}, key: value}
    refusal = check_envelope({k: v for k, v in event.items() if v is not _GONE}, 0)
    assert refusal is not None
    assert (refusal.kind, refusal.rule) == (RefusalKind.CORRUPT, rule)
    assert refusal.where == "event 0"


@pytest.mark.parametrize("value", [None, [], "event", 0, True])
def test_what_is_no_object_is_no_event(value: Any) -> None:
    refusal = check_envelope(value, 7)
    assert refusal is not None
    assert (refusal.rule, refusal.where) == ("ENV-KEYS", "event 7")


def test_an_integral_float_is_an_integer() -> None:
    """The text ``6.0`` denotes 6 (JSON-NUM)."""
    assert check_envelope({"type": "a", "seq": 6.0, "time": 1e3, "data": 0}, 6) is None
