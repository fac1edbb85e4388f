"""Strings: hard ones, joined as UTF-16, of the promised lengths, and simple when shrunk."""

import re
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.strings import (
    ID_CASES,
    IDS,
    KEY_CASES,
    KEYS,
    LONGEST_ID,
    TEXT_CASES,
    TEXTS,
    ids,
    keys,
    texts,
)
from dsh_reference.refusal import Refusal
from dsh_reference.values import dump, equal, parse

SPLIT_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def units(text: str) -> int:
    """Count UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(st.one_of(texts(), keys(), ids()))
def test_no_surrogate_pair_stays_split(text: str) -> None:
    assert SPLIT_PAIR.search(text) is None


@given(st.one_of(texts(), keys(), ids()))
def test_every_string_survives_json(text: str) -> None:
    read = parse(dump(text))
    assert not isinstance(read, Refusal)
    assert equal(read, text)


@given(ids())
def test_ids_are_neither_empty_nor_too_long(name: str) -> None:
    assert 1 <= units(name) <= LONGEST_ID


@pytest.mark.parametrize("pool", [TEXTS, KEYS, IDS])
def test_no_case_stands_twice(pool: Sequence[str]) -> None:
    assert len(set(pool)) == len(pool)


def test_the_known_traps_are_there() -> None:
    assert {"NUL", "lone high surrogate", "line separator", "astral", "composed"} <= set(TEXT_CASES)
    assert {"", "__proto__", "constructor", "$hostile", "$literal"} <= set(KEY_CASES.values())
    assert {".", "..", "../../x", "a/b", "~", "A", "a"} <= set(ID_CASES.values())


@pytest.mark.parametrize(
    ("strategy", "simplest"), [(texts(), "a"), (keys(), "k"), (ids(), "s1")], ids=str
)
def test_the_plain_case_is_the_simplest(
    smallest: Callable[..., str], strategy: st.SearchStrategy[str], simplest: str
) -> None:
    assert smallest(strategy) == simplest
