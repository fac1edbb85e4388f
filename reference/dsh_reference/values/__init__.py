"""JSON values as a session log means them: read, written, compared and refused.

A log is written and read by JavaScript, so a value is what ``JSON.parse`` makes of a text.
Numbers are IEEE-754 doubles, strings are sequences of UTF-16 code units, the last of several equal
keys counts, and bytes that are not UTF-8 turn into U+FFFD before anything looks at them.
Python's own reader differs in every one of these points, and in two more: it reads ``-0`` as 0
and takes ``NaN`` for a number.

Here an integral number within ±(2^53 - 1) is an ``int`` and every other number a ``float``.
Minus zero stays the float -0.0, so that the rules which refuse it can see it.
A string is the Python string of the same code units, with surrogate pairs joined.

The lossless boundary, :func:`not_json`, judges what an implementation is *given* to store.
It is a matter of Python objects, and narrower than :func:`parse`, which judges text.
"""

from dsh_reference.values.boundary import not_json
from dsh_reference.values.equality import equal
from dsh_reference.values.numbers import MAX_SAFE, is_count, is_int, is_minus_zero, is_pos
from dsh_reference.values.strings import utf16
from dsh_reference.values.text import MAX_DEPTH, dump, parse

__all__ = [
    "MAX_DEPTH",
    "MAX_SAFE",
    "dump",
    "equal",
    "is_count",
    "is_int",
    "is_minus_zero",
    "is_pos",
    "not_json",
    "parse",
    "utf16",
]
