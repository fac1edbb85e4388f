"""The real runtime and the reference check the payloads of formats v0 to v2 alike."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_spec.events import VOCABULARIES

Raw: TypeAlias = dict[str, Any]
PAYLOADS: list[Raw] = json.loads((Path(__file__).parents[2] / "payloads.json").read_text("utf-8"))

#: Every type that some exact format knows.
TYPES = sorted({type_ for format_ in (0, 1, 2) for type_ in VOCABULARIES[format_].known})
#: What a value may become.
OTHERS: list[Any] = [
    None, True, False, 0, 1, 2, 3, 9, -1, 1.5, -0.0, 1.0, 2**53, "", "x", [], {}, [None], ["x"],
    [1, 1], [{}], [[]], {"kind": "user"}, {"type": "zz"},
]  # fmt: skip


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place below a value, as the holder and the key or index."""
    keys: Any = range(len(value)) if isinstance(value, list) else value
    for key in list(keys) if isinstance(value, list | dict) else ():
        yield value, key
        yield from places(value[key])


def with_gaps(data: Raw) -> Iterator[Raw]:
    """The payload with one key gone, for each key of each object in it."""
    for index, (holder, _) in enumerate(places(data)):
        if isinstance(holder, dict):
            changed = deepcopy(data)
            place, key = list(places(changed))[index]
            del place[key]
            yield changed


@pytest.mark.parametrize("type_", TYPES)
def test_payloads_are_judged_alike_whole_and_with_gaps(judge: Any, type_: str) -> None:
    for case in PAYLOADS:
        if case["type"] == type_:
            for data in (case["data"], {**case["data"], "zz": 1}, *with_gaps(case["data"])):
                for format_ in case["formats"]:
                    assert judge.difference(format_, type_, data) is None, (format_, data)


@given(data=st.data())
def test_changed_payloads_are_judged_alike(judge: Any, data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(PAYLOADS))
    changed = {"data": deepcopy(case["data"])}
    holder, key = data.draw(st.sampled_from(list(places(changed))))
    if data.draw(st.booleans()) and isinstance(holder[key], dict):
        holder[key]["zz"] = 1
    else:
        holder[key] = deepcopy(data.draw(st.sampled_from(OTHERS)))
    for format_ in case["formats"]:
        assert judge.difference(format_, case["type"], changed["data"]) is None


@pytest.mark.parametrize(("format_", "version"), [(0, {}), (1, {"sessionFormatVersion": 1})])
def test_an_inherited_delivery_record_may_name_the_parent(
    judge: Any, format_: Any, version: Raw
) -> None:
    type_ = "session-log-deepseek/delivery-accepted"
    data = {"sessionId": "s0", "throughSeq": 4, **version}
    child = {"parentSession": "s0", "seedLength": 6}
    wrong = "names the wrong Session"
    assert wrong not in judge.message(format_, type_, data, **child)
    assert wrong in judge.message(format_, type_, data, **{**child, "seedLength": 5})
    assert wrong in judge.message(format_, type_, data, seedLength=6)
