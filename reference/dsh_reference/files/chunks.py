"""Packed rows of v0 and v1: a run of streamed deltas as one line.

Such a row has the seq and time of its first member, the gaps in milliseconds to the others, and
what each member adds.
It is all or nothing: a row with one fault in it yields none of its members.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from types import MappingProxyType
from typing import Any, Final, TypeGuard, cast

from attrs import frozen

from dsh_reference.files.sources import is_list
from dsh_reference.refusal import Refusal
from dsh_reference.values import is_count, is_int
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject, is_object

#: How many members one row may have; released writers never come near it.
MAX_MEMBERS: Final = 1 << 20
_MIN_RUN: Final = 3
_CHUNK: Final = "assistant/chunk"
_ROW_KEYS: Final = frozenset({"type", "seq0", "time0", "data"})
_EVENT_KEYS: Final = frozenset({"type", "seq", "time", "data"})
_PLACE_KEYS: Final = ("turn", "step", "index")


@frozen(kw_only=True)
class _Kind:
    """One of the three kinds of row."""

    #: The type of the row.
    row: str
    #: The type of the chunks that it holds.
    chunk: str
    #: The member of the row's data that lists what the chunks say.
    many: str
    #: The member of a chunk that says it.
    one: str
    #: Whether the chunks belong to a tool call, which has an id and perhaps a name.
    is_call: bool = False

    @property
    def required(self) -> frozenset[str]:
        """What the row's data has besides a name."""
        return frozenset({*_PLACE_KEYS, "dt", self.many, *(("id",) if self.is_call else ())})

    @property
    def shared(self) -> tuple[str, ...]:
        """What the chunks of a run have in common, in the order of the writers."""
        return ("index", "id", "name") if self.is_call else ("index",)


_KINDS: Final = (
    _Kind(row="text-chunks", chunk="text-delta", many="texts", one="text"),
    _Kind(row="reasoning-chunks", chunk="reasoning-delta", many="texts", one="text"),
    _Kind(
        row="tool-call-chunks",
        chunk="tool-call-delta",
        many="args",
        one="argumentsDelta",
        is_call=True,
    ),
)
_BY_ROW: Final = MappingProxyType({kind.row: kind for kind in _KINDS})
_BY_CHUNK: Final = MappingProxyType({kind.chunk: kind for kind in _KINDS})


def is_packed(row: JsonObject) -> bool:
    """Tell whether *row* has a type of packed rows, which no event has (CHUNKROW-REJECT)."""
    kind = row.get("type")
    return isinstance(kind, str) and kind in _BY_ROW


def unpack_row(row: JsonObject, seq: int) -> Iterator[JsonObject] | Refusal:
    """Return the events of a packed *row* whose first one has to have *seq*, made one by one.

    (CHUNKROW-SHAPE, CHUNKROW-LEN, CHUNKROW-SAFE, CHUNKROW-EXPAND; facts: events §6.2, probed on
    0.2.1rc2.)
    """
    kind = _BY_ROW[str(row["type"])]
    data, first, time = row.get("data"), row.get("seq0"), row.get("time0")
    if row.keys() != _ROW_KEYS or not is_object(data) or not _is_shaped(data, kind):
        return _bad(seq, "CHUNKROW-SHAPE", f"the {kind.row} row has not the shape of one")
    if not is_count(first) or not is_int(time):
        return _bad(seq, "CHUNKROW-SHAPE", "its seq0 or time0 is no safe integer")
    texts, gaps = cast("list[str]", data[kind.many]), cast("list[int]", data["dt"])
    if not texts or len(gaps) != len(texts) - 1:
        return _bad(seq, "CHUNKROW-LEN", f"{len(texts)} members have {len(gaps)} gaps")
    if len(texts) > MAX_MEMBERS:
        return _TOO_MANY
    times = list(accumulate(map(int, gaps), initial=int(time)))
    if not all(map(is_int, (*times, first + len(texts) - 1))):
        return _bad(seq, "CHUNKROW-SAFE", "a seq or a time of a member is no safe integer")
    if first != seq:
        return _bad(seq, "ENV-SEQ-CONTIGUOUS", f"the row begins with seq {first}, not {seq}")
    return _members(data, kind, seq, times)


def pack_rows(events: Sequence[JsonObject]) -> Iterator[JsonObject]:
    """Yield the rows of a batch: a packed one for each run of three or more (CHUNKROW-ENCODE)."""
    start = 0
    while start < len(events):
        end = start + 1
        while end < len(events) and end - start < MAX_MEMBERS and _joins(events, end):
            end += 1
        if end - start < _MIN_RUN:
            yield from events[start:end]
        else:
            yield _packed(events[start:end])
        start = end


