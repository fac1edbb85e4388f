"""Last frames that the end of the file cuts off.

How much of a torn frame a decoder yields is its own affair, up to a point: a block that is there
as a whole it yields, and one that has not begun it does not.
Source: facts persistence §4.6; RFC 8878 §3.1.1; field report F05.
"""

from collections.abc import Iterator, Sequence

from dsh_conformance.generate.files.basis import Basis, lines
from dsh_conformance.generate.files.frames import CHECKSUM, MAGIC, frame, frame_by_hand
from dsh_conformance.generate.files.kind import FRAMED, Kind
from dsh_conformance.generate.files.kinds.damage import gap, no_json, no_row
from dsh_conformance.generate.files.rows import end, note
from dsh_conformance.generate.files.specimen import Made, Reads, Recovers, reads, refused
from dsh_conformance.generate.files.spelling import plain
from dsh_conformance.generate.tape import Tape
from dsh_spec.values import JsonObject

#: How many events a torn frame would hold.
_EVENTS = 3


def _barely_begun(basis: Basis, tape: Tape) -> Made:
    """One to three bytes may be the beginning of any frame, even zeros."""
    whole = basis.file()
    tail = tape.one_of((MAGIC, bytes(3), b"\n\n\n"))[: 1 + tape.pick(3)]
    return reads(basis, whole + tail, committed=len(whole))


def _in_its_head(basis: Basis, tape: Tape) -> Made:
    """Nothing of its content is there yet."""
    whole = basis.file()
    tail = frame(_body(basis))[: len(MAGIC) + tape.pick(2)]
    return reads(basis, whole + tail, committed=len(whole))


def _without_checksum(basis: Basis, tape: Tape) -> Made:
    """All of its content is there (F05)."""
    whole = basis.file()
    torn = frame(_body(basis))[: -1 - tape.pick(CHECKSUM)]
    return reads(basis, whole + torn, more=_events(basis), committed=len(whole))


def _anywhere(basis: Basis, tape: Tape) -> Made | None:
    whole = basis.file()
    made = frame(_body(basis))
    torn = made[: 1 + (tape.pick(256) * 256 + tape.pick(256)) % (len(made) - 1)]
    return _recovers(basis, whole, torn, least=0)


def _behind_a_block(basis: Basis, tape: Tape) -> Made | None:
    """The first blocks are whole, and with them some of the rows."""
    whole = basis.file()
    rows = [lines([plain(event)]) for event in _events(basis)]
    made = frame_by_hand(rows)
    kept = 1 + tape.pick(_EVENTS - 1)
    size = len(MAGIC) + 5 + sum(3 + len(row) for row in rows[:kept])
    torn = made[: size + tape.pick(3 + len(rows[kept]))]
    return _recovers(basis, whole, torn, least=kept)


def _with_a_bad_row(basis: Basis, tape: Tape) -> Made:
    """The row before it is recovered, and what is behind it is not."""
    whole = basis.file()
    first, *more = _events(basis)
    bad = tape.one_of((no_json, no_row, gap))(basis.count + 1, tape)
    body = lines([plain(first), bad, *map(plain, more)])
    torn = frame(body)[: -1 - tape.pick(CHECKSUM)]
    return reads(basis, whole + torn, more=[first], committed=len(whole))


def _with_a_lost_turn(basis: Basis, tape: Tape) -> Made:
    """A turn that ends behind a bad row would be lost."""
    bad = tape.one_of((no_json, no_row, gap))(basis.count, tape)
    body = lines([bad, plain(end(basis.count + 1))])
    return refused(basis.file() + frame(body)[: -1 - tape.pick(CHECKSUM)])


def _events(basis: Basis) -> Sequence[JsonObject]:
    return [note(basis.count + at) for at in range(_EVENTS)]


def _body(basis: Basis) -> bytes:
    return lines(map(plain, _events(basis)))


def _recovers(basis: Basis, whole: bytes, torn: bytes, *, least: int) -> Made | None:
    every = reads(basis, whole + torn, more=_events(basis), committed=len(whole))
    if not isinstance(every.outcome, Reads):
        return None
    outcome = Recovers(
        events=every.outcome.events,
        least=basis.count + least,
        inherited=every.outcome.inherited,
        committed=len(whole),
    )
    return Made(data=every.data, outcome=outcome)


def kinds() -> Iterator[Kind]:
    """Return them."""
    yield Kind("FRAME-SCAN", "up to three bytes of a frame", _barely_begun, compressions=FRAMED)
    for says, make in (
        ("a last frame that ends within its head", _in_its_head),
        ("a last frame that lacks its checksum", _without_checksum),
        ("a last frame that ends anywhere", _anywhere),
        ("a last frame that ends behind a block", _behind_a_block),
        ("a torn last frame with a bad row", _with_a_bad_row),
        ("a torn last frame in which a turn is lost", _with_a_lost_turn),
    ):
        yield Kind("FRAME-TORN-RECOVER", says, make, compressions=FRAMED)
