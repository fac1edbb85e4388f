"""Logs of every format: written and read back, cut at every byte, in pieces of any size."""

from collections.abc import Sequence
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.backends.zstd import Zstd
from dsh_reference.files import (
    Frame,
    LogEnd,
    LogFile,
    Torn,
    batch_lines,
    each_frame,
    framed_reading,
    header_line,
    log_name,
    log_path,
    plain_reading,
    read_header,
    read_log,
    select_generation,
)
from dsh_reference.files.lines import Fragment, in_pieces, split_lines
from dsh_reference.refusal import Refusal
from dsh_spec.catalogue import Format
from dsh_spec.values import Json, JsonObject

FORMATS: tuple[Format, ...] = get_args(Format)
EVERY_FORMAT = pytest.mark.parametrize("format", FORMATS)
FRAME = Zstd().frame


def header_of(format: Format, *, seeded: bool = False) -> JsonObject:  # noqa: A002
    header: dict[str, Json] = {"id": "s1", "createdAt": 1, "isSeeded": seeded, "cwd": "/w"}
    return {**header, "delegationDepth": 0, "version": format}


def events_of(format: Format, *, seeded: bool = False) -> list[JsonObject]:  # noqa: A002
    """Two turns, with a stream in them where the format has one."""
    delta = {"type": "text-delta", "index": 0, "text": "a"}
    bodies: list[tuple[str, Any]] = [
        ("turn/start", {"turn": 1}),
        *([("assistant/chunk", {"turn": 1, "step": 1, "chunk": delta})] * 4 * (format < 2)),
        ("turn/end", {"turn": 1, "reason": {"kind": "completed"}}),
        ("session/end-seed", {"inherited": True} if format >= 2 and seeded else {}),
        ("feedback/record", {"text": "x"}),
    ]
    return [
        {"type": type_, "seq": seq, "time": 9, "data": data}
        for seq, (type_, data) in enumerate(bodies)
    ]


@EVERY_FORMAT
@pytest.mark.parametrize("seeded", [False, True])
def test_what_was_written_is_read(format: Format, *, seeded: bool) -> None:  # noqa: A002
    header, events = header_of(format, seeded=seeded), events_of(format, seeded=seeded)
    inherited = (2 if format >= 2 else 3) if seeded else 0
    parts = [header_line(header, inherited), batch_lines(events[:3], format)]
    parts.append(batch_lines(events[3:], format))
    expected = (header, inherited, tuple(events), False)
    plain = read_log(b"".join(parts), compression="none")
    framed = read_log(
        b"".join(map(FRAME, parts)), compression="zstd", decompressor=Zstd().inflate()
    )
    for log in (plain, framed):
        assert isinstance(log, LogFile)
        assert (log.header, log.inherited, log.events, log.torn) == expected


#: How a header line says that a log is seeded (facts: events §2.1; the order is that of HDR-ORDER).
LINES = {
    0: b'"seedLength":3',
    1: b'"seedLength":3',
    2: b'"isSeeded":true',
    3: b'"isSeeded":true',
    4: b'"isSeeded":true',
}


@pytest.mark.parametrize(("format", "seeded"), LINES.items())
def test_a_header_line(format: Format, seeded: bytes) -> None:  # noqa: A002
    front = b'{"type":"session","version":%d,"id":"s1","createdAt":1,"cwd":"/w",' % format
    line = front + seeded + b',"delegationDepth":0}\n'
    header = header_of(format, seeded=True)
    assert header_line(header, 3) == line
    first = read_header(line, compression="none", format=None)
    assert not isinstance(first, Refusal)
    assert (first.header, first.format) == (header, format)
    assert first.seed_length == (3 if format < 2 else None)


def test_v0_lists_its_sources_and_later_formats_pack_them() -> None:
    """Facts: events §1.6, persistence §4.4."""
    event: JsonObject = {"type": "x", "seq": 4, "time": 0, "data": 0, "sourceEventSeqs": [1, 2, 3]}
    ends = [batch_lines([event], format).split(b":")[-1] for format in FORMATS]  # noqa: A001
    assert ends == [b"[1,2,3]}\n"] + [b"[[1,3]]}\n"] * 4


@EVERY_FORMAT
def test_a_cut_log_is_its_whole_rows(format: Format) -> None:  # noqa: A002
    """Facts: persistence §4.5: the same rule in every format."""
    first, rows = header_line(header_of(format)), batch_lines(events_of(format), format)
    events = tuple(events_of(format))
    counts = [0, 1, *([5] if format < 2 else []), *range(len(events) - 2, len(events) + 1)]
    for cut in range(len(rows) + 1):
        log = read_log(first + rows[:cut], compression="none")
        assert isinstance(log, LogFile)
        assert log.events == events[: counts[rows[:cut].count(b"\n")]]
        assert log.committed_bytes == len(first) + rows.rfind(b"\n", 0, cut) + 1


