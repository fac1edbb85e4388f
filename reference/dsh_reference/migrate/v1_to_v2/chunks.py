"""Chunks: what an `assistant/chunk` must be so that a stream can hold it."""

from collections.abc import Mapping
from typing import Final, TypeAlias, TypeGuard

from attrs import frozen

from dsh_reference.envelope import OPTIONAL_KEYS, REQUIRED_KEYS
from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.v1_to_v2.streams import DELTAS
from dsh_reference.refusal import Refusal
from dsh_reference.values import is_count, is_int, not_json
from dsh_spec.values import Json, JsonObject, is_object

_RAW: Final = frozenset({"block-start", "block-end", "usage", "finish"})
#: The members of a delta for which a record has a place.
_KEPT: Final[Mapping[Json, frozenset[str]]] = {
    "text-delta": frozenset({"type", "index", "text"}),
    "reasoning-delta": frozenset({"type", "index", "text"}),
    "tool-call-delta": frozenset({"type", "index", "id", "name", "argumentsDelta"}),
}


#: A turn and a step.
Place: TypeAlias = tuple[Json, Json]


@frozen(kw_only=True)
class Chunk:
    """A chunk that a stream can hold."""

    #: Its seq in v1.
    seq: int
    #: Its time, in ms.
    time: int | float
    #: The turn and the step in which it was streamed.
    place: Place
    #: What was streamed.
    content: JsonObject


def read_chunk(event: JsonObject, seq: int) -> Chunk | Refusal:
    """Return the chunk of an `assistant/chunk` event.

    What else the event holds is lost: its surface metadata, and members beside the chunk.  What a
    chunk other than a delta holds is not looked at.  The runtime lets any turn and step pass here,
    and refuses the attempt that names one that is no count at the next edge.

    Source: MIG12-CHUNK-ENVELOPE, MIG12-CHUNK-PAYLOAD (facts: migration §2.2; probed on 0.2.1rc2).
    """
    problem = _envelope_problem(event)
    if problem:
        return unsupported(seq, "MIG12-CHUNK-ENVELOPE", problem)
    data, time = event["data"], event["time"]
    content = data.get("chunk") if is_object(data) else None
    if not is_object(data) or not is_object(content):
        return unsupported(seq, "MIG12-CHUNK-PAYLOAD", "it holds no chunk")
    problem = _content_problem(content)
    if problem:
        return unsupported(seq, "MIG12-CHUNK-PAYLOAD", problem)
    if not _is_time(time):
        return unsupported(seq, "MIG12-CHUNK-PAYLOAD", "its time is no safe integer")
    place = place_of(data)
    if not all(map(is_count, place)):
        return unsupported(seq, "MIG12-CHUNK-PAYLOAD", "its turn or step is no count")
    return Chunk(seq=seq, time=time, place=place, content=content)


def place_of(data: JsonObject) -> Place:
    """Return the turn and the step that a payload names, ``None`` where it names none."""
    return data.get("turn"), data.get("step")


def _is_time(value: Json) -> TypeGuard[int | float]:
    """Tell whether a value is a safe integer, or minus zero: a stream keeps that (REC-NEGZERO)."""
    return is_int(value) or (isinstance(value, float) and value == 0)


def _envelope_problem(event: JsonObject) -> str:
    for key in REQUIRED_KEYS:
        if key not in event:
            return f"the key {key!r} is missing"
    for key in event:
        if key not in REQUIRED_KEYS and key not in OPTIONAL_KEYS:
            return f"the key {key[:80]!r} is not its own"
    if event.get("ignorable", True) is not True:
        return "ignorable is present and not true"
    return ""


def _content_problem(chunk: JsonObject) -> str:
    type_ = chunk.get("type")
    # Of a delta that has no other members than these, the checks below see them all.
    if (type_ not in DELTAS or not chunk.keys() <= _KEPT[type_]) and not_json(chunk):
        return "the chunk is no lossless JSON"
    if type_ in _RAW:
        return ""
    if type_ not in DELTAS:
        return "the chunk is of no kind that a stream knows"
    if not is_count(chunk.get("index")):
        return "the delta's index is no count"
    if not isinstance(chunk.get(DELTAS[type_][1]), str):
        return "the delta's text is no string"
    return _tool_problem(chunk) if type_ == "tool-call-delta" else ""


def _tool_problem(chunk: JsonObject) -> str:
    if not isinstance(chunk.get("id"), str):
        return "the delta's id is no string"
    if not isinstance(chunk.get("name", ""), str):
        return "the delta's name is no string"
    return ""
