"""Packed rows of chunks: good ones of v0 and v1, bad ones, and any of them in a later format.

Source: facts events §6.2; tests/real/files/test_chunks.py shows the bad ones to the real runtime.
"""

from collections.abc import Iterator
from typing import Any

from dsh_conformance.generate.files.basis import Basis, lines
from dsh_conformance.generate.files.kind import PLAIN, Kind
from dsh_conformance.generate.files.kinds.damage import Bad, torn
from dsh_conformance.generate.files.packing import packed
from dsh_conformance.generate.files.specimen import Made, reads
from dsh_conformance.generate.files.spelling import plain
from dsh_conformance.generate.formats import Format
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.strings import TEXTS
from dsh_conformance.generate.tape import Tape
from dsh_reference.values import MAX_SAFE
from dsh_spec.values import Json

_OLD: tuple[Format, ...] = (0, 1)
_LATER: tuple[Format, ...] = (2, 3, 4)
_PLACE: Raw = {"turn": 1, "step": 1}
#: What the chunks of a run have in common, by kind of run.
_RUNS: tuple[Raw, ...] = (
    {"type": "text-delta", "index": 0},
    {"type": "reasoning-delta", "index": 2},
    {"type": "tool-call-delta", "index": 1, "id": "c", "name": "f"},
    {"type": "tool-call-delta", "index": 0, "id": "c"},
    {"type": "tool-call-delta", "index": 0, "id": "c", "name": ""},
)
_TEXT = {"text-delta": "text", "reasoning-delta": "text", "tool-call-delta": "argumentsDelta"}


def _run(seq: int, tape: Tape) -> list[Raw]:
    """Return one to six chunks that one row can hold; clocks step back (F27)."""
    common = tape.one_of(_RUNS)
    chunks: list[Raw] = []
    time = tape.one_of((10, 0, -7, MAX_SAFE - 10**6))
    for at in range(1 + tape.pick(6)):
        chunk = {**common, _TEXT[common["type"]]: tape.one_of(TEXTS)}
        data = {**_PLACE, "chunk": chunk}
        chunks.append({"type": "assistant/chunk", "seq": seq + at, "time": time, "data": data})
        time += tape.one_of((0, 1, -3, 1000))
    return chunks


def _packed(basis: Basis, tape: Tape) -> Made:
    """Runs behind one another, each in a row of its own."""
    chunks: list[Raw] = []
    rows: list[bytes] = []
    for _ in range(1 + tape.pick(3)):
        run = _run(basis.count + len(chunks), tape)
        rows.append(plain(packed(run)))
        chunks += run
    return reads(basis, basis.file(lines(rows)), more=chunks)


def _row(seq: int, **members: Json) -> Raw:
    data: Raw = {**_PLACE, "index": 0, "dt": [1, -1], "texts": ["a", "b", "c"]}
    return {"type": "text-chunks", "seq0": seq, "time0": 10, "data": data, **members}


def _call(seq: int, **members: Json) -> Raw:
    data = {**_PLACE, "index": 0, "id": "c", "name": "f", "dt": [], "args": ["{}"]}
    return _row(seq, type="tool-call-chunks", data={**data, **members})


def _with(**members: Json) -> Bad:
    return lambda seq, _: plain(_row(seq, **members))


def _data(**members: Json) -> Bad:
    def bad(seq: int, _: Tape) -> bytes:
        row = _row(seq)
        return plain({**row, "data": {**row["data"], **members}})

    return bad


def _of_call(**members: Json) -> Bad:
    return lambda seq, _: plain(_call(seq, **members))


#: Bad rows, by rule.
_BAD: tuple[tuple[str, str, Bad], ...] = (
    ("CHUNKROW-SHAPE", "a strange key", _with(acme=1)),
    ("CHUNKROW-SHAPE", "ignorable: true", _with(ignorable=True)),
    ("CHUNKROW-SHAPE", "a fraction of a time", _with(time0=0.5)),
    ("CHUNKROW-SHAPE", "a strange member", _data(acme=1)),
    ("CHUNKROW-SHAPE", "a name for a text", _data(name="f")),
    ("CHUNKROW-SHAPE", "a turn below zero", _data(turn=-1)),
    ("CHUNKROW-SHAPE", "a step in words", _data(step="1")),
    ("CHUNKROW-SHAPE", "a gap of a fraction", _data(dt=[1, 0.5])),
    ("CHUNKROW-SHAPE", "texts in the row of a call", _with(type="tool-call-chunks")),
    ("CHUNKROW-SHAPE", "an empty call id", _of_call(id="")),
    ("CHUNKROW-SHAPE", "a null name", _of_call(name=None)),
    ("CHUNKROW-LEN", "no members", _data(dt=[], texts=[])),
    ("CHUNKROW-LEN", "a gap too few", _data(dt=[1])),
    ("CHUNKROW-LEN", "a gap too many", _data(dt=[1, 1, 1])),
    ("CHUNKROW-SAFE", "a time that overflows", _data(dt=[MAX_SAFE, MAX_SAFE])),
    ("CHUNKROW-SAFE", "a time that overflows on the way", _data(dt=[MAX_SAFE, -MAX_SAFE])),
    ("CHUNKROW-REJECT", "a number for its last text", _data(texts=["a", "b", 7])),
    ("CHUNKROW-REJECT", "null for its first text", _data(texts=[None, "b", "c"])),
    ("CHUNKROW-REJECT", "the seq of another place", lambda seq, _: plain(_row(seq + 1))),
    ("CHUNKROW-REJECT", "the envelope of an event", lambda seq, _: plain(_event(seq))),
)


def _event(seq: int) -> Raw:
    return {"type": "text-chunks", "seq": seq, "time": 0, "data": {}}


def _in_a_later_format(seq: int, tape: Tape) -> bytes:
    row: Any = packed(_run(seq, tape))
    return plain(row)


def kinds() -> Iterator[Kind]:
    """Return them."""
    yield Kind("CHUNKROW-EXPAND", "packed chunks", _packed, _OLD)
    for rule, says, bad in _BAD:
        yield Kind(rule, f"a packed row with {says}", torn(bad), _OLD, PLAIN)
    says = "a packed row in a later format"
    yield Kind("ROW-KINDS", says, torn(_in_a_later_format), _LATER, PLAIN)
