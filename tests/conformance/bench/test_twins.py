"""The long session of the benchmark is one session, told twice."""

from pathlib import Path

import pytest

from dsh_conformance.bench.files import TwinFiles, write_twins
from dsh_conformance.logfiles import open_log
from dsh_conformance.logs.judge import judge, session_log
from dsh_reference.migrate import migrate
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.values import equal

EVENTS = 1300


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> TwinFiles:
    return write_twins(tmp_path_factory.mktemp("twins"), EVENTS)


def _log(path: Path) -> SessionLog:
    found = open_log(path)
    assert not isinstance(found, Refusal)
    return session_log(found)


def test_the_chain_makes_of_one_the_other(twins: TwinFiles) -> None:
    newest = _log(twins.log(4))
    moved = migrate(_log(twins.log(0)))
    assert not isinstance(moved, Refusal)
    assert (moved.header, moved.inherited) == (newest.header, newest.inherited)
    assert equal(moved.events, newest.events)


def test_nothing_is_found_wrong_with_either(twins: TwinFiles) -> None:
    assert judge(twins.log(4)).findings == ()
    assert [found.severity for found in judge(twins.log(0)).findings] == ["note"]


def test_it_is_as_long_as_it_should_be(twins: TwinFiles) -> None:
    events = _log(twins.log(4)).events
    assert EVENTS <= len(events) < EVENTS + 40
    assert {"compaction/end", "tool/result"} <= {event["type"] for event in events}
    assert 150 <= twins.log(4).stat().st_size / len(events) <= 200


def test_a_shorter_one_is_the_beginning(twins: TwinFiles, tmp_path: Path) -> None:
    shorter = write_twins(tmp_path, 100)
    for version in (0, 4):
        whole = twins.log(version).read_bytes()
        assert whole.startswith(shorter.log(version).read_bytes())
