"""One line of a log between its physical and its logical form.

A row is an event, save that a list of cited seqs may be packed, and that in v0 and v1 a run of
chunks may be one row (`dsh_reference.files.chunks`).
A row is *good* when it has the form that its format asks of a row, and the seq that its place in
the log demands:

- v0 and v1 ask for an object, a list of sources that can be expanded, and the seq; whatever else
  is wrong with an event is for the migration to refuse (MIG-RECOVER-V01-THIN);
- v2 and later ask for the whole envelope (MIG-RECOVER-V2);
- v3 asks besides what `dsh_reference.files.v3` says (MIG-RECOVER-V3).

What an event means is no matter of rows.

A line is one event (ROW-KINDS), a line may be refused that is no UTF-8 (ROW-UTF8), and a row has
a valid seq before its ranges are expanded (SRCPACK-SEQ-FIRST).
"""

from collections.abc import Iterable, Iterator, Sequence

from dsh_reference.envelope import check_envelope
from dsh_reference.files.chunks import is_packed, pack_rows, unpack_row
from dsh_reference.files.sources import SOURCES, cites_earlier, pack_sources, unpack_sources
from dsh_reference.files.v3 import check_v3
from dsh_reference.header import VERSION
from dsh_reference.refusal import Refusal
from dsh_reference.values import is_count
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject, is_object


def encode_row(event: JsonObject) -> JsonObject:
    """Return the row of an *event*, keys in the event's own order (SRCPACK-ENCODE)."""
    if SOURCES not in event:
        return event
    return {**event, SOURCES: pack_sources(event[SOURCES])}


def encode_rows(events: Sequence[JsonObject], format: Format) -> Iterator[JsonObject]:  # noqa: A002 - the word for it
    """Yield the rows of one batch, as the writers of the format write them.

    v0 packs chunks and no sources, v1 both, and v2 and later have no chunks to pack
    (CHUNKROW-ENCODE, SRCPACK-ENCODE; facts: events §1.6, §6.2).
    """
    rows: Iterable[JsonObject] = pack_rows(events) if format < 2 else events
    return iter(rows) if format == 0 else map(encode_row, rows)


def decode_row(row: Json, seq: int, format: Format = VERSION) -> JsonObject | Refusal:  # noqa: A002 - the word for it
    """Return the event of a good *row* at place *seq*; not for packed rows, which hold several.

    The refusal names the first rule that a bad row breaks; it is the caller who knows whether the
    row is damage or only the torn end of the log.
    """
    refusal = _check_thin(row, seq) if format < 2 else check_envelope(row, seq)
    if refusal is not None:
        return refusal
    assert is_object(row)
    if SOURCES in row:
        sources = unpack_sources(row[SOURCES], seq, format)
        if sources is None or not is_count(row["seq"]):
            return _bad_sources(seq, format, "sourceEventSeqs packs no list of earlier seqs")
        row = {**row, SOURCES: sources}
    if format == 3:
        refusal = check_v3(row)
    return refusal or row


def expand_row(row: Json, seq: int, format: Format) -> Iterable[JsonObject] | Refusal:  # noqa: A002 - the word for it
    """Return the events of a good row of any kind, the first of which is at place *seq*."""
    if format < 2 and is_object(row) and is_packed(row):
        return unpack_row(row, seq)
    event = decode_row(row, seq, format)
    return event if isinstance(event, Refusal) else (event,)


def fits_elsewhere(row: JsonObject, format: Format) -> bool:  # noqa: A002 - the word for it
    """Tell whether *row* would be good if only it stood where its seq says (MIG-RECOVER-PREFIX)."""
    if format >= 2 and "seq" not in row:
        return False
    own = row.get("seq")
    seq = int(own) if is_count(own) else 0
    if seq != own and SOURCES in row:
        return False
    event = decode_row({**row, "seq": seq}, seq, format if format != 3 else 2)
    return not isinstance(event, Refusal)


def check_row(event: Json, seq: int) -> Refusal | None:
    """Say why no row at place *seq* can hold *event*, where none can."""
    refusal = check_envelope(event, seq)
    if refusal is not None:
        return refusal
    assert is_object(event)
    if SOURCES not in event or cites_earlier(event[SOURCES], seq):
        return None
    return _bad_sources(seq, VERSION, "sourceEventSeqs must be distinct seqs of earlier events")


def _check_thin(row: Json, seq: int) -> Refusal | None:
    """MIG-RECOVER-V01-THIN: the seq is compared as a number, so that -0 is the first one's."""
    if not is_object(row):
        return _bad(seq, "ENV-KEYS", "it is no object")
    own = row.get("seq")
    if isinstance(own, int | float) and not isinstance(own, bool) and own == seq:
        return None
    return _bad(seq, "ENV-SEQ-CONTIGUOUS", f"the seq is {str(own)[:40]}, not {seq}")


def _bad_sources(seq: int, format: Format, problem: str) -> Refusal:  # noqa: A002 - the word for it
    rule = "SRCPACK-DECODE-V0V1" if format < 2 else "SRCPACK-DECODE-V2PLUS"
    return _bad(seq, rule, problem)


def _bad(seq: int, rule: str, problem: str) -> Refusal:
    return Refusal(kind=RefusalKind.CORRUPT, rule=rule, where=f"event {seq}", problem=problem)
