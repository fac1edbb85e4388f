"""Logs as bytes: written and read back, cut at every byte, damaged in every row."""

from collections.abc import Callable
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.backends.zstd import Zstd
from dsh_reference.files import (
    Compression,
    Decompressor,
    LogFile,
    batch_lines,
    header_line,
    load,
    read_header,
    read_log,
)
from dsh_reference.refusal import Refusal
from dsh_reference.values import dump
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

ZSTD = Zstd()
PLAIN = (files("dsh_spec") / "golden/v4/files-plain-two-turns/log.jsonl").read_bytes()
LINES = PLAIN.splitlines(keepends=True)
#: The same log as frames: the header, then the two turns.
FRAMES = (
    ZSTD.frame(LINES[0]),
    ZSTD.frame(b"".join(LINES[1:7])),
    ZSTD.frame(b"".join(LINES[7:])),
)
PACKED = b"".join(FRAMES)
ENCODINGS: list[tuple[Compression, bytes]] = [("none", PLAIN), ("zstd", PACKED)]


def _inflate(compression: Compression) -> Decompressor | None:
    return ZSTD.inflate() if compression == "zstd" else None


def _load(data: bytes, compression: Compression = "none") -> LogFile | Refusal:
    return load(data, compression=compression, decompressor=_inflate(compression))


def _events(data: bytes, compression: Compression = "none") -> tuple[JsonObject, ...]:
    log = _load(data, compression)
    assert isinstance(log, LogFile)
    return log.events


WHOLE = _events(PLAIN)


@pytest.mark.parametrize(("compression", "data"), ENCODINGS)
def test_what_was_written_is_read(compression: Compression, data: bytes) -> None:
    log = _load(data, compression)
    assert isinstance(log, LogFile)
    assert (log.events, log.torn, log.committed_bytes) == (WHOLE, False, len(data))
    assert header_line(log.header) + batch_lines(log.events) == PLAIN


def test_a_cut_plain_log_is_its_whole_rows() -> None:
    """STORE-TORN-TAIL at every byte (facts: persistence §4.5, probed on 0.2.1rc2)."""
    for cut in range(len(PLAIN)):
        log, rows = _load(PLAIN[:cut]), PLAIN[:cut].count(b"\n") - 1
        if rows < 0:
            assert isinstance(log, Refusal)
            assert log.rule == "TORN-HEADER"
            continue
        assert isinstance(log, LogFile)
        assert log.events == WHOLE[:rows]
        assert log.committed_bytes == PLAIN.rfind(b"\n", 0, cut) + 1
        assert log.torn == (log.committed_bytes < cut)


def test_a_cut_packed_log_is_its_whole_frames_and_what_a_torn_one_yields() -> None:
    """FRAME-TORN-RECOVER at every byte (facts: persistence §4.6, probed on 0.2.1rc2)."""
    starts = [0, len(FRAMES[0]), len(FRAMES[0] + FRAMES[1]), len(PACKED)]
    for cut in range(len(PACKED)):
        log = _load(PACKED[:cut], "zstd")
        if cut < starts[1]:
            assert isinstance(log, Refusal)
            assert log.rule == "TORN-HEADER"
            continue
        assert isinstance(log, LogFile)
        complete = 0 if cut < starts[2] else 6
        assert log.events[: len(log.events) - len(log.recovered)] == WHOLE[:complete]
        assert log.events == WHOLE[: len(log.events)]
        assert log.committed_bytes == max(start for start in starts if start <= cut)
        assert log.torn == (log.committed_bytes < cut)


def test_rows_of_a_frame_that_lacks_its_checksum_are_recovered() -> None:
    log = _load(PACKED[:-1], "zstd")
    assert isinstance(log, LogFile)
    assert log.recovered == WHOLE[6:]


def _misspell(line: bytes) -> bytes:
    return line.replace(b'"type"', b'"tipe"')


def _break(line: bytes) -> bytes:
    return line[1:]


@pytest.mark.parametrize("row", range(11))
@pytest.mark.parametrize("damage", [_misspell, _break])
def test_a_bad_row_is_corrupt_when_a_turn_ends_behind_it(
    damage: Callable[[bytes], bytes], row: int
) -> None:
    """STORE-COMMITTED-CORRUPTION-LOUD: row 11 ends the second turn (facts: persistence §4.5)."""
    lines = [damage(line) if at == row + 1 else line for at, line in enumerate(LINES)]
    refusal = _load(b"".join(lines))
    assert isinstance(refusal, Refusal)
    assert (refusal.kind, refusal.rule) == (RefusalKind.CORRUPT, "INV-RECOVER")
    assert f"line {row + 2}" in refusal.where


