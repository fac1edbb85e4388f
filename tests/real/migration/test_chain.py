"""The chain from v2 and v3, put to the real runtime: generated logs, as they are and changed.

A changed log differs in one member of one payload, or in one event.  Where the runtime migrates a
v3 log that the reference refuses, it leaves a payload's shape to whoever builds a session.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, TypeAlias

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsh_conformance.generate.formats import logs
from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.hostile import encode_value
from dsh_conformance.implementation.outcome import Ok
from dsh_reference.migrate import migrate
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.values import equal
from dsh_spec.values import Json

_Path: TypeAlias = tuple[Any, ...]

_some = settings(
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
#: What a member may become.
_WORDS: tuple[Json, ...] = (
    None, True, 0, 1, 2, -1, 1.5, 2**53, "", "x", "code", "text", "tool", "model", "plugin", [], {},
    [0], [1], {"type": "acme"}, {"kind": "plugin", "plugin": "acme"}, {"kind": "acme"},
)  # fmt: skip
_KEYS = ("system", "error", "isError", "inherited", "deferLoading", "sessionFormatVersion", "x")


def _difference(runtime: Connection, log: SessionLog) -> str | None:
    outcome = runtime.call(
        "migration/migrate",
        {
            "header": log.header,
            "events": encode_value(log.events),
            "inheritedEventCount": log.inherited,
            "to": 4,
            "children": [],
        },
    )
    ours = migrate(log)
    if isinstance(outcome, Ok):
        if isinstance(ours, Refusal):
            return None if _is_shape(log, ours) else f"the reference alone refuses: {ours}"
        members: Any = outcome.value
        theirs = SessionLog(
            header=members["header"],
            inherited=members["inheritedEventCount"],
            events=tuple(members["events"]),
        )
        same = equal([theirs.header, theirs.events], [ours.header, ours.events])
        return None if same and theirs.inherited == ours.inherited else f"{theirs}\n{ours}"
    if isinstance(ours, Refusal) and ours.kind == outcome.kind:
        return None
    return f"the runtime: {outcome}\nthe reference: {ours}"


def _is_shape(log: SessionLog, refusal: Refusal) -> bool:
    is_payload = refusal.problem.startswith("data")
    return log.header["version"] == 3 and is_payload and refusal.where.endswith("of the v4 log")


@pytest.mark.parametrize("version", [2, 3])
def test_a_log_that_a_writer_left(runtime: Connection, version: Any) -> None:
    @_some
    @given(logs(version))
    def check(log: SessionLog) -> None:
        assert _difference(runtime, log) is None

    check()


@pytest.mark.parametrize("version", [2, 3])
def test_a_log_with_one_thing_changed(runtime: Connection, version: Any) -> None:
    @_some
    @given(_changed(version))
    def check(log: SessionLog) -> None:
        assert _difference(runtime, log) is None

    check()


@st.composite
def _changed(draw: st.DrawFn, version: Any) -> SessionLog:
    log = draw(logs(version))
    events: Any = deepcopy(list(log.events))
    if not events:
        return log
    at = st.integers(0, len(events) - 1)
    match draw(st.sampled_from(("drop", "move", "repeat", "member", "member", "member"))):
        case "drop":
            del events[draw(at)]
        case "move":
            events.insert(draw(at), events.pop(draw(at)))
        case "repeat":
            events.insert(draw(at), events[draw(at)])
        case _:
            _change_member(draw, events[draw(at)]["data"])
    dense = tuple({**event, "seq": seq} for seq, event in enumerate(events))
    marks = [event["seq"] for event in dense if _is_mark(event)]
    return evolve(log, events=dense, inherited=max(marks, default=0))


def _change_member(draw: st.DrawFn, data: Any) -> None:
    paths = list(_paths(data))
    if not paths:
        return
    *front, last = draw(st.sampled_from(paths))
    holder = data
    for key in front:
        holder = holder[key]
    match draw(st.sampled_from(("set", "set", "delete", "insert"))):
        case "delete":
            del holder[last]
        case "insert" if isinstance(holder, dict):
            holder[draw(st.sampled_from(_KEYS))] = draw(st.sampled_from(_WORDS))
        case _:
            holder[last] = draw(st.sampled_from(_WORDS))


def _is_mark(event: Any) -> bool:
    data = event["data"]
    is_inherited = isinstance(data, dict) and data.get("inherited") is True
    return event["type"] == "session/end-seed" and is_inherited


def _paths(value: Any, path: _Path = ()) -> Iterator[_Path]:
    pairs: Any = ()
    if isinstance(value, dict):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value)
    for key, inner in pairs:
        yield (*path, key)
        yield from _paths(inner, (*path, key))
