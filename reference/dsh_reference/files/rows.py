"""One line of a log: the header row, and event rows between their physical and logical form.

The two forms differ in one field.
A row packs the runs of its ``sourceEventSeqs`` into ``[first, last]`` pairs; an event lists them.
A row is *good* when it is an object with exactly the envelope's keys, each of the right kind, and
the seq that its place in the log demands.
What the event means is no matter of rows: `dsh_reference.admit` judges that.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeGuard

from dsh_reference.envelope import check_envelope
from dsh_reference.refusal import Refusal
from dsh_reference.values import is_count
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

_HEADER_ORDER: Final = (
    "type",
    "version",
    "id",
    "createdAt",
    "cwd",
    "parentSession",
    "isSeeded",
    "origin",
    "delegationDepth",
    "agentPreset",
)
_MIN_RUN: Final = 3
_SOURCES: Final = "sourceEventSeqs"


def header_row(header: JsonObject) -> JsonObject:
    """Return the physical form of a checked logical header, keys in the writers' order.

    A missing ``delegationDepth`` is written as 0 (HDR-ORDER, HDRL-DEPTH-OPTIONAL).
    """
    full = {"delegationDepth": 0, **header, "type": "session"}
    return {key: full[key] for key in _HEADER_ORDER if key in full}


def logical_header(row: JsonObject) -> JsonObject:
    """Return the logical form of a checked physical header."""
    return {key: value for key, value in row.items() if key != "type"}


def encode_row(event: JsonObject) -> JsonObject:
    """Return the row of an *event*, keys in the event's own order (SRCPACK-ENCODE)."""
    if _SOURCES not in event:
        return event
    return {**event, _SOURCES: _pack(event[_SOURCES])}


def decode_row(row: Json, seq: int) -> JsonObject | Refusal:
    """Return the event of a good *row* at place *seq*.

    The refusal names the first rule that a bad row breaks; it is the caller who knows whether
    the row is damage or only the torn end of the log.
    """
    refusal = check_envelope(row, seq)
    if refusal is not None:
        return refusal
    assert isinstance(row, Mapping)
    if _SOURCES not in row:
        return row
    sources = _unpack(row[_SOURCES], seq)
    if sources is None:
        return _bad(seq, "SRCPACK-DECODE-V2PLUS", "sourceEventSeqs packs no list of earlier seqs")
    return {**row, _SOURCES: sources}


def check_row(event: Json, seq: int) -> Refusal | None:
    """Say why no row at place *seq* can hold *event*, where none can."""
    refusal = check_envelope(event, seq)
    if refusal is not None:
        return refusal
    assert isinstance(event, Mapping)
    if _SOURCES not in event or _cites_earlier(event[_SOURCES], seq):
        return None
    return _bad(
        seq, "SRCPACK-DECODE-V2PLUS", "sourceEventSeqs must be distinct seqs of earlier events"
    )


def _cites_earlier(sources: Json, seq: int) -> bool:
    """Whether *sources* is a flat list of distinct seqs below *seq*."""
    if not _is_list(sources):
        return False
    counts = {source for source in sources if is_count(source) and source < seq}
    return len(counts) == len(sources)


def _pack(sources: Json) -> Json:
    if not _is_list(sources):
        return sources
    seqs = [int(source) for source in sources if is_count(source)]
    if len(seqs) < len(sources) or not _increases(seqs):
        return sources
    packed: list[Json] = []
    start = 0
    for at in range(1, len(seqs) + 1):
        if at == len(seqs) or seqs[at] != seqs[at - 1] + 1:
            run = seqs[start:at]
            packed.extend(run if len(run) < _MIN_RUN else [[run[0], run[-1]]])
            start = at
    return packed


def _unpack(packed: Json, seq: int) -> list[int] | None:
    """Return the flat list that *packed* stands for in an event at *seq*, if it can be one."""
    if not _is_list(packed):
        return None
    seqs: list[int] = []
    for entry in packed:
        match entry:
            case [first, last] if is_count(first) and is_count(last) and first <= last < seq:
                seqs.extend(range(int(first), int(last) + 1))
            case _ if is_count(entry):
                seqs.append(int(entry))
            case _:
                return None
        if len(seqs) > seq:
            return None
    has_pair = any(_is_list(entry) for entry in packed)
    is_sound = _increases(seqs) if has_pair else len(set(seqs)) == len(seqs)
    return seqs if is_sound and max(seqs, default=-1) < seq else None


def _increases(seqs: Sequence[int]) -> bool:
    return all(left < right for left, right in pairwise(seqs))


def _is_list(value: Json) -> TypeGuard[Sequence[Json]]:
    return isinstance(value, Sequence) and not isinstance(value, str | Mapping)


def _bad(seq: int, rule: str, problem: str) -> Refusal:
    return Refusal(kind=RefusalKind.CORRUPT, rule=rule, where=f"event {seq}", problem=problem)
