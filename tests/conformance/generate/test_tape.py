"""Tapes: answers within bounds, and the simplest ones after the end."""

from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.tape import Tape


@given(st.binary(max_size=4), st.lists(st.integers(1, 256), max_size=8))
def test_answers_are_within_bounds(strip: bytes, questions: list[int]) -> None:
    tape = Tape(strip)
    answers = [tape.pick(options) for options in questions]
    assert all(0 <= answer < options for answer, options in zip(answers, questions, strict=True))
    assert not any(answers[len(strip) :])


def test_zero_is_the_simplest() -> None:
    tape = Tape(bytes(3))
    assert tape.one_of("abc") == "a"
    assert not tape.rarely(2)
    assert not tape.rarely(100)


def test_rarely_is_one_in_so_many() -> None:
    assert [byte for byte in range(8) if Tape(bytes([byte])).rarely(4)] == [3, 7]
