"""Nodes and compactions: which stored logs a reader accepts."""

from collections.abc import Sequence
from typing import Any

import pytest

from dsh_reference.admit import admit
from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind

_HEADER: dict[str, Any] = {"version": 4, "id": "s", "createdAt": 0, "isSeeded": False}


def _event(kind: str, data: Any = None, **keys: Any) -> dict[str, Any]:
    return {"type": kind, "time": 0, "data": {} if data is None else data, **keys}


def _turn(number: int = 1) -> dict[str, Any]:
    return _event("turn/start", {"turn": number})


def _step(number: int = 1, turn: int = 1) -> dict[str, Any]:
    return _event("step/start", {"turn": turn, "step": number})


def _step_end(number: int = 1, turn: int = 1) -> dict[str, Any]:
    return _event("step/end", {"turn": turn, "step": number})


def _turn_end(number: int = 1) -> dict[str, Any]:
    return _event("turn/end", {"turn": number, "reason": {"kind": "completed"}})


def _user(kind: str = "user", **keys: Any) -> dict[str, Any]:
    source = {"kind": kind, "compactionId": "k"} if kind == "compact-checkpoint" else {"kind": kind}
    message = {"id": "u", "role": "user", "content": [], "source": source}
    return _event("user/message", message, **{"surfaceOp": "append", **keys})


def _over(start: int, end: int, *sources: int) -> dict[str, Any]:
    op = {"op": "replace", "startSeq": start, "endSeq": end}
    return {"surfaceOp": op, "sourceEventSeqs": list(sources)}


def _compaction(what: str, **data: Any) -> dict[str, Any]:
    return _event(f"compaction/{what}", {"compactionId": "k", **data})


def _span(*seqs: int) -> dict[str, Any]:
    return {"shadowedRange": {"start": seqs[0], "end": seqs[-1]}, "shadowedSeqs": list(seqs)}


def _system() -> dict[str, Any]:
    source = {"kind": "system-prompt"}
    message = {"id": "s", "role": "system", "content": [], "source": source}
    data = {"turn": 1, "step": 1, "message": message}
    return _event("system/message", data, surfaceOp="append")


def _in(raw: dict[str, Any], **data: Any) -> dict[str, Any]:
    return {**raw, "data": {**raw["data"], **data}}


