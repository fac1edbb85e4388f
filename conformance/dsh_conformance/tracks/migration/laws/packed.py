"""Law: a stream does not show how the rows of the stored log had packed its chunks.

Rows are a matter of files, so this is asked of implementations that read files of v0 or v1 too:
one log is read from a file that packs nothing and from one that packs all it can, and what comes of
the two readings is migrated.
"""

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from attrs import frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats import Past, logs
from dsh_conformance.implementation.outcome import Ok
from dsh_conformance.logs.writing import log_bytes
from dsh_conformance.tracks.migration.claims import PACKING, claimed
from dsh_conformance.tracks.migration.history import as_params, history_of
from dsh_conformance.tracks.migration.laws.result import told
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import Accepted, Check, Equals
from dsh_reference.files import batch_lines, header_line
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.values import Json, JsonObject

#: The rule.
RULE = "MIG12-REC-PACKED"


@frozen(kw_only=True)
class Case:
    """A log in two files."""

    #: The log.
    log: SessionLog
    #: What becomes of it.
    events: tuple[JsonObject, ...]
    #: The files, and what they do with chunks.
    files: tuple[tuple[str, bytes], ...]


@st.composite
def _cases(draw: st.DrawFn, versions: tuple[Past, ...]) -> Case:
    version = draw(st.sampled_from(versions))
    log = draw(logs(version).filter(_packs))
    history = history_of(log)
    assert not isinstance(history, Refusal)
    packings = (("in rows of their own", _rows(log)), ("packed", _packed(log)))
    return Case(log=log, events=history.result.events, files=packings)


def _packs(log: SessionLog) -> bool:
    return _packed(log) != _rows(log)


def _packed(log: SessionLog) -> bytes:
    return log_bytes(log, "none")


def _rows(log: SessionLog) -> bytes:
    """Return a file in which every event was flushed by itself."""
    rows = (batch_lines([event], log.format) for event in log.events)
    return b"".join((header_line(log.header, log.inherited), *rows))


def cases(claims: JsonObject) -> st.SearchStrategy[Case] | None:
    """Logs with chunks that can be packed."""
    packing = claims.get(PACKING)
    formats = packing if isinstance(packing, list | tuple) else ()
    versions = tuple(version for version in claimed(claims) if version in formats)
    return _cases(versions) if versions else None


def check(trial: Trial, case: Case) -> None:
    """Read and migrate a log, first unpacked and then packed.

    What is wrong with the first reading's migration has nothing to do with packing.
    """
    version = case.log.format
    for rule, (how, content) in zip(("MIG-COMPOSE", RULE), case.files, strict=True):
        text = b64encode(content).decode("ascii")
        asked: JsonObject = {"format": version, "compression": "none", "base64": text}
        says = f"read {told(case.log)} whose chunks are {how}"
        read = trial.call("files/read", asked, Check(RULE, Accepted()), says=says)
        expected = Check(rule, Equals(("events",), list(case.events)))
        trial.call(
            "migration/migrate",
            as_params(_log(read.value if isinstance(read, Ok) else None)),
            expected,
            says="migrate what was read",
        )


def _log(read: Json) -> SessionLog:
    """Return the log that an implementation read."""
    assert isinstance(read, Mapping)
    found: Any = read
    return SessionLog(
        header=found["header"],
        inherited=found["inheritedEventCount"],
        events=tuple(found["events"]),
    )


#: The law.
PACKED: Law[Case] = Law(name="packed", cases=cases, check=check, weight=4)
