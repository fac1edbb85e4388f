"""The cited seqs of a row: a run of them is written as a pair of its first and last.

Formats v2 and later ask more of a list than v0 and v1 did: there each cited seq is an earlier one
and none is cited twice, in any list and not only in one with a pair.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeGuard

from dsh_reference.values import is_count
from dsh_spec.catalogue import Format
from dsh_spec.values import Json

#: The key of the list, in rows and in events.
SOURCES: Final = "sourceEventSeqs"
_MIN_RUN: Final = 3


def pack_sources(sources: Json) -> Json:
    """Return what stands in a row for the list of an event (SRCPACK-ENCODE; facts: events §1.6)."""
    if not is_list(sources):
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


def unpack_sources(packed: Json, seq: int, format: Format) -> list[int] | None:  # noqa: A002 - the word for it
    """Return the list that *packed* stands for in an event at *seq*; ``None`` where it is bad.

    (SRCPACK-DECODE-V0V1, SRCPACK-DECODE-V2PLUS; facts: events §1.6, probed on 0.2.1rc2.)
    """
    if not is_list(packed):
        return None
    seqs = _expanded(packed, seq)
    if seqs is None:
        return None
    if any(map(is_list, packed)) and not _increases(seqs):
        return None
    if format >= 2 and (len(set(seqs)) < len(seqs) or max(seqs, default=-1) >= seq):
        return None
    return seqs


def cites_earlier(sources: Json, seq: int) -> bool:
    """Tell whether *sources* is a flat list of distinct seqs below *seq*."""
    if not is_list(sources):
        return False
    counts = {source for source in sources if is_count(source) and source < seq}
    return len(counts) == len(sources)


def is_list(value: Json) -> TypeGuard[Sequence[Json]]:
    """Tell whether a value is a JSON array."""
    return isinstance(value, Sequence) and not isinstance(value, str | Mapping)


def _expanded(packed: Sequence[Json], seq: int) -> list[int] | None:
    """Expand the pairs; a list longer than *seq* is bad, so the work has a bound."""
    seqs: list[int] = []
    for entry in packed:
        match entry:
            case [first, last] if is_count(first) and is_count(last) and first <= last:
                if last - first >= seq:
                    return None
                seqs.extend(range(int(first), int(last) + 1))
            case _ if is_count(entry):
                seqs.append(int(entry))
            case _:
                return None
        if len(seqs) > seq:
            return None
    return seqs


def _increases(seqs: Sequence[int]) -> bool:
    return all(left < right for left, right in pairwise(seqs))
