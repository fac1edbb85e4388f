"""Exhaustion finds what is planted, by a log that is as short as any that shows it."""

import pytest

from dsh_conformance.exhaust.planted import PLANTED, Planted
from dsh_conformance.exhaust.search import Scope, exhaust

#: How many events it may take.
DEPTH = 4


@pytest.mark.parametrize("bug", PLANTED, ids=lambda bug: bug.name)
def test_a_planted_bug_is_found(bug: Planted) -> None:
    scope = Scope(alphabet=bug.alphabet, opening=bug.opening, depth=DEPTH)
    *clean, last = exhaust(scope, find=bug.find)
    assert bug.rule in last.tally.breaches
    assert not any(level.tally.breaches for level in clean)
