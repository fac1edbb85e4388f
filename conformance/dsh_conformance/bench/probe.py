"""What one fresh process does to one log, and what that costs: ``TASK PATH`` on its command line.

The report is one line of JSON on stdout.  The tasks are

- ``lint``: a good log of v4 is read, admitted and folded into the messages of the model;
- ``migrate``: a log of any format is read, brought to v4, and spelled, but nowhere written;
- ``open``: the real runtime starts on a workspace, opens the log there and reads one event;
- ``start``: the real runtime starts on a workspace, and ends.

Before the clock runs, the first two do the same to a short log: what that makes ready is made once
a process, however long the log is, and counts as part of the start.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, process_time
from typing import Final, TypeAlias

from attrs import Factory, define

from dsh_conformance.bench.files import write_twins
from dsh_conformance.bench.twins import SESSION
from dsh_conformance.implementation.connection import Connection
from dsh_conformance.implementation.dsh import launcher
from dsh_conformance.implementation.outcome import Ok
from dsh_conformance.implementation.stdio import Deadlines
from dsh_conformance.logfiles import collector_paused, open_log
from dsh_conformance.logs.judge import session_log
from dsh_conformance.logs.writing import log_bytes
from dsh_reference.admit import admit
from dsh_reference.derive import derive
from dsh_reference.migrate import migrate
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.values import Json

#: How long the runtime may take for anything, in seconds.
_PATIENCE: Final = 3600.0
#: How many events the log has on which everything is made ready.
_SHORT: Final = 200


@define
class Stages:
    """The stages of a task, each with its wall time and its CPU time in seconds."""

    wall: dict[str, float] = Factory(dict)
    cpu: dict[str, float] = Factory(dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time one stage."""
        wall, cpu = perf_counter(), process_time()
        yield
        self.wall[name], self.cpu[name] = perf_counter() - wall, process_time() - cpu


def lint(path: Path, stages: Stages) -> int:
    """Read, admit and fold a log of v4, and return how many events it has."""
    with stages.stage("read"):
        log = _read(path)
    with stages.stage("admit"):
        events = admit(log.header, log.inherited, log.events)
    assert not isinstance(events, Refusal), events
    with stages.stage("fold"):
        messages = derive(events)
    assert not isinstance(messages, Refusal), messages
    return len(events)


def to_newest(path: Path, stages: Stages) -> int:
    """Read, migrate and spell a log, and return how many events it has in v4."""
    with stages.stage("read"):
        log = _read(path)
    with stages.stage("migrate"):
        moved = migrate(log)
    assert not isinstance(moved, Refusal), moved
    with stages.stage("spell"):
        log_bytes(moved, "none")
    return len(moved.events)


def runtime(workspace: Path, stages: Stages, *, opening: bool) -> None:
    """Start the real runtime, have it open the session if it shall, and end it."""
    deadlines = Deadlines(first=_PATIENCE, call=_PATIENCE, exit=_PATIENCE)
    with stages.stage("start"):
        connection = launcher({}, deadlines).launch(workspace)
    if opening:
        with stages.stage("open"):
            _open(connection)
    connection.close()


def report(task: str, path: Path) -> Mapping[str, Json]:
    """Do a task, and return what its stages took, in seconds."""
    stages = Stages()
    events = 0
    if task in _OWN:
        _make_ready(task)
        with collector_paused():
            events = _OWN[task](path, stages)
    else:
        runtime(path, stages, opening=task == "open")
    return {"events": events, "wall": stages.wall, "cpu": stages.cpu}


def _make_ready(task: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        twins = write_twins(Path(place), _SHORT)
        _OWN[task](twins.log(4 if task == "lint" else 0), Stages())


def _read(path: Path) -> SessionLog:
    found = open_log(path)
    assert not isinstance(found, Refusal), found
    return session_log(found)


def _open(connection: Connection) -> None:
    opened = connection.call("store/open", {"id": SESSION, "access": "read"})
    assert isinstance(opened, Ok), opened
    assert isinstance(opened.value, Mapping)
    place = {"handle": opened.value["handle"], "offset": 0, "length": 1}
    read = connection.call("store/read", place)
    assert isinstance(read, Ok), read


_Task: TypeAlias = Callable[[Path, Stages], int]
_OWN: Final[Mapping[str, _Task]] = {"lint": lint, "migrate": to_newest}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(report(sys.argv[1], Path(sys.argv[2]))))
