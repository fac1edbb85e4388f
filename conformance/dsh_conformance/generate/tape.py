"""Choices read from bytes, so that one draw settles everything about a small thing.

Hypothesis pays for each draw, and more for a draw through ``data()``: about 0.1 ms, while the bytes
that the draw brings cost next to nothing.  A batch of events drawn choice by choice would cost
milliseconds; drawn as a strip of bytes it costs what one draw costs.  Shrinking stays good when
zero means the simplest choice everywhere: Hypothesis shortens bytes and lowers each of them, and a
tape that has run out gives zeros.
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Draw(Protocol):
    """What draws a value: ``data.draw``, or the first argument of a composite strategy."""

    def __call__(self, strategy: st.SearchStrategy[T], /) -> T:
        """Draw one value."""


class Tape:
    """A cursor over bytes that answers questions; after its end every answer is the simplest."""

    __slots__ = ("_at", "_strip")

    def __init__(self, strip: bytes) -> None:
        self._strip = strip
        self._at = 0

    def pick(self, options: int) -> int:
        """Choose a number from 0 to *options* - 1, where 1 <= *options* <= 256."""
        at = self._at
        self._at = at + 1
        return self._strip[at] % options if at < len(self._strip) else 0

    def one_of(self, options: Sequence[T]) -> T:
        """Choose one of at most 256 options; the first is the simplest."""
        return options[self.pick(len(options))]

    def rarely(self, out_of: int) -> bool:
        """Say yes about once in *out_of* times; no is the simplest."""
        return self.pick(out_of) == out_of - 1
