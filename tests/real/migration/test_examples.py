"""The worked examples and the historical shapes, put to the real runtime.

Each stands beside the tests of the reference, which judges it without the runtime.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from dsh_reference.files import LogFile, read_log
from dsh_reference.session_log import SessionLog

EXAMPLES = Path(__file__).parents[2] / "reference" / "migrate" / "examples"
HEADER: Mapping[str, Any] = {"id": "s", "createdAt": 9, "delegationDepth": 0, "isSeeded": False}
TURN = {"type": "turn/start", "data": {"turn": 1}}
STEP = {"type": "step/start", "data": {"turn": 1, "step": 1}}
REQUEST = {
    "type": "request/header",
    "data": {"header": {"config": {"provider": "p", "model": "m"}}, "reason": "initial"},
}
DELTA = {"type": "text-delta", "index": 0, "text": "a"}
PACKED = {
    "type": "text-chunks",
    "seq0": 3,
    "time0": 3,
    "data": {"turn": 1, "step": 1, "index": 0, "dt": [], "texts": ["a"]},
}


def _blocks(*names: str) -> Sequence[Any]:
    texts = [(EXAMPLES / name).read_text("utf-8").removeprefix("# ").strip() for name in names]
    blocks = [block.split("\n") for text in texts for block in text.split("\n\n# ")]
    return [pytest.param(lines, id=title) for title, *lines in blocks]


def _log(version: int, events: Sequence[Mapping[str, Any]], inherited: int = 0) -> SessionLog:
    numbered = tuple({"seq": at, "time": at, **event} for at, event in enumerate(events))
    header = {**HEADER, "version": version, "isSeeded": inherited > 0}
    return SessionLog(header=header, inherited=inherited, events=numbered)


def _around(event: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Put an event where its type may stand."""
    type_ = str(event["type"])
    if not type_.startswith(("turn/start", "compact")):
        yield from (TURN,) if type_ == "turn/end" else (TURN, STEP, REQUEST)
    is_surface = type_.endswith("/message") or type_ == "tool/result"
    yield {**event, "surfaceOp": "append"} if is_surface else event


@pytest.mark.parametrize("lines", _blocks("v0-to-v1.txt", "v1-to-v2.txt"))
def test_a_worked_example(judge: Any, lines: list[str]) -> None:
    stored = [line[4:].removeprefix("header ") for line in lines if line.startswith("IN ")]
    read = read_log("".join(f"{line}\n" for line in stored).encode(), compression="none")
    assert isinstance(read, LogFile)
    log = SessionLog(header=read.header, inherited=read.inherited, events=read.events)
    rows = [json.loads(line) for line in stored[1:]]
    assert judge.difference(log, rows) is None


@pytest.mark.parametrize("lines", _blocks("v0-shapes.txt"))
def test_a_historical_shape(judge: Any, lines: list[str]) -> None:
    log = _log(0, [*_around(json.loads(lines[0][4:]))])
    assert judge.difference(log) is None
    is_refused = judge.real(log).refused is not None
    assert is_refused is lines[1].startswith("OUT refusal: ")


def test_a_cut_within_an_attempt_is_seen_however_the_rows_are_packed(judge: Any) -> None:
    """A known deviation: the runtime overlooks it if the chunks behind the cut are packed."""
    chunk = {"type": "assistant/chunk", "data": {"turn": 1, "step": 1, "chunk": DELTA}}
    log = _log(1, [TURN, STEP, chunk, chunk], inherited=3)
    assert judge.difference(log) is None
    assert judge.real(log, [*log.events[:3], PACKED]).refused is None
