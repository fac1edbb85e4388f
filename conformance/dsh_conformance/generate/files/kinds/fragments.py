"""Files that stop too early, in plain text.

Source: facts persistence §4.5; field reports F04, F05.
"""

from collections.abc import Iterator

from dsh_conformance.generate.files.basis import Basis, text
from dsh_conformance.generate.files.kind import PLAIN, Kind
from dsh_conformance.generate.files.rows import end, note
from dsh_conformance.generate.files.specimen import Made, reads, refused
from dsh_conformance.generate.files.spelling import plain
from dsh_conformance.generate.tape import Tape


def _nothing(_: Basis, __: Tape) -> Made:
    return refused(b"")


def _in_the_header(basis: Basis, tape: Tape) -> Made:
    whole = basis.encoded(basis.header)
    return refused(whole[: _inside(len(whole), tape)])


def _without_the_feed(basis: Basis, _: Tape) -> Made:
    return refused(basis.encoded(basis.header)[:-1])


def _in_a_row(basis: Basis, tape: Tape) -> Made | None:
    """Cut the file off within a row, which a packed row does not survive in part either."""
    if not basis.rows:
        return None
    at = tape.pick(min(len(basis.rows), 200))
    whole = basis.header + text(basis.rows[:at])
    row = basis.rows[at].line
    kept = 1 + _inside(len(row), tape)
    return reads(basis, whole + row[:kept], count=basis.before(at), committed=len(whole))


def _whole_row(basis: Basis, _: Tape) -> Made:
    """Only the line feed is missing (F04)."""
    return _behind(basis, plain(note(basis.count)))


def _whole_end(basis: Basis, _: Tape) -> Made:
    """It is torn all the same, and not lost."""
    return _behind(basis, plain(end(basis.count)))


def _zeros(basis: Basis, tape: Tape) -> Made:
    """A file system may leave them."""
    return _behind(basis, bytes(1 + tape.pick(64)))


def _blanks(basis: Basis, tape: Tape) -> Made:
    return _behind(basis, b" \t\r"[: 1 + tape.pick(3)])


def _behind(basis: Basis, fragment: bytes) -> Made:
    whole = basis.file()
    return reads(basis, whole + fragment, committed=len(whole))


def _inside(size: int, tape: Tape) -> int:
    """Return a place in so many bytes: any in a short text, one in 65,536 in a long one."""
    return (tape.pick(256) * 256 + tape.pick(256)) % size


def kinds() -> Iterator[Kind]:
    """Return them."""
    yield Kind("TORN-HEADER", "an empty file", _nothing)
    yield Kind("TORN-HEADER", "a file that ends within its header", _in_the_header)
    yield Kind("TORN-HEADER", "a file that ends before its header does", _without_the_feed)
    for says, make in (
        ("the last row is cut off", _in_a_row),
        ("the last row lacks its line feed", _whole_row),
        ("a turn/end lacks its line feed", _whole_end),
        ("zeros lie behind the last row", _zeros),
        ("blanks lie behind the last row", _blanks),
    ):
        yield Kind("TORN-FRAGMENT", says, make, compressions=PLAIN)
