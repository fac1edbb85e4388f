"""The real runtime and the reference agree on which rows of v3 are bad, and which are hard."""

import json
from typing import Any

import pytest

TURN = {"type": "turn/start", "seq": 0, "time": 0, "data": {"turn": 1}}
STEP = {"type": "step/start", "seq": 1, "time": 0, "data": {"turn": 1, "step": 1}}
TEXT = [{"type": "text", "text": "x"}]
SERVICE = {"kind": "plugin", "plugin": "@deepseek-ai/dsh-system-prompt"}


def event(type_: str, data: Any, **more: Any) -> dict[str, Any]:
    return {"type": type_, "seq": 3, "time": 0, "data": data, **more}


def surface(type_: str, data: Any, **more: Any) -> dict[str, Any]:
    return event(type_, data, **{"surfaceOp": "append", **more})


def system(data: Any = None, *, message: Any = None, **members: Any) -> dict[str, Any]:
    whole = {"id": "s", "role": "system", "content": TEXT, "source": SERVICE, **members}
    own = {"turn": 1, "step": 1, "message": whole if message is None else message}
    return surface("system/message", {**own, **(data or {})})


def user(**more: Any) -> dict[str, Any]:
    data = {"id": "m", "role": "user", "content": TEXT, "source": {"kind": "user"}}
    return surface("user/message", data, **more)


def header(header: Any, **more: Any) -> dict[str, Any]:
    return event("request/header", {"header": header, "reason": "initial"}, **more)


def result(content: Any, **more: Any) -> dict[str, Any]:
    message = {"id": "t", "role": "user", "content": content, "source": {"kind": "tool"}}
    return surface("tool/result", {"turn": 1, "step": 1, "message": message, **more})


def answer(**more: Any) -> dict[str, Any]:
    source = {"kind": "model", "provider": "p", "model": "m"}
    message = {"id": "a", "role": "assistant", "content": TEXT, "source": source}
    data = {"turn": 1, "step": 1, "message": message, "stream": []}
    return surface("assistant/message", data, **more)


HEAD = {**system(id="head"), "seq": 2}
PREFIX = [TURN, STEP, HEAD]
CONFIG = {"config": {"provider": "p", "model": "m"}}
BLOCK = {"type": "tool-result", "toolCallId": "c", "content": []}
FAILED = {**BLOCK, "isError": True}
REPLACE = {"op": "replace", "startSeq": 2, "endSeq": 2}

GOOD: list[Any] = [
    user(), header(CONFIG), header({**CONFIG, "tools": 5}), answer(), system({"turn": 1}),
    system(content=[]), system(content=[*TEXT, *TEXT]), system(content=[{"type": "acme"}]),
    event("acme/x", 5, ignorable=True, surfaceOp="nope", sourceEventSeqs=[]),
    event("tool/code-dispatch", 5, ignorable=True, surfaceOp="x"),
    event("developer/message", 5, ignorable=True), event("feedback/record", 5),
]  # fmt: skip
#: Markers that are none.
OPS: list[Any] = ["nope", "replace", None, {"op": "append"}, []]
#: Each is a torn end when it stands there.
BAD: list[Any] = [
    {key: member for key, member in user().items() if key != "surfaceOp"},
    {key: member for key, member in system().items() if key != "surfaceOp"},
    *(user(surfaceOp=op) for op in OPS),
    user(surfaceOp={"op": "replace", "start": 2, "end": 2}, sourceEventSeqs=[2]),
    user(surfaceOp={**REPLACE, "x": 1}, sourceEventSeqs=[2]),
    user(surfaceOp={**REPLACE, "endSeq": 3}, sourceEventSeqs=[2]),
    user(surfaceOp={**REPLACE, "startSeq": -0.0}, sourceEventSeqs=[2]),
    user(surfaceOp={**REPLACE, "startSeq": 0.5}, sourceEventSeqs=[2]),
    user(sourceEventSeqs=[]), system() | {"sourceEventSeqs": []}, answer(sourceEventSeqs=[0]),
    answer(sourceEventSeqs=[]), event("feedback/record", {}, sourceEventSeqs=[0]),
    event("feedback/record", {}, surfaceOp="append", ignorable=True),
    header({**CONFIG, "tools": []}), header({**CONFIG, "adapterDefaults": {}}, ignorable=True),
    result([BLOCK], error={"name": "E", "code": "E"}), result([BLOCK], error=None),
    result([FAILED, FAILED], error={}), result(TEXT, error={}), result(5, error={}),
    result([{**FAILED, "isError": 1}], error={}), surface("tool/result", {"error": {}}),
    surface("tool/result", 5), surface("tool/result", None),
]  # fmt: skip
#: Each refuses the log, at its end and behind a gap.
HARD: list[Any] = [
    event("tool/code-dispatch", {}), event("tool/code-dispatch-start", {}, ignorable=False),
    header({**CONFIG, "system": "x"}), header({**CONFIG, "system": None}, ignorable=True),
    header(5), header([]), event("request/header", {}), event("request/header", 5),
    surface("system/message", 5), surface("system/message", {"turn": 1, "step": 1}),
    system({"zz": 1}), system({"turn": 0}), system({"step": 1.5}), system(zz=1), system(id=""),
    system(role="user"), system(source=None), system(source={"kind": "user"}),
    system(source={"kind": "plugin"}), system(source={**SERVICE, "plugin": ""}),
    system(source={**SERVICE, "x": 1}), system(content="x"), system(content=["x"]),
    system(content=[{"type": 5}]), system(content=[{"type": "text", "text": "x", "z": 1}]),
    system(content=[{"type": "text", "text": 5}]), system(content=[{"type": "image"}]),
    system(content=[{"type": "tool-result"}]), system(message=5),
]  # fmt: skip


@pytest.mark.parametrize("row", GOOD, ids=json.dumps)
def test_a_good_row(plain: Any, row: Any) -> None:
    assert plain.agree(plain.write(3, [*PREFIX, row]), 3) == 4


@pytest.mark.parametrize("row", BAD, ids=json.dumps)
def test_a_bad_row(plain: Any, row: Any) -> None:
    """MIG-RECOVER-V3: with a turn behind it, the log is corrupt."""
    end = {"type": "turn/end", "seq": 4, "time": 0, "data": {"turn": 1}}
    assert plain.agree(plain.write(3, [*PREFIX, row]), 3) == 3
    assert plain.agree(plain.write(3, [*PREFIX, row, end]), 3) == "corrupt"


@pytest.mark.parametrize("row", HARD, ids=json.dumps)
def test_a_hard_row(plain: Any, row: Any) -> None:
    """INV-HARD-ADMISSION: but behind a line that is no JSON it is not looked at any more."""
    gap = {"type": "feedback/record", "seq": 9, "time": 0, "data": {}}
    verdict = plain.agree(plain.write(3, [*PREFIX, row]), 3)
    assert verdict in ("corrupt", "unsupported-migration")
    assert plain.agree(plain.write(3, [*PREFIX, gap, row]), 3) == verdict
    assert plain.agree(plain.write(3, [*PREFIX, b"{", row]), 3) == 3


def test_a_turn_end_with_a_place_on_the_surface(plain: Any) -> None:
    """It is a bad row that would be lost."""
    end = event("turn/end", {"turn": 1, "reason": {"kind": "completed"}}, surfaceOp="append")
    assert plain.agree(plain.write(3, [*PREFIX, end]), 3) == "corrupt"
