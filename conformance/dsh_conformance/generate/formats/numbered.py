"""Logs that a number settles instead of chance: the same in every run and on every machine."""

from hashlib import shake_128

from dsh_conformance.generate.formats.draft import Draft
from dsh_conformance.generate.formats.grammar import BEATS, PARTICULARS, WHIMS, Batch
from dsh_conformance.generate.formats.logs import CHOICES, PARENT, write_draft
from dsh_conformance.generate.formats.state import Past

_BATCH = BEATS * (1 + PARTICULARS + WHIMS)


def numbered(version: Past, number: int) -> Draft:
    """Return log *number* of format *version*; it has up to nine batches."""
    count = PARENT + number % 10
    strip = shake_128(f"{version}/{number}".encode()).digest(CHOICES + count * _BATCH)
    batches = [_batch(strip[CHOICES + at * _BATCH :]) for at in range(count)]
    return write_draft(version, strip[:CHOICES], batches[:PARENT], batches[PARENT:])


def _batch(strip: bytes) -> Batch:
    end = BEATS * (1 + PARTICULARS)
    return strip[:BEATS], strip[BEATS:end], strip[end:_BATCH]
