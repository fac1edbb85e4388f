"""What is expected of the files track holds of right answers and of no wrong ones."""

from base64 import b64encode
from typing import Any

import pytest

from dsh_conformance.generate.files.frames import frame, frame_by_hand
from dsh_conformance.implementation.outcome import Ok, Outcome, Refused
from dsh_conformance.tracks.files.expecting import (
    EventsOrRefusedAs,
    OfFiles,
    PathPart,
    WritesFrames,
    WritesHeader,
    WritesLog,
    WritesRows,
    WritesSources,
)
from dsh_conformance.tracks.store.expect import Check, holds
from dsh_conformance.tracks.store.script import Call, line_json, read_lines
from dsh_spec.refusals import RefusalKind

HEAD = (
    b'{"type":"session","version":4,"id":"s","createdAt":1,"isSeeded":false,"delegationDepth":0}\n'
)
KEYS = ("type", "version", "id", "createdAt", "isSeeded", "delegationDepth")
ROW = b'{"type":"a/b","seq":0,"time":0,"data":1,"ignorable":true}\n'
CITING = b'{"type":"a/b","seq":1,"time":0,"data":1,"ignorable":true,"sourceEventSeqs":[[0,0]]}\n'
HEADER: Any = {"version": 4, "id": "s", "createdAt": 1, "isSeeded": False}
EVENT: Any = {"type": "a/b", "seq": 0, "time": 0, "data": 1, "ignorable": True}
LOG = WritesLog("none", 4, HEADER, 0, (EVENT,))
LIMIT = EventsOrRefusedAs((EVENT,), (RefusalKind.OTHER,))


def wrote(*pieces: bytes) -> Ok:
    return Ok({"base64": b64encode(b"".join(pieces)).decode()})


def framed(*pieces: bytes) -> Ok:
    return wrote(*map(frame, pieces))


def refused(kind: RefusalKind) -> Refused:
    return Refused(kind=kind, message="no")


@pytest.mark.parametrize(
    ("expects", "right", "wrong"),
    [
        (LIMIT, Ok({"events": [EVENT]}), Ok({"events": []})),
        (LIMIT, refused(RefusalKind.OTHER), refused(RefusalKind.CORRUPT)),
        (PathPart(1, "b"), Ok({"path": "a/b/c"}), Ok({"path": "a/c/b"})),
        (PathPart(2, "c"), Ok({"path": "a/b/c"}), Ok({"path": "a/b"})),
        (WritesHeader("none", KEYS), wrote(HEAD), wrote(HEAD.replace(b'"id":"s",', b""))),
        (WritesHeader("none", KEYS), wrote(HEAD), wrote(ROW, HEAD)),
        (WritesHeader("zstd", KEYS), framed(HEAD), wrote(HEAD)),
        (WritesSources("none", ([[0, 0]],)), wrote(HEAD, ROW, CITING), wrote(HEAD, ROW)),
        (WritesSources("none", ([0],)), wrote(CITING.replace(b"[[0,0]]", b"[0]")), wrote(CITING)),
        (WritesRows("none", 2), wrote(HEAD, ROW, CITING), wrote(HEAD, ROW, b"\n", CITING)),
        (WritesRows("none", 1), wrote(HEAD, ROW), wrote(HEAD, ROW.replace(b'"seq"', b'"seq0"'))),
        (WritesFrames((2, 1)), framed(HEAD, ROW + ROW, ROW), framed(HEAD, ROW, ROW + ROW)),
        (WritesFrames((1,)), framed(HEAD, ROW), framed(HEAD + ROW)),
        (WritesFrames((1,)), framed(HEAD, ROW), wrote(frame(HEAD), frame_by_hand([ROW]))),
        (WritesFrames((1,)), framed(HEAD, ROW), framed(HEAD, ROW[:-1])),
        (LOG, wrote(HEAD, ROW), wrote(HEAD)),
        (LOG, wrote(HEAD, ROW), wrote(HEAD, ROW, b"{")),
        (LOG, wrote(HEAD, ROW), wrote(HEAD, ROW.replace(b'"data":1', b'"data":true'))),
        (LOG, wrote(HEAD, ROW), wrote(HEAD.replace(b'"s"', b'"t"'), ROW)),
        (LOG, wrote(HEAD, ROW), Ok({"base64": "%"})),
    ],
)
def test_an_expectation_tells_right_from_wrong(
    expects: OfFiles, right: Outcome, wrong: Outcome
) -> None:
    assert holds(expects, right, {})
    assert not holds(expects, wrong, {})
    assert holds(expects, refused(RefusalKind.IO), {}) is False


@pytest.mark.parametrize(
    "expects",
    [
        LIMIT,
        PathPart(0, "a"),
        WritesHeader("none", KEYS),
        WritesSources("none", ([[0, 1]],)),
        WritesRows("zstd", 1),
        WritesFrames((1, 2)),
        LOG,
    ],
)
def test_an_expectation_survives_a_script(expects: OfFiles) -> None:
    line = Call(method="files/read", params={}, checks=(Check("FILE-LIMIT", expects),))
    assert read_lines([line_json(line)]) == (line,)
