"""What the reference makes of a case: the expectation that it would have."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.golden.case import EDGE, LOGS, MIGRATED, NEWEST, Case
from dsh_conformance.golden.edges import one_edge
from dsh_reference.admit import admit
from dsh_reference.derive import derive
from dsh_reference.files import LogFile, log_name, read_log, select_generation
from dsh_reference.fork import fork_seed
from dsh_reference.migrate import ChildFact, migrate, read_children
from dsh_reference.refusal import Refusal
from dsh_reference.repair import closers
from dsh_reference.session_log import SessionLog
from dsh_reference.surface import Surface, fold
from dsh_spec.catalogue import Format
from dsh_spec.events import Event, ShapeError, structure_event, unstructure_event
from dsh_spec.values import Json, JsonObject

#: The event or the row that a refusal is about; one of another log is not meant.
_PLACE = re.compile(r"(event|line) (\d+)(?::|$)")
#: The first format without packed rows: the first line is the header, the next has seq 0.
_ONE_EVENT_A_ROW: Final = 2
#: What is derived from a log.
_VIEWS: Final = ("surface", "messages", "closers", "fork")


@frozen(kw_only=True)
class Judgement:
    """The outcome for one case."""

    #: What came of the log, under the names of ``expect``, those of files aside.
    outcome: Mapping[str, Json]
    #: The logs that came of it, by the file names of a case.
    logs: Mapping[str, SessionLog]


def judge(case: Case) -> Judgement:
    """Let the reference do with the log all that *case* has an expectation for."""
    read = _read(case)
    if isinstance(read, Refusal):
        return Judgement(outcome={"verdict": refused(read, case.format)}, logs={})
    log = SessionLog(header=read.header, inherited=read.inherited, events=read.events)
    newest = _newest(case, log)
    outcome: dict[str, Json] = {
        "verdict": refused(newest) if isinstance(newest, Refusal) else "admitted",
        "events": len(read.events),
        "torn": read.torn,
        "committedBytes": read.committed_bytes,
    }
    logs: dict[str, SessionLog] = {}
    if "edge" in case.expect:
        stepped = one_edge(log, _children(case))
        outcome["edge"] = refused(stepped) if isinstance(stepped, Refusal) else EDGE
        logs.update({} if isinstance(stepped, Refusal) else {EDGE: stepped})
    if not isinstance(newest, Refusal):
        logs[MIGRATED] = newest
        outcome["migrated"] = MIGRATED
        outcome["inherited"] = newest.inherited
    # A log of the newest format has a surface even where its relations are broken.
    shown = log if case.format == NEWEST else newest
    if not isinstance(shown, Refusal):
        outcome.update(_views(case.expect, shown.events))
    return Judgement(outcome=outcome, logs=logs)


def refused(refusal: Refusal, version: Format = NEWEST) -> Json:
    """Return the refusal of a log of that format as a case writes it down."""
    said: dict[str, Json] = {"kind": str(refusal.kind), "rule": refusal.rule}
    found = _PLACE.match(refusal.where)
    if found is not None and found[1] == "event":
        said["seq"] = int(found[2])
    elif found is not None and version >= _ONE_EVENT_A_ROW and int(found[2]) > 1:
        said["seq"] = int(found[2]) - 2
    return {"refused": said}


def _read(case: Case) -> LogFile | Refusal:
    """Read the newest generation of the session's directory."""
    own = next(name for name in LOGS if name in case.files)
    names = {log_name(case.format, LOGS[own]): case.log, **case.beside}
    newest = select_generation(names)
    assert newest is not None, "a case's log has the name of one"
    if isinstance(newest, Refusal):
        return newest
    return read_log(
        names[newest.name],
        compression=newest.compression,
        decompressor=Zstd().inflate() if newest.compression == "zstd" else None,
        format=newest.format,
    )


def _newest(case: Case, log: SessionLog) -> SessionLog | Refusal:
    if case.format < NEWEST:
        return migrate(log, children=_children(case))
    admitted = admit(log.header, log.inherited, log.events)
    return admitted if isinstance(admitted, Refusal) else log


def _children(case: Case) -> tuple[ChildFact, ...]:
    facts = read_children(case.children)
    assert not isinstance(facts, Refusal), "the schema lets in facts alone"
    return facts


def _views(expect: Mapping[str, Any], raws: Sequence[JsonObject]) -> dict[str, Json]:
    """Return what is derived from a log of the newest format, as far as it is asked for."""
    views: dict[str, Json] = {}
    if expect.keys().isdisjoint(_VIEWS):
        return views
    try:
        events = [structure_event(raw) for raw in raws]
    except ShapeError:
        return views
    if "surface" in expect:
        views["surface"] = _surface(events)
    if "messages" in expect:
        messages = derive(events)
        views["messages"] = refused(messages) if isinstance(messages, Refusal) else list(messages)
    if "closers" in expect:
        views["closers"] = [unstructure_event(event) for event in closers(events)]
    if "fork" in expect:
        views["fork"] = _fork(events, expect["fork"]["boundary"])
    return views


def _surface(events: Sequence[Event]) -> Json:
    surface = fold(events)
    if not isinstance(surface, Surface):
        return refused(surface)
    return {
        "nodes": list(surface.nodes),
        "replaceGeneration": surface.replace_generation,
        "contentGeneration": surface.content_generation,
        "replacements": [
            {
                "seq": made.seq,
                "start": made.start,
                "end": made.end,
                "shadowedSeqs": list(made.shadowed_seqs),
            }
            for made in surface.replacements
        ],
    }


def _fork(events: Sequence[Event], boundary: Any) -> Json:
    seed = fork_seed(events, boundary)
    if isinstance(seed, Refusal):
        return {"boundary": boundary, "refused": refused(seed)["refused"]}  # type: ignore[call-overload, index]
    added: list[Json] = [unstructure_event(event) for event in seed.events[seed.inherited :]]
    return {"boundary": boundary, "inheritedEventCount": seed.inherited, "added": added}
