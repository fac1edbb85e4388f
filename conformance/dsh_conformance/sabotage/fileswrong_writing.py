"""Sabotages of the writing of files, and of their places."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.generate.files.frames import frame_by_hand
from dsh_conformance.sabotage.fileswrong_wrap import (
    Raw,
    edited,
    places,
    writes,
    writes_bytes,
)
from dsh_reference.files import Frame, each_frame
from dsh_reference.refusal import Refusal
from dsh_spec.values import Json


def _edited(pieces: Sequence[bytes], change: Callable[[Raw], Raw | None]) -> Iterable[bytes]:
    """Change the rows of all batches."""
    yield pieces[0]
    for piece in pieces[1:]:
        yield b"".join(edited(line, change) + b"\n" for line in piece.split(b"\n")[:-1])


@writes("HDR-ORDER")
def sorts_header_keys(pieces: Sequence[bytes]) -> Iterable[bytes]:
    """The keys of a header are written in the order of the alphabet."""
    yield edited(pieces[0], lambda head: dict(sorted(head.items()))) + b"\n"
    yield from pieces[1:]


def _sourced(change: Callable[[list[Any]], list[Any]]) -> Callable[[Raw], Raw | None]:
    def changed(row: Raw) -> Raw | None:
        sources = row.get("sourceEventSeqs")
        return {**row, "sourceEventSeqs": change(sources)} if isinstance(sources, list) else None

    return changed


def _listed(sources: list[Any]) -> list[Any]:
    spans = [[each, each] if isinstance(each, int) else each for each in sources]
    return [seq for first, last in spans for seq in range(first, last + 1)]


@writes("SRCPACK-ENCODE", like="F13")
def lists_all_sources(pieces: Sequence[bytes]) -> Iterable[bytes]:
    """Sources are written one by one."""
    return _edited(pieces, _sourced(_listed))


@writes("SRCPACK-ENCODE", like="F13")
def packs_pairs(pieces: Sequence[bytes]) -> Iterable[bytes]:
    """Two consecutive sources are written as a pair already."""

    def packed(sources: list[Any]) -> list[Any]:
        made: list[Any] = []
        for each in sources:
            if made and isinstance(each, int) and made[-1] == each - 1:
                made[-1] = [each - 1, each]
            else:
                made.append(each)
        return made

    return _edited(pieces, _sourced(packed))


@writes("FRAME-BATCH", like="F06")
def writes_one_frame(pieces: Sequence[bytes]) -> Iterable[bytes]:
    """All batches are written in one frame."""
    return [pieces[0], b"".join(pieces[1:])]


@writes("FRAME-BATCH")
def writes_a_frame_for_each_row(pieces: Sequence[bytes]) -> Iterable[bytes]:
    """Each row is written in a frame of its own."""
    return [line for piece in pieces for line in piece.splitlines(keepends=True)]


@writes_bytes("FRAME-BATCH")
def writes_no_checksums(compression: Json, data: bytes) -> bytes:
    """Frames are written without a checksum."""
    if compression == "none":
        return data
    texts = [
        Zstd().inflate().whole(data[each.start : each.end])
        for each in each_frame(data)
        if isinstance(each, Frame)
    ]
    return b"".join(frame_by_hand([text]) for text in texts if not isinstance(text, Refusal))


@writes("ROW-KINDS")
def writes_blank_lines(pieces: Sequence[bytes]) -> Iterable[bytes]:
    """A blank line is written behind each batch."""
    return [pieces[0], *(piece + b"\n" if piece else piece for piece in pieces[1:])]


@writes("FILE-ROUND-TRIP", like="F23")
def writes_question_marks(pieces: Sequence[bytes]) -> Iterable[bytes]:
    """Half a surrogate pair is written as a question mark."""
    return [re.sub(rb"\\ud[89a-f][0-9a-f]{2}", b"?", piece) for piece in pieces]


@writes("FILE-ROUND-TRIP", like="F23")
def writes_no_nul(pieces: Sequence[bytes]) -> Iterable[bytes]:
    """The character NUL is left out."""
    return [re.sub(rb"(?<!\\)\\u0000", b"", piece) for piece in pieces]


@writes("FILE-ROUND-TRIP")
def writes_batches_twice(pieces: Sequence[bytes]) -> Iterable[bytes]:
    """The last batch is written twice."""
    return [*pieces, pieces[-1]] if len(pieces) > 1 else pieces


@writes_bytes("FILE-ROUND-TRIP", like="F04")
def ends_without_a_line_feed(compression: Json, data: bytes) -> bytes:
    """The last line of a file is written without its line feed."""
    return data if compression == "zstd" or data.count(b"\n") < 2 else data[:-1]


# ------------------------------------------------------------------ places


@places("FILE-LAYOUT", like="F26")
def adds_a_directory(_: Any, parts: list[str]) -> Sequence[str]:
    """A log lies a directory deeper."""
    return [*parts, "log"]


@places("FILE-PROJECT-KEY", like="F26")
def keeps_every_separator(asked: Any, parts: list[str]) -> Sequence[str]:
    """Two slashes become two dashes."""
    cwd = asked["header"].get("cwd", "")
    return [parts[0].replace("-", "--") if "//" in cwd else parts[0], *parts[1:]]


@places("FILE-PROJECT-KEY", like="F26")
def strips_dashes_from_both_ends(_: Any, parts: list[str]) -> Sequence[str]:
    """A directory that ends with a slash loses the dash for it."""
    key = parts[0].removeprefix("--").removesuffix("--")
    return [parts[0] if parts[0] == key else f"--{key.strip('-')}--", *parts[1:]]


@places("FILE-PROJECT-KEY", like="F26")
def cuts_long_directories_early(_: Any, parts: list[str]) -> Sequence[str]:
    """The key of a directory has 100 characters at most."""
    key = parts[0].removeprefix("--").removesuffix("--")
    return [f"--{key[:100]}--" if key != parts[0] else key, *parts[1:]]


@places("FILE-SEGMENT", like="F26")
def percent_encodes(_: Any, parts: list[str]) -> Sequence[str]:
    """Ids are escaped as URLs are."""
    return [parts[0], re.sub(r"~00(..)", r"%\1", parts[1]), parts[2]]


@places("FILE-SEGMENT", like="F26")
def leaves_dots_alone(asked: Any, parts: list[str]) -> Sequence[str]:
    """An id of dots is its own directory."""
    name = asked["header"]["id"]
    return [parts[0], name if name in (".", "..") else parts[1], parts[2]]


@places("FILE-SEGMENT", like="F26")
def puts_ids_in_lower_case(_: Any, parts: list[str]) -> Sequence[str]:
    """Ids are put in lower case."""
    return [parts[0], parts[1].lower(), parts[2]]


@places("FILE-SEGMENT", like="F26")
def escapes_by_code_point(asked: Any, parts: list[str]) -> Sequence[str]:
    """A character beyond the first plane is escaped as one."""
    name = asked["header"]["id"]
    whole = any(ord(each) > 0xFFFF for each in name)
    made = "".join(c if re.fullmatch(r"[\w.-]", c, re.ASCII) else f"~{ord(c):04X}" for c in name)
    return [parts[0], made if whole else parts[1], parts[2]]


@places("FILE-NAME", like="F20")
def numbers_the_first_format(asked: Any, parts: list[str]) -> Sequence[str]:
    """A log of v0 states its version in its name."""
    stem = "session.v0" if asked["format"] == 0 else parts[2].split(".jsonl", 1)[0]
    return [*parts[:2], parts[2].replace(parts[2].split(".jsonl", 1)[0], stem)]


@places("FILE-NAME")
def shortens_the_ending(_: Any, parts: list[str]) -> Sequence[str]:
    """A compressed log ends in .zst."""
    return [*parts[:2], parts[2].replace(".zstd", ".zst")]
