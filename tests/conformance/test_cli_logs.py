"""The commands that take log files: lint, derive, repair, fork and migrate."""

import json
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dsh_conformance.cli import main
from dsh_conformance.logfiles import open_log
from dsh_reference.files import LogFile

GOLDEN = files("dsh_spec") / "golden"


def _run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


@pytest.fixture(scope="module")
def golden() -> Iterator[Path]:
    with as_file(GOLDEN) as path:
        yield path


@pytest.fixture
def open_turn(golden: Path) -> Path:
    """Return a v4 log whose one call never started."""
    return golden / "v4" / "closers-ex04-never-started" / "log.jsonl"


def test_lint_lets_a_right_log_pass(golden: Path) -> None:
    result = _run("lint", golden / "v4" / "closers-ex01-balanced" / "log.jsonl")
    assert result.exit_code == 0
    assert result.stdout.endswith("events: the runtime opens it\n")


def test_lint_tells_rule_line_seq_and_remedy(golden: Path) -> None:
    result = _run("lint", golden / "v4" / "admit-turn-skipped" / "log.jsonl")
    assert result.exit_code == 1
    assert "error: line 4, seq 2, turn 3 follows turn 1 [REL-TURN] Restore" in result.stdout


def test_lint_as_data(golden: Path, open_turn: Path) -> None:
    torn = golden / "v4" / "files-f04-half-row" / "log.jsonl"
    result = _run("lint", "--json", torn, open_turn)
    assert result.exit_code == 0
    first, second = json.loads(result.stdout)["logs"]
    assert [each["severity"] for each in first["findings"]] == ["warning"]
    assert [(each["rule"], each["seq"]) for each in second["findings"]] == [("CLOSE-ORDER", 2)]
    assert first["opens"]
    assert second["opens"]


def test_lint_judges_the_newest_log_of_every_session_below_a_directory(
    tmp_path: Path, open_turn: Path, golden: Path
) -> None:
    for number in range(3):
        session = tmp_path / "--w--" / f"s{number}"
        session.mkdir(parents=True)
        (session / "session.v4.jsonl").write_bytes(open_turn.read_bytes())
    session = tmp_path / "--w--" / "s0"
    older = golden / "v4" / "admit-turn-skipped" / "log.jsonl"
    (session / "session.v3.jsonl").write_bytes(older.read_bytes())
    (session / "notes.txt").write_text("no log")
    result = _run("lint", tmp_path)
    assert result.exit_code == 0, result.stdout
    assert "3 logs, 0 of which" in result.stdout


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xfe", b"{}\n", b"\0" * 999, b"[" * 9999])
def test_lint_names_a_rule_for_any_bytes(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(content)
    result = _run("lint", path)
    assert result.exit_code == 1
    assert "the runtime would not open it" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize("command", ["lint", "derive", "repair", "fork", "migrate"])
def test_a_log_that_is_not_there_is_wrong_use(command: str, tmp_path: Path) -> None:
    result = _run(command, tmp_path / "none.jsonl")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["derive", "repair", "fork", "migrate"])
def test_nothing_is_made_of_a_log_that_breaks_a_rule(command: str, golden: Path) -> None:
    result = _run(command, golden / "v4" / "admit-turn-skipped" / "log.jsonl")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "event 2: turn 3 follows turn 1 [REL-TURN]" in result.stderr


def test_derive_writes_a_message_a_line(open_turn: Path) -> None:
    result = _run("derive", open_turn)
    assert [json.loads(line)["role"] for line in result.stdout.splitlines()] == ["assistant"]


def test_repair_writes_the_closers_and_leaves_the_log_alone(
    open_turn: Path, tmp_path: Path
) -> None:
    before = open_turn.read_bytes()
    result = _run("repair", open_turn)
    types = [json.loads(line)["type"] for line in result.stdout.splitlines()]
    assert types == ["tool/result", "step/end", "turn/end"]
    out = tmp_path / "repaired.jsonl.zstd"
    assert _run("repair", open_turn, "-o", out).exit_code == 0
    repaired = open_log(out)
    assert isinstance(repaired, LogFile)
    assert len(repaired.events) == 6
    assert _run("repair", out).stdout == ""
    assert open_turn.read_bytes() == before


def test_fork_makes_a_seeded_session(open_turn: Path, tmp_path: Path) -> None:
    out = tmp_path / "session.v4.jsonl"
    made = _run("fork", open_turn, "--at", "1", "--id", "kid", "--created-at", "5", "-o", out)
    assert made.exit_code == 0
    child = open_log(out)
    assert isinstance(child, LogFile)
    assert (child.header["parentSession"], child.inherited) == ("s1", 2)
    assert _run("lint", out).exit_code == 0
    assert _run("fork", open_turn, "--at", "99").exit_code == 1


def test_an_existing_file_is_replaced_only_by_force(open_turn: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("mine")
    refused = _run("migrate", open_turn, "-o", out)
    assert refused.exit_code == 2
    assert "exists; --force replaces it" in refused.stderr
    assert out.read_text() == "mine"
    assert _run("migrate", open_turn, "-o", out, "--force").exit_code == 0
    assert out.read_bytes() == open_turn.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def test_migrate_gives_what_the_golden_case_says(golden: Path) -> None:
    cases = [
        case
        for case in (golden / "v0").iterdir()
        if (case / "migrated.jsonl").exists() and "children" not in case.name
    ]
    assert cases
    for case in cases[:10]:
        result = _run("migrate", next(case.glob("log.jsonl*")))
        assert result.exit_code == 0, case.name
        made = [json.loads(line) for line in result.stdout.splitlines()]
        wanted = [
            json.loads(line) for line in (case / "migrated.jsonl").read_text("utf-8").splitlines()
        ]
        assert made == wanted, case.name


def test_migrate_goes_one_format_at_a_time_too(golden: Path, tmp_path: Path) -> None:
    case = next(c for c in (golden / "v1").iterdir() if (c / "migrated.jsonl").exists())
    log, steps = next(case.glob("log.jsonl*")), tmp_path / "session.v3.jsonl"
    assert _run("migrate", log, "--to", "3", "-o", steps).exit_code == 0
    assert _run("migrate", steps).stdout == _run("migrate", log).stdout
