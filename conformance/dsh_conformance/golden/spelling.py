"""Whether the text of a log is spelled as the reference's writer spells it."""

from collections.abc import Mapping
from typing import Final

from dsh_reference.files import batch_lines, header_line, read_log
from dsh_reference.refusal import Refusal
from dsh_reference.values import dump, parse
from dsh_spec.catalogue import Format
from dsh_spec.values import JsonObject

#: The rows of v0 and v1 that hold several chunks; a writer may pack them or not.
_PACKED: Final = ("text-chunks", "reasoning-chunks", "tool-call-chunks")


def is_canonical(text: bytes, version: Format) -> bool:
    """Whether *text* is a whole log of that format in the writer's spelling."""
    log = read_log(text, compression="none", format=version)
    if isinstance(log, Refusal) or log.torn:
        return False
    first, *rows = (line + b"\n" for line in text.removesuffix(b"\n").split(b"\n"))
    if first != header_line(log.header, log.inherited):
        return False
    return all(row == _written(row, log.events, version) for row in rows)


def _written(line: bytes, events: tuple[JsonObject, ...], version: Format) -> bytes:
    """Return the line that the writer makes of what the row in *line* holds."""
    row = parse(line)
    assert isinstance(row, Mapping)
    if version < 2 and row["type"] in _PACKED:
        return f"{dump(row)}\n".encode()
    seq = row["seq"]
    assert isinstance(seq, int)
    return batch_lines(events[seq : seq + 1], format=version)
