"""The real runtime and the reference judge generated logs alike, valid ones and changed ones."""

import copy
from collections.abc import Iterator
from itertools import chain
from typing import Any, TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.breaches import BREACHES
from dsh_conformance.generate.sessions import draw_batch, new_state, seeds, sessions
from dsh_spec.values import Json

Path: TypeAlias = tuple[str | int, ...]


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


#: What a member may become: words that mean something somewhere, and values of every type.
WORDS: tuple[Json, ...] = (
    None, True, False, 0, 1, 2, -1, 1.5, 2**53, "", "x", [], {}, [0], [1], "append", "user",
    "tool", "model", "plugin", "text", "tool-result", "turn/start", "turn/end", "user/message",
    "assistant/message", {"op": "replace", "startSeq": 0, "endSeq": 1},
)  # fmt: skip
#: What a member may be called that was not there.
KEYS = ("ignorable", "surfaceOp", "sourceEventSeqs", "turn", "headerSeq", "error", "inherited", "x")


@st.composite
def changed(draw: st.DrawFn, rows: list[Any]) -> list[Any]:
    """A log with one member changed."""
    rows = copy.deepcopy(rows)
    every = list(_paths(rows))
    *front, last = draw(st.sampled_from([path for path in every if len(path) > 1]))
    holder = _at(rows, tuple(front))
    match draw(st.sampled_from(("set", "delete", "copy", "insert"))):
        case "delete":
            del holder[last]
        case "copy":
            holder[last] = copy.deepcopy(_at(rows, draw(st.sampled_from(every))))
        case "insert" if isinstance(holder, dict):
            holder[draw(st.sampled_from(KEYS))] = draw(st.sampled_from(WORDS))
        case _:
            holder[last] = draw(st.sampled_from(WORDS))
    return rows


@st.composite
def rearranged(draw: st.DrawFn, rows: list[Any]) -> list[Any]:
    """A log with one row dropped, moved or repeated, its seqs dense again."""
    rows = list(rows)
    at = st.integers(0, len(rows) - 1)
    match draw(st.sampled_from(("drop", "move", "repeat"))):
        case "drop":
            del rows[draw(at)]
        case "move":
            row = rows.pop(draw(at))
            rows.insert(draw(at), row)
        case _:
            rows.insert(draw(at), rows[draw(at)])
    return [{**row, "seq": seq} for seq, row in enumerate(rows)]


@given(data=st.data(), batches=sessions())
def test_logs_with_a_change_are_judged_alike(
    plain: Any, data: st.DataObject, batches: list[list[Any]]
) -> None:
    rows = list(chain.from_iterable(batches))
    log = plain.write([data.draw(changed(rows) | rearranged(rows))])
    assert plain.difference(log) is None


@given(data=st.data(), seed=seeds())
def test_seeds_with_a_change_are_judged_alike(plain: Any, data: st.DataObject, seed: Any) -> None:
    rows = data.draw(changed(seed[0]) | rearranged(seed[0]))
    assert plain.difference(plain.write([rows], seeded=True)) is None


def _paths(value: object, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every member within a value."""
    pairs: Any = ()
    if isinstance(value, dict):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value)
    for key, inner in pairs:
        yield (*path, key)
        yield from _paths(inner, (*path, key))


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value
