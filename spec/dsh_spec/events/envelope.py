"""The envelope of an event: the keys around ``data``, each read on its own.

What must be there, and what a marker may refer to, is for the fold of the surface to say.
"""

from typing import Any

from dsh_spec.catalogue import Format
from dsh_spec.events.kinds import MAX_SAFE, integral, is_list
from dsh_spec.events.shape_error import shape_error
from dsh_spec.events.v4 import Append, Replace, SurfaceOp
from dsh_spec.events.vocabulary import Vocabulary
from dsh_spec.values import Json, JsonObject, is_object

_REQUIRED = frozenset({"type", "seq", "time", "data"})
_KEYS = _REQUIRED | {"surfaceOp", "sourceEventSeqs", "ignorable"}
_APPEND = Append()


def _end_names(format: Format) -> tuple[str, str]:  # noqa: A002 - the word for it
    """What the two ends of a replacement are called."""
    return ("start", "end") if format < 3 else ("startSeq", "endSeq")


def is_usual(raw: Any, vocabulary: Vocabulary) -> bool:
    """Whether an envelope is right and says no more than most do.

    That is, it is of a known type, and has no other metadata than that a surface event is appended.
    """
    if type(raw) is not dict or not raw.keys() >= _REQUIRED:
        return False
    type_, seq, time = raw["type"], raw["seq"], raw["time"]
    return (
        type(type_) is str
        and type_ in vocabulary.known
        and type(seq) is int
        and 0 <= seq <= MAX_SAFE
        and type(time) is int
        and -MAX_SAFE <= time <= MAX_SAFE
        and (len(raw) == 4 or (len(raw) == 5 and _is_appended(raw) and type_ in vocabulary.surface))
    )


def usual_op(raw: JsonObject) -> SurfaceOp | None:
    """What an event of a usual envelope does to the surface."""
    return _APPEND if len(raw) == 5 else None


def _is_appended(raw: JsonObject) -> bool:
    return raw.get("surfaceOp") == "append"


def check_keys(raw: Any) -> None:
    """Refuse a value that is no object of the envelope's keys (ENV-KEYS, ENV-DATA-PRESENT)."""
    if not is_object(raw):
        raise shape_error("ENV-KEYS", (), "must be an object")
    keys = raw.keys()
    if keys == _REQUIRED or _REQUIRED <= keys <= _KEYS:
        return
    for key in sorted(_REQUIRED - keys):
        raise shape_error("ENV-DATA-PRESENT" if key == "data" else "ENV-KEYS", (key,), "is missing")
    key = min(keys - _KEYS, key=str)
    raise shape_error("ENV-KEYS", (key,), "is no key of an event")


def read_type(raw: JsonObject) -> str:
    """The event's type (ENV-TYPE-STR)."""
    value = raw["type"]
    if not isinstance(value, str):
        raise shape_error("ENV-TYPE-STR", ("type",), "must be a string")
    return value


def seq_of(value: Json) -> int | None:
    """The seq that a value denotes, or None."""
    number = value if type(value) is int else integral(value)
    return number if number is not None and 0 <= number <= MAX_SAFE else None


def read_seq(raw: JsonObject) -> int:
    """The event's place in the log (ENV-SEQ-NEGZERO)."""
    seq = seq_of(raw["seq"])
    if seq is None:
        raise shape_error("ENV-SEQ-NEGZERO", ("seq",), "must be an integer from 0 to 2^53-1")
    return seq


def read_time(raw: JsonObject) -> int:
    """The event's time, in ms since 1970 UTC (ENV-TIME-INT)."""
    value = raw["time"]
    time = value if type(value) is int else integral(value)
    if time is None or not -MAX_SAFE <= time <= MAX_SAFE:
        raise shape_error("ENV-TIME-INT", ("time",), "must be an integer within +-(2^53-1)")
    return time


def read_ignorable(raw: JsonObject) -> bool:
    """Whether the event may be skipped (ENV-IGNORABLE-TRUE)."""
    if "ignorable" not in raw:
        return False
    if raw["ignorable"] is not True:
        raise shape_error("ENV-IGNORABLE-TRUE", ("ignorable",), "must be true, or absent")
    return True


def read_surface_op(
    raw: JsonObject,
    *,
    surface: bool,
    format: Format,  # noqa: A002 - the word for it
) -> SurfaceOp | None:
    """What the event does to the surface (SURF-MARKER-SHAPE, SURF-REPLACE-SHAPE).

    A log-only type has no marker of any shape (SURF-LOGONLY-NO-OP).
    """
    if "surfaceOp" not in raw:
        return None
    op: Any = raw["surfaceOp"]
    place = ("surfaceOp",)
    if not surface:
        raise shape_error("SURF-LOGONLY-NO-OP", place, "must be absent on a type off the surface")
    if op == "append":
        return _APPEND
    if not is_object(op):
        raise shape_error("SURF-MARKER-SHAPE", place, 'must be "append" or an object')
    names = _end_names(format)
    start, end = (seq_of(op.get(name)) for name in names)
    if op.keys() != {"op", *names} or op["op"] != "replace" or start is None or end is None:
        rule = "SURF-OP-REPLACE-V0V1V2" if format < 3 else "SURF-REPLACE-SHAPE"
        problem = f'must have exactly the keys op: "replace", {" and ".join(names)}, both seqs'
        raise shape_error(rule, place, problem)
    return Replace(start_seq=start, end_seq=end)


def read_sources(raw: JsonObject, *, surface: bool) -> tuple[int, ...] | None:
    """The seqs of the events that the event was made from (SRC-ARRAY, SRC-DENSE-INT).

    A log-only type has no sources (SURF-LOGONLY-NO-SOURCES).
    """
    if "sourceEventSeqs" not in raw:
        return None
    value: Any = raw["sourceEventSeqs"]
    place = ("sourceEventSeqs",)
    if not surface:
        problem = "must be absent on a type off the surface"
        raise shape_error("SURF-LOGONLY-NO-SOURCES", place, problem)
    if not is_list(value):
        raise shape_error("SRC-ARRAY", place, "must be a list")
    sources = []
    for index, item in enumerate(value):
        source = seq_of(item)
        if source is None:
            problem = "must be an integer from 0 to 2^53-1"
            raise shape_error("SRC-DENSE-INT", (*place, index), problem)
        sources.append(source)
    return tuple(sources)


def write_surface_op(op: SurfaceOp, *, format: Format) -> Json:  # noqa: A002 - the word for it
    """The JSON of what an event does to the surface."""
    match op:
        case Append():
            return "append"
        case Replace(start_seq=start, end_seq=end):
            first, last = _end_names(format)
            return {"op": "replace", first: start, last: end}
