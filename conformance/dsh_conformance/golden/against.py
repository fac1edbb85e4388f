"""The golden cases held against an implementation that keeps its logs as files of the format.

The stores of the real runtimes do.
One process for each encoding reads all cases, one after the other.
The newest runtime reads every format, and what it reads is the verdict and the migrated log.
An older runtime reads its own format alone: it is held against what the case calls *native*.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from dsh_conformance.golden.case import LOGS, MIGRATED, NEWEST, Case, Finding
from dsh_conformance.golden.lines import first_difference
from dsh_conformance.golden.observe import Closed, Observer, Opened, Who
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.logs.writing import log_bytes
from dsh_reference.files import Compression
from dsh_spec.values import Json

#: Gives the launcher of the implementation for an encoding.
Launching: TypeAlias = Callable[[Compression], Launcher]

#: A store says of both that it cannot take the format; only a migration tells them apart.
_UNSUPPORTED = ("unsupported-format", "unsupported-migration")


def compare(cases: Sequence[Case], launching: Launching) -> Iterator[tuple[Case, list[Finding]]]:
    """Show *cases* to the implementation, and return for each how it differs.

    Raises `Fault` where the implementation cannot be driven.
    """
    for case, seen, who in observations(cases, launching):
        differences = _differences if who.format == NEWEST else _native_differences
        yield case, [*_touched(case, seen), *differences(case, seen)]


def observations(
    cases: Sequence[Case], launching: Launching
) -> Iterator[tuple[Case, Opened | Closed, Who]]:
    """Show *cases* to the implementation: each that it can read, what came of it, and who read it.

    Raises `Fault` where the implementation cannot be driven.
    """
    for compression in LOGS.values():
        ours = [case for case in cases if case.compression == compression]
        if not ours:
            continue
        with observing(launching(compression), compression) as observer:
            who = observer.who
            for case in ours:
                if case.format in who.reads:
                    yield case, observer.observe(case), who


@contextmanager
def observing(launcher: Launcher, compression: Compression) -> Iterator[Observer]:
    """Run an implementation on a workspace of its own."""
    with tempfile.TemporaryDirectory(prefix="dsh-golden-") as place:
        workspace = Path(place)
        connection = launcher.launch(workspace)
        try:
            yield Observer(connection=connection, workspace=workspace, compression=compression)
        except BaseException:
            connection.kill()
            raise
        connection.close()


def native(seen: Opened | Closed, who: Who) -> dict[str, Json]:
    """Return what a case says of the runtime of its own format, which saw this."""
    if isinstance(seen, Closed):
        return {"version": who.version, "verdict": {"refused": {"kind": seen.kind}}}
    return {"version": who.version, "verdict": "admitted", "events": len(seen.log.events)}


def _touched(case: Case, seen: Opened | Closed) -> Iterator[Finding]:
    if not seen.untouched:
        yield Finding(place=case.place, problem="reading it changed its files")


def _native_differences(case: Case, seen: Opened | Closed) -> Iterator[Finding]:
    expected = case.expect.get("native")
    actual = native(seen, Who(version=(expected or {}).get("version", ""), format=case.format))
    if expected != actual:
        problem = "the runtime of its own format comes to something else"
        yield Finding(place=case.place, problem=problem, expected=expected, actual=actual)


def _differences(case: Case, seen: Opened | Closed) -> Iterator[Finding]:
    verdict = case.said.get("expect", {}).get("verdict")
    if verdict is None:
        yield Finding(place=case.place, problem="it has no verdict to compare with")
        return
    if isinstance(seen, Closed):
        if verdict == "admitted" or not alike(verdict["refused"]["kind"], seen.kind):
            problem = f"it is refused: {seen.words}"
            yield Finding(
                place=case.place, problem=problem, expected=verdict, actual={"refused": seen.kind}
            )
        return
    if verdict != "admitted":
        yield Finding(place=case.place, problem="it is read", expected=verdict, actual="admitted")
        return
    yield from _log(case, seen)


def _log(case: Case, seen: Opened) -> Iterator[Finding]:
    """Compare what was read with the migrated log, or with the number of events."""
    if case.format == NEWEST:
        expected = case.expect.get("events", len(seen.log.events))
        if expected != len(seen.log.events):
            yield Finding(
                place=case.place,
                problem="another number of events is read",
                expected=expected,
                actual=len(seen.log.events),
            )
        return
    made = log_bytes(seen.log, "none")
    difference = first_difference(case, MIGRATED, made, "it")
    if difference is not None:
        yield difference


def alike(expected: str, kind: str) -> bool:
    """Whether a store's *kind* of refusal is the *expected* one."""
    return expected == kind or (expected in _UNSUPPORTED and kind in _UNSUPPORTED)
