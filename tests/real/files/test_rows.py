"""The real runtime and the reference read odd rows of older logs alike."""

import itertools
import json
from typing import Any, get_args

import pytest

from dsh_spec.catalogue import Format

OLDER: tuple[Format, ...] = (0, 1, 2, 3)
EVERY_FORMAT = pytest.mark.parametrize("format", OLDER)


def record(seq: Any, **more: Any) -> dict[str, Any]:
    return {"type": "feedback/record", "seq": seq, "time": 0, "data": {"text": "x"}, **more}


def turn_end(seq: Any, **more: Any) -> dict[str, Any]:
    data = {"turn": 1, "reason": {"kind": "completed"}}
    return {"type": "turn/end", "seq": seq, "time": 0, "data": data, **more}


TURN = {"type": "turn/start", "seq": 0, "time": 0, "data": {"turn": 1}}
STEP = {"type": "step/start", "seq": 1, "time": 0, "data": {"turn": 1, "step": 1}}
OPEN = [TURN, STEP]


def without(row: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != key}


#: Rows that every format may find behind two good ones, none of which an edge refuses.
TAILS: dict[str, Any] = {
    "good": record(2),
    "no json": b"{",
    "blank": b"",
    "zeros": bytes(9),
    "no object": [1],
    "gap": record(3),
    "repeat": record(1),
    "seq in words": record("2"),
    "seq as a float": b'{"type":"feedback/record","seq":2.0,"time":0e5,"data":{"text":"x"}}',
    "seq true": {**record(2), "seq": True},
    "no seq": without(record(2), "seq"),
    "carriage return": json.dumps(record(2)).encode() + b"\r",
    "no utf-8": json.dumps(record(2)).encode().replace(b'"x"', b'"\xff"'),
    "mark": b"\xef\xbb\xbf" + json.dumps(record(2)).encode(),
    "other line ends": json.dumps(record(2, data={"text": "\u2028\u0085"}), ensure_ascii=False),
    "NaN": b'{"type":"feedback/record","seq":2,"time":NaN,"data":{"text":"x"}}',
    "keys twice": b'{"type":"x","type":"feedback/record","seq":2,"time":0,"data":{"text":"x"}}',
    "sources of another kind": record(2, sourceEventSeqs="x"),
    "seq in words with sources": record("2", sourceEventSeqs=[]),
}
#: What may follow a bad row.
BEHIND: dict[str, Any] = {
    "turn end": turn_end(3),
    "turn end elsewhere": turn_end(77),
    "turn end with a strange seq": turn_end("3"),
    "turn end with a strange key": turn_end(3, zz=1),
    "turn end without data": without(turn_end(3), "data"),
    "turn end without seq": without(turn_end(3), "seq"),
    "turn end with strange sources": turn_end(3, sourceEventSeqs="x"),
    "mere name of a turn end": {"type": "turn/end"},
    "turn end in a list": [turn_end(3)],
    "record": record(2),
    "no json": b"{",
}
BAD: dict[str, Any] = {
    name: TAILS[name] for name in ("no json", "no object", "gap", "sources of another kind")
}


def as_row(row: Any) -> Any:
    return row.encode() if isinstance(row, str) else row


@EVERY_FORMAT
@pytest.mark.parametrize("row", TAILS.values(), ids=TAILS.keys())
def test_a_last_row(plain: Any, format: Format, row: Any) -> None:  # noqa: A002
    plain.agree(plain.write(format, [record(0), record(1), as_row(row)]), format)


@EVERY_FORMAT
@pytest.mark.parametrize("row", TAILS.values(), ids=TAILS.keys())
def test_a_last_row_in_a_complete_frame(framed: Any, format: Format, row: Any) -> None:  # noqa: A002
    """MIG-TORN-ZSTD: only since v4 is a bad row in a complete frame damage."""
    framed.agree(framed.write(format, [record(0), record(1)], [as_row(row)]), format)


@EVERY_FORMAT
@pytest.mark.parametrize(
    ("bad", "behind"),
    [*itertools.product(BAD.values(), BEHIND.values())],
    ids=[*map(" then ".join, itertools.product(BAD, BEHIND))],
)
def test_what_is_behind_a_bad_row(
    plain: Any,
    format: Format,  # noqa: A002
    bad: Any,
    behind: Any,
) -> None:
    """MIG-RECOVER-PREFIX: which turn/end makes the log corrupt."""
    plain.agree(plain.write(format, [TURN, record(1), bad, behind]), format)


