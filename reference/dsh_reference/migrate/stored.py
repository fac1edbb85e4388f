"""The log as it was stored: what no reader of its own format would have read is no log of it."""

from collections.abc import Sequence

from attrs import evolve

from dsh_reference.files.rows import decode_row
from dsh_reference.files.v3 import check_hard_v3
from dsh_reference.migrate.cut import is_mark
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.values import is_count
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, is_object


def first_unread(log: SessionLog, format: Format) -> tuple[int, Refusal] | None:  # noqa: A002 - the word for it
    """Return the first place at which a log is none of its format, and why; in v0 and v1 few are.

    A place behind the last event means the log as a whole.

    The refusal's kind is ``corrupt``, and ``unsupported-migration`` for what v3 retired.

    Source: MIG-RECOVER-V01-THIN, MIG-RECOVER-V2, MIG-RECOVER-V3 (facts: migration §0).
    """
    events: Sequence[Json] = log.events
    for seq, event in enumerate(events):
        refusal = (_check_hard(event) if format == 3 else None) or _check_row(event, seq, format)
        if refusal is not None:
            return seq, evolve(refusal, where=f"event {seq}")
    refusal = _check_length(log) if format < 2 else _check_count(log)
    return None if refusal is None else (len(events), refusal)


def _check_length(log: SessionLog) -> Refusal | None:
    """Hold the stated count to the header; that there are so many events is the edge's to see.

    Source: MIG01-CUT (facts: migration §1.1).
    """
    if is_count(log.inherited) and (log.inherited == 0 or log.header["isSeeded"] is True):
        return None
    return _corrupt("MIG01-CUT", f"{log.inherited} inherited events are none that a header states")


def _check_count(log: SessionLog) -> Refusal | None:
    """Hold the stated count to the marker; one that the header has no room for is the edge's.

    Source: CUT-V2PLUS, CUT-EXACT (facts: events §2.3; probed on 0.2.1rc2).
    """
    marks = [seq for seq, event in enumerate(log.events) if is_mark(event)]
    if log.header["isSeeded"] is True and not marks:
        return _corrupt("CUT-V2PLUS", "it is seeded and has no inherited end-seed")
    is_right = log.inherited == (marks[-1] if marks else 0)
    if is_right or (marks and log.header["isSeeded"] is False):
        return None
    return _corrupt("CUT-EXACT", f"{log.inherited} events are not its inherited prefix")


def _corrupt(rule: str, problem: str) -> Refusal:
    return Refusal(kind=RefusalKind.CORRUPT, rule=rule, where="log", problem=problem)


def _check_row(event: Json, seq: int, format: Format) -> Refusal | None:  # noqa: A002 - the word for it
    row = decode_row(event, seq, format)
    return row if isinstance(row, Refusal) else None


def _check_hard(event: Json) -> Refusal | None:
    """Refuse what a reader of v3 refuses wherever it stands."""
    if is_object(event) and isinstance(event.get("type"), str):
        return check_hard_v3(event)
    return None
