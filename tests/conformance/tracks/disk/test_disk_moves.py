"""The runs on directories: every choice gives a move that is possible, and a right store passes."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from dsh_conformance.backends.jsonl import jsonl
from dsh_conformance.generate.tape import Tape
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.places import with_layout
from dsh_conformance.tracks.store.arena import Arena
from dsh_conformance.tracks.store.disk.moves import MOVES, chosen
from dsh_conformance.tracks.store.disk.run import DiskRun

CHOICES = st.integers(0, 2**16 - 1)


@pytest.fixture(scope="module", params=["none", "zstd"])
def arena(request: pytest.FixtureRequest) -> Iterator[Arena]:
    launcher = InProcessLauncher(factory=jsonl, config={"compression": request.param})
    with TemporaryDirectory() as directory:
        probe = launcher.launch(Path(directory))
        surroundings = Arena(launcher=launcher, capabilities=with_layout(probe, Path(directory)))
        probe.close()
    yield surroundings
    surroundings.close()


@settings(max_examples=10)
@given(choices=st.lists(CHOICES, max_size=4), strip=st.binary(max_size=20), data=st.data())
def test_every_choice_is_a_possible_move_that_a_right_store_survives(
    arena: Arena, choices: list[int], strip: bytes, data: st.DataObject
) -> None:
    run = DiskRun(arena=arena)
    try:
        for choice in choices:
            if not run.over:
                move = chosen(choice, run)
                assert move.may(run)
                run.take(move.step, Tape(strip), data.draw)
        assert not arena.failures
    finally:
        run.end()


@settings(max_examples=3)
@given(data=st.data(), strip=st.binary(min_size=20, max_size=20))
@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.step.__name__.strip("_"))
def test_a_right_store_survives_each_first_move(
    arena: Arena, move: object, strip: bytes, data: st.DataObject
) -> None:
    (wanted,) = [each for each in MOVES if each is move]
    run = DiskRun(arena=arena)
    run.lives = 1
    try:
        if not wanted.may(run):
            run.take(MOVES[0].step, Tape(strip), data.draw)
        if not run.over and wanted.may(run):
            run.take(wanted.step, Tape(strip), data.draw)
        assert not arena.failures
    finally:
        run.end()


def test_a_store_that_migrates_nothing_is_shown_no_older_log(arena: Arena) -> None:
    claims = arena.capabilities.store
    assert claims is not None
    bare = evolve(arena.capabilities, store=evolve(claims, migrates_from=()))
    run = DiskRun(arena=Arena(launcher=arena.launcher, capabilities=bare))
    try:
        possible = {move.step.__name__ for move in MOVES if move.may(run)}
    finally:
        run.end()
        run.arena.close()
    assert not any(name.startswith("place") for name in possible)
    assert {"foreign", "held", "flat"} <= possible
