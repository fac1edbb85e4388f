"""Rows that are put behind those of a log."""

from typing import Final

from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.tape import Tape
from dsh_spec.values import Json


def note(seq: int, **members: Json) -> Raw:
    """Return an event that no reader knows and every reader takes: it is ignorable."""
    return {"type": "acme/note", "seq": seq, "time": 0, "data": {}, "ignorable": True, **members}


def end(seq: int) -> Raw:
    """Return the end of a turn."""
    data = {"turn": 1, "reason": {"kind": "completed"}}
    return {"type": "turn/end", "seq": seq, "time": 0, "data": data}


def mark(seq: int, **data: Json) -> Raw:
    """Return an end of a seed, by default that of an inherited prefix."""
    return {"type": "session/end-seed", "seq": seq, "time": 0, "data": data or {"inherited": True}}


#: Lines that are no JSON text, in the order of how plainly so.
NO_JSON: Final = (
    b"#",
    b"",
    bytes(8),
    b"   ",
    b"undefined",
    b'{"type":"turn/end"',
    b"\xef\xbf\xbd",
)
#: Lines that are JSON and no row of any format.
NO_ROW: Final = (b"[]", b"null", b"0", b'"turn/end"', b"true", b'[{"type":"turn/end"}]')


def off(seq: int, tape: Tape) -> int:
    """Return a seq that is not the one of the place *seq*: a gap, or a repeat where one can be."""
    others: list[int] = [seq + 1, seq + 2, seq + 1000, *([seq - 1, 0] if seq else [])]
    return tape.one_of(others)
