"""Forks, seeds, appends and request state of every format."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.formats import FORMATS, Format
from dsh_conformance.tracks.core.small import OPENING, TURNS, small_logs
from dsh_reference.closers import closers_of
from dsh_reference.refusal import Refusal
from dsh_reference.session import (
    append,
    derive,
    fork,
    last_message_turn_end,
    request_header,
    seed,
)
from dsh_reference.session.append import Draft
from dsh_reference.session_log import SessionLog
from dsh_spec.refusals import RefusalKind

Raw = dict[str, Any]
VERSIONS = st.sampled_from(FORMATS)
CHILD: Raw = {"id": "child", "createdAt": 9}
MARKER = "session/end-seed"


def header(version: Format, **more: Any) -> Raw:
    return {"version": version, "id": "s", "createdAt": 0, "isSeeded": False, **more}


def event(seq: int, kind: str, data: Any) -> Raw:
    return {"type": kind, "seq": seq, "time": 100 + seq, "data": data}


def source(version: Format, *events: Raw) -> SessionLog:
    return SessionLog(header=header(version), inherited=0, events=events)


TURN = (
    event(0, "turn/start", {"turn": 1}),
    event(1, "turn/end", {"turn": 1, "reason": {"kind": "completed"}}),
)


def test_a_fork_of_a_balanced_log() -> None:
    """Facts, EX15."""
    child = fork(source(4, *TURN), CHILD, format=4, boundary=1)
    assert isinstance(child, SessionLog)
    assert child.events[2:] == (
        {"type": MARKER, "seq": 2, "time": 101, "data": {"inherited": True}},
    )
    assert child.inherited == 2


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_an_old_fork_ends_between_turns(version: Format) -> None:
    """Facts, surface §4.1, step 7, and §4.2."""
    inside = fork(source(version, *TURN), CHILD, format=version, boundary=0)
    assert isinstance(inside, Refusal)
    assert inside.kind is RefusalKind.OPEN_TURN
    note = event(2, MARKER, {})
    child = fork(source(version, *TURN, note), CHILD, format=version)
    assert isinstance(child, SessionLog)
    marks = [each["data"] for each in child.events if each["type"] == MARKER]
    assert marks == ([{}] if version < 2 else [{}, {"inherited": True}])


@pytest.mark.parametrize("boundary", [-1, 0.5, True, "0", 2, 2**53])
def test_what_is_no_boundary(boundary: Any) -> None:
    refusal = fork(source(4, *TURN), CHILD, format=4, boundary=boundary)
    assert isinstance(refusal, Refusal)
    assert refusal.kind is RefusalKind.INVALID_BOUNDARY


@given(st.data(), VERSIONS, st.integers(0, 13))
def test_old_forks_are_balanced_and_new_ones_are_made_so(
    data: st.DataObject, version: Format, boundary: int
) -> None:
    """Q28 to Q30."""
    events = data.draw(small_logs(version, TURNS, OPENING[:2]))
    child = fork(source(version, *events), CHILD, format=version, boundary=boundary)
    if boundary >= len(events):
        assert isinstance(child, Refusal)
        return
    prefix = events[: boundary + 1]
    is_open = bool(closers_of(prefix, format=version))
    assert isinstance(child, Refusal) == (version < 4 and is_open)
    if isinstance(child, SessionLog):
        assert child.events[: boundary + 1] == prefix
        assert closers_of(child.events, format=version) == ()
        before, after = derive(prefix, format=version), derive(child.events, format=version)
        assert not isinstance(before, Refusal)
        assert not isinstance(after, Refusal)
        assert after[: len(before)] == before


@given(st.data(), VERSIONS)
def test_a_restored_log_grows_once(data: st.DataObject, version: Format) -> None:
    """Q33, Q34, P3 and P4."""
    events = data.draw(small_logs(version))
    once = seed(header(version), events, format=version, mode="restore")
    assert not isinstance(once, Refusal)
    assert once[: len(events)] == events
    assert len(once) <= len(events) + 1
    assert seed(header(version), once, format=version, mode="restore") == once


@given(st.data(), VERSIONS)
def test_an_append_is_what_the_fold_takes(data: st.DataObject, version: Format) -> None:
    """Q5."""
    events = data.draw(small_logs(version).filter(bool))
    last = events[-1]
    metadata: Raw = {key: last[key] for key in ("surfaceOp", "sourceEventSeqs") if key in last}
    draft = Draft(type=last["type"], data=last["data"], time=last["time"], metadata=metadata)
    made = append(events[:-1], draft, format=version)
    assert made == {key: value for key, value in last.items() if key != "ignorable"}


@pytest.mark.parametrize("version", [0, 2, 3, 4])
def test_a_header_is_canonical(version: Format) -> None:
    """Facts, surface §2.4."""
    told = {"config": {"provider": "p", "model": "m"}, "tools": [], "acme": 1}
    log = [event(0, "request/header", {"header": {**told, "system": "be"}, "reason": "initial"})]
    prompt = {"system": "be"} if version < 3 else {}
    assert request_header(log, format=version) == {"config": told["config"], **prompt}


def test_a_turn_without_a_step_ended_no_message() -> None:
    """Facts, surface §2.7 (b)."""
    step = event(1, "step/start", {"turn": 1, "step": 1})
    end = event(2, "turn/end", {"turn": 1, "reason": {"kind": "completed"}})
    assert last_message_turn_end(TURN) is None
    assert last_message_turn_end([TURN[0], step, end, TURN[0], TURN[1]]) == end
