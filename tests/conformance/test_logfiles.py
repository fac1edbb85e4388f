"""Log files from a disk: what is in memory at a time, and hostile files."""

import json
import os
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.logfiles import Limits, find_log, open_log, stream_log
from dsh_reference.files import Compression, LogEnd, LogFile, log_name, read_log, scan
from dsh_reference.files.frames import MAGIC
from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind

MIB = 1 << 20
HEADER = (
    b'{"type":"session","version":4,"id":"s1","createdAt":1,"isSeeded":false,"delegationDepth":0}\n'
)
FRAME = Zstd().frame


def record(seq: int, text: str = "x") -> bytes:
    data = {"type": "feedback/record", "seq": seq, "time": 0, "data": {"text": text}}
    return json.dumps(data).encode() + b"\n"


def put(path: Path, *parts: bytes, name: str = "session.v4.jsonl") -> Path:
    file = path / name
    file.write_bytes(b"".join(parts))
    return file


def rule_of(outcome: object) -> str:
    assert isinstance(outcome, Refusal), outcome
    assert str(outcome)
    return outcome.rule


def blocks(byte: bytes, count: int) -> bytes:
    """A frame of *count* blocks that each unpack to 128 KiB of one byte."""
    size = 1 << 17
    block = (size << 3 | 1 << 1).to_bytes(3, "little") + byte
    last = (size << 3 | 1 << 1 | 1).to_bytes(3, "little") + byte
    return MAGIC + b"\x00\x58" + block * (count - 1) + last


@pytest.mark.parametrize("compression", ["none", "zstd"])
def test_a_log_is_the_same_from_a_disk_and_from_memory(
    tmp_path: Path, compression: Compression
) -> None:
    parts = [HEADER, b"".join(map(record, range(5))), b"".join(map(record, range(5, 9)))]
    data = b"".join(parts if compression == "none" else map(FRAME, parts))
    for end in range(len(data) + 1):
        file = put(tmp_path, data[:end], name=log_name(4, compression))
        inflate = Zstd().inflate()
        whole = read_log(data[:end], compression=compression, decompressor=inflate, format=4)
        assert open_log(file) == whole


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.sampled_from([b"", HEADER, FRAME(HEADER), MAGIC]), st.booleans())
def test_no_bytes_raise(tmp_path: Path, data: bytes, front: bytes, is_framed: bool) -> None:  # noqa: FBT001
    name = log_name(4, "zstd" if is_framed else "none")
    assert isinstance(open_log(put(tmp_path, front + data, name=name)), LogFile | Refusal)


def test_a_file_of_another_name_says_itself_what_it_is(tmp_path: Path) -> None:
    old = HEADER.replace(b'"version":4', b'"version":2')
    for data in (old + record(0), FRAME(old) + FRAME(record(0))):
        log = open_log(put(tmp_path, data, name="backup of a log"))
        assert isinstance(log, LogFile)
        assert (log.header["version"], len(log.events)) == (2, 1)


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("session.v3.jsonl", "ROW-ONE-VERSION"),
        ("session.jsonl", "ROW-ONE-VERSION"),
        ("session.v5.jsonl", "ROW-ONE-VERSION"),
        ("session.v4.jsonl.zstd", "FRAME-SCAN"),
    ],
)
def test_a_name_that_says_otherwise(tmp_path: Path, name: str, rule: str) -> None:
    assert rule_of(open_log(put(tmp_path, HEADER, name=name))) == rule


def test_the_newest_generation_of_a_directory_is_its_log(tmp_path: Path) -> None:
    assert find_log(tmp_path) is None
    put(tmp_path, name="session.lock")
    put(tmp_path, name="session.jsonl")
    newest = put(tmp_path, name="session.v3.jsonl")
    put(tmp_path, name="session.v4.jsonl.0123.tmp")
    assert find_log(tmp_path) == newest
    put(tmp_path, name="session.v12.jsonl")
    assert rule_of(find_log(tmp_path)) == "HDR-VERSION-FIRST"
    put(tmp_path, name="session.v2.jsonl.zstd")
    assert rule_of(find_log(tmp_path)) == "FILE-ONE-ENCODING"


