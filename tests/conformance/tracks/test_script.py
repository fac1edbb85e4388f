"""Lines of replay scripts come back from JSON as they were."""

import json
from collections.abc import Callable

import pytest
from attrs import evolve

from dsh_conformance.implementation.backend import Factory
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.profiles import QUICK
from dsh_conformance.report.jsonreport import checker
from dsh_conformance.tracks.store import search
from dsh_conformance.tracks.store.arena import Arena
from dsh_conformance.tracks.store.player import Player
from dsh_conformance.tracks.store.script import Line, line_json, read_lines


@pytest.fixture
def played(
    launcher_of: Callable[[Factory], InProcessLauncher],
    right: Factory,
    monkeypatch: pytest.MonkeyPatch,
) -> list[Line]:
    """All lines that a small survey plays."""
    lines: list[Line] = []
    play = Player.play

    def noting(self: Player, line: Line) -> object:
        lines.append(line)
        return play(self, line)

    monkeypatch.setattr(Player, "play", noting)
    launcher = launcher_of(right)
    arena = Arena(launcher=launcher, capabilities=smoke(launcher))
    try:
        search.survey(arena, evolve(QUICK, examples=40), 1)
    finally:
        arena.close()
    return lines


def test_every_line_that_is_ever_played_survives_json(played: list[Line]) -> None:
    assert len({type(line) for line in played}) == 9
    for line in played:
        written = json.loads(json.dumps(line_json(line)))
        checker("script")(written)
        (again,) = read_lines([written])
        assert json.loads(json.dumps(line_json(again))) == written


def test_a_line_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="line 2 of the script"):
        read_lines([{"do": "dance"}])
