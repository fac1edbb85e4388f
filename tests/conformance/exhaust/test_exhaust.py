"""What exhaustion tries, and how it tells."""

import json
from collections import Counter
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dsh_conformance.cli import main
from dsh_conformance.exhaust.implementation import ask_reference, reference
from dsh_conformance.exhaust.laws import Claim
from dsh_conformance.exhaust.ledger import Ledger
from dsh_conformance.exhaust.planted import PLANTED
from dsh_conformance.exhaust.search import Scope, exhaust
from dsh_conformance.exhaust.shapes import ALPHABETS, OPENINGS, begun
from dsh_conformance.implementation.outcome import Ok
from dsh_spec.catalogue import rule


def _run(*args: str) -> Result:
    return CliRunner().invoke(main, ["exhaust", *args])


def ledgers(alphabet: str, depth: int, opening: str = "") -> list[Ledger]:
    """Return the ledgers of all logs that are taken, of any length up to a depth."""
    found = level = [begun(opening or ALPHABETS[alphabet].opening)]
    for _ in range(depth):
        moves = [shape(each) for each in level for shape in ALPHABETS[alphabet].shapes]
        level = [move.after for move in moves if move is not None and not move.refused]
        found = [*found, *level]
    return found


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_the_reference_breaks_no_law(alphabet: str) -> None:
    levels = [*exhaust(Scope(alphabet=alphabet, depth=3))]
    assert [level.tally.breaches for level in levels] == [{}, {}, {}]
    assert all(level.tally.taken for level in levels)


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_every_log_is_another_one_and_none_is_left_out(alphabet: str) -> None:
    logs = ledgers(alphabet, 3)
    texts = Counter(json.dumps(each.events) for each in logs)
    assert set(texts.values()) == {1}
    levels = exhaust(Scope(alphabet=alphabet, depth=3))
    assert sum(level.tally.taken for level in levels) == len(logs) - 1


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_every_shape_is_tried_within_four_events(alphabet: str) -> None:
    used: set[Any] = set()
    for ledger in ledgers(alphabet, 4):
        used |= {shape for shape in ALPHABETS[alphabet].shapes if shape(ledger) is not None}
    assert used == set(ALPHABETS[alphabet].shapes)


def test_some_logs_are_orderly_and_some_stretches_run_to_a_smaller_seq() -> None:
    turns, surface = ledgers("turns", 4), ledgers("surface", 2, "messages")
    assert any(each.orderly and len(each.events) == 4 for each in turns)
    assert any(not each.orderly for each in turns)
    assert any(made["start"] > made["end"] for each in surface for made in each.replaced)


@pytest.mark.parametrize("opening", OPENINGS)
def test_every_opening_is_an_orderly_log(opening: str) -> None:
    ledger = begun(opening)
    assert ledger.orderly
    found = ask_reference("core/fold", {"format": 4, "events": ledger.events})
    assert isinstance(found, Ok)


def test_a_claim_tells_true_from_one() -> None:
    assert Claim("SURF-FOLD", {"a": [1, 2]}, {"a": [1, 2]}).holds
    assert not Claim("SURF-FOLD", {"a": [1]}, {"a": [True]}).holds
    assert not Claim("SURF-FOLD", {"a": [1]}, {"a": [1, 2]}).holds


def test_processes_see_what_one_process_sees() -> None:
    scope = Scope(alphabet="requests", depth=2)
    alone, together = [*exhaust(scope)], [*exhaust(scope, find=reference, workers=2)]
    assert [each.tally.claims for each in alone] == [each.tally.claims for each in together]
    assert [each.tally.refused for each in alone] == [each.tally.refused for each in together]


def test_the_command_counts_what_it_tried() -> None:
    result = _run("--depth", "2", "--alphabet", "surface")
    assert result.exit_code == 0
    assert "surface, after step" in result.stdout
    assert "refused by SRC-NO-DUP" in result.stdout
    assert "BROKEN" not in result.stdout


def test_the_command_shows_the_log_that_breaks_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    bug = next(each for each in PLANTED if each.name == "cut-at-two")
    monkeypatch.setattr("dsh_conformance.commands.exhaust.reference", bug.find)
    where = ("--depth", "3", "--alphabet", bug.alphabet, "--after", bug.opening, "--workers", "1")
    result = _run(*where)
    assert result.exit_code == 1
    assert f"BROKEN {bug.rule}: {rule(bug.rule).statement}" in result.stdout
    found = json.loads(_run(*where, "--json").stdout)[bug.alphabet]
    assert [level["depth"] for level in found] == [1]
    (broken,) = (each for each in found[-1]["broken"] if each["rule"] == bug.rule)
    assert len(broken["events"]) == len(begun(bug.opening).events) + 1
    assert broken["expected"] != broken["actual"]


def test_what_has_no_core_of_the_format_is_not_driven() -> None:
    result = _run("memory", "--depth", "1")
    assert result.exit_code == 3
    assert "it claims no core of format 4" in result.stderr


def test_another_implementation_is_asked_over_the_protocol() -> None:
    result = _run("reference", "--depth", "1", "--alphabet", "requests")
    assert result.exit_code == 0
    assert "1 event: 5 logs" in result.stdout


def test_a_name_that_means_nothing_is_wrong_use() -> None:
    result = _run("refernce", "--depth", "1")
    assert result.exit_code == 2
    assert "did you mean reference?" in result.stderr
