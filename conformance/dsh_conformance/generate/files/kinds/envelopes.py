"""Rows whose envelope is wrong, and in v3 whose place on the surface is.

Source: facts events §1, migration §0 (MIG-RECOVER-V01-THIN, -V2, -V3), each row of v3 shown to the
real runtime by tests/real/files/test_v3.py.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from dsh_conformance.generate.files.rows import note
from dsh_conformance.generate.files.spelling import plain
from dsh_conformance.generate.tape import Tape
from dsh_spec.values import Json, JsonObject


def placed(row: JsonObject) -> Callable[[int, Tape], bytes]:
    """Return the line of *row* at the place of a seq."""
    return lambda seq, _: plain({**row, "seq": seq})


def _with(**members: Json) -> Callable[[int, Tape], bytes]:
    return lambda seq, _: plain(note(seq, **members))


def _without(*keys: str) -> Callable[[int, Tape], bytes]:
    return lambda seq, _: plain(_thinned(note(seq), keys))


def _thinned(row: JsonObject, keys: tuple[str, ...]) -> JsonObject:
    return {key: value for key, value in row.items() if key not in keys}


#: Bad rows of v2 and later, by what is wrong with them.
BAD: Mapping[str, Callable[[int, Tape], bytes]] = MappingProxyType(
    {
        "a strange key": _with(acme=1),
        "no data": _without("data"),
        "no time": _without("time"),
        "no type": _without("type"),
        "no seq": _without("seq"),
        "a number for a type": _with(type=7),
        "a fraction of a time": _with(time=0.5),
        "a time beyond the safe integers": _with(time=2**53),
        "a time in words": _with(time="0"),
        "ignorable: false": _with(ignorable=False),
        "a seq in words": lambda seq, _: plain({**note(0), "seq": str(seq)}),
    }
)
#: Rows of v0 and v1 that are good, by what is odd about them.
THIN: Mapping[str, Callable[[int], JsonObject]] = MappingProxyType(
    {
        "a strange key": lambda seq: note(seq, acme=1),
        "no data": lambda seq: _thinned(note(seq), ("data",)),
        "nothing but a seq": lambda seq: {"seq": seq},
        "a number for a type": lambda seq: note(seq, type=7),
        "a time in words": lambda seq: note(seq, time="0"),
        "ignorable: false": lambda seq: note(seq, ignorable=False),
    }
)

_MESSAGE: JsonObject = {"id": "m", "role": "user", "content": [], "source": {"kind": "user"}}
_USER: JsonObject = {"type": "user/message", "time": 0, "data": _MESSAGE}
_HEADER: JsonObject = {"type": "request/header", "time": 0}
_CONFIG: JsonObject = {"config": {"provider": "p", "model": "m"}}
_RESULT: JsonObject = {"type": "tool/result", "time": 0, "surfaceOp": "append"}

#: Bad rows of v3, by what they are.
BAD_IN_V3: Mapping[str, JsonObject] = MappingProxyType(
    {
        "a user/message without a surfaceOp": _USER,
        "a user/message with the surfaceOp of v2": {
            **_USER,
            "surfaceOp": {"op": "replace", "start": 0, "end": 0},
        },
        "a user/message with no sources": {**_USER, "surfaceOp": "append", "sourceEventSeqs": []},
        "a record with a place on the surface": {
            "type": "feedback/record",
            "time": 0,
            "data": {},
            "surfaceOp": "append",
        },
        "a request/header with no tools": {
            **_HEADER,
            "data": {"header": {**_CONFIG, "tools": []}, "reason": "initial"},
        },
        "an error whose result is none": {
            **_RESULT,
            "data": {"turn": 1, "step": 1, "message": _MESSAGE, "error": {"name": "E"}},
        },
    }
)
