"""The frame scan, held against the library that wrote the frames."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dsh_conformance.backends.zstd import Inflate, Zstd
from dsh_reference.files.frames import MAGIC, Frame, Frames, first_frame, scan_frames
from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind

ZSTD = Zstd()
#: Contents of frames: empty, short, and long enough for several blocks and for repeated ones.
CONTENTS = st.binary(max_size=60) | st.builds(
    lambda seed, times: seed * times, st.binary(min_size=1, max_size=9), st.integers(1, 70_000)
)


def _frames(contents: list[bytes]) -> tuple[bytes, tuple[Frame, ...]]:
    data, frames = b"", []
    for content in contents:
        frame = ZSTD.frame(content)
        frames.append(Frame(len(data), len(data) + len(frame)))
        data += frame
    return data, tuple(frames)


@given(st.lists(CONTENTS, max_size=4))
def test_whole_frames_are_found(contents: list[bytes]) -> None:
    data, frames = _frames(contents)
    assert scan_frames(data) == Frames(complete=frames, torn_start=None)


@given(st.lists(CONTENTS, min_size=1, max_size=3), st.data())
def test_a_cut_tears_the_last_frame(contents: list[bytes], data: st.DataObject) -> None:
    text, frames = _frames(contents)
    last = frames[-1]
    cut = data.draw(st.integers(last.start + 1, last.end - 1))
    assert scan_frames(text[:cut]) == Frames(complete=frames[:-1], torn_start=last.start)


@given(CONTENTS, st.binary(max_size=9))
def test_the_first_frame_needs_no_more_than_itself(content: bytes, behind: bytes) -> None:
    frame = ZSTD.frame(content)
    assert first_frame(frame + behind) == Frame(0, len(frame))
    assert first_frame(frame[:-1]) is None


@given(st.binary())
@example(MAGIC)
@example(MAGIC + b"\xff")
@example(MAGIC + b"\x00\x00\xff\xff\xff")
def test_no_bytes_raise(data: bytes) -> None:
    assert isinstance(scan_frames(data), Frames | Refusal)
    assert isinstance(scan_frames(MAGIC + data), Frames | Refusal)


@pytest.mark.parametrize(
    "tail",
    [
        b"\0\0\0\0",
        b"\x50\x2a\x4d\x18\x04\0\0\0abcd",
        MAGIC + b"\x08\x58\x01\0\0",
        MAGIC + b"\x00\x58\x07\0\0",
    ],
    ids=["zeros", "skippable frame", "reserved bit", "reserved block type"],
)
def test_what_begins_no_frame_is_damage(tail: bytes) -> None:
    """Facts: persistence §4.6, observed on 0.2.1rc2; also at the end of the file."""
    refusal = scan_frames(ZSTD.frame(b"x") + tail)
    assert isinstance(refusal, Refusal)
    assert (refusal.kind, refusal.rule) == (RefusalKind.CORRUPT, "FRAME-SCAN")


@given(st.binary(max_size=200))
def test_inflate_gives_back_what_was_framed(text: bytes) -> None:
    assert ZSTD.inflate().whole(ZSTD.frame(text)) == text


@given(st.binary(min_size=1, max_size=200), st.data())
def test_a_front_part_yields_a_front_part(text: bytes, data: st.DataObject) -> None:
    frame = ZSTD.frame(text)
    cut = data.draw(st.integers(0, len(frame)))
    start = ZSTD.inflate().start(frame[:cut])
    assert isinstance(start, bytes)
    assert text.startswith(start)
    assert start == text or cut < len(frame) - 4


def _is_limit(inflate: Inflate, frame: bytes) -> bool:
    refusal = inflate.whole(frame)
    return isinstance(refusal, Refusal) and "limit" in refusal.problem


def test_a_log_beyond_the_limit_is_refused_by_name() -> None:
    """F07: never a front part, and all frames of one log together."""
    frame = ZSTD.frame(bytes(600))
    assert _is_limit(ZSTD.inflate(599), frame)
    inflate = ZSTD.inflate(1000)
    assert inflate.whole(frame) == bytes(600)
    assert _is_limit(inflate, frame)
