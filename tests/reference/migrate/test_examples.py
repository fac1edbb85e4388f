"""The worked examples of the edges v0 to v1 and v1 to v2.

Each was worked by hand and then seen on the real runtime 0.2.1rc2 (facts: migration §1.4, §2.7).
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from dsh_reference.migrate.v0_to_v1 import v0_to_v1
from dsh_reference.migrate.v1_to_v2 import v1_to_v2
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.values import equal
from dsh_spec.refusals import RefusalKind

#: The lines that go in and the lines that come out.
_Example: TypeAlias = tuple[list[str], list[str]]

_REFUSED = "refusal: "


def _examples(name: str) -> Iterator[Any]:
    text = (Path(__file__).parent / "examples" / name).read_text("utf-8")
    for block in text.removeprefix("# ").split("\n# "):
        title, *lines = block.strip().splitlines()
        sides = [[line[4:] for line in lines if line.startswith(side)] for side in ("IN  ", "OUT ")]
        yield pytest.param(sides, id=title)


def _log_of(log_of: Any, lines: list[str]) -> SessionLog:
    header, *rows = (json.loads(line.removeprefix("header ")) for line in lines)
    log: SessionLog = log_of(header, *rows)
    return log


def _check(outcome: SessionLog | Refusal, expected: list[str]) -> None:
    if isinstance(outcome, Refusal):
        assert expected[0].startswith(_REFUSED)
        assert outcome.kind is RefusalKind.UNSUPPORTED_MIGRATION
        return
    header, cut = expected[0].removeprefix("header ").split(" cut=")
    assert equal(outcome.header, json.loads(header))
    assert outcome.inherited == int(cut)
    assert equal(outcome.events, [json.loads(line) for line in expected[1:]])


@pytest.mark.parametrize("example", list(_examples("v0-to-v1.txt")))
def test_from_v0_to_v1(log_of: Callable[..., SessionLog], example: _Example) -> None:
    _check(v0_to_v1(_log_of(log_of, example[0])), example[1])


@pytest.mark.parametrize("example", list(_examples("v1-to-v2.txt")))
def test_from_v1_to_v2(log_of: Callable[..., SessionLog], example: _Example) -> None:
    _check(v1_to_v2(_log_of(log_of, example[0]), decoded=True), example[1])
