"""The real runtime and the reference judge generated logs alike, valid ones and changed ones."""

from itertools import chain
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.differential.changes import spoilt
from dsh_conformance.generate.breaches import BREACHES
from dsh_conformance.generate.sessions import draw_batch, new_state, seeds, sessions


@given(batches=sessions())
def test_valid_sessions_are_admitted_as_they_are(plain: Any, batches: Any) -> None:
    assert plain.admits(plain.write(batches), list(chain.from_iterable(batches)))


@given(batches=sessions())
def test_valid_sessions_in_frames_are_admitted_as_they_are(framed: Any, batches: Any) -> None:
    assert framed.admits(framed.write(batches), list(chain.from_iterable(batches)))


@given(seed=seeds())
def test_seeds_are_admitted_as_they_are(plain: Any, seed: Any) -> None:
    assert plain.admits(plain.write([seed[0]], seeded=True), seed[0])


@given(data=st.data())
def test_logs_that_break_one_rule_are_judged_alike(plain: Any, data: st.DataObject) -> None:
    state, rows = new_state(0), list[Any]()
    for _ in range(data.draw(st.integers(0, 5))):
        state, batch = draw_batch(data.draw, state)
        rows += batch
    breaking = [event for each in BREACHES if (event := each.write(state)) is not None]
    event = data.draw(st.sampled_from(breaking))
    assert plain.difference(plain.write([[*rows, event]])) is None


@given(data=st.data(), batches=sessions())
def test_logs_with_a_change_are_judged_alike(
    plain: Any, data: st.DataObject, batches: list[list[Any]]
) -> None:
    rows = list(chain.from_iterable(batches))
    log = plain.write([data.draw(spoilt(rows))])
    assert plain.difference(log) is None


@given(data=st.data(), seed=seeds())
def test_seeds_with_a_change_are_judged_alike(plain: Any, data: st.DataObject, seed: Any) -> None:
    rows = data.draw(spoilt(seed[0]))
    assert plain.difference(plain.write([rows], seeded=True)) is None
