"""The real runtime and the reference make the same of generated logs of v0 and v1.

Logs that a writer could have left all migrate.  Then one thing about such a log is changed, which
mostly refuses it: a lost, doubled or misplaced event, a reference, a member, the cut.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsh_conformance.generate.formats import logs
from dsh_reference.session_log import SessionLog

#: An event as a test changes it.
_Raw: TypeAlias = dict[str, Any]

_some = settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


def _childless(version: Any) -> st.SearchStrategy[SessionLog]:
    """Return logs of sessions other than those that are their own parent, and list themselves."""
    return logs(version).filter(lambda log: log.header.get("parentSession") != log.header["id"])


@pytest.mark.parametrize("version", [0, 1])
def test_a_log_that_a_writer_left(judge: Any, version: Any) -> None:
    @_some
    @given(_childless(version))
    def check(log: SessionLog) -> None:
        assert judge.difference(log) is None

    check()


@pytest.mark.parametrize("version", [0, 1])
def test_a_log_with_one_thing_changed(judge: Any, version: Any) -> None:
    @_some
    @given(_childless(version).flatmap(_changed))
    def check(log: SessionLog) -> None:
        assert judge.difference(log) is None

    check()


def _changed(log: SessionLog) -> st.SearchStrategy[SessionLog]:
    if not log.events:
        return st.just(log)
    at = st.integers(0, len(log.events) - 1)
    change = st.sampled_from((_lost, _doubled, _swapped, _stripped, _bare, _added, _cut))
    return st.builds(lambda how, where, key: how(log, where, key), change, at, st.integers(0, 9))


def _renumbered(log: SessionLog, events: list[_Raw]) -> SessionLog:
    dense = tuple({**event, "seq": seq} for seq, event in enumerate(events))
    return evolve(log, events=dense, inherited=min(log.inherited, len(dense)))


def _lost(log: SessionLog, at: int, _key: int) -> SessionLog:
    events: list[Any] = list(log.events)
    return _renumbered(log, events[:at] + events[at + 1 :])


def _doubled(log: SessionLog, at: int, _key: int) -> SessionLog:
    events: list[Any] = list(log.events)
    return _renumbered(log, events[: at + 1] + events[at:])


def _swapped(log: SessionLog, at: int, _key: int) -> SessionLog:
    events: list[Any] = list(log.events)
    return _renumbered(log, events[:at] + events[at : at + 2][::-1] + events[at + 2 :])


def _at(log: SessionLog, at: int, change: Callable[[_Raw], _Raw]) -> SessionLog:
    events: list[Any] = list(log.events)
    return _renumbered(log, [*events[:at], change(events[at]), *events[at + 1 :]])


def _stripped(log: SessionLog, at: int, key: int) -> SessionLog:
    """Take a member from a payload."""

    def strip(event: _Raw) -> _Raw:
        names = list(event["data"])
        return {**event, "data": _without(event["data"], *names[key : key + 1])}

    return _at(log, at, strip)


def _bare(log: SessionLog, at: int, _key: int) -> SessionLog:
    return _at(log, at, lambda event: _without(event, "surfaceOp", "sourceEventSeqs"))


def _added(log: SessionLog, at: int, key: int) -> SessionLog:
    # No more sources than there are earlier events, or the row would be damage and no log at all.
    sources = {"sourceEventSeqs": [0][:at]}
    members: list[_Raw] = [{"ignorable": True}, {"x": 1}, sources, {"time": 0.5}]
    return _at(log, at, lambda event: {**event, **members[key % len(members)]})


def _cut(log: SessionLog, at: int, _key: int) -> SessionLog:
    return evolve(log, inherited=at) if log.header["isSeeded"] else log


def _without(value: Mapping[str, Any], *names: str) -> _Raw:
    return {key: member for key, member in value.items() if key not in names}
