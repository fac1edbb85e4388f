"""Old shapes of format v0, as 0.1.0rc7 reads them.

Provenance: each pair was appended to and read from the real runtime 0.1.0rc7 (JSONL and SQLite).
"""

from typing import Any

import pytest
from hypothesis import given

from dsh_conformance.generate.formats import logs
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.store.seam import is_retired, present

_Event = dict[str, Any]

_TEXT = [{"type": "text", "text": "q"}]
_USER = {"kind": "user"}


def _event(kind: str, data: object, **more: object) -> _Event:
    return {"type": kind, "seq": 0, "time": 1, "data": data, **more}


def _ended(reason: object) -> _Event:
    return _event("turn/end", {"turn": 1, "reason": reason})


def _said(**data: object) -> _Event:
    return _event("user/message", data, surfaceOp="append")


_FAILURE = {"message": "m", "code": "C"}
_FLAT = {"turn": 1, "step": 1, "callId": "c", "content": [], "isError": False}
_BLOCK = {"type": "tool-result", "toolCallId": "c", "content": [], "isError": False}
_MINTED = "legacy-message:s:0"

PAIRS: dict[str, tuple[_Event, _Event]] = {
    "a trigger": (
        _event("turn/start", {"turn": 1, "trigger": _USER}),
        _event("turn/start", {"turn": 1}),
    ),
    "aborted without a reason": (
        _ended({"kind": "aborted"}),
        _ended({"kind": "aborted", "reason": {"kind": "legacy"}}),
    ),
    "disposed": (
        _ended({"kind": "disposed"}),
        _ended({"kind": "aborted", "reason": {"kind": "disposed"}}),
    ),
    "an error with its failure": (
        _ended({"kind": "error", "step": 1, "failure": _FAILURE}),
        _ended({"kind": "error", "error": _FAILURE}),
    ),
    "an error with a message": (
        _ended({"kind": "error", "step": 1, "message": "m"}),
        _ended({"kind": "error", "error": {"message": "m", "code": "UNKNOWN"}}),
    ),
    "another reason": (_ended({"kind": "weird"}), _ended({"kind": "weird"})),
    "steering": (
        _event(
            "steering/message", {"turn": 1, "content": _TEXT, "source": _USER}, surfaceOp="append"
        ),
        _said(content=_TEXT, source=_USER, id=_MINTED, role="user"),
    ),
    "a message without identity": (
        _said(content=_TEXT, source=_USER),
        _said(content=_TEXT, source=_USER, id=_MINTED, role="user"),
    ),
    "an answer without identity": (
        _event(
            "assistant/message",
            {
                "turn": 1,
                "step": 1,
                "content": _TEXT,
                "provenance": {"provider": "p", "model": "m"},
            },
        ),
        _event(
            "assistant/message",
            {
                "turn": 1,
                "step": 1,
                "message": {
                    "id": _MINTED,
                    "role": "assistant",
                    "content": _TEXT,
                    "source": {"provider": "p", "model": "m", "kind": "model"},
                },
            },
        ),
    ),
    "a result without identity": (
        _event("tool/result", _FLAT, surfaceOp="append"),
        _event(
            "tool/result",
            {
                "turn": 1,
                "step": 1,
                "message": {
                    "id": _MINTED,
                    "role": "user",
                    "content": [_BLOCK],
                    "source": {"kind": "tool", "callId": "c"},
                },
            },
            surfaceOp="append",
        ),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_old_shapes_are_read_in_the_present_one(name: str) -> None:
    old, wanted = PAIRS[name]
    assert present([old], "s") == (wanted,)


@pytest.mark.parametrize("name", PAIRS)
def test_the_present_shape_is_left_alone(name: str) -> None:
    _, wanted = PAIRS[name]
    assert present([wanted], "s") == (wanted,)


def test_a_replaced_result_takes_over_the_id_of_its_target() -> None:
    """The facts' EX01-2; the same ids as from 0.1.0rc7."""
    first = _event("tool/result", _FLAT, surfaceOp="append")
    second = _event("tool/result", _FLAT, surfaceOp={"op": "replace", "start": 0, "end": 0})
    shown = present([first, {**second, "seq": 1}], "s")
    assert not isinstance(shown, Refusal)
    ids = [event["data"]["message"]["id"] for event in shown]  # type: ignore[call-overload,index]
    assert ids == [_MINTED, _MINTED]


MALFORMED = {
    "steering without a turn": _event("steering/message", {"content": _TEXT}),
    "an error that says nothing": _ended({"kind": "error", "step": 1}),
    "a trigger without a kind": _event("turn/start", {"turn": 1, "trigger": 1}),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_what_nobody_can_make_out_is_refused(name: str) -> None:
    refusal = present([MALFORMED[name]], "s")
    assert isinstance(refusal, Refusal)
    assert refusal.kind == "corrupt"


def test_retired_events_are_named() -> None:
    assert is_retired(_event("mode/set", {}))
    assert is_retired(_event("request/header", {"reason": "fallback"}))
    assert not is_retired(_event("request/header", {"reason": "initial"}))


@given(logs(0))
def test_reading_changes_no_seq_and_no_time(log: SessionLog) -> None:
    shown = present(log.events, str(log.header["id"]))
    assert not isinstance(shown, Refusal)
    assert [(e["seq"], e["time"]) for e in shown] == [(e["seq"], e["time"]) for e in log.events]
    assert present(shown, str(log.header["id"])) == shown
