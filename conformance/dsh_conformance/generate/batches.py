"""Batches that a store must refuse whole: wrong seqs, and values outside JSON.

Sources: facts persistence §3 (STORE-CONTIGUOUS-APPEND, STORE-LOSSLESS-JSON); field report F28.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from attrs import frozen
from hypothesis import strategies as st

from dsh_conformance.generate.payloads import payload
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.tape import Draw, Tape
from dsh_conformance.implementation.hostile import HOSTILE_NAMES

#: What is wrong with the seqs of a batch.
Fault: TypeAlias = Literal["starts late", "skips", "repeats", "starts early", "comes again"]

#: The values outside JSON that the adapter protocol can name, the simplest first.
HOSTILE = HOSTILE_NAMES

_STRIP = st.binary(min_size=12, max_size=12)


@frozen
class BadBatch:
    """A batch that breaks the dense numbering of the log (ENV-SEQ-CONTIGUOUS)."""

    #: What is wrong.
    fault: Fault
    #: Its events.
    events: list[Raw]


def draw_bad_batch(draw: Draw, next_seq: int, stored: Sequence[Raw] = ()) -> BadBatch:
    """Draw a batch that must be refused where *next_seq* is expected.

    *stored* are the last events of the log, which are then appended once more in some batches.
    It shrinks to one event that comes one seq too late.
    """
    tape = Tape(draw(_STRIP))
    faults: list[Fault] = ["starts late", "skips", "repeats"]
    if next_seq:
        faults.append("starts early")
    if stored:
        faults += ["comes again"] * 3
    fault = tape.one_of(faults)
    if fault == "comes again":
        return BadBatch(fault, list(stored[-1 - tape.pick(min(len(stored), 4)) :]))
    seqs = _SEQS[fault](next_seq, tape)
    return BadBatch(fault, [_ping(seq, payload(tape)) for seq in seqs])


def _late(seq: int, tape: Tape) -> list[int]:
    first = seq + 1 + tape.pick(3)
    return list(range(first, first + 1 + tape.pick(2)))


def _skipping(seq: int, tape: Tape) -> list[int]:
    good = 1 + tape.pick(3)
    return [*range(seq, seq + good), seq + good + 1 + tape.pick(2)]


def _repeating(seq: int, tape: Tape) -> list[int]:
    good = 1 + tape.pick(3)
    return [*range(seq, seq + good), seq + tape.pick(good)]


def _early(seq: int, tape: Tape) -> list[int]:
    first = seq - 1 - tape.pick(min(seq, 3))
    return list(range(first, first + 1 + tape.pick(4)))


_SEQS: Mapping[Fault, Callable[[int, Tape], list[int]]] = MappingProxyType(
    {"starts late": _late, "skips": _skipping, "repeats": _repeating, "starts early": _early}
)


def draw_hostile_batch(draw: Draw, next_seq: int) -> tuple[list[Raw], str]:
    """Draw a dense batch that holds one value outside JSON, and that value's name.

    The value stands as ``{"$hostile": name}``: the events are in the form of the adapter protocol
    already, and hold no other object with a single key ``$hostile`` or ``$literal``.
    It shrinks to one event whose data is undefined.
    """
    tape = Tape(draw(_STRIP))
    name = tape.one_of(HOSTILE)
    event = tape.one_of(_PLACES)(next_seq, {"$hostile": name}, tape)
    if not tape.pick(2):
        return [event], name
    before = _ping(next_seq, "a")
    return [before, {**event, "seq": next_seq + 1}], name


def _ping(seq: int, data: Any) -> Raw:
    return {"type": "plugin:acme/ping", "seq": seq, "time": 0, "data": data, "ignorable": True}


def _said(seq: int, **envelope: Any) -> Raw:
    content = [{"type": "text", "text": "a"}]
    data = {"id": f"m{seq}", "role": "user", "content": content, "source": {"kind": "user"}}
    base = {"type": "user/message", "seq": seq, "time": 0, "data": data, "surfaceOp": "append"}
    return {**base, **envelope}


def _as_data(seq: int, value: Raw, _tape: Tape) -> Raw:
    return _ping(seq, value)


def _as_member(seq: int, value: Raw, _tape: Tape) -> Raw:
    return _ping(seq, {"k": "a", "v": value})


def _as_item(seq: int, value: Raw, _tape: Tape) -> Raw:
    return _ping(seq, [0, value])


def _deep(seq: int, value: Raw, tape: Tape) -> Raw:
    nested: Any = value
    for level in range(1 + tape.pick(50)):
        nested = [nested] if level % 2 else {"k": nested}
    return _ping(seq, nested)


def _as_operation(seq: int, value: Raw, _tape: Tape) -> Raw:
    return _said(seq, surfaceOp=value)


def _in_operation(seq: int, value: Raw, _tape: Tape) -> Raw:
    operation = {"op": "replace", "startSeq": 0, "endSeq": value}
    return _said(seq, surfaceOp=operation, sourceEventSeqs=[0])


def _as_source(seq: int, value: Raw, _tape: Tape) -> Raw:
    return _said(seq, sourceEventSeqs=[value])


_PLACES: tuple[Callable[[int, Raw, Tape], Raw], ...] = (
    *(_as_data, _as_member, _as_item, _deep),
    *(_as_operation, _in_operation, _as_source),
)
