"""Bad rows in plain text: what ends a log, and what refuses it.

A bad row takes the place of a row of the log, stands between two, or behind all of them.
Then come the log's own rows, others, or a finished turn; only that turn makes the log corrupt.
Source: facts persistence §4.5, migration §0 (recovery policy), events §9; field report F03.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from dsh_conformance.generate.files.basis import Basis, lines, text
from dsh_conformance.generate.files.kind import PLAIN, Kind, Make
from dsh_conformance.generate.files.kinds import envelopes
from dsh_conformance.generate.files.rows import NO_JSON, NO_ROW, end, note, off
from dsh_conformance.generate.files.specimen import Made, reads, refused
from dsh_conformance.generate.files.spelling import plain
from dsh_conformance.generate.formats import Format
from dsh_conformance.generate.tape import Tape
from dsh_spec.values import JsonObject

#: Returns the line of a bad row at the place of this seq.
Bad: TypeAlias = Callable[[int, Tape], bytes]


def torn(bad: Bad) -> Make:
    """Put a bad row behind a log, or in it where no turn ends any more, and no turn behind it."""

    def make(basis: Basis, tape: Tape) -> Made:
        rows = basis.rows
        last = max((at for at, row in enumerate(rows) if row.is_end), default=-1)
        at = last + 1 + tape.pick(min(len(rows) - last, 200))
        count = basis.before(at)
        kept = basis.header + text(rows[:at])
        own = text(rows[at + tape.pick(2) :])
        behind = own if tape.pick(2) else lines([plain(note(count + tape.pick(2)))])
        data = kept + lines([bad(count, tape)]) + behind
        return reads(basis, data, count=count, committed=len(kept))

    return make


def lost(bad: Bad) -> Make:
    """Put a bad row anywhere in a log, and a finished turn somewhere behind it."""

    def make(basis: Basis, tape: Tape) -> Made:
        at = tape.pick(min(len(basis.rows) + 1, 200))
        count = basis.before(at)
        kept = basis.header + text(basis.rows[:at])
        own = text(basis.rows[at + tape.pick(2) :]) if tape.pick(2) else b""
        next_ = basis.count + tape.pick(2)
        behind = lines([plain(end(next_)), plain(note(next_ + 1))])
        return refused(kept + lines([bad(count, tape)]) + own + behind)

    return make


def no_json(_: int, tape: Tape) -> bytes:
    """Return a line that is no JSON text."""
    return tape.one_of(NO_JSON)


def no_row(_: int, tape: Tape) -> bytes:
    """Return a line that is JSON and no row."""
    return tape.one_of(NO_ROW)


def gap(seq: int, tape: Tape) -> bytes:
    """Return an event of another place."""
    return plain(note(off(seq, tape)))


def _displaced_end(basis: Basis, tape: Tape) -> Made:
    """The bad row itself is the turn that would be lost."""
    return refused(basis.file(lines([plain(end(off(basis.count, tape)))])))


def _stale_copy(basis: Basis, _: Tape) -> Made | None:
    """A writer that did not know of another one wrote its last rows again (F01, F02)."""
    ends = [at for at, row in enumerate(basis.rows) if row.is_end]
    return refused(basis.file(text(basis.rows[ends[-1] :]))) if ends else None


def _behind(first: Bad, then: Sequence[JsonObject], *, is_lost: bool) -> Make:
    """Put a bad row and some other rows behind a log."""

    def make(basis: Basis, tape: Tape) -> Made:
        kept = basis.file()
        data = kept + lines([first(basis.count, tape), *map(plain, then)])
        return refused(data) if is_lost else reads(basis, data, committed=len(kept))

    return make


#: A turn's end of which only the type is right.
_TYPE_ALONE = {"type": "turn/end"}
#: One that would be a bad row wherever it stood.
_NOWHERE: JsonObject = {**end(9), "sourceEventSeqs": "x"}
#: One that no row of v2 or later may be.
_STRANGE: JsonObject = {**end(9), "acme": 1}


def kinds() -> Iterator[Kind]:
    """Return them."""
    yield from _every_format()
    yield from _older()
    yield from _envelopes()


def _every_format() -> Iterator[Kind]:
    for says, bad in (
        ("a line that is no JSON", no_json),
        ("a line that is no object", no_row),
        ("a row of another place", gap),
    ):
        yield _plain("INV-RECOVER", f"{says} ends the log", torn(bad))
        yield _plain("INV-RECOVER", f"{says} lies before a turn/end", lost(bad))
    yield _plain("INV-RECOVER", "a turn/end has another seq", _displaced_end)
    yield _plain("INV-RECOVER", "the last turn/end lies there twice", _stale_copy)
    says = "a turn/end that is no good row lies behind a gap"
    for each in (_TYPE_ALONE, _NOWHERE, _STRANGE):
        yield _plain("INV-RECOVER", says, _behind(gap, [each], is_lost=True), (4,))


def _older() -> Iterator[Kind]:
    older: tuple[Format, ...] = (0, 1, 2, 3)
    slug = "MIG-RECOVER-PREFIX"
    says = "a turn/end that is no good row lies behind a line that is no JSON"
    for each in (_TYPE_ALONE, _NOWHERE):
        yield _plain(slug, says, _behind(no_json, [each], is_lost=True), older)
    says = "a turn/end that is no good row lies behind a gap"
    for formats, each in ((older, _NOWHERE), ((2, 3), _STRANGE)):
        make = _behind(gap, [each], is_lost=False)
        yield Kind(slug, says, make, formats, PLAIN, migrating=True)
    says = "a turn/end that would be good elsewhere lies behind a gap"
    yield _plain(slug, says, _behind(gap, [end(9)], is_lost=True), older)


def _envelopes() -> Iterator[Kind]:
    for says, bad in envelopes.BAD.items():
        rule = "MIG-RECOVER-V2"
        yield _plain(rule, f"a row with {says} ends the log", torn(bad), (2, 3, 4))
        yield _plain(rule, f"a row with {says} lies before a turn/end", lost(bad), (2, 3, 4))
    for says, odd in envelopes.THIN.items():
        yield Kind("MIG-RECOVER-V01-THIN", f"the last row has {says}", _odd(odd), (0, 1))
    for says, row in envelopes.BAD_IN_V3.items():
        bad = envelopes.placed(row)
        yield _plain("MIG-RECOVER-V3", f"{says} ends the log", torn(bad), (3,))
        yield _plain("MIG-RECOVER-V3", f"{says} lies before a turn/end", lost(bad), (3,))


def _odd(odd: Callable[[int], JsonObject]) -> Make:
    """Put a row behind a log that a reader takes as it is."""

    def make(basis: Basis, _: Tape) -> Made:
        row = odd(basis.count)
        return reads(basis, basis.file(lines([plain(row)])), more=(row,))

    return make


def _plain(
    rule: str,
    says: str,
    make: Make,
    formats: tuple[Format, ...] = (0, 1, 2, 3, 4),
) -> Kind:
    return Kind(rule, says, make, formats, PLAIN)