@EVERY_FORMAT
@pytest.mark.parametrize(
    "end",
    [
        turn_end(9),
        turn_end("2"),
        turn_end(2, sourceEventSeqs="x"),
        without(turn_end(9), "seq"),
        turn_end(9, zz=1),
    ],
)
def test_a_turn_end_that_is_itself_the_bad_row(plain: Any, format: Format, end: Any) -> None:  # noqa: A002
    plain.agree(plain.write(format, [TURN, record(1), end]), format)


@pytest.mark.parametrize("format", [2, 3])
@pytest.mark.parametrize(
    "row",
    [
        record(2, zz=1),
        record(2, time=0.5),
        record(2, time=-0.0),
        record(2, ignorable=False),
        record(2, type=5),
        without(record(2), "data"),
        without(record(2), "type"),
        turn_end(2, zz=1),
        without(turn_end(2), "data"),
    ],
    ids=json.dumps,
)
def test_an_envelope_since_v2(plain: Any, format: Format, row: Any) -> None:  # noqa: A002
    """MIG-RECOVER-V2: a bad row, where v0 and v1 leave it to the migration."""
    assert plain.agree(plain.write(format, [TURN, record(1), row]), format) == 2


@pytest.mark.parametrize("format", [0, 1])
@pytest.mark.parametrize(
    "row",
    [record(2, zz=1), record(2, time=0.5), record(2, ignorable=False), without(record(2), "data")],
    ids=json.dumps,
)
def test_an_envelope_before_v2(plain: Any, format: Format, row: Any) -> None:  # noqa: A002
    """MIG-RECOVER-V01-THIN: it is a good row, and refuses the migration."""
    log = plain.write(format, [record(0), record(1), row])
    assert plain.real(log, format) == "unsupported-migration"
    assert plain.ours(log, format) == 3


MESSAGE = {
    "id": "m1",
    "role": "user",
    "content": [{"type": "text", "text": "x"}],
    "source": {"kind": "user"},
}
SOURCES: list[Any] = [
    [0], [[0, 1]], [[0, 0]], [1, 0], [[0, 1.0]], [[1, 0]], [[0, 2]], [[0, 5]], [[0, 1], 1], [[0]],
    [[0, 1], [1, 1]], [[0, 1, 2]], ["x"], "x", None, [-1], [0.5], [True], {}, [0, 1, 2],
    [[0, -0.0]],
]  # fmt: skip


@EVERY_FORMAT
@pytest.mark.parametrize("sources", SOURCES, ids=json.dumps)
def test_sources(plain: Any, format: Format, sources: Any) -> None:  # noqa: A002
    """SRCPACK-DECODE-V0V1, SRCPACK-DECODE-V2PLUS: what is no list ends the log."""
    head = {**MESSAGE, "id": "s1", "role": "system", "source": SYSTEM}
    data = {"turn": 1, "step": 1, "message": head}
    third = {"type": "system/message", "seq": 2, "time": 0, "data": data, "surfaceOp": "append"}
    rows = [*OPEN, third] if format == 3 else OPEN
    row = {"type": "user/message", "seq": len(rows), "time": 0, "data": MESSAGE}
    rows = [*rows, {**row, "surfaceOp": "append", "sourceEventSeqs": sources}]
    plain.agree(plain.write(format, rows), format)


SYSTEM = {"kind": "plugin", "plugin": "@deepseek-ai/dsh-system-prompt"}


@pytest.mark.parametrize(("format", "sources"), [*itertools.product([0, 1], [[0, 0], [2]])])
def test_sources_that_only_the_migration_refuses(plain: Any, format: Format, sources: Any) -> None:  # noqa: A002
    row = {"type": "user/message", "seq": 2, "time": 0, "data": MESSAGE, "surfaceOp": "append"}
    log = plain.write(format, [*OPEN, {**row, "sourceEventSeqs": sources}])
    assert plain.real(log, format) == "unsupported-migration"
    assert plain.ours(log, format) == 3


def test_the_formats_are_all_but_the_newest() -> None:
    assert (*OLDER, 4) == get_args(Format)
