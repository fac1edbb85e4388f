"""What a reader or writer of files may do otherwise."""

from collections.abc import Iterable, Sequence
from typing import Any

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.sabotage.fileswrong_wrap import File, Raw, edited, reads, writes
from dsh_reference.files.chunks import unpack_row
from dsh_reference.refusal import Refusal
from dsh_reference.values import dump, parse
from dsh_spec.refusals import RefusalKind

#: The largest text that a small reader takes, in bytes.
_SMALL = 1 << 16


@reads("FILE-LIMIT")
def has_a_small_limit(file: File) -> Raw:
    """A log of more than 64 KiB of text is refused by the name of that limit."""
    if sum(map(len, file.texts())) > _SMALL and file.refusal() is None:
        raise Refuse(RefusalKind.OTHER, "the log has more than 65536 bytes of text")
    return file.read()


@reads("FILE-ROUND-TRIP")
def answers_with_keys_turned_round(file: File) -> Raw:
    """The keys of every event come in the opposite order."""
    found = file.read()
    turned = [{key: each[key] for key in reversed(list(each))} for each in found["events"]]
    return found | {"events": turned}


@writes("FILE-ROUND-TRIP")
def turns_keys_of_rows_round(pieces: Sequence[bytes]) -> Iterable[bytes]:
    """The keys of every row are written in the opposite order."""
    yield pieces[0]
    for piece in pieces[1:]:
        rows = (edited(line, _turned) for line in piece.split(b"\n")[:-1])
        yield b"".join(row + b"\n" for row in rows)


@writes("CHUNKROW-ENCODE")
def packs_no_chunks(pieces: Sequence[bytes]) -> Iterable[bytes]:
    """Chunks are written as events, however many follow one another."""
    yield pieces[0]
    for piece in pieces[1:]:
        yield b"".join(map(_unpacked, piece.splitlines(keepends=True)))


def _turned(row: Raw) -> Raw:
    return {key: row[key] for key in reversed(list(row))}


def _unpacked(line: bytes) -> bytes:
    row: Any = parse(line)
    if "seq0" not in row:
        return line
    events = unpack_row(row, row["seq0"])
    assert not isinstance(events, Refusal)
    return b"".join(dump(event).encode() + b"\n" for event in events)