def _is_shaped(data: JsonObject, kind: _Kind) -> bool:
    """Whether each member of a row's data is there and of its kind (CHUNKROW-SHAPE)."""
    optional = {"name"} if kind.is_call else set[str]()
    return (
        kind.required <= data.keys() <= kind.required | optional
        and all(is_count(data[key]) for key in _PLACE_KEYS)
        and _is_list_of(data["dt"], is_int)
        and _is_list_of(data[kind.many], _is_text)
        and (not kind.is_call or (_is_text(data["id"]) and data["id"] != ""))
        and _is_text(data.get("name", ""))
    )


def _members(data: JsonObject, kind: _Kind, seq: int, times: Sequence[int]) -> Iterator[JsonObject]:
    texts = data[kind.many]
    assert is_list(texts)
    shared = {key: data[key] for key in kind.shared if key in data}
    place = {"turn": data["turn"], "step": data["step"]}
    for at, (text, time) in enumerate(zip(texts, times, strict=True)):
        chunk = {"type": kind.chunk, **shared, kind.one: text}
        yield {
            "type": _CHUNK,
            "seq": seq + at,
            "time": time,
            "data": {**place, "chunk": chunk},
        }


def _joins(events: Sequence[JsonObject], at: int) -> bool:
    """Whether the event at *at* goes on with the run of the one before it."""
    before, event = _run_of(events[at - 1]), _run_of(events[at])
    if before is None or before != event:
        return False
    (seq, time), (next_seq, next_time) = _coordinates(events[at - 1]), _coordinates(events[at])
    return next_seq == seq + 1 and is_int(next_time - time)


def _run_of(event: JsonObject) -> JsonObject | None:
    """Return what the run of a delta has in common; ``None`` for what no row can hold."""
    match event:
        case {"type": "assistant/chunk", "seq": seq, "time": time, "data": Mapping() as data}:
            chunk = data.get("chunk")
            fits = event.keys() == _EVENT_KEYS and data.keys() == {"turn", "step", "chunk"}
            if fits and is_count(seq) and is_int(time) and is_object(chunk):
                return _shared_of(data, chunk)
    return None


def _shared_of(data: JsonObject, chunk: JsonObject) -> JsonObject | None:
    kind = _BY_CHUNK.get(str(chunk.get("type")))
    if kind is None or not _is_text(chunk.get(kind.one)):
        return None
    shared = {key: chunk[key] for key in kind.shared if key in chunk}
    run = {"turn": data["turn"], "step": data["step"], **shared}
    is_whole = chunk.keys() == {"type", kind.one, *shared}
    row: JsonObject = {**run, "dt": [], kind.many: [""]}
    return {"type": kind.row, **run} if is_whole and _is_shaped(row, kind) else None


def _packed(run: Sequence[JsonObject]) -> JsonObject:
    """Return the row of a run, its keys in the order of the writers."""
    common = dict(_run_of(run[0]) or {})
    kind = _BY_ROW[str(common.pop("type"))]
    seq, time = _coordinates(run[0])
    times = [_coordinates(event)[1] for event in run]
    gaps = [after - before for before, after in pairwise(times)]
    texts = [_text_of(event, kind) for event in run]
    data = {**common, "dt": gaps, kind.many: texts}
    return {"type": kind.row, "seq0": seq, "time0": time, "data": data}


def _coordinates(event: JsonObject) -> tuple[int, int]:
    seq, time = event["seq"], event["time"]
    assert is_count(seq)
    assert is_int(time)
    return int(seq), int(time)


def _text_of(event: Any, kind: _Kind) -> Json:
    text: Json = event["data"]["chunk"][kind.one]
    return text


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str)


def _is_list_of(value: Json, test: Any) -> TypeGuard[Sequence[Any]]:
    return is_list(value) and all(map(test, value))


_TOO_MANY: Final = Refusal(
    kind=RefusalKind.OTHER,
    rule="FILE-LIMIT",
    where="row",
    problem=f"the row packs more than {MAX_MEMBERS} chunks, the limit of this reader",
)


def _bad(seq: int, rule: str, problem: str) -> Refusal:
    return Refusal(kind=RefusalKind.CORRUPT, rule=rule, where=f"event {seq}", problem=problem)
