"""A stored log as the reader of its own format takes it.

The reader of v4 judges a whole log (:mod:`dsh_reference.admit`).
That of v3 judges less: each row, the type of each event, where the inherited prefix ends, and
whether each message could go into a request.
It looks at no event beside another one, so a log whose turns are out of order is read as it lies.
"""

from collections.abc import Sequence

from attrs import evolve

from dsh_reference.admit import admit
from dsh_reference.files import Compression, Decompressor, LogFile, decode_row, is_cut, read_log
from dsh_reference.files.v3 import check_hard_v3
from dsh_reference.header import VERSION
from dsh_reference.refusal import Refusal
from dsh_reference.session.shapes import check_message
from dsh_spec.catalogue import Format
from dsh_spec.events import event_types
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject, is_object


def load_stored(
    data: bytes,
    *,
    compression: Compression,
    decompressor: Decompressor | None = None,
    format: Format = VERSION,  # noqa: A002 - the word of the specification
) -> LogFile | Refusal:
    """Read a whole log of the format that its name says, and have it admitted.

    (STORE-REFUSES-BROKEN-LOG, STORE-FAIL-CLOSED-VOCAB.)
    """
    log = read_log(data, compression=compression, decompressor=decompressor, format=format)
    if isinstance(log, Refusal):
        return foreign(log)
    return admit_stored(log.header, log.inherited, log.events, format=format) or log


def foreign(refusal: Refusal) -> Refusal:
    """Call a log of another format than its name says unsupported, as the format's own reader does.

    Source: HDR-VERSION-FIRST, STORE-VERSION-GATE (observed on 0.2.1rc2 and 0.1.5rc1).
    """
    if refusal.rule != "ROW-ONE-VERSION":
        return refusal
    return evolve(refusal, kind=RefusalKind.UNSUPPORTED_FORMAT, rule="HDR-VERSION-FIRST")


def admit_stored(
    header: JsonObject,
    inherited: int,
    events: Sequence[Json],
    *,
    format: Format = VERSION,  # noqa: A002 - the word of the specification
) -> Refusal | None:
    """Say why the reader of a format refuses a log of it, or nothing.

    The refusal's kind is ``unsupported-format`` or ``corrupt``.

    Source: STORE-REFUSES-BROKEN-LOG, STORE-FAIL-CLOSED-VOCAB (observed on 0.2.1rc2 and 0.1.5rc1).
    """
    if format == VERSION:
        admitted = admit(header, inherited, events)
        return admitted if isinstance(admitted, Refusal) else None
    for seq, event in enumerate(events):
        refusal = _check_type(event, seq, format) or _check_event(event, seq, format)
        if refusal is not None:
            return evolve(refusal, where=f"event {seq}")
    return _check_cut(header, inherited, events)


def _check_type(event: Json, seq: int, format: Format) -> Refusal | None:  # noqa: A002 - the word of the specification
    """INV-VOCAB, INV-NO-FALLBACK."""
    if not is_object(event) or event.get("ignorable") is True:
        return None
    match event:
        case {"type": "request/header", "data": {"reason": "fallback"}}:
            return _unsupported(seq, "INV-NO-FALLBACK", "the reason 'fallback' is retired")
        case {"type": str(kind)} if kind not in event_types(format):
            problem = f"the type {kind[:80]!r} is unknown and required"
            return _unsupported(seq, "INV-VOCAB", problem)
    return None


def _check_event(event: Json, seq: int, format: Format) -> Refusal | None:  # noqa: A002 - the word of the specification
    """Judge one event on its own: its row, and the message in it."""
    hard = check_hard_v3(event) if format == 3 and is_object(event) else None
    row = hard or decode_row(event, seq, format)
    if isinstance(row, Refusal):
        return evolve(row, kind=RefusalKind.CORRUPT)
    refusal = check_message(row, format)
    return None if refusal is None else evolve(refusal, kind=RefusalKind.CORRUPT)


def _check_cut(header: JsonObject, inherited: int, events: Sequence[Json]) -> Refusal | None:
    """CUT-V2PLUS, CUT-EXACT."""
    marks = [seq for seq, event in enumerate(events) if is_object(event) and is_cut(event)]
    is_seeded = header["isSeeded"] is True
    if is_seeded != bool(marks):
        problem = "it is seeded and has no inherited end-seed, or has one and is not seeded"
        return _corrupt("CUT-V2PLUS", problem)
    if marks and inherited != marks[-1]:
        return _corrupt("CUT-EXACT", f"{inherited} events are not its inherited prefix")
    return None


def _unsupported(seq: int, rule: str, problem: str) -> Refusal:
    kind = RefusalKind.UNSUPPORTED_FORMAT
    return Refusal(kind=kind, rule=rule, where=f"event {seq}", problem=problem)


def _corrupt(rule: str, problem: str) -> Refusal:
    return Refusal(kind=RefusalKind.CORRUPT, rule=rule, where="log", problem=problem)
