"""Complete frames: all of them count, and what is broken in one was broken afterwards.

Source: facts persistence §4.6, migration §0 (MIG-TORN-ZSTD); field reports F05, F06, F07.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from dsh_conformance.generate.files.basis import Basis, lines, text
from dsh_conformance.generate.files.frames import (
    CHECKSUM,
    MAGIC,
    block_head,
    frame,
    frame_by_hand,
    frame_of_runs,
)
from dsh_conformance.generate.files.kind import FRAMED, Kind, Make
from dsh_conformance.generate.files.kinds.damage import gap, no_json, no_row
from dsh_conformance.generate.files.rows import end, note
from dsh_conformance.generate.files.specimen import Made, reads, refused
from dsh_conformance.generate.files.spelling import plain
from dsh_conformance.generate.formats import FORMATS, Format
from dsh_conformance.generate.tape import Tape

_OLDER: tuple[Format, ...] = (0, 1, 2, 3)
_NEWEST: tuple[Format, ...] = (4,)
_EMPTY: Final = b""
#: Behind a whole log, none of these begins a frame.
_NO_FRAME: tuple[tuple[str, bytes], ...] = (
    ("zeros", bytes(4)),
    ("more zeros", bytes(64)),
    ("plain text", plain(note(0)) + b"\n"),
    ("a skippable frame", b"\x50\x2a\x4d\x18" + bytes(4)),
    ("a byte between frames", b"\n" + MAGIC),
)


# ------------------------------------------------------------------ the header's frame


def _header_with_rows(basis: Basis, _: Tape) -> Made:
    """One frame with all in it, as a tool that recompresses writes it (F06)."""
    return refused(frame(basis.header + text(basis.rows) + lines([plain(note(basis.count))])))


def _header_in_two(basis: Basis, tape: Tape) -> Made:
    at = 1 + tape.pick(len(basis.header) - 1)
    return refused(_with_header(basis, basis.header[:at], basis.header[at:]))


def _header_without_feed(basis: Basis, _: Tape) -> Made:
    return refused(_with_header(basis, basis.header[:-1]))


def _empty_first(basis: Basis, _: Tape) -> Made:
    return refused(_with_header(basis, _EMPTY, basis.header))


def _two_lines(basis: Basis, _: Tape) -> Made:
    return refused(_with_header(basis, basis.header + b"\n"))


def _with_header(basis: Basis, *headers: bytes) -> bytes:
    return b"".join(map(frame, (*headers, *map(text, basis.batches))))


# ------------------------------------------------------------------ frames that count


def _many(basis: Basis, tape: Tape) -> Made:
    """A frame for each row, some without a checksum, and empty ones between them."""
    more = [note(basis.count + at) for at in range(3)]
    rows = [*(row.line for row in basis.rows), *map(plain, more)]
    pieces = [frame(basis.header)]
    for row in rows:
        line = lines([row])
        pieces.append(frame_by_hand([line]) if tape.pick(2) else frame(line))
        if tape.rarely(3):
            pieces.append(frame(_EMPTY) if tape.pick(2) else frame_by_hand([_EMPTY]))
    return reads(basis, b"".join(pieces), more=more)


def _split(basis: Basis, tape: Tape) -> Made:
    """A row that begins in one frame and ends in another."""
    row = note(basis.count)
    line = plain(row) + b"\n"
    at = 1 + tape.pick(len(line) - 1)
    return reads(basis, basis.file(line[:at], line[at:]), more=[row])


def _blocks(basis: Basis, tape: Tape) -> Made:
    """One frame of many blocks, without a checksum; a block may end anywhere."""
    more = [note(basis.count), note(basis.count + 1)]
    body = lines(map(plain, more))
    size = 1 + tape.pick(len(body))
    blocks = [body[at : at + size] for at in range(0, len(body), size)]
    return reads(basis, basis.file() + frame_by_hand(blocks), more=more)


def _repeats(basis: Basis, tape: Tape) -> Made:
    """A frame whose blocks say one byte many times: blanks around a row."""
    row = note(basis.count)
    body = plain(row)
    runs = [(b" ", 1 + tape.pick(200)), *((bytes([each]), 1) for each in body), (b"\n", 1)]
    return reads(basis, basis.file() + frame_of_runs(runs), more=[row])


# ------------------------------------------------------------------ structure


def _tail(tail: bytes) -> Make:
    return lambda basis, _: refused(basis.file() + tail)


def _reserved_bit(basis: Basis, tape: Tape) -> Made:
    """In the descriptor of the last frame, or of the first."""
    return refused(_changed(basis, 4, tape.one_of((0x08, 0x10)), tape))


def _magic(basis: Basis, tape: Tape) -> Made:
    return refused(_changed(basis, tape.pick(4), 1 << tape.pick(8), tape))


def _reserved_block(basis: Basis, tape: Tape) -> Made:
    """A last frame with a block of the type that does not exist, whole or torn."""
    made = frame_by_hand([lines([plain(note(basis.count))])])
    at = len(MAGIC) + 1 + 4
    head = block_head(5, kind=3, last=bool(tape.pick(2)))
    return refused(basis.file() + made[:at] + head + made[at + 3 :][: tape.pick(40)])


def _changed(basis: Basis, at: int, bits: int, tape: Tape) -> bytes:
    """Flip bits in the head of the first frame, or of one that is put last."""
    last = frame(lines([plain(note(basis.count))]))
    data = bytearray(basis.file() + last)
    data[at if tape.pick(2) else len(data) - len(last) + at] ^= bits
    return bytes(data)


# ------------------------------------------------------------------ content


def _checksum(basis: Basis, tape: Tape) -> Made:
    """Flip a bit of the checksum of some frame, the last one included."""
    pieces = [frame(basis.header), *(frame(text(batch)) for batch in basis.batches)]
    pieces.append(frame(lines([plain(note(basis.count))])))
    at = tape.pick(len(pieces))
    damaged = bytearray(pieces[at])
    damaged[-1 - tape.pick(CHECKSUM)] ^= 1 << tape.pick(8)
    pieces[at] = bytes(damaged)
    return refused(b"".join(pieces))


def _fragment(basis: Basis, tape: Tape) -> Made:
    """The last frame ends within a row, or before its line feed."""
    line = plain(note(basis.count))
    return refused(basis.file(line[: len(line) - tape.pick(len(line))]))


def _bad_row(basis: Basis, tape: Tape) -> bytes:
    """Return the lines of a good row, a bad one, and one that would be good behind it."""
    bad = tape.one_of((no_json, no_row, gap))(basis.count + 1, tape)
    return lines([plain(note(basis.count)), bad, plain(note(basis.count + 2))])


def _bad_row_refused(basis: Basis, tape: Tape) -> Made:
    return refused(basis.file(_bad_row(basis, tape)))


def _bad_row_torn(basis: Basis, tape: Tape) -> Made:
    """A writer cuts off the whole frame, and writes the good row in it again."""
    kept = basis.file()
    data = kept + frame(_bad_row(basis, tape))
    return reads(basis, data, more=[note(basis.count)], committed=len(kept))


def _bad_row_before_an_end(basis: Basis, tape: Tape) -> Made:
    bad = tape.one_of((no_json, no_row, gap))(basis.count, tape)
    return refused(basis.file(lines([bad]), lines([plain(end(basis.count + tape.pick(2)))])))


def kinds() -> Iterator[Kind]:
    """Return them."""
    yield from _of(
        "FRAME-HEADER-ALONE",
        ("the header and the rows in one frame", _header_with_rows),
        ("the header in two frames", _header_in_two),
        ("the header without its line feed", _header_without_feed),
        ("an empty frame before the header", _empty_first),
        ("a blank line in the header's frame", _two_lines),
    )
    yield from _of("FRAME-ALL", ("a frame for each row", _many), ("a frame of blocks", _blocks))
    tails = ((f"{says} behind the last frame", _tail(tail)) for says, tail in _NO_FRAME)
    yield from _of(
        "FRAME-SCAN",
        *tails,
        ("a reserved bit is set", _reserved_bit),
        ("a wrong magic number", _magic),
        ("a block of the reserved type", _reserved_block),
    )
    for slug, formats in (("FRAME-COMPLETE-STRICT", _NEWEST), ("MIG-TORN-ZSTD", _OLDER)):
        yield from _of(
            slug,
            ("a row that two frames share", _split),
            ("blocks of one byte many times", _repeats),
            ("a checksum is wrong", _checksum),
            ("the last frame ends within a row", _fragment),
            ("a bad row in a frame, and a turn/end in the next", _bad_row_before_an_end),
            formats=formats,
        )
    says = "a bad row in the last frame"
    yield Kind("FRAME-COMPLETE-STRICT", says, _bad_row_refused, _NEWEST, FRAMED)
    yield Kind("MIG-TORN-ZSTD", says, _bad_row_torn, _OLDER, FRAMED, migrating=True)


_Way = tuple[str, Make]


def _of(slug: str, *ways: _Way, formats: Sequence[Format] = FORMATS) -> Iterator[Kind]:
    for says, make in ways:
        yield Kind(slug, says, make, tuple(formats), FRAMED)
