"""What an implementation claims of the track."""

from collections.abc import Sequence
from typing import TypeAlias

from dsh_conformance.generate.formats import FORMATS, Format
from dsh_reference.files import Compression
from dsh_spec.values import JsonObject

#: A format in an encoding.
Spot: TypeAlias = tuple[Format, Compression]

_COMPRESSIONS: tuple[Compression, ...] = ("none", "zstd")


def claimed(claims: JsonObject) -> tuple[Spot, ...]:
    """Return the formats and encodings that an implementation reads and writes, newest first."""
    formats, compressions = _listed(claims, "formats"), _listed(claims, "compression")
    return tuple(
        (version, compression)
        for version in reversed(FORMATS)
        if version in formats
        for compression in _COMPRESSIONS
        if compression in compressions
    )


def _listed(claims: JsonObject, member: str) -> Sequence[object]:
    found = claims.get(member)
    return found if isinstance(found, list | tuple) else ()
