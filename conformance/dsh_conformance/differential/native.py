"""What the reference expects of the runtimes that wrote the older formats.

It judges no log as they did; but a sound log that it can migrate they must read, and whatever they
read they must read the same.  So nothing is expected of a log that has no migration.
"""

from dsh_conformance.differential import ours
from dsh_conformance.differential.judgement import ADMITTED, Judgement
from dsh_conformance.differential.specimen import Specimen, header_row
from dsh_reference.closers import closers_of
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.store.seam.legacy import present
from dsh_spec.values import JsonObject


def as_v3(specimen: Specimen) -> Judgement | None:
    """Return what the runtime of format 3 reads of its own log: the stored events."""
    log = _migratable(specimen)
    if log is None:
        return None
    closers = closers_of(log.events, format=3)
    return Judgement(verdict=ADMITTED, log=log, closers=list(closers))


def as_v0(specimen: Specimen) -> Judgement | None:
    """Return what the runtime of format 0 reads of its own log: its early shapes mended."""
    log = _migratable(specimen)
    if log is None:
        return None
    events = present(log.events, specimen.session)
    if isinstance(events, Refusal):
        return ours.refused(events)
    row = header_row(log)
    header: JsonObject = {key: value for key, value in row.items() if key != "type"}
    shown = SessionLog(header=header, inherited=0, events=events)
    closers = closers_of(events, format=0)
    return Judgement(verdict=ADMITTED, log=shown, closers=list(closers))


def _migratable(specimen: Specimen) -> SessionLog | None:
    log = ours.read(specimen)
    if isinstance(log, Refusal) or ours.current(specimen).verdict != ADMITTED:
        return None
    return log
