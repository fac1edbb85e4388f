"""The first line of a log: the physical header, in Zstandard alone in the first frame.

The line of v0 and v1 has other members than the logical header (MIG01-HDR-PHYS,
MIG01-HDR-LOGICAL).
"""

from typing import Final

from attrs import frozen

from dsh_reference.files.frames import Decompressor, first_frame
from dsh_reference.files.names import Compression
from dsh_reference.header import VERSION, check_header_line, line_format
from dsh_reference.refusal import Refusal
from dsh_reference.values import dump, is_count, parse
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject, is_object

#: The writers' order; a v0 or v1 line has its seedLength where later ones have isSeeded.
_ORDER: Final = (
    "type",
    "version",
    "id",
    "createdAt",
    "cwd",
    "parentSession",
    "isSeeded",
    "seedLength",
    "origin",
    "delegationDepth",
    "agentPreset",
)


@frozen(kw_only=True)
class HeaderLine:
    """The header, and where the rows begin."""

    #: The logical header.
    header: JsonObject
    #: The format of the log.
    format: Format
    #: The first byte behind the header line, or behind its frame.
    end: int
    #: How many events the line says are inherited; nothing where it does not say it.
    seed_length: int | None = None


def header_line(header: JsonObject, inherited: int = 0) -> bytes:
    """Return the first line of the log of a checked logical *header*, of whatever version.

    In v0 and v1 it states how many events are *inherited*, if the log is seeded; later formats
    say that by an event (CUT-V0V1, CUT-V2PLUS).
    """
    return f"{dump(header_row(header, inherited))}\n".encode()


def header_row(header: JsonObject, inherited: int = 0) -> JsonObject:
    """Return the physical form of a checked logical header, keys in the writers' order.

    A missing ``delegationDepth`` is written as 0 (HDR-ORDER, HDRL-DEPTH-OPTIONAL).
    """
    full: dict[str, Json] = {"delegationDepth": 0, **header, "type": "session"}
    if full["version"] in (0, 1) and full.pop("isSeeded"):
        full["seedLength"] = inherited
    return {key: full[key] for key in _ORDER if key in full}


def logical_header(row: JsonObject) -> JsonObject:
    """Return the logical form of a checked physical header: one form for every format."""
    header = {key: value for key, value in row.items() if key not in ("type", "seedLength")}
    return header if "isSeeded" in header else {**header, "isSeeded": "seedLength" in row}


def read_header(
    data: bytes,
    *,
    compression: Compression,
    decompressor: Decompressor | None = None,
    format: Format | None = VERSION,  # noqa: A002 - the word for it
) -> HeaderLine | Refusal:
    """Read the header line alone; *data* may be any front part of the file that holds it.

    *format* is the one that the file's name states, or nothing to take what the line states.
    The version is judged first: a log of another format is unsupported, however strange its header
    looks to this build (HDR-VERSION-FIRST, ROW-ONE-VERSION, FRAME-HEADER-ALONE; facts: persistence
    §4.3, §4.6).
    """
    if compression == "none":
        end = data.find(b"\n") + 1
        return judge_line(data[: end - 1], end, format) if end else headless("line 1")
    assert decompressor is not None
    frame = first_frame(data)
    if frame is None or isinstance(frame, Refusal):
        return frame or headless("frame 1")
    line = decompressor.whole(data[: frame.end])
    return line if isinstance(line, Refusal) else judge_frame(line, frame.end, format)


def judge_frame(content: bytes, end: int, format: Format | None) -> HeaderLine | Refusal:  # noqa: A002 - the word for it
    """Judge the content of the first frame, which ends before byte *end* (FRAME-HEADER-ALONE)."""
    if not content or content.find(b"\n") != len(content) - 1:
        problem = "the first frame is not exactly one header line"
        return _corrupt("FRAME-HEADER-ALONE", "frame 1", problem)
    return judge_line(content[:-1], end, format)


def judge_line(line: bytes, end: int, format: Format | None) -> HeaderLine | Refusal:  # noqa: A002 - the word for it
    """Judge the first line, which is all before byte *end*."""
    row = parse(line)
    if isinstance(row, Refusal):
        return _corrupt("HDR-EXACT", "line 1", f"the header line cannot be read: {row.problem}")
    refusal = check_header_line(row, format)
    if refusal is not None:
        return refusal
    assert is_object(row)
    found = line_format(row, format)
    assert not isinstance(found, Refusal)
    length = row.get("seedLength")
    return HeaderLine(
        header=logical_header(row),
        format=found,
        end=end,
        seed_length=int(length) if is_count(length) else None,
    )


def headless(where: str) -> Refusal:
    """Refuse a log without a whole header (TORN-HEADER)."""
    return _corrupt("TORN-HEADER", where, "the log is empty or ends within its header")


def _corrupt(rule: str, where: str, problem: str) -> Refusal:
    return Refusal(kind=RefusalKind.CORRUPT, rule=rule, where=where, problem=problem)
