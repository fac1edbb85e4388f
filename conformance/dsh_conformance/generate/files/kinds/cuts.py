"""Where the inherited prefix ends, stated well and badly.

Source: facts events §2.3, migration §1.1 (MIG01-HDR-LOGICAL); field reports F16, F21.
"""

from collections.abc import Iterator, Sequence

from attrs import evolve

from dsh_conformance.generate.files.basis import Basis, lines, physical
from dsh_conformance.generate.files.kind import Kind
from dsh_conformance.generate.files.rows import mark, note
from dsh_conformance.generate.files.specimen import Made, is_mark, reads, refused
from dsh_conformance.generate.files.spelling import plain
from dsh_conformance.generate.formats import Format
from dsh_conformance.generate.tape import Tape
from dsh_reference.session_log import SessionLog
from dsh_spec.values import JsonObject

_OLD: tuple[Format, ...] = (0, 1)
_SINCE_V2: tuple[Format, ...] = (2, 3, 4)


def _length(basis: Basis, tape: Tape) -> Made:
    """A seedLength from none to all of the events."""
    inherited = tape.pick(min(basis.count, 200) + 1)
    return _as(basis, _seeded(basis.log, inherited))


def _nothing_inherited(basis: Basis, _: Tape) -> Made:
    """A seedLength of 0 makes a log seeded all the same."""
    return _as(basis, _seeded(basis.log, 0))


def _beyond(basis: Basis, tape: Tape) -> Made:
    log = _seeded(basis.log, basis.count + 1 + tape.pick(200))
    return refused(basis.file(header=plain(physical(log)) + b"\n"))


def _unmarked(basis: Basis, _: Tape) -> Made | None:
    """A seeded header over events of which none ends a seed."""
    if any(map(is_mark, basis.log.events)):
        return None
    log = _seeded(basis.log, 0)
    return refused(basis.file(header=plain(physical(log)) + b"\n"))


def _untagged(basis: Basis, _: Tape) -> Made:
    """An end of a seed that was not inherited says nothing of the cut."""
    other = {**mark(basis.count), "data": {}}
    tail = [other, note(basis.count + 1)]
    return reads(basis, basis.file(_rows(tail)), more=tail)


def _marked_twice(basis: Basis, _: Tape) -> Made | None:
    """The last one holds: a fork of a fork."""
    if basis.log.header["isSeeded"] is not True:
        return None
    tail = [note(basis.count), mark(basis.count + 1), note(basis.count + 2)]
    return reads(basis, basis.file(_rows(tail)), more=tail)


def _marked_unseeded(basis: Basis, _: Tape) -> Made | None:
    if basis.log.header["isSeeded"] is True:
        return None
    return refused(basis.file(_rows([mark(basis.count)])))


def _unseeded(basis: Basis, _: Tape) -> Made | None:
    if basis.log.header["isSeeded"] is True:
        return None
    return reads(basis, basis.file())


def _as(basis: Basis, log: SessionLog) -> Made:
    """Read the rows of a log under another header."""
    file = basis.file(header=plain(physical(log)) + b"\n")
    return reads(evolve(basis, log=log), file)


def _seeded(log: SessionLog, inherited: int) -> SessionLog:
    return evolve(log, header={**log.header, "isSeeded": True}, inherited=inherited)


def _rows(events: Sequence[JsonObject]) -> bytes:
    return lines(map(plain, events))


def kinds() -> Iterator[Kind]:
    """Return them."""
    yield Kind("CUT-V0V1", "a seedLength", _length, _OLD)
    yield Kind("CUT-V0V1", "a seedLength beyond the end", _beyond, _OLD)
    yield Kind("MIG01-HDR-LOGICAL", "a seedLength of nothing", _nothing_inherited, _OLD)
    yield Kind("MIG01-HDR-LOGICAL", "no seedLength", _unseeded, _OLD)
    slug = "CUT-V2PLUS"
    yield Kind(slug, "a seeded log without a marker", _unmarked, _SINCE_V2)
    yield Kind(slug, "an end-seed that marks nothing", _untagged, _SINCE_V2)
    yield Kind(slug, "two markers", _marked_twice, _SINCE_V2)
    yield Kind(slug, "a marker in an unseeded log", _marked_unseeded, (4,))
