"""What the reference makes of a file."""

from collections.abc import Sequence

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.differential.judgement import ADMITTED, REFUSED, Judgement
from dsh_conformance.differential.specimen import Specimen
from dsh_reference.admit import admit
from dsh_reference.derive import derive
from dsh_reference.files import read_log
from dsh_reference.migrate import ChildFact, child_fact, is_child, migrate
from dsh_reference.refusal import Refusal
from dsh_reference.repair import closers
from dsh_reference.session_log import SessionLog
from dsh_spec.events import Event, structure_event, unstructure_event


def read(specimen: Specimen) -> SessionLog | Refusal:
    """Return the log in its own format."""
    found = read_log(
        specimen.data,
        compression=specimen.compression,
        decompressor=Zstd().inflate() if specimen.compression == "zstd" else None,
        format=specimen.format,
    )
    if isinstance(found, Refusal):
        return found
    return SessionLog(header=found.header, inherited=found.inherited, events=found.events)


def current(specimen: Specimen) -> Judgement:
    """Judge a file as the current runtime does, which reads every format as its own."""
    log = read(specimen)
    newest = log if isinstance(log, Refusal) else _newest(specimen, log)
    if isinstance(newest, Refusal):
        return refused(newest)
    return _shown(newest, [structure_event(event) for event in newest.events])


def refused(refusal: Refusal) -> Judgement:
    """Return the judgement that a refusal is."""
    words = f"[{refusal.rule}] {refusal.where}: {refusal.problem}"
    return Judgement(verdict=str(refusal.kind), words=words)


def _newest(specimen: Specimen, log: SessionLog) -> SessionLog | Refusal:
    if specimen.format == 4:
        admitted = admit(log.header, log.inherited, log.events)
        return admitted if isinstance(admitted, Refusal) else log
    return migrate(log, to=4, children=_children(specimen, log))


def _children(specimen: Specimen, log: SessionLog) -> list[ChildFact]:
    """Return the facts of all that call themselves children, the log itself not excepted."""
    session = str(log.header["id"])
    others = [(child.log.header, read(child)) for child in specimen.family]
    return [
        child_fact(header, found)
        for header, found in ((log.header, log), *others)
        if is_child(header, session)
    ]


def _shown(log: SessionLog, events: Sequence[Event]) -> Judgement:
    messages = derive(events)
    return Judgement(
        verdict=ADMITTED,
        log=log,
        messages=REFUSED if isinstance(messages, Refusal) else list(messages),
        closers=[unstructure_event(event) for event in closers(events)],
    )
