"""Headers: valid, of every shape, and bare when shrunk."""

from collections.abc import Callable
from typing import Any, TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.headers import DIRECTORIES, draw_header, headers
from dsh_conformance.generate.strings import ids
from dsh_reference.header import check_header

Raw: TypeAlias = dict[str, Any]


@given(data=st.data(), name=ids(), seeded=st.booleans())
def test_headers_are_valid(data: st.DataObject, name: str, *, seeded: bool) -> None:
    header = draw_header(data.draw, name, seeded=seeded)
    assert (header["id"], header["isSeeded"]) == (name, seeded)
    assert check_header(header) is None


def test_the_simplest_header_is_bare(smallest: Callable[..., Raw]) -> None:
    assert smallest(headers()) == {"version": 4, "id": "s1", "createdAt": 0, "isSeeded": False}


def test_directories_are_absolute_and_differ() -> None:
    assert all(directory.startswith("/") for directory in DIRECTORIES)
    assert len(set(DIRECTORIES)) == len(DIRECTORIES)
