"""The envelope of an event: the keys around ``data``, which every event has alike."""

from typing import Any

from dsh_reference.refusal import Refusal
from dsh_reference.values import MAX_SAFE, is_count, is_int
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject, is_object

#: The keys that every event has.
REQUIRED_KEYS = ("type", "seq", "time", "data")
#: The keys that an event may have besides.
OPTIONAL_KEYS = ("ignorable", "surfaceOp", "sourceEventSeqs")
#: The rules that say which seq an event has.
SEQ_RULES = frozenset({"ENV-SEQ-CONTIGUOUS", "ENV-SEQ-NEGZERO"})
_REQUIRED = frozenset(REQUIRED_KEYS)
_ALL = frozenset((*REQUIRED_KEYS, *OPTIONAL_KEYS))


def check_envelope(raw: Json, expected_seq: int) -> Refusal | None:
    """Judge the envelope of one stored event; ``None``, or the first rule that it breaks.

    *expected_seq* is the event's place in the log.  Neither its payload nor what it says of the
    surface is looked at.  The refusal's kind is ``corrupt``.

    Source: ENV-KEYS, ENV-TYPE-STR, ENV-SEQ-CONTIGUOUS, ENV-SEQ-NEGZERO, ENV-TIME-INT,
    ENV-DATA-PRESENT, ENV-IGNORABLE-TRUE (facts: events §1.1; probed on 0.2.1rc2).
    """
    if _is_usual(raw, expected_seq):
        return None
    found = _problem(raw, expected_seq)
    if found is None:
        return None
    rule, problem = found
    return Refusal(
        kind=RefusalKind.CORRUPT, rule=rule, where=f"event {expected_seq}", problem=problem
    )


def _is_usual(raw: Any, expected_seq: int) -> bool:
    """Tell whether an envelope is right in the way in which nearly all are."""
    return (
        type(raw) is dict
        and raw.keys() >= _REQUIRED
        and (len(raw) == len(_REQUIRED) or ("ignorable" not in raw and raw.keys() <= _ALL))
        and type(raw["type"]) is str
        and type(raw["seq"]) is int
        and raw["seq"] == expected_seq
        and type(raw["time"]) is int
        and -MAX_SAFE <= raw["time"] <= MAX_SAFE
        and expected_seq <= MAX_SAFE
    )


def _problem(raw: Json, expected_seq: int) -> tuple[str, str] | None:
    if not is_object(raw):
        return "ENV-KEYS", "it is no object"
    return _key_problem(raw) or _value_problem(raw, expected_seq)


def _key_problem(raw: JsonObject) -> tuple[str, str] | None:
    keys = raw.keys()
    if keys == _REQUIRED or _REQUIRED <= keys <= _ALL:
        return None
    for key in REQUIRED_KEYS:
        if key not in raw:
            rule = "ENV-DATA-PRESENT" if key == "data" else "ENV-KEYS"
            return rule, f"the key {key!r} is missing"
    for key in raw:
        if key not in REQUIRED_KEYS and key not in OPTIONAL_KEYS:
            return "ENV-KEYS", f"the key {key[:80]!r} is not its own"
    return None


def _value_problem(raw: JsonObject, expected_seq: int) -> tuple[str, str] | None:
    if not isinstance(raw["type"], str):
        return "ENV-TYPE-STR", "the type is no string"
    seq = raw["seq"]
    if seq != expected_seq or not is_count(seq):
        if seq == 0 and not is_count(seq):
            return "ENV-SEQ-NEGZERO", "the seq is not the integer 0"
        return "ENV-SEQ-CONTIGUOUS", f"the seq is {str(seq)[:40]}, not {expected_seq}"
    if not is_int(raw["time"]):
        return "ENV-TIME-INT", "the time is no safe integer"
    if "ignorable" in raw and raw["ignorable"] is not True:
        return "ENV-IGNORABLE-TRUE", "ignorable is present and not true"
    return None
