"""Load: whether a stored log is accepted.

A log of v4 is judged as it is (:mod:`dsh_reference.admit`).  An older one is what the newest build
reads by migrating it, so it is accepted if and only if it migrates.
"""

from collections.abc import Mapping, Sequence

from attrs import evolve

from dsh_reference.admit import admit
from dsh_reference.header import check_header
from dsh_reference.migrate import migrate
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


def load(header: JsonObject, events: Sequence[Json], *, format: Format) -> Refusal | None:  # noqa: A002 - the word of the specification
    """Say why a stored log is refused, or nothing when it is accepted.

    How much of it is inherited is told by its last inherited marker.
    The refusal's kind is ``corrupt``, ``unsupported-format`` or, before v4,
    ``unsupported-migration``.
    """
    refusal = check_header(header, format)
    if refusal is not None:
        return evolve(refusal, kind=RefusalKind.CORRUPT)
    inherited = _inherited(events, format) if header["isSeeded"] or format >= 2 else 0
    if format == 4:
        found: object = admit(header, inherited, events)
    else:
        objects = tuple(event for event in events if isinstance(event, Mapping))
        if len(objects) < len(events):
            return Refusal(
                kind=RefusalKind.CORRUPT, rule="ENV-KEYS", where="log", problem="an event is none"
            )
        log = SessionLog(header=header, inherited=inherited, events=objects)
        found = migrate(log, children=())
    return found if isinstance(found, Refusal) else None


def _inherited(events: Sequence[Json], format: Format) -> int:  # noqa: A002 - the word of the specification
    """Return the place of the last inherited marker; in v0 and v1 of the last marker at all."""
    for at in range(len(events) - 1, -1, -1):
        match events[at]:
            case {"type": "session/end-seed", "data": {"inherited": True}}:
                return at
            case {"type": "session/end-seed"} if format < 2:
                return at
    return 0
