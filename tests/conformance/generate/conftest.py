"""A pool of sessions that is the same in every run, and judgements on logs."""

from collections.abc import Callable, Sequence
from hashlib import shake_128
from itertools import chain
from typing import Any, TypeAlias

import pytest
from hypothesis import find, settings

from dsh_conformance.generate.sessions import new_state, write_batch
from dsh_reference.admit import admit
from dsh_reference.refusal import Refusal
from dsh_reference.surface import fold

Raw: TypeAlias = dict[str, Any]

HEADER: Raw = {"version": 4, "id": "s1", "createdAt": 0, "isSeeded": False}


def written(name: str, batches: int) -> list[Raw]:
    """Return the session that is settled by a name instead of by chance."""
    strip = shake_128(name.encode()).digest(44 * batches)
    state, log = new_state(0), list[list[Raw]]()
    for at in range(0, len(strip), 44):
        state, events = write_batch((strip[at : at + 4], strip[at + 4 : at + 44]), state)
        log.append(events)
    return list(chain.from_iterable(log))


@pytest.fixture(scope="session")
def pool() -> list[list[Raw]]:
    """Return 900 sessions of one to nine batches."""
    return [written(str(number), 1 + number % 9) for number in range(900)]


Smallest: TypeAlias = Callable[..., Any]


@pytest.fixture(scope="session")
def smallest() -> Smallest:
    """Return what a strategy shrinks to, under a condition, the same in every run."""
    once = settings(database=None, derandomize=True, max_examples=3000)
    return lambda strategy, condition=lambda _: True: find(strategy, condition, settings=once)


class Judge:
    """Judges logs as whoever loads them into a session: admission, then the surface."""

    def __call__(
        self, events: Sequence[Raw], header: Raw | None = None, inherited: int = 0
    ) -> Refusal | None:
        admitted = admit(header or HEADER, inherited, events)
        if isinstance(admitted, Refusal):
            return admitted
        folded = fold(admitted)
        return folded if isinstance(folded, Refusal) else None


@pytest.fixture(scope="session")
def judge() -> Judge:
    return Judge()
