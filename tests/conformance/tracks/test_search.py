"""A search tries new examples all the time; a longer one repeats parts of the earlier ones."""

from hypothesis import given, seed
from hypothesis import strategies as st

from dsh_conformance.tracks.search import FRESH, SURVEYING, batches, searching

#: Orders of twenty things: no constant of any source code is one.
ORDERS = st.tuples(*(st.permutations(range(20)) for _ in range(6)))


def doubled(examples: int, number: int) -> int:
    """Count the examples in which an order stands twice: chance alone would never bring that."""
    found: list[bool] = []

    def trial(orders: tuple[list[int], ...]) -> None:
        # The plainest example, with which a search begins, has nothing moved.
        used = [tuple(order) for order in orders if order != sorted(order)]
        found.append(len({*used}) < len(used))

    seed(number)(searching(examples=examples, phases=SURVEYING)(given(ORDERS)(trial)))()
    return sum(found)


def test_a_batch_copies_nothing() -> None:
    assert sum(doubled(share, number) for share, number in batches(100, 0)) == 0


def test_one_long_search_would() -> None:
    assert doubled(100, 0) > 10


def test_batches_are_all_of_the_examples_with_seeds_of_their_own() -> None:
    shares = [*batches(3 * FRESH + 1, 7)]
    assert [share for share, _ in shares] == [FRESH, FRESH, FRESH, 1]
    assert len({number for _, number in shares}) == 4
    assert shares[0] == (FRESH, 7)
