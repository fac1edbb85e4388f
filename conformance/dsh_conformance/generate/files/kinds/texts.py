"""What is a line, and what is a JSON text.

Source: facts persistence §4.4, events §8; field reports F24, F25.
"""

from collections.abc import Callable, Iterator

from dsh_conformance.generate.files.basis import Basis, lines
from dsh_conformance.generate.files.kind import PLAIN, Kind, Make
from dsh_conformance.generate.files.kinds.damage import lost, torn
from dsh_conformance.generate.files.rows import note
from dsh_conformance.generate.files.specimen import Made, reads, refused
from dsh_conformance.generate.files.spelling import (
    Spell,
    escaped,
    floating,
    plain,
    repeated,
    spaced,
    turned,
)
from dsh_conformance.generate.tape import Tape
from dsh_spec.values import JsonObject

#: Characters that other splitters of lines break at.
_BREAKS = "a\u2028b\u2029c\u0085d"
#: What lenient parsers take for JSON: the text of a note, changed in one place.
_LENIENT: tuple[tuple[str, bytes, bytes], ...] = (
    ("a trailing comma", b"}", b",}"),
    ("a comment", b'"time"', b'/* when */"time"'),
    ("NaN", b'"data":{}', b'"data":NaN'),
    ("Infinity", b'"data":{}', b'"data":-Infinity'),
    ("a key without quotes", b'"time"', b"time"),
    ("single quotes", b'"acme/note"', b"'acme/note'"),
    ("a leading zero", b'"time":0', b'"time":00'),
    ("a plus sign", b'"time":0', b'"time":+1'),
    ("a control character", b"acme/note", b"acme\x01note"),
    ("two values", b'"ignorable":true}', b'"ignorable":true}{}'),
    ("a form feed", b'"time"', b'\x0c"time"'),
)


def _lenient(found: bytes, put: bytes) -> Callable[[int, Tape], bytes]:
    """Return the line of a note in which the last *found* is *put*."""

    def bad(seq: int, _: Tape) -> bytes:
        before, _found, after = plain(note(seq)).rpartition(found)
        return before + put + after

    return bad


def _spelled(spell: Spell, **members: object) -> Make:
    """Spell the log's rows, and a note more, in another way."""

    def make(basis: Basis, _: Tape) -> Made:
        last = note(basis.count, **members)  # type: ignore[arg-type]
        events: list[JsonObject] = [*basis.log.events, last]
        body = lines(map(spell, events))
        return reads(basis, basis.encoded(basis.header, body), more=(last,))

    return make


def _header(spell: Spell) -> Make:
    """Spell the header line in another way."""

    def make(basis: Basis, _: Tape) -> Made:
        return reads(basis, basis.file(header=spell(basis.head) + b"\n"))

    return make


def _lenient_header(found: bytes, put: bytes) -> Make:
    def make(basis: Basis, _: Tape) -> Made | None:
        before, it, after = basis.header.rpartition(found)
        return refused(basis.file(header=before + put + after)) if it else None

    return make


def kinds() -> Iterator[Kind]:
    """Return them."""
    for says, found, put in _LENIENT:
        bad = _lenient(found, put)
        for what, make in (("ends the log", torn(bad)), ("lies before a turn/end", lost(bad))):
            yield Kind("JSON-TEXT", f"a row with {says} {what}", make, compressions=PLAIN)
    for says, found, put in (
        ("a trailing comma", b"}", b",}"),
        ("a comment", b'"id"', b'/* who */"id"'),
        ("a number with a leading zero", b'"delegationDepth":', b'"delegationDepth":0'),
    ):
        yield Kind("JSON-TEXT", f"the header has {says}", _lenient_header(found, put))
    yield Kind("JSON-TEXT", "rows of escapes", _spelled(escaped))
    yield Kind("JSON-TEXT", "integers with an exponent", _spelled(floating))
    yield Kind("JSON-DUPKEY", "keys twice in each row", _spelled(repeated))
    yield Kind("JSON-DUPKEY", "keys twice in the header", _header(repeated))
    yield Kind("ROW-LF", "other line breaks within strings", _spelled(plain, data=_BREAKS))
    yield Kind("ROW-LF", "carriage returns between members", _spelled(spaced))
    yield Kind("ROW-LF", "a carriage return behind the header", _header(spaced))
    yield Kind("HDR-ORDER", "header keys from back to front", _header(turned))