@pytest.mark.parametrize("what", ["nothing", "directory", "pipe", "nul"])
def test_what_is_no_file_is_refused(tmp_path: Path, what: str) -> None:
    path = tmp_path / ("x\0y" if what == "nul" else what)
    if what == "directory":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    refusal = open_log(path)
    assert isinstance(refusal, Refusal)
    assert refusal.kind is RefusalKind.IO
    assert isinstance(find_log(path), Path | Refusal | None)


def peak_of(path: Path, **limits: int) -> tuple[LogEnd | Refusal | None, int, int]:
    """Stream a log; return how it ended, how many events it had, and the most memory held."""
    tracemalloc.start()
    try:
        with stream_log(path, Limits(**limits)) as reading:
            count = 0 if isinstance(reading, Refusal) else sum(1 for _ in reading)
        end = reading if isinstance(reading, Refusal) else reading.end
        return end, count, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("compression", ["none", "zstd"])
@pytest.mark.parametrize("batches", [1, 40])
def test_memory_does_not_grow_with_the_log(
    tmp_path: Path, compression: Compression, batches: int
) -> None:
    """Two logs of 1 and 12 MiB, in one frame and in many."""
    peaks = []
    for count in (1_000, 12_000):
        rows = [record(seq, os.urandom(500).hex()) for seq in range(count)]
        size = -(-count // batches)
        parts = [b"".join(rows[at : at + size]) for at in range(0, count, size)]
        pack = FRAME if compression == "zstd" else bytes
        file = put(tmp_path, *map(pack, [HEADER, *parts]), name=log_name(4, compression))
        del rows, parts
        end, found, peak = peak_of(file)
        assert isinstance(end, LogEnd)
        assert (end.count, end.torn, found) == (count, False, count)
        peaks.append(peak)
    assert max(peaks) < 8 * MIB


def sparse(path: Path, front: bytes, size: int) -> Path:
    file = put(path, front)
    os.truncate(file, size)
    return file


@pytest.mark.parametrize("front", [b"", HEADER, HEADER + record(0)])
def test_a_line_of_a_gibibyte_is_refused_by_name(tmp_path: Path, front: bytes) -> None:
    end, _, peak = peak_of(sparse(tmp_path, front, 1 << 30))
    assert rule_of(end) == "FILE-LIMIT"
    assert "67108864 bytes" in str(end)
    assert peak < 3 * 64 * MIB


def test_a_line_at_the_limit_is_read(tmp_path: Path) -> None:
    row = record(0, "y" * MIB)
    file = put(tmp_path, HEADER, row)
    assert isinstance(peak_of(file, line=len(row) - 1)[0], LogEnd)
    assert rule_of(peak_of(file, line=len(row) - 2)[0]) == "FILE-LIMIT"


@pytest.mark.parametrize("byte", [b"\n", b"\0", b"["])
@pytest.mark.parametrize("is_header", [True, False])
def test_a_frame_that_unpacks_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, byte: bytes, *, is_header: bool
) -> None:
    """40 KB that unpack to 1.3 GB; in a header frame too."""
    monkeypatch.setattr(scan, "MAX_DROPPED", 1000)
    front = [] if is_header else [FRAME(HEADER)]
    file = put(tmp_path, *front, blocks(byte, 10_000), name="session.v4.jsonl.zstd")
    end, _, peak = peak_of(file, text=64 * MIB, line=8 * MIB)
    expected = "FRAME-HEADER-ALONE" if is_header and byte == b"\n" else "FILE-LIMIT"
    assert rule_of(end) == expected
    assert peak < 40 * MIB


