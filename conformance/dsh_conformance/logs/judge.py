"""Judges a log: whether the runtime would open it, and all that is wrong with it.

A log of the newest format is examined by every rule.  An older one is judged as the runtime judges
it, which is by what becomes of it on its way to the newest format; the payloads of v1 and v2, which
have to be exact, are looked at one by one.
"""

from collections.abc import Iterator
from pathlib import Path

from dsh_conformance.logfiles import collector_paused, open_log
from dsh_conformance.logs.finding import Finding, Judgement, error_of
from dsh_conformance.logs.lines import line_finder
from dsh_conformance.logs.remedies import remedy
from dsh_reference.admit import examine
from dsh_reference.closers import closers_of
from dsh_reference.files import Compression, LogFile, parse_log_name
from dsh_reference.files.frames import MAGIC
from dsh_reference.migrate import migrate
from dsh_reference.payload import check_payload
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog

#: The newest format.
NEWEST = 4


def judge(path: Path) -> Judgement:
    """Judge the log at *path*."""
    with collector_paused():
        return _judged(path)


def _judged(path: Path) -> Judgement:
    found = open_log(path)
    if isinstance(found, Refusal):
        wrong = error_of(found, remedy(found, None), lambda _: None)
        return Judgement(path=path, findings=(wrong,))
    log = session_log(found)
    version = log.format
    compression = compression_of(path)
    line_of = line_finder(path, version, compression)
    errors = [error_of(each, remedy(each, version), line_of) for each in _refusals(log)]
    others = _others(found, log) if not errors else ()
    return Judgement(
        path=path,
        format=version,
        compression=compression,
        events=len(log.events),
        inherited=log.inherited,
        findings=(*errors, *others),
    )


def session_log(found: LogFile) -> SessionLog:
    """Return what a file holds as a log."""
    return SessionLog(header=found.header, inherited=found.inherited, events=found.events)


def compression_of(path: Path) -> Compression:
    """Return the encoding that a file's name states, and else that of its first bytes."""
    named = parse_log_name(path.name)
    if named is not None:
        return named[1]
    with path.open("rb") as file:
        return "zstd" if file.read(len(MAGIC)) == MAGIC else "none"


def _refusals(log: SessionLog) -> tuple[Refusal, ...]:
    version = log.format
    if version == NEWEST:
        return examine(log.header, log.inherited, log.events)
    moved = migrate(log)
    if not isinstance(moved, Refusal):
        return ()
    exact = tuple(_payloads(log)) if version in (1, 2) else ()
    return exact if moved in exact else (moved, *exact)


def _payloads(log: SessionLog) -> Iterator[Refusal]:
    version = log.format
    for event in log.events:
        if version == 1 and event["type"] == "assistant/chunk":
            continue
        wrong = check_payload(
            event,
            format=1 if version == 1 else 2,
            header=log.header,
            inherited=log.inherited,
        )
        if wrong is not None:
            yield wrong


def _others(found: LogFile, log: SessionLog) -> Iterator[Finding]:
    if found.torn:
        yield _torn(found)
    version = log.format
    if version < NEWEST:
        yield Finding(
            rule="MIG-READ-NO-PUBLISH",
            severity="note",
            problem=f"the log is of format v{version}, and readers see it as v{NEWEST}",
            remedy=f"Nothing has to be done; `migrate --to {NEWEST}` shows what they see.",
        )
    closers = _closers(log)
    if closers:
        yield Finding(
            rule="CLOSE-ORDER" if version == NEWEST else "MIG-OPEN-TAIL",
            severity="note",
            seq=len(log.events) - 1,
            problem=f"the log ends within a turn, which {closers} events would close",
            remedy="Nothing has to be done before the session goes on; `repair` shows the events.",
        )


def _closers(log: SessionLog) -> int:
    return len(closers_of(log.events, format=log.format))


def _torn(found: LogFile) -> Finding:
    kept = f"; {len(found.recovered)} events of it are read" if found.recovered else ""
    why = f" ({found.problem.problem})" if found.problem is not None else ""
    return Finding(
        rule="TORN-FRAGMENT",
        severity="warning",
        problem=f"what follows byte {found.committed_bytes} is a torn tail{why}{kept}",
        remedy="Nothing has to be done: readers leave it out, and the next append cuts it off.",
    )
