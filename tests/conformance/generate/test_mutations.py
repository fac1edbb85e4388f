"""Mutations: each breaks the rule that it names, and only that one, with its kind of refusal."""

from collections.abc import Callable
from itertools import islice
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.breaches import BREACHES, POISONS, STRANGERS
from dsh_conformance.generate.following import state_of, states_of
from dsh_conformance.generate.mutations import MISFITS, MUTATIONS, Misfit, Stored
from dsh_conformance.generate.sessions import draw_seed, poison, seeds, sessions
from dsh_reference.refusal import Refusal
from dsh_spec.catalogue import rules
from dsh_spec.refusals import RefusalKind

Raw: TypeAlias = dict[str, Any]
Judge: TypeAlias = Callable[..., Refusal | None]

HEADER = {"version": 4, "id": "s1", "createdAt": 0}


def flat(batches: list[list[Raw]]) -> list[Raw]:
    return [event for batch in batches for event in batch]


def test_names_are_unique_and_rules_are_in_the_catalogue() -> None:
    assert len(MUTATIONS) == len(BREACHES)
    assert {each.rule for each in BREACHES} <= {rule.slug for rule in rules()}


@pytest.mark.parametrize("name", MUTATIONS)
def test_each_mutation_breaks_its_rule(pool: list[list[Raw]], judge: Judge, name: str) -> None:
    mutation = MUTATIONS[name]
    broken = list(islice(filter(None, map(mutation, pool)), 4))
    assert broken
    for log in broken:
        assert judge(log[:-1]) is None
        refusal = judge(log)
        assert refusal is not None
        assert refusal.rule == mutation.breach.rule
        if mutation.breach.noticed != "session":
            assert refusal.kind is mutation.breach.kind


@given(sessions(), st.sampled_from(BREACHES), st.data())
def test_a_breach_is_refused_wherever_it_comes(
    judge: Judge, batches: list[list[Raw]], breach: Any, data: st.DataObject
) -> None:
    log = flat(batches)
    bad = [(seq, breach.write(state)) for seq, state in enumerate(states_of(log))]
    possible = [(seq, event) for seq, event in bad if event is not None]
    if possible:
        seq, event = data.draw(st.sampled_from(possible))
        assert judge([*log[:seq], event]) is not None


@given(st.data())
def test_poison_is_dense_and_refused_as_it_says(judge: Judge, data: st.DataObject) -> None:
    state, log, inherited = draw_seed(data.draw)
    events, kind = poison(data.draw, state)
    assert [event["seq"] for event in events] == list(range(len(log), len(log) + len(events)))
    refusal = judge([*log, *events], {**HEADER, "isSeeded": True}, inherited)
    assert refusal is not None
    assert refusal.kind is kind


def test_poisons_of_both_kinds_are_possible_on_an_empty_log() -> None:
    state = state_of([])
    assert any(breach.write(state) for breach in POISONS)
    assert any(breach.write(state) for breach in STRANGERS)


@given(seeds(), st.sampled_from(MISFITS))
def test_a_seeded_log_needs_its_header(
    judge: Judge, seed: tuple[list[Raw], int], misfit: Misfit
) -> None:
    events, inherited = seed
    _refuses(judge, misfit, Stored({**HEADER, "isSeeded": True}, inherited, events))


@given(sessions(max_batches=2), st.sampled_from(MISFITS))
def test_an_unseeded_log_needs_its_header(
    judge: Judge, batches: list[list[Raw]], misfit: Misfit
) -> None:
    _refuses(judge, misfit, Stored({**HEADER, "isSeeded": False}, 0, flat(batches)))


def _refuses(judge: Judge, misfit: Misfit, log: Stored) -> None:
    broken = misfit.write(log)
    if broken is not None:
        refusal = judge(broken.events, broken.header, broken.inherited)
        assert refusal is not None
        assert (refusal.rule, refusal.kind) == (misfit.rule, RefusalKind.CORRUPT)
