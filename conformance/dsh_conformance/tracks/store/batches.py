"""How a file was written: which batches of records it has, from some byte on."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.implementation.capabilities import Artifacts
from dsh_reference.files import check_row, decode_row
from dsh_reference.files.frames import first_frame, scan_frames
from dsh_reference.refusal import Refusal
from dsh_reference.values import equal, parse
from dsh_spec.values import Json


@frozen
class Batches:
    """The artifact's bytes are exactly these batches, behind what was kept or behind the header.

    In plain text batches cannot be told apart, and their records stand in turn.
    """

    #: The encoding.
    artifacts: Artifacts
    #: The events of each batch.
    batches: tuple[tuple[Json, ...], ...]
    #: The name under which bytes were kept that come first; empty for the header alone.
    kept: str = ""
    #: How many of those.
    committed: int = 0


def in_batches(expects: Batches, now: Json | bytes, before: Json | bytes) -> bool:
    """Say whether *now* is made up as expected, with *before* as what was kept."""
    if not isinstance(now, bytes) or not isinstance(before, bytes):
        return False
    first = before[: expects.committed] if expects.kept else _header_of(now, expects.artifacts)
    if first is None or not now.startswith(first):
        return False
    rest = now[len(first) :]
    if expects.artifacts == "jsonl":
        events = tuple(event for batch in expects.batches for event in batch)
        return _is_rows(rest, events)
    frames = scan_frames(rest)
    if isinstance(frames, Refusal) or frames.torn_start is not None:
        return False
    texts = [Zstd().inflate().whole(rest[frame.start : frame.end]) for frame in frames.complete]
    return len(texts) == len(expects.batches) and all(
        isinstance(text, bytes) and _is_rows(text, batch)
        for text, batch in zip(texts, expects.batches, strict=True)
    )


def _header_of(content: bytes, artifacts: Artifacts) -> bytes | None:
    if artifacts == "jsonl":
        return content[: content.find(b"\n") + 1] or None
    frame = first_frame(content)
    return None if frame is None or isinstance(frame, Refusal) else content[: frame.end]


def _is_rows(text: bytes, events: Sequence[Json]) -> bool:
    """Say whether a text is the rows of these events, each ended by a line feed."""
    *lines, rest = text.split(b"\n")
    return not rest and len(lines) == len(events) and all(map(_is_row, lines, events))


def _is_row(line: bytes, event: Json) -> bool:
    seq = event.get("seq") if isinstance(event, Mapping) else None
    row = parse(line)
    if isinstance(row, Refusal) or not isinstance(seq, int):
        return False
    found = decode_row(row, seq)
    return not isinstance(found, Refusal) and check_row(found, seq) is None and equal(found, event)
