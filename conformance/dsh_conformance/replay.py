"""Plays a replay script against an implementation and says whether it breaks the rule again."""

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.connection import Launcher
from dsh_conformance.tracks.store.arena import Arena
from dsh_conformance.tracks.store.player import Player
from dsh_conformance.tracks.store.script import read_lines
from dsh_conformance.tracks.store.violation import Violation
from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class ReplayResult:
    """What came of a replay."""

    #: Whether every answer was as demanded, or one was not.
    verdict: Literal["kept", "broken"]
    #: The rule that was broken, or that the script was written for.
    rule: str
    #: The number of the script's line at which it was broken, counted from 1.
    line: int | None = None
    #: What was demanded.
    expected: Json = None
    #: What was answered.
    actual: Json = None


def replay(
    lines: Sequence[JsonObject], launcher: Launcher, capabilities: Capabilities
) -> ReplayResult:
    """Play a script; raises `ValueError` for a script that is none, and `Fault`."""
    arena = Arena(launcher=launcher, capabilities=capabilities)
    try:
        return replay_in(arena, lines)
    finally:
        arena.close()


def replay_in(arena: Arena, lines: Sequence[JsonObject]) -> ReplayResult:
    """Play a script in surroundings that others may use too; raises as `replay` does."""
    head, *rest = lines or [{}]
    if head.get("script") != 1:
        problem = 'the first line of a replay script is its head, {"script": 1, ...}'
        raise ValueError(problem)
    todo = read_lines(rest)
    player = Player(arena=arena)
    try:
        for line in todo:
            player.play(line)
    except Violation as broken:
        seen = broken.evidence
        return ReplayResult(
            verdict="broken",
            rule=seen.rule,
            line=len(player.lines) + 1,
            expected=seen.expected,
            actual=seen.actual,
        )
    finally:
        player.end()
    return ReplayResult(verdict="kept", rule=str(head.get("rule")))
