"""The golden runs: right implementations keep them, and what each was made for does not."""

import sys
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner

from dsh_conformance.backends.memory import memory
from dsh_conformance.commands.golden import command
from dsh_conformance.golden import Run, runs
from dsh_conformance.golden.record import bites, is_kept, slim, text, write_run
from dsh_conformance.golden.runs import check_runs
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.report.jsonreport import checker
from dsh_conformance.sabotage.catalogue import sabotages
from dsh_spec.catalogue import rule
from dsh_spec.values import JsonObject

RUNS = runs()
SABOTAGES = {each.name: each for each in sabotages()}
EVERY = pytest.mark.parametrize("run", RUNS, ids=lambda run: run.rule)


@EVERY
def test_a_right_implementation_keeps_it(run: Run) -> None:
    assert [each for _, each in check_runs([run])] == [[]]


@EVERY
def test_the_sabotage_that_it_was_made_for_does_not(run: Run) -> None:
    assert bites(run, SABOTAGES[run.head["sabotage"]])


@EVERY
def test_its_form(run: Run) -> None:
    for line in run.lines:
        checker("script")(line)
    assert rule(run.rule).track == run.needs["track"]
    assert run.head["provenance"]["kind"] in ("real-runtime", "hand-worked")


def test_a_run_is_written_as_it_is_read(tmp_path: Path) -> None:
    path = write_run(RUNS[0], tmp_path)
    assert path.read_bytes() == text(RUNS[0])
    assert [each.lines for each in runs(tmp_path)] == [RUNS[0].lines]


def test_a_wrong_expectation_is_found() -> None:
    run = next(each for each in RUNS if each.rule == "STORE-NOT-FOUND")
    (start, *_, call) = run.lines[1:]
    wrong: JsonObject = {"rule": run.rule, "expects": {"is": "accepted"}}
    broken = evolve(run, lines=(run.lines[0], start, {**call, "checks": [wrong]}))
    ((_, [found]),) = check_runs([broken])
    assert found.problem == "line 3 breaks STORE-NOT-FOUND"


@pytest.mark.parametrize(
    ("name", "kind", "problems"),
    [
        ("bricks-a-seeded-flush", "hand-worked", []),
        ("bricks-a-seeded-flush", "real-runtime", ["line 5 breaks STORE-SEEDED-FLUSH"]),
        ("", "hand-worked", ["it keeps STORE-SEEDED-FLUSH, against what is known"]),
    ],
)
def test_a_known_departure_is_expected_of_a_run_worked_out_by_hand(
    name: str, kind: str, problems: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = next(each for each in RUNS if each.rule == "STORE-SEEDED-FLUSH")
    run = evolve(run, lines=({**run.head, "provenance": {"kind": kind}}, *run.lines[1:]))
    module = sys.modules[check_runs.__module__]
    monkeypatch.setattr(module, "known", lambda _: {run.rule: "it bricks them"})
    factory = SABOTAGES[name].factory if name else memory
    launcher = InProcessLauncher(factory=factory, describe="departs")
    ((_, found),) = check_runs([run], launcher)
    assert [each.problem for each in found] == problems


def test_a_file_that_is_no_run_is_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "x.jsonl").write_text("[1]\n")
    done = CliRunner().invoke(command, ["check", "--root", str(tmp_path)])
    assert done.exit_code == 2
    assert "runs/x.jsonl is no replay script" in done.stderr


def test_a_single_run_is_checked_by_its_name() -> None:
    done = CliRunner().invoke(command, ["check", "runs/store-not-found"])
    assert (done.exit_code, done.stderr) == (0, "1 cases, 0 findings\n")


def test_a_look_by_which_a_right_implementation_is_kept_stays_in() -> None:
    """Without the stat that keeps the revision, no answer can be the same as it."""
    run = next(each for each in RUNS if each.rule == "STORE-REVISION-STABLE")
    sabotage = SABOTAGES[run.head["sabotage"]]
    (first, *_) = [line for line in run.lines if line.get("method") == "store/stat"]
    less = evolve(run, lines=tuple(line for line in run.lines if line is not first))
    assert first["view"]
    assert bites(less, sabotage)
    assert not is_kept(less)
    assert slim(run, sabotage).lines == run.lines
