"""The real runtime and the reference read packed rows of v0 and v1 alike."""

import json
from typing import Any

import pytest

from dsh_spec.catalogue import Format

OPEN = [
    {"type": "turn/start", "seq": 0, "time": 0, "data": {"turn": 1}},
    {"type": "step/start", "seq": 1, "time": 0, "data": {"turn": 1, "step": 1}},
]
PLACE = {"turn": 1, "step": 1, "index": 0}
DATA = {**PLACE, "dt": [1, -7], "texts": ["a", "b", ""]}
TEXTS = {"type": "text-chunks", "seq0": 2, "time0": 10, "data": DATA}
CALL_DATA = {**PLACE, "id": "c1", "name": "f", "dt": [1, 1], "args": ["a", "b", "c"]}
CALL = {"type": "tool-call-chunks", "seq0": 2, "time0": 10, "data": CALL_DATA}
SAFE = 2**53 - 1


def texts(**members: Any) -> dict[str, Any]:
    return {**TEXTS, "data": {**DATA, **members}}


def call(**members: Any) -> dict[str, Any]:
    return {**CALL, "data": {**CALL_DATA, **members}}


def nameless() -> dict[str, Any]:
    return {**CALL, "data": {key: CALL_DATA[key] for key in CALL_DATA if key != "name"}}


GOOD: dict[str, Any] = {
    "text": TEXTS,
    "reasoning": {**TEXTS, "type": "reasoning-chunks"},
    "call": CALL,
    "call without a name": nameless(),
    "call with an empty name": call(name=""),
    "one member": texts(dt=[], texts=["a"]),
    "floats": json.dumps(TEXTS).replace("[1, -7]", "[1.0, -7e0]").encode(),
    "before the epoch": {**TEXTS, "time0": -5},
}
BAD: dict[str, Any] = {
    "no members": texts(dt=[], texts=[]),
    "too few gaps": texts(dt=[1]),
    "too many gaps": texts(dt=[1, 2, 3]),
    "gap of a fraction": texts(dt=[1, 0.5]),
    "gap of minus zero": texts(dt=[1, -0.0]),
    "time overflows": texts(dt=[SAFE, SAFE]),
    "time overflows on the way": texts(dt=[SAFE, -SAFE]),
    "time of a fraction": {**TEXTS, "time0": 0.5},
    "another place": {**TEXTS, "seq0": 3},
    "seq of minus zero": {**TEXTS, "seq0": -0.0},
    "seq in words": {**TEXTS, "seq0": "2"},
    "strange key": {**TEXTS, "zz": 1},
    "ignorable": {**TEXTS, "ignorable": True},
    "seq": {**TEXTS, "seq": 2},
    "strange member": texts(zz=1),
    "name of a text": texts(name="f"),
    "turn below zero": texts(turn=-1),
    "step of a fraction": texts(step=1.5),
    "index below zero": texts(index=-1),
    "no text": texts(texts=["a", 1, "c"]),
    "texts of a call": {**TEXTS, "type": "tool-call-chunks"},
    "call with an empty id": call(id=""),
    "call with a null name": call(name=None),
    "no data": {"type": "text-chunks", "seq0": 2, "time0": 10},
    "an event of that type": {"type": "text-chunks", "seq": 2, "time": 2, "data": {}},
}


@pytest.mark.parametrize("format", [0, 1])
@pytest.mark.parametrize("row", GOOD.values(), ids=GOOD.keys())
def test_a_good_row(plain: Any, format: Format, row: Any) -> None:  # noqa: A002
    """CHUNKROW-EXPAND: what follows has the seq behind the last member."""
    record = {"type": "feedback/record", "time": 0, "data": {"text": "x"}}
    log = plain.write(format, [*OPEN, row, {**record, "seq": 5}, {**record, "seq": 6}])
    alone = plain.write(format, [*OPEN, row])
    assert plain.agree(alone, format) == (3 if b'["a"]' in alone else 5)
    plain.agree(log, format)


@pytest.mark.parametrize("format", [0, 1])
@pytest.mark.parametrize("row", BAD.values(), ids=BAD.keys())
def test_a_bad_row(plain: Any, format: Format, row: Any) -> None:  # noqa: A002
    """CHUNKROW-REJECT: the whole run is lost, and with a turn behind it the log."""
    end = {"type": "turn/end", "seq": 5, "time": 0, "data": {"turn": 1, "reason": {"kind": "x"}}}
    assert plain.agree(plain.write(format, [*OPEN, row]), format) == 2
    assert plain.agree(plain.write(format, [*OPEN, row, end]), format) == "corrupt"


@pytest.mark.parametrize("format", [2, 3])
def test_a_packed_row_since_v2(plain: Any, format: Format) -> None:  # noqa: A002
    """ROW-KINDS."""
    assert plain.agree(plain.write(format, [*OPEN, TEXTS]), format) == 2
