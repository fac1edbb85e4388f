"""The real runtime and the reference judge header lines and frames of older logs alike."""

import json
from typing import Any

import pytest

from dsh_conformance.backends.zstd import Zstd
from dsh_spec.catalogue import Format

EVERY_FORMAT = pytest.mark.parametrize("format", [0, 1, 2, 3])
ROW = {"type": "feedback/record", "seq": 0, "time": 0, "data": {"text": "x"}}
HEADERS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "strange key": {"zz": 1},
    "seed length": {"seedLength": 1},
    "seed length of nothing": {"seedLength": 0},
    "seed length beyond the end": {"seedLength": 2},
    "null seed length": {"seedLength": None},
    "seed length of a fraction": {"seedLength": 0.5},
    "seeded": {"isSeeded": True},
    "not seeded in words": {"isSeeded": "no"},
    "sandbox mode": {"sandboxMode": "off"},
    "approval policy": {"approvalPolicy": "never"},
    "relative cwd": {"cwd": "w"},
    "null cwd": {"cwd": None},
    "parent": {"parentSession": "p", "origin": "subagent", "agentPreset": "x"},
    "origin": {"origin": "fork"},
    "depth below zero": {"delegationDepth": -1},
    "depth in words": {"delegationDepth": "0"},
    "created before the epoch": {"createdAt": -1},
    "created at a fraction": {"createdAt": 0.5},
    "created at minus zero": {"createdAt": -0.0},
    "created too late": {"createdAt": 2**53},
    "another type": {"type": "Session"},
    "version in words": {"version": "0"},
    "version of a fraction": {"version": 0.5},
    "version below zero": {"version": -1},
    "newest version": {"version": 4},
    "newer version": {"version": 9, "zz": 1},
    "version as a float": {},
}


@EVERY_FORMAT
@pytest.mark.parametrize("name", HEADERS)
def test_a_header(plain: Any, format: Format, name: str) -> None:  # noqa: A002
    log = plain.write(format, [ROW], **HEADERS[name])
    if name == "version as a float":
        log = log.replace(f'"version": {format},'.encode(), f'"version": {format}.0,'.encode())
    real, ours = plain.real(log, format), plain.ours(log, format)
    # The migration marks the end of an inherited prefix with an event.
    assert real == (2 if ours == 1 and "seedLength" in HEADERS[name] else ours)


@EVERY_FORMAT
@pytest.mark.parametrize(
    "change",
    [
        lambda log: log[:0],
        lambda log: log.split(b"\n", maxsplit=1)[0],
        lambda log: b"\n" + log,
        lambda log: b"\xef\xbb\xbf" + log,
        lambda log: b"[1]\n" + log,
        lambda log: log.replace(b"\n", b" \r\n"),
        lambda log: b'{"id":"other",' + log[1:],
        lambda log: log.replace(b'"delegationDepth"', b'"zz"'),
        lambda log: log.replace(b'"createdAt"', b'"zz"'),
    ],
    ids=["nothing", "no feed", "blank", "bom", "array", "crlf", "twice", "no depth", "no date"],
)
def test_a_first_line(plain: Any, format: Format, change: Any) -> None:  # noqa: A002
    plain.agree(change(plain.write(format, [ROW])), format)


@EVERY_FORMAT
def test_markers(plain: Any, format: Format) -> None:  # noqa: A002
    """CUT-V2PLUS: what it says of an unseeded log is for the migration to refuse."""
    marker = {"type": "session/end-seed", "seq": 1, "time": 0, "data": {"inherited": True}}
    log = plain.write(format, [ROW, marker])
    assert plain.real(log, format) == "unsupported-migration"
    assert plain.ours(log, format) == 2
    if format >= 2:
        plain.agree(plain.write(format, [ROW, marker], isSeeded=True), format)
        assert plain.agree(plain.write(format, [ROW, {**marker, "data": 5}]), format) == "corrupt"


FRAME = Zstd().frame
SECOND = {**ROW, "seq": 1}
LINE = json.dumps(SECOND).encode() + b"\n"
#: What may follow a header frame and a frame with one row.
FRAMES: dict[str, bytes] = {
    "a row": FRAME(LINE),
    "a row across two frames": FRAME(LINE[:9]) + FRAME(LINE[9:]),
    "half a row": FRAME(LINE[:9]),
    "half a row, then a torn frame": FRAME(LINE[:9]) + FRAME(LINE[9:])[:-1],
    "empty frames": FRAME(b"") * 2 + FRAME(LINE),
    "no checksum yet": FRAME(LINE)[:-1],
    "half a frame": FRAME(LINE * 40)[:-9],
    "flipped checksum": FRAME(LINE)[:-1] + bytes([FRAME(LINE)[-1] ^ 1]),
    "three zeros": bytes(3),
    "four zeros": bytes(4),
    "a skippable frame": b"\x50\x2a\x4d\x18\x04\0\0\0abcd",
    "a gap": FRAME(LINE.replace(b'"seq": 1', b'"seq": 2')),
    "a gap, then a frame": FRAME(LINE.replace(b'"seq": 1', b'"seq": 2')) + FRAME(LINE),
    "a bad row, then a torn frame": FRAME(LINE + b"{\n") + FRAME(LINE)[:-1],
    "plain text": LINE,
}


@EVERY_FORMAT
@pytest.mark.parametrize("tail", FRAMES.values(), ids=FRAMES.keys())
def test_frames(framed: Any, format: Format, tail: bytes) -> None:  # noqa: A002
    framed.agree(framed.write(format, [ROW]) + tail, format)


@EVERY_FORMAT
def test_the_first_frame(framed: Any, format: Format) -> None:  # noqa: A002
    """FRAME-HEADER-ALONE."""
    whole = framed.write(format)
    line = Zstd().inflate().whole(whole)
    assert isinstance(line, bytes)
    cases = (
        whole,
        b"",
        whole[:-1],
        line,
        FRAME(line[:-1]),
        FRAME(line[:9]) + FRAME(line[9:]),
        FRAME(line + LINE),
        FRAME(b"") + whole,
        FRAME(b"\n"),
        whole[:-1] + bytes([whole[-1] ^ 1]),
    )
    verdicts = [framed.agree(case, format) for case in cases]
    assert verdicts == [0] + ["corrupt"] * 9
