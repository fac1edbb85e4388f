"""The text of a log, as it comes in: pieces of any size on one side, lines on the other.

Between the pieces stand *marks*, which say where the pieces came from.
They go through to the lines, because how much of a file counts is said in its bytes, and what
counts is found out line by line.
"""

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from attrs import frozen

from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind

#: How many bytes one line may have; a longer one is refused rather than held in memory.
MAX_LINE: Final = 64 << 20


@frozen
class Mark:
    """All text before it came from complete frames."""

    #: The first byte of the file behind those frames.
    end: int
    #: Whether there are no more complete frames.
    last: bool = False
    #: Whether text of a torn frame follows.
    torn: bool = False


@frozen
class Fragment:
    """Text behind the last line feed."""


#: What a text is made of; a refusal ends it.
Piece: TypeAlias = bytes | Mark | Refusal
#: What it is cut into: a line has no line feed any more.
Line: TypeAlias = bytes | Mark | Fragment | Refusal


def split_lines(pieces: Iterable[Piece], limit: int = MAX_LINE) -> Iterator[Line]:
    """Cut a text into lines; only a line feed ends one (ROW-LF).

    A fragment is yielded before the mark or the end that it stands at; before a mark that is not
    the last one it is none, since the line may go on in the next frame, and the mark is left out.
    At most a piece and a line are held at a time.
    """
    rest: list[bytes] = []
    held = 0
    for piece in pieces:
        if isinstance(piece, bytes):
            first, *more = piece.split(b"\n")
            rest.append(first)
            held += len(first)
            if held > limit or (more and max(map(len, more)) > limit):
                yield _too_long(limit)
                return
            if more:
                yield b"".join(rest)
                yield from more[:-1]
                rest, held = [more[-1]], len(more[-1])
        elif isinstance(piece, Refusal):
            yield piece
            return
        elif not held:
            yield piece
        elif piece.last:
            yield Fragment()
            yield piece
            rest, held = [], 0
    if held:
        yield Fragment()


def in_pieces(data: bytes, start: int = 0, size: int = 1 << 20) -> Iterator[bytes]:
    """Yield *data* from byte *start* on in pieces of *size* bytes."""
    for at in range(start, len(data), size):
        yield data[at : at + size]


def _too_long(limit: int) -> Refusal:
    return Refusal(
        kind=RefusalKind.OTHER,
        rule="FILE-LIMIT",
        where="line",
        problem=f"a line has more than {limit} bytes, the limit of this reader",
    )