def test_a_frame_that_asks_for_much_memory_is_refused(tmp_path: Path) -> None:
    wide = MAGIC + b"\x00\xf8" + (1 << 3 | 1 << 1 | 1).to_bytes(3, "little") + b"\n"
    file = put(tmp_path, FRAME(HEADER), wide, name="session.v4.jsonl.zstd")
    assert rule_of(open_log(file)) == "FILE-LIMIT"


def test_a_damaged_torn_frame_yields_nothing(tmp_path: Path) -> None:
    """FRAME-TORN-RECOVER: though the beginning of it could be read (facts: persistence §4.6)."""
    raw = (len(record(1)) << 3).to_bytes(3, "little") + record(1)
    garbage = (100 << 3 | 2 << 1).to_bytes(3, "little") + b"\xff" * 100
    for tail, count in ((b"", 2), (garbage, 1)):
        frames = (FRAME(HEADER), FRAME(record(0)), MAGIC + b"\x00\x58" + raw + tail)
        log = open_log(put(tmp_path, *frames, name="session.v4.jsonl.zstd"))
        assert isinstance(log, LogFile)
        assert (len(log.events), log.torn) == (count, True)


#: A row whose data is this text, and the rule by which a log that ends with it is refused.
DATA: dict[str, tuple[bytes, str | None]] = {
    "deep": (b"[" * 100_000 + b"]" * 100_000, "FILE-LIMIT"),
    "1e400": (b"1e400", "JSON-WHERE"),
    "beyond 2^53": (b"9007199254740993", None),
    "minus zero": (b"-0", None),
    "not a number": (b"NaN", None),
    "no utf-8": (b'"\xff\xfe"', None),
    "lone surrogate": (b'"\\ud800"', None),
    "keys twice": (b'{"a":1,"a":2}', None),
    "huge number": (b"1" * 300, None),
}


@pytest.mark.parametrize(("data", "rule"), DATA.values(), ids=DATA.keys())
def test_a_hostile_row(tmp_path: Path, data: bytes, rule: str | None) -> None:
    row = b'{"type":"acme/x","seq":0,"time":0,"ignorable":true,"data":' + data + b"}\n"
    outcome = open_log(put(tmp_path, HEADER, row))
    if rule is None:
        assert isinstance(outcome, LogFile)
        assert len(outcome.events) == (0 if data == b"NaN" else 1)
    else:
        assert rule_of(outcome) == rule


def outcome(tmp_path: Path, *parts: bytes) -> Any:
    log = open_log(put(tmp_path, *parts))
    return log.rule if isinstance(log, Refusal) else (len(log.events), log.torn)


def test_hostile_text(tmp_path: Path) -> None:
    crlf = (HEADER + record(0)).replace(b"\n", b"\r\n")
    assert outcome(tmp_path, b"\xef\xbb\xbf", HEADER) == "HDR-EXACT"
    assert outcome(tmp_path, crlf) == (1, False)
    assert outcome(tmp_path, HEADER, bytes(5000)) == (0, True)
    assert outcome(tmp_path, HEADER, record(0), bytes(5000), b"\n") == (1, True)
    assert outcome(tmp_path, HEADER, b"\n" * 5000) == (0, True)
    assert outcome(tmp_path, b"[" * 200_000 + b"\n") == "HDR-EXACT"
    assert outcome(tmp_path, HEADER[:-1]) == "TORN-HEADER"


def test_a_log_that_grows_is_read_as_long_as_it_was(tmp_path: Path) -> None:
    file = put(tmp_path, HEADER, record(0))
    with stream_log(file) as reading, file.open("ab") as more:
        more.write(record(1))
        more.flush()
        assert not isinstance(reading, Refusal)
        assert len(list(reading)) == 1


def test_a_log_that_shrinks_ends_early(tmp_path: Path) -> None:
    file = put(tmp_path, HEADER, *(record(seq, "y" * 1000) for seq in range(5000)))
    with stream_log(file) as reading:
        os.truncate(file, len(HEADER) + 9)
        assert not isinstance(reading, Refusal)
        events: Sequence[Any] = list(reading)
    assert isinstance(reading.end, LogEnd)
    assert len(events) < 5000