@EVERY_FORMAT
@given(st.lists(st.integers(1, 40), max_size=12), st.integers(0, 400))
def test_pieces_and_frames_of_any_size_hold_the_same_log(
    format: Format,  # noqa: A002
    sizes: Sequence[int],
    cut: int,
) -> None:
    """The text is cut off somewhere, and given in pieces and in frames of these sizes."""
    head, rows = header_line(header_of(format)), batch_lines(events_of(format), format)
    text = rows[:cut]
    whole = read_log(head + text, compression="none", format=format)
    first = read_header(head, compression="none", format=format)
    assert isinstance(whole, LogFile)
    assert not isinstance(first, Refusal)
    pieces, rest = [], text
    for size in sizes:
        pieces.append(rest[:size])
        rest = rest[size:]
    pieces.append(rest)
    assert plain_reading(first, pieces).whole() == whole
    packed = b"".join(map(FRAME, [head, *pieces]))
    log = read_log(packed, compression="zstd", decompressor=Zstd().inflate(), format=format)
    if whole.torn:
        assert isinstance(log, Refusal)
        assert log.rule == ("FRAME-COMPLETE-STRICT" if format == 4 else "MIG-TORN-ZSTD")
    else:
        assert isinstance(log, LogFile)
        assert log.events == whole.events


def test_a_reading_says_how_it_ended() -> None:
    """A bad row in a whole frame of v3: the good row before it is to be written again."""
    rows = batch_lines(events_of(3), 3).splitlines(keepends=True)
    parts = [header_line(header_of(3)), rows[0], rows[1] + b"{\n"]
    frames = list(map(FRAME, parts))
    data = b"".join(frames)
    first = read_header(data, compression="zstd", decompressor=Zstd().inflate(), format=3)
    assert not isinstance(first, Refusal)

    def content(frame: Frame | Torn) -> list[bytes | Refusal]:
        assert isinstance(frame, Frame)
        return [Zstd().inflate().whole(data[frame.start : frame.end])]

    reading = framed_reading(first, each_frame(data, first.end), content)
    assert reading.end is None
    assert [event["seq"] for event in reading] == [0, 1]
    assert isinstance(reading.end, LogEnd)
    assert reading.end.problem is not None
    assert reading.end.problem.where == "line 4: text"
    kept = len(frames[0] + frames[1])
    assert (reading.end.committed_bytes, reading.end.recovered, reading.end.torn) == (kept, 1, True)


@given(st.lists(st.sampled_from([b"a", b"\n", b"bc\n", b"\n\n", b""]), max_size=9))
def test_lines_do_not_depend_on_the_pieces(pieces: list[bytes]) -> None:
    text = b"".join(pieces)
    *lines, rest = text.split(b"\n")
    assert list(split_lines(pieces)) == [*lines, *([Fragment()] if rest else [])]
    assert b"".join(in_pieces(text, 1, 2)) == text[1:]


@pytest.mark.parametrize("pieces", [[b"abcd"], [b"ab", b"cd"], [b"x\nabcd\n"], [b"abcd\n"]])
def test_a_line_beyond_the_limit_is_refused(pieces: list[bytes]) -> None:
    *_, last = split_lines(pieces, 3)
    assert isinstance(last, Refusal)
    assert last.rule == "FILE-LIMIT"


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        ([], None),
        (["session.lock", "session.v0.jsonl", "session.v03.jsonl", "session.jsonl.tmp"], None),
        (["session.jsonl"], "session.jsonl"),
        (["session.v3.jsonl", "session.jsonl", "session.v1.jsonl"], "session.v3.jsonl"),
        (["session.v4.jsonl.zstd", "session.v2.jsonl.zstd"], "session.v4.jsonl.zstd"),
        (["session.v10.jsonl", "session.v4.jsonl"], "HDR-VERSION-FIRST"),
        (["session.v4.jsonl", "session.jsonl.zstd"], "FILE-ONE-ENCODING"),
    ],
)
def test_the_highest_generation_is_chosen(names: list[str], chosen: str | None) -> None:
    """Facts: persistence §4.2, §4.7, §4.8, migration §6; F20."""
    found = select_generation(names)
    if isinstance(found, Refusal):
        assert found.rule == chosen
    else:
        assert (found and found.name) == chosen
        assert found is None or log_name(found.format, found.compression) == found.name


def test_generations_lie_beside_one_another() -> None:
    header = header_of(0)
    assert log_path(header, "none") == "--w--/s1/session.jsonl"
    assert log_path(header, "none", format=4) == "--w--/s1/session.v4.jsonl"
