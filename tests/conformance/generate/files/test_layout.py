"""A file is laid out as its log says, in any legal spelling, packing and framing."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.generate.files import bases
from dsh_conformance.generate.files.basis import physical
from dsh_conformance.generate.files.frames import CHECKSUM, frame, frame_by_hand, frame_of_runs
from dsh_conformance.generate.files.packing import pack_chunks, pack_sources, packed
from dsh_conformance.generate.files.spelling import SPELLINGS, Spell
from dsh_conformance.generate.formats import FORMATS, Format
from dsh_conformance.generate.tape import Tape
from dsh_reference.session_log import SessionLog
from dsh_reference.values import equal, parse

TAPES = st.binary(max_size=40).map(Tape)
RUNS = {
    "text-chunks": ("text-delta", "texts", "text"),
    "reasoning-chunks": ("reasoning-delta", "texts", "text"),
    "tool-call-chunks": ("tool-call-delta", "args", "argumentsDelta"),
}


def chunk(seq: int, text: str, time: int = 0, **more: Any) -> dict[str, Any]:
    made = {"type": "text-delta", "index": 0, "text": text, **more}
    data = {"turn": 1, "step": 1, "chunk": made}
    return {"type": "assistant/chunk", "seq": seq, "time": time, "data": data}


def expanded(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the events of a row, by the words of the facts (events §1.6, §6.2)."""
    if "seq0" in row:
        data, time, events = row["data"], row["time0"], []
        kind, many, one = RUNS[row["type"]]
        shared = {key: data[key] for key in ("index", "id", "name") if key in data}
        place = {"turn": data["turn"], "step": data["step"]}
        for at, text in enumerate(data[many]):
            time += data["dt"][at - 1] if at else 0
            made = {"type": kind, **shared, one: text}
            event = {"type": "assistant/chunk", "seq": row["seq0"] + at, "time": time}
            events.append({**event, "data": {**place, "chunk": made}})
        return events
    if "sourceEventSeqs" not in row:
        return [row]
    spans = [[each, each] if isinstance(each, int) else each for each in row["sourceEventSeqs"]]
    return [{**row, "sourceEventSeqs": [n for a, b in spans for n in range(a, b + 1)]}]


@given(st.data(), st.sampled_from(FORMATS), st.sampled_from(("none", "zstd")))
def test_rows_stand_for_the_events_of_the_log(
    data: st.DataObject, version: Format, compression: Any
) -> None:
    basis = data.draw(bases(version, compression))
    rows: list[Any] = [parse(row.line) for row in basis.rows]
    assert equal([event for row in rows for event in expanded(row)], basis.log.events)
    assert [row.first + row.count for row in basis.rows[-1:]] == [basis.count][: len(basis.rows)]
    assert all(row.is_end == (each["type"] == "turn/end") for row, each in zip(basis.rows, rows))  # noqa: B905
    text = _text(basis.file()) if compression == "zstd" else basis.file()
    assert text == basis.header + b"".join(row.line + b"\n" for row in basis.rows)


def _text(data: bytes) -> bytes:
    """Return the text of all frames, which the library finds by itself."""
    library: Any = Zstd()._library
    pieces, rest = [], data
    while rest:
        stream = library.ZstdDecompressor()
        pieces.append(stream.decompress(rest))
        rest = stream.unused_data
    return b"".join(pieces)


@given(st.sets(st.integers(0, 30)), TAPES)
def test_packed_sources_stand_for_the_list(seqs: set[int], tape: Tape) -> None:
    listed = sorted(seqs)
    assert expanded({"sourceEventSeqs": pack_sources(listed, tape)}) == [
        {"sourceEventSeqs": listed}
    ]


def test_a_list_in_another_order_stays() -> None:
    assert pack_sources([2, 1, 0], Tape(b"\1" * 9)) == [2, 1, 0]


def test_what_differs_in_more_than_text_is_not_packed_together() -> None:
    one = [chunk(0, "a"), chunk(1, "b", 5), chunk(2, "c", 3)]
    row = {"turn": 1, "step": 1, "index": 0, "dt": [5, -2], "texts": ["a", "b", "c"]}
    assert packed(one) == {"type": "text-chunks", "seq0": 0, "time0": 0, "data": row}
    apart: Sequence[Any] = [chunk(0, "a"), chunk(1, "b", index=1), chunk(2, "c", index=1, q=1)]
    counts = [run.count for run in pack_chunks(apart, Tape(b"\1" * 40))]
    assert counts == [1, 1, 1]


@pytest.mark.parametrize("spell", SPELLINGS, ids=lambda spell: spell.__name__)
@given(st.dictionaries(st.text(max_size=3), st.integers(-9, 9) | st.text(max_size=3), min_size=1))
def test_spellings_are_the_same_value(spell: Spell, value: dict[str, Any]) -> None:
    line = spell(value)
    assert b"\n" not in line
    assert equal(json.loads(line), value)


@given(st.binary(max_size=300), st.integers(1, 50))
def test_frames_hold_what_they_are_given(text: bytes, size: int) -> None:
    blocks = [text[at : at + size] for at in range(0, len(text), size)] or [b""]
    assert _text(frame(text)) == text
    assert _text(frame_by_hand(blocks)) == text
    damaged = bytearray(frame(text))
    damaged[-CHECKSUM] ^= 1
    library: Any = Zstd()._library
    with pytest.raises(library.ZstdError):
        _text(bytes(damaged))


def test_a_frame_of_runs() -> None:
    assert _text(frame_of_runs([(b"a", 3), (b"b", 1), (b" ", 1 << 17)])) == b"aaab" + b" " * (
        1 << 17
    )


@pytest.mark.parametrize(
    ("version", "members"),
    [
        (0, ["seedLength", "delegationDepth"]),
        (1, ["seedLength", "delegationDepth"]),
        (2, ["isSeeded", "delegationDepth"]),
        (4, ["isSeeded", "delegationDepth"]),
    ],
)
def test_a_header_line_says_how_a_log_is_seeded(version: int, members: list[str]) -> None:
    header: Any = {"version": version, "id": "s", "createdAt": 1, "isSeeded": True}
    log = SessionLog(header=header, inherited=0, events=())
    assert list(physical(log)) == ["type", "version", "id", "createdAt", *members]
