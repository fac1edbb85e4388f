"""How fast large logs are read, judged and migrated, beside the real runtime on the same files.

Each measurement is that of a fresh process, which `probe` is.  CPU time is user and system time of
all that runs in it; on a machine with other work it tells more than wall time does.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final, Literal, TypeAlias

from attrs import frozen

from dsh_conformance.bench.files import TwinFiles, write_twins

#: What is measured.
Task: TypeAlias = Literal["lint", "migrate"]
TASKS: Final[tuple[Task, ...]] = ("lint", "migrate")
#: From how many events on a log is measured once and no more.
LARGE: Final = 500_000


@frozen(kw_only=True)
class Run:
    """What one process took, in seconds of wall time and of CPU time."""

    #: From its start to its end.
    wall: float
    cpu: float
    #: Its stages, by name.
    stages_wall: Mapping[str, float]
    stages_cpu: Mapping[str, float]
    #: The most memory that was resident, in MiB.
    peak: float
    #: How many events it went through, as v4 counts them.
    events: int


@frozen(kw_only=True)
class Cost:
    """What a task costs with a log, and what the real runtime takes to open the same file."""

    #: The task.
    task: Task
    #: How many events the log has in v4.
    events: int
    #: The size of the file, in bytes.
    size: int
    #: The processes that did it.
    own: tuple[Run, ...]
    #: Those of the runtime that opened it, and those that opened nothing; perhaps none.
    opening: tuple[Run, ...] = ()
    idle: tuple[Run, ...] = ()

    def stage(self, name: str) -> float:
        """Return the CPU time of a stage, in seconds."""
        return median(run.stages_cpu[name] for run in self.own)

    @property
    def stages(self) -> Sequence[str]:
        """The names of the stages."""
        return tuple(self.own[0].stages_cpu)

    @property
    def cpu(self) -> float:
        """The CPU time of all stages, in seconds; the start of the process is none of them."""
        return median(sum(run.stages_cpu.values()) for run in self.own)

    @property
    def wall(self) -> float:
        """The wall time of all stages, in seconds."""
        return median(sum(run.stages_wall.values()) for run in self.own)

    @property
    def peak(self) -> float:
        """The most memory that was resident, in MiB."""
        return max(run.peak for run in self.own)

    @property
    def opening_cpu(self) -> float | None:
        """The CPU time that the runtime takes to open the file, its start left out."""
        if not self.opening:
            return None
        return median(run.cpu for run in self.opening) - median(run.cpu for run in self.idle)

    @property
    def opening_wall(self) -> float | None:
        """The wall time that it takes, its start left out."""
        if not self.opening:
            return None
        return median(run.stages_wall["open"] for run in self.opening)

    @property
    def whole_ratio(self) -> float | None:
        """How many times the wall time of the runtime this takes, starts and ends included."""
        if not self.opening:
            return None
        return median(run.wall for run in self.own) / median(run.wall for run in self.opening)


def measure(sizes: Sequence[int], *, repeats: int, beside_runtime: bool) -> Iterator[Cost]:
    """Measure both tasks with logs of so many events each, smaller ones *repeats* times.

    Raises `RuntimeError` where a process fails.
    """
    with tempfile.TemporaryDirectory(prefix="dsh-bench-") as place:
        empty = Path(place) / "empty"
        empty.mkdir()
        for size in sizes:
            twins = write_twins(Path(place) / str(size), size)
            times = 1 if size >= LARGE else repeats
            for task in TASKS:
                yield _cost(task, twins, empty if beside_runtime else None, times)


def _cost(task: Task, twins: TwinFiles, empty: Path | None, times: int) -> Cost:
    workspace, log = (
        (twins.newest, twins.log(4)) if task == "lint" else (twins.oldest, twins.log(0))
    )
    own, opening, idle = list[Run](), list[Run](), list[Run]()
    # In turns, so that whatever else the machine does falls on both sides.
    for _ in range(times):
        own.append(_run(task, log))
        if empty is not None:
            opening.append(_run("open", workspace))
            idle.append(_run("start", empty))
    return Cost(
        task=task,
        events=own[0].events,
        size=log.stat().st_size,
        own=tuple(own),
        opening=tuple(opening),
        idle=tuple(idle),
    )


def _run(task: str, path: Path) -> Run:
    command = (sys.executable, "-m", "dsh_conformance.bench.probe", task, str(path))
    began = perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:  # noqa: S603 - it is ours
        assert process.stdout is not None
        told = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"the measurement of {task} failed with status {process.returncode}")
    found = json.loads(told)
    return Run(
        wall=perf_counter() - began,
        cpu=used.ru_utime + used.ru_stime,
        stages_wall=found["wall"],
        stages_cpu=found["cpu"],
        peak=used.ru_maxrss / 1024,
        events=found["events"],
    )
