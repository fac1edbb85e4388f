"""The table of moves of the store seam: every choice gives a move that is possible."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.backends.named import memory
from dsh_conformance.generate.tape import Tape
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.tracks.store.arena import Arena
from dsh_conformance.tracks.store.machine import GAMES
from dsh_conformance.tracks.store_seam.moves import MOVES, chosen
from dsh_conformance.tracks.store_seam.run import SeamRun

CHOICES = st.integers(0, 2**16 - 1)


@pytest.fixture(scope="module")
def arena() -> Iterator[Arena]:
    launcher = InProcessLauncher(factory=memory, config={"seam": "store"})
    with TemporaryDirectory() as directory:
        probe = launcher.launch(Path(directory))
        surroundings = Arena(launcher=launcher, capabilities=probe.capabilities)
        probe.close()
    yield surroundings
    surroundings.close()


@given(choices=st.lists(CHOICES, max_size=8), strip=st.binary(max_size=20), data=st.data())
def test_every_choice_is_a_possible_move(
    arena: Arena, choices: list[int], strip: bytes, data: st.DataObject
) -> None:
    run = SeamRun(arena=arena)
    try:
        for choice in choices:
            move = chosen(choice, run)
            assert move.may(run)
            run.take(move.step, Tape(strip), data.draw)
        assert not run.over
    finally:
        run.end()


def test_choice_zero_is_the_plainest_move(arena: Arena) -> None:
    run = SeamRun(arena=arena)
    try:
        assert chosen(0, run) is MOVES[0]
    finally:
        run.end()


def test_the_claimed_seam_settles_what_is_played(arena: Arena) -> None:
    run = GAMES[arena.claims.seam].begin(arena)
    run.end()
    assert isinstance(run, SeamRun)