@pytest.mark.parametrize("row", range(5, 11))
@pytest.mark.parametrize("damage", [_misspell, _break])
def test_a_bad_row_is_torn_when_none_does(damage: Callable[[bytes], bytes], row: int) -> None:
    """The end of the second turn is gone, and that of the first one is row 5."""
    lines = [damage(line) if at == row + 1 else line for at, line in enumerate(LINES[:-1])]
    assert _events(b"".join(lines)) == WHOLE[:row]


@pytest.mark.parametrize("row", range(12))
@pytest.mark.parametrize("damage", [_misspell, _break])
def test_a_bad_row_in_a_whole_frame_is_always_corrupt(
    damage: Callable[[bytes], bytes], row: int
) -> None:
    """FRAME-COMPLETE-STRICT (facts: persistence §4.6)."""
    lines = [damage(line) if at == row + 1 else line for at, line in enumerate(LINES)]
    refusal = _load(FRAMES[0] + ZSTD.frame(b"".join(lines[1:])), "zstd")
    assert isinstance(refusal, Refusal)
    assert refusal.kind is RefusalKind.CORRUPT


@given(st.integers(0, len(PACKED) * 8 - 1))
def test_a_flipped_bit_never_changes_what_a_packed_log_says(bit: int) -> None:
    """Facts: persistence §4.6: refused, or the front part; never other content."""
    data = bytearray(PACKED)
    data[bit // 8] ^= 1 << bit % 8
    log = _load(bytes(data), "zstd")
    assert isinstance(log, Refusal) or log.events == WHOLE[: len(log.events)]


@given(st.integers(0, len(PLAIN) * 8 - 1))
def test_a_flipped_bit_never_makes_a_plain_log_sparse(bit: int) -> None:
    """Facts: persistence §4.5: without a checksum content may change, seqs may not."""
    data = bytearray(PLAIN)
    data[bit // 8] ^= 1 << bit % 8
    log = _load(bytes(data))
    seqs = [] if isinstance(log, Refusal) else [event["seq"] for event in log.events]
    assert seqs == list(range(len(seqs)))


@given(st.binary(), st.sampled_from(["none", "zstd"]), st.booleans())
def test_no_bytes_raise(data: bytes, compression: Compression, behind_a_header: bool) -> None:  # noqa: FBT001
    header = FRAMES[0] if compression == "zstd" else LINES[0]
    log = _load(header + data if behind_a_header else data, compression)
    assert isinstance(log, LogFile | Refusal)


@given(st.lists(st.recursive(st.integers() | st.text(), st.lists, max_leaves=4), max_size=3))
def test_no_rows_raise(rows: list[Json]) -> None:
    lines = [dump({"type": "turn/start", "seq": 0, "time": 0, "data": row}) for row in rows]
    lines += map(dump, rows)
    log = _load(LINES[0] + "".join(f"{line}\n" for line in lines).encode())
    assert isinstance(log, LogFile | Refusal)


@pytest.mark.parametrize(
    ("value", "rule"), [("1e400", "JSON-WHERE"), ("[" * 600 + "]" * 600, "FILE-LIMIT")]
)
def test_a_row_that_this_reader_cannot_hold_is_never_dropped(value: str, rule: str) -> None:
    """It is JSON, so somebody wrote it: a torn tail it is not (F07, FILE-LIMIT)."""
    row = f'{{"type":"acme/x","seq":12,"time":0,"data":{value},"ignorable":true}}\n'
    refusal = _load(PLAIN + row.encode())
    assert isinstance(refusal, Refusal)
    assert refusal.rule == rule
    assert "line 14" in refusal.where


def test_a_small_log_cannot_list_more_sources_than_memory_holds() -> None:
    """FILE-LIMIT: each row cites all events before it in a dozen bytes."""
    header = LINES[0]
    rows = (
        f'{{"type":"acme/x","seq":{seq},"time":0,"data":0,"ignorable":true,'
        f'"sourceEventSeqs":[[0,{seq - 1}]]}}\n'
        for seq in range(1, 3000)
    )
    first = '{"type":"acme/x","seq":0,"time":0,"data":0,"ignorable":true}\n'
    refusal = read_log(header + f"{first}{''.join(rows)}".encode(), compression="none")
    assert isinstance(refusal, Refusal)
    assert (refusal.kind, refusal.rule) == (RefusalKind.OTHER, "FILE-LIMIT")


@pytest.mark.parametrize(("compression", "data"), ENCODINGS)
def test_the_header_is_read_from_any_front_part_that_holds_it(
    compression: Compression, data: bytes
) -> None:
    end = len(LINES[0] if compression == "none" else FRAMES[0])
    for cut in range(len(data)):
        first = read_header(data[:cut], compression=compression, decompressor=_inflate(compression))
        if cut < end:
            assert isinstance(first, Refusal)
        else:
            assert not isinstance(first, Refusal)
            assert (first.end, first.header["id"]) == (end, "s1")
