"""The usual lines of a log, parsed by a decoder in C; any other line by the reference (ADR 15).

The reference reads JSON text as JavaScript does, with Python's own scanner and a call for every
number.  The decoder takes a third of the time, and reads most texts the same.  It is told only of
texts that are sure to be read the same, and where it fails, the reference parses the text anew:
what a line says, and what is wrong with it, is always the reference's word.
"""

import re
from typing import Final, cast

from msgspec import MsgspecError
from msgspec.json import Decoder

from dsh_reference.refusal import Refusal
from dsh_reference.values import MAX_DEPTH, parse
from dsh_reference.values.text import read_number
from dsh_spec.values import Json

#: How long a usual line is at most, in bytes; a copy of it is made to look for long numbers.
_LONGEST: Final = 1 << 20
#: As many digits in a row might be a number that is no safe integer; the decoder would keep it.
_DIGITS: Final = b"0" * 16
_SHAPES: Final = bytes(ord("0" if byte in b"0123456789" else " ") for byte in range(256))
#: The decoder loses the sign of the integer -0.
_MINUS_ZERO: Final = re.compile(rb"(?:^|[\s,:\[])-0")
_DECODE: Final = Decoder(float_hook=read_number).decode
#: What it raises where it reads no value; a number of no double is a `ValueError`.
_FAILED: Final = (MsgspecError, ValueError, RecursionError)


def parse_line(line: bytes) -> Json | Refusal:
    """Do what `parse` does."""
    if _is_usual(line):
        try:
            return cast("Json", _DECODE(line))
        except _FAILED:
            pass
    return parse(line)


def _is_usual(line: bytes) -> bool:
    """Tell whether a text, if it is JSON at all, means the same to the decoder.

    Surrogates that are escaped one by one are joined or refused in another way, too.
    """
    return (
        len(line) <= _LONGEST
        and line.count(b"[") + line.count(b"{") <= MAX_DEPTH
        and b"\\ud" not in line
        and b"\\uD" not in line
        and _DIGITS not in line.translate(_SHAPES)
        and (b"-0" not in line or _MINUS_ZERO.search(line) is None)
    )