_STEP = (_turn(), _step())
_DONE = {"kind": "completed"}
_START = _compaction("start", turn=None)
#: Logs whose last event breaks the rule; the real runtime refuses each of them.
_REFUSED: list[tuple[str, list[dict[str, Any]]]] = [
    ("REL-COMPACT-OPEN", [_START, _START]),
    ("REL-COMPACT-OPEN", [_turn(), _START]),
    ("REL-COMPACT-OPEN", [_compaction("start", turn=1)]),
    ("REL-COMPACT-OWNER", [_compaction("end", turn=None, error="x")]),
    ("REL-COMPACT-OWNER", [_user(), _compaction("summary", **_span(0))]),
    ("REL-COMPACT-OWNER", [_START, _in(_compaction("end", turn=None, error=""), compactionId="z")]),
    ("REL-COMPACT-OWNER", [_START, _compaction("end", turn=None, error="", sourceCommandId="q")]),
    ("REL-COMPACT-OWNER", [_user(), _user("compact-checkpoint", **_over(0, 0, 0))]),
    (
        "REL-COMPACT-OWNER",
        [_user(), _in(_START, compactionId="z"), _user("compact-checkpoint", **_over(0, 0, 0))],
    ),
    (
        "REL-COMPACT-OWNER",
        [_user(), _in(_START, sourceCommandId="q"), _user("compact-checkpoint", **_over(0, 0, 0))],
    ),
    (
        "REL-COMPACT-OWNER",
        [_START, _event("session/end-seed"), _compaction("end", turn=None, error="")],
    ),
    ("REL-COMPACT-TURN", [_START, _turn()]),
    ("REL-COMPACT-TURN", [_turn(), _compaction("start", turn=1), _turn_end()]),
    (
        "REL-COMPACT-TURN",
        [_turn(), _compaction("start", turn=1), _compaction("end", turn=None, error="")],
    ),
    ("REL-COMPACT-TURN", [_START, _compaction("end", turn=1, error="")]),
    (
        "REL-COMPACT-TURN",
        [
            _START,
            _compaction("end", turn=None, error=""),
            _event("session/end-seed"),
            _START,
            _turn(),
        ],
    ),
    ("REL-COMPACT-ONE-SUMMARY", [_START, _compaction("end", turn=None)]),
    (
        "REL-COMPACT-ONE-SUMMARY",
        [_user(), _START, _compaction("summary", **_span(0)), _compaction("summary", **_span(0))],
    ),
    ("REL-COMPACT-SPAN", [_user(), _user(), _event("compaction/prune", _span(1, 0))]),
    (
        "REL-COMPACT-SPAN",
        [_user(), _user(), _event("compaction/prune", {**_span(0, 1), "shadowedSeqs": [0]})],
    ),
    ("REL-COMPACT-SPAN", [_user(), _START, _compaction("summary", **_span(1))]),
    ("SURF-SYSTEM-HEAD", [*_STEP, _system(), _event("compaction/prune", _span(2))]),
    ("SURF-SYSTEM-HEAD", [*_STEP, _system(), _user(**_over(2, 2, 2))]),
    ("SURF-HEAD-V4", [_user(), *_STEP, _system()]),
    ("SURF-REPLACE-START", [_user(), _user(**_over(0, 0, 0)), _user(**_over(0, 1, 0, 1))]),
    ("SURF-REPLACE-COVERAGE", [_user(), _user(), _user(**_over(0, 1, 1))]),
    ("SURF-MARKER-REQUIRED", [{k: v for k, v in _user().items() if k != "surfaceOp"}]),
    ("SURF-LOGONLY-NO-OP", [_event("todo/write", surfaceOp="append")]),
    ("SURF-LOGONLY-NO-SOURCES", [_user(), _event("todo/write", sourceEventSeqs=[0])]),
]
#: Logs that look odd; the real runtime reads each of them.
_ADMITTED: dict[str, list[dict[str, Any]]] = {
    "a checkpoint before its summary": [
        *(_user(), _compaction("start", turn=None)),
        *(_user("compact-checkpoint", **_over(0, 0, 0, 1)), _compaction("summary", **_span(2))),
        _compaction("end", turn=None),
    ],
    "a compaction that failed, and one of the same id": [
        *(_compaction("start", turn=None), _compaction("end", turn=None, error=None)),
        _compaction("start", turn=None),
    ],
    "a turn over an orphan": [
        _compaction("start", turn=None),
        _turn(),
        _event("session/end-seed"),
    ],
    "steps within a compaction": [_turn(), _compaction("start", turn=1), _step(), _step_end()],
    "a prune on its own": [_user(), _user(), _event("compaction/prune", _span(0, 1))],
    "an appended checkpoint": [_user("compact-checkpoint")],
}


def _verdict(raws: Sequence[dict[str, Any]]) -> tuple[RefusalKind, str, str] | None:
    outcome = admit(_HEADER, 0, [{**raw, "seq": seq} for seq, raw in enumerate(raws)])
    if isinstance(outcome, Refusal):
        return outcome.kind, outcome.rule, outcome.where
    return None


@pytest.mark.parametrize(("rule", "raws"), _REFUSED)
def test_the_last_event_breaks_the_rule_and_the_others_do_not(
    rule: str, raws: list[dict[str, Any]]
) -> None:
    assert _verdict(raws[:-1]) is None
    assert _verdict(raws) == (RefusalKind.CORRUPT, rule, f"event {len(raws) - 1}")


@pytest.mark.parametrize("name", _ADMITTED)
def test_an_odd_log_is_admitted(name: str) -> None:
    assert _verdict(_ADMITTED[name]) is None


def test_an_end_seed_behind_lets_a_turn_begin_but_no_summary_follow() -> None:
    """Whether a compaction was orphaned shows only later (REL-COMPACT-ORPHAN)."""
    started = [_user(), _START, _event("turn/start", {"turn": 1})]
    summary = _compaction("summary", **_span(0))
    marker = _event("session/end-seed")
    assert _verdict([*started, marker]) is None
    assert _verdict(started) == (RefusalKind.CORRUPT, "REL-COMPACT-TURN", "event 2")
    found = _verdict([*started, summary, marker])
    assert found == (RefusalKind.CORRUPT, "REL-COMPACT-TURN", "event 3")


def test_a_compaction_that_ended_was_no_orphan() -> None:
    turn = [_event("turn/start", {"turn": 1}), _event("turn/end", {"turn": 1, "reason": _DONE})]
    ended = [_user(), _START, *turn, _compaction("end", turn=None, error="")]
    found = _verdict([*ended, _event("session/end-seed")])
    assert found == (RefusalKind.CORRUPT, "REL-COMPACT-TURN", "event 2")
