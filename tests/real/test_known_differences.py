"""The log of every known difference, shown again to both sides."""

from collections.abc import Iterator

import pytest

from dsh_conformance.differential.known import Known, known_differences
from dsh_conformance.differential.lab import Lab, lab


@pytest.fixture(scope="module")
def running(older_runtimes: None) -> Iterator[Lab]:
    with lab() as made:
        yield made


def test_each_has_a_name_of_its_own() -> None:
    names = [each.name for each in known_differences()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("known", known_differences(), ids=lambda each: each.name)
def test_the_difference_is_still_there(running: Lab, known: Known) -> None:
    found = running.difference(known.runtime, known.evidence)
    assert found is not None
    assert known.explains(found, known.evidence.format), found
