"""The first line of a log: the physical header, in Zstandard alone in the first frame."""

from collections.abc import Mapping

from attrs import frozen

from dsh_reference.files.frames import Decompressor, first_frame
from dsh_reference.files.names import Compression
from dsh_reference.files.rows import header_row, logical_header
from dsh_reference.header import check_header_line
from dsh_reference.refusal import Refusal
from dsh_reference.values import dump, parse
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject


@frozen(kw_only=True)
class HeaderLine:
    """The header, and where the rows begin."""

    #: The logical header.
    header: JsonObject
    #: The first byte behind the header line, or behind its frame.
    end: int


def header_line(header: JsonObject) -> bytes:
    """Return the first line of the log of a checked logical *header*."""
    return f"{dump(header_row(header))}\n".encode()


def read_header(
    data: bytes, *, compression: Compression, decompressor: Decompressor | None = None
) -> HeaderLine | Refusal:
    """Read the header line alone; *data* may be any front part of the file that holds it.

    The version is judged first: a log of another format is unsupported, however strange its header
    looks to this build (HDR-VERSION-FIRST, FRAME-HEADER-ALONE; facts: persistence §4.3, §4.6).
    """
    if compression == "none":
        end = data.find(b"\n") + 1
        return _judge(data[:end], end) if end else _headless("line 1")
    assert decompressor is not None
    frame = first_frame(data)
    if frame is None or isinstance(frame, Refusal):
        return frame or _headless("frame 1")
    line = decompressor.whole(data[: frame.end])
    if isinstance(line, Refusal):
        return line
    if not line or line.find(b"\n") != len(line) - 1:
        problem = "the first frame is not exactly one header line"
        return _corrupt("FRAME-HEADER-ALONE", "frame 1", problem)
    return _judge(line, frame.end)


def _judge(line: bytes, end: int) -> HeaderLine | Refusal:
    row = parse(line)
    if isinstance(row, Refusal):
        return _corrupt("HDR-EXACT", "line 1", f"the header line cannot be read: {row.problem}")
    refusal = check_header_line(row)
    if refusal is not None:
        return refusal
    assert isinstance(row, Mapping)
    return HeaderLine(header=logical_header(row), end=end)


def _headless(where: str) -> Refusal:
    return _corrupt("TORN-HEADER", where, "the log is empty or ends within its header")


def _corrupt(rule: str, where: str, problem: str) -> Refusal:
    return Refusal(kind=RefusalKind.CORRUPT, rule=rule, where=where, problem=problem)
