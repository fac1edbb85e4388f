"""Envelopes that a format does not take, and whose business each is.

In formats v0 and v1 the decoder looks at almost nothing, and the edge from v2 refuses; from v2 on
the decoder looks itself, and what it refuses at the end of a file counts as a torn tail.

Source: facts events RD-V0V1-LATE-ENVELOPE, RD-V2-ENVELOPE-EARLY, §1; migration §3.3, §3.5;
rules MIG23-ENVELOPE, MIG23-SURFACEOP-REQUIRED, INV-RECOVER.
"""

from collections.abc import Iterator

from dsh_conformance.generate.formats.breaches.breach import (
    Breach,
    Change,
    NearMiss,
    Write,
    at,
    committed,
    drops,
    puts,
    tampered,
)
from dsh_conformance.generate.formats.breaches.members import PAYLOAD
from dsh_conformance.generate.formats.state import Past
from dsh_conformance.generate.state import Raw
from dsh_spec.refusals import RefusalKind

_ANY = "turn/start"
#: The rule of what no decoder takes, once a `turn/end` stands behind it.
_COMMITTED = "INV-RECOVER"

#: What is wrong with the envelope of any event.
_WRONG: tuple[tuple[str, Change], ...] = (
    ("envelope with another key", puts("acme", 1)),
    ("ignorable false", puts("ignorable", value=False)),
    ("ignorable 1", puts("ignorable", 1)),
    ("ignorable null", puts("ignorable", None)),
    ("fractional time", puts("time", 0.5)),
    ("time beyond 2^53 - 1", puts("time", 2**53)),
    ("time is text", puts("time", "0")),
    ("time is null", puts("time", None)),
    ("event without time", drops("time")),
)


#: What only looks wrong with it.
_ODD: tuple[tuple[str, Change], ...] = (
    ("time before 1970", puts("time", -(2**53 - 1))),
    ("time with a point", puts("time", 1.0)),
    ("known type marked ignorable", puts("ignorable", value=True)),
)


def _unmarked(event: Raw) -> bool:
    return drops("surfaceOp")(event)


def _cites(value: object) -> Change:
    return puts("sourceEventSeqs", value)


def _itself(event: Raw) -> bool:
    event["sourceEventSeqs"] = [event["seq"]]
    return True


def _replacing(path: str, value: object) -> Change:
    """Change a member of a replacing operation."""
    change = puts(f"surfaceOp.{path}", value)
    return lambda event: isinstance(at(event, "surfaceOp"), dict) and change(event)


def _renamed(event: Raw) -> bool:
    """Use the names of the other formats for the ends of the range."""
    operation = at(event, "surfaceOp")
    if not isinstance(operation, dict):
        return False
    names = {"start": "startSeq", "end": "endSeq", "startSeq": "start", "endSeq": "end"}
    event["surfaceOp"] = {names.get(key, key): value for key, value in operation.items()}
    return True


#: What is wrong with the surface members of an event of that type.
_SURFACE: tuple[tuple[str, str, str, Change], ...] = (
    ("MIG23-SURFACEOP-REQUIRED", "surface event without operation", "user/message", _unmarked),
    ("MIG23-SURFACEOP-REQUIRED", "result without operation", "tool/result", _unmarked),
    ("MIG23-ENDPOINTS", "null operation", "user/message", puts("surfaceOp", None)),
    ("MIG23-ENDPOINTS", "unknown operation", "user/message", puts("surfaceOp", "prepend")),
    (
        "MIG23-SURFACEOP-REQUIRED",
        "operation on a log-only event",
        _ANY,
        puts("surfaceOp", "append"),
    ),
    ("MIG23-SURFACEOP-REQUIRED", "sources on a log-only event", "turn/end", _cites([0])),
    ("MIG23-ENDPOINTS", "key names of another format", "user/message", _renamed),
    ("MIG23-SURFACEOP-REQUIRED", "empty sources", "user/message", _cites([])),
)
_SOURCES: tuple[tuple[str, str, Change], ...] = (
    ("MIG23-REFS", "source is the event itself", _itself),
    ("MIG23-SURFACEOP-REQUIRED", "source cited twice", _cites([0, 0])),
)
#: What the edge from v1 trips over while it renumbers the ends of a range.
_REMAPPED = frozenset(("null operation", "unknown operation", "key names of another format"))
#: The edge from v1 writes operations anew, and loses a key that is too many.
_FOURTH = ("operation with a fourth key", tampered("user/message", _replacing("x", 1)))


def breaches(version: Past) -> Iterator[Breach]:
    """Return the breaches of a format's envelopes."""
    for name, change in _WRONG:
        yield _breach(version, "MIG23-ENVELOPE", name, tampered(_ANY, change), _ROWS)
    for rule, name, kind, change in _SURFACE:
        narrowest = "MIG12-REFS-CONSUMED" if version < 2 and name in _REMAPPED else rule
        yield _breach(version, narrowest, name, tampered(kind, change), _SURFACE_ROWS)
    for rule, name, change in _SOURCES:
        yield _breach(version, rule, name, tampered("user/message", change), _ROWS)
    if version >= 2:
        yield _breach(version, "MIG23-ENDPOINTS", *_FOURTH, _SURFACE_ROWS)
    rule = PAYLOAD.get(version, _COMMITTED)
    yield _breach(version, rule, "event without data", tampered(_ANY, drops("data")), _ROWS)
    for name, value in (("source is text", ["0"]), ("sources are null", None)):
        write = committed(tampered("user/message", _cites(value)))
        yield Breach(_COMMITTED, name, write, noticed="row", kind=RefusalKind.CORRUPT)
    write = committed(tampered("plan/mode", _skips))
    yield Breach(_COMMITTED, "seq skips", write, noticed="row", kind=RefusalKind.CORRUPT)


def _skips(event: Raw) -> bool:
    event["seq"] += 1
    return True


#: From which format on the decoder itself looks at these.
_ROWS, _SURFACE_ROWS = 2, 3


def _breach(version: Past, rule: str, name: str, write: Write, rows: int) -> Breach:
    """Return a breach that the edge refuses, or the decoder from a format on."""
    if version < rows:
        return Breach(rule, name, write)
    return Breach(
        _COMMITTED,
        name,
        committed(write),
        noticed="row",
        kind=RefusalKind.CORRUPT,
    )


def near_misses(version: Past) -> Iterator[NearMiss]:
    """Return odd envelopes that are taken."""
    yield NearMiss("MIG23-ENVELOPE", "time before 1970", tampered(_ANY, puts("time", -(2**53 - 1))))
    yield NearMiss("MIG23-ENVELOPE", "integral fraction", tampered(_ANY, puts("time", 1.0)))
    yield NearMiss(
        "MIG23-ENVELOPE", "known type marked", tampered(_ANY, puts("ignorable", value=True))
    )
    torn = tampered("plan/mode", _skips)
    yield NearMiss(_COMMITTED, "last seq skips", torn)
    if version >= 2:
        torn = tampered("plan/mode", puts("acme", 1))
        yield NearMiss(_COMMITTED, "last envelope with another key", torn)
