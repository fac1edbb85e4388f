"""Wrong use of the command line ends in one line that says what to do."""

from collections.abc import Sequence
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from dsh_conformance.cli import main
from dsh_conformance.commands import explain, program
from dsh_conformance.commands.options import split
from dsh_conformance.implementation.outcome import Diagnosis, Fault


def _run(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def _complaint(result: Result) -> str:
    """Return the one line that the run complains with; there may be nothing else."""
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("dsh-conformance: ")
    return line.removeprefix("dsh-conformance: ")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["certfy"], "no command is called 'certfy'; did you mean certify?"),
        (["--nope"], "No such option"),
        (["certify"], "no implementation; give memory"),
        (["certify", "memroy"], "did you mean memory?"),
        (["certify", "no.such.module:factory"], "cannot import no.such.module"),
        (["certify", "json:no_such"], "json has no factory no_such"),
        (["certify", "memory", "extra"], "unexpected extra argument (extra)"),
        (["certify", "--"], "no command follows the '--'"),
        (["certify", "memory", "--", "node", "x.mjs"], "give one of them"),
        (["certify", "--config", "a=b", "--", "node"], "--config does not reach a command"),
        (["certify", "memory", "--profil", "quick"], "--profile"),
        (["certify", "memory", "--profile", "quik"], "there are quick, standard, thorough"),
        (["certify", "memory", "--seed", "-1"], "-1"),
        (["certify", "memory", "--seed", "x"], "'x' is not a valid integer"),
        (["certify", "memory", "--deadline", "0"], "--deadline"),
        (["certify", "memory", "--deadline", "nan"], "--deadline"),
        (["certify", "memory", "--track", "live"], "the live track cannot be certified yet"),
        (["certify", "memory", "--track", "stroe"], "did you mean store"),
        (["certify", "memory", "--config", "novalue"], "'novalue' is not of the form KEY=VALUE"),
        (["certify", "memory", "--config", "=v"], "is not of the form KEY=VALUE"),
        (["certify", "memory", "--config", "a=1", "--config", "a=2"], "'a' is given twice"),
        (["certify", "memory", "--xfail", "STORE-NOT-FOUN=x"], "did you mean STORE-NOT-FOUND"),
        (["certify", "memory", "--xfail", "STORE-NOT-FOUND= "], "needs a reason"),
        (["certify", "memory", "--xfail", "STORE-NOT-FOUND"], "is not of the form RULE=REASON"),
        (["replay"], "Missing argument 'SCRIPT'"),
        (["replay", "no-such-file", "--impl", "memory"], "cannot read the script"),
        (["replay", ".", "--impl", "memory"], "cannot read the script '.': is a directory"),
        (["explain", "STORE-NOT-FOUN"], "did you mean STORE-NOT-FOUND"),
        (["explain", "§"], "'explain' without a rule lists them"),
        (["serve"], "Missing argument 'IMPL'"),
        (["serve", "memroy"], "did you mean memory?"),
        (["sabotage", "--only", "no-such-sabotage"], "no sabotage is called"),
        (["certify", "\x1b[2J\nfoo"], "\\x1b[2J"),
    ],
)
def test_wrong_use_is_one_line(args: Sequence[str], words: str) -> None:
    result = _run(*args)
    assert words in _complaint(result)
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\n", "line 1"),
        (b"\xff\xfe", "line 1"),
        (b'{"script": 1, "rule": "R"}\n[]\n', "line 2"),
        (b'{"script": 1, "rule": "R"}\n{"do": "dance"}\n', "is no line of a replay script"),
        (b'{"script": 1, "rule": "R"}\n{"do": "call", "method": "x"}\n', "line 2"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"do": "life", "event": "start"}\n', "is not the head of a replay script"),
    ],
)
def test_a_script_that_is_none_is_one_line(tmp_path: Path, content: bytes, words: str) -> None:
    script = tmp_path / "script.jsonl"
    script.write_bytes(content)
    result = _run("replay", str(script), "--impl", "memory")
    assert words in _complaint(result)
    assert result.exit_code == 2


def test_reports_do_not_overwrite(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    result = _run("certify", "memory", "--report", str(tmp_path))
    assert "is not empty; name another or add --force" in _complaint(result)
    assert result.exit_code == 2
    result = _run("certify", "memory", "--report", str(tmp_path / "mine" / "below"))
    assert "cannot write the report" in _complaint(result)
    assert result.exit_code == 2


def test_without_arguments_there_is_help() -> None:
    result = _run()
    assert (result.exit_code, result.stdout) == (2, "")
    for name in ("certify", "replay", "explain", "serve", "sabotage"):
        assert name in result.stderr
    assert "bench" not in result.stderr


@pytest.mark.parametrize("name", program.COMMANDS)
def test_every_command_has_help(name: str) -> None:
    result = _run(name, "--help")
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"Usage: dsh-conformance {name}" in result.stdout


@pytest.mark.parametrize(
    ("line", "own", "command"),
    [
        ([], [], None),
        (["a", "--b", "c"], ["a", "--b", "c"], None),
        (["a", "--"], ["a"], ()),
        (["--", "x", "--seed", "1", "--", "-h"], [], ("x", "--seed", "1", "--", "-h")),
    ],
)
def test_the_command_begins_at_the_first_dashes(
    line: Sequence[str], own: Sequence[str], command: tuple[str, ...] | None
) -> None:
    assert split(line) == (own, command)


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (RuntimeError("odd\nly"), 3, "RuntimeError: odd ly; this is a fault of the suite"),
        (RecursionError(), 3, "RecursionError; this is a fault of the suite"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (click.Abort(), 130, "interrupted"),
        (Fault(Diagnosis(blame="environment", what="no runtime")), 3, "environment: no runtime"),
        (BaseExceptionGroup("two", [ValueError()]), 3, "fault of the suite"),
    ],
)
def test_whatever_happens_is_one_line(
    error: BaseException, status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise error

    assert program.guarded(fail) == status
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert words in err


def test_a_fault_shows_what_the_adapter_said_last(capsys: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise Fault(Diagnosis(blame="adapter", what="it exited", stderr_tail="a\nb\x07"))

    assert program.guarded(fail) == 3
    assert capsys.readouterr().err == "dsh-conformance: adapter: it exited\n    a\n    b\\u0007\n"


def test_the_traceback_shows_on_demand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise RuntimeError("odd")

    monkeypatch.setenv(program.DEBUG, "1")
    assert program.guarded(fail) == 3
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("status", [0, 1, 2, 3])
def test_a_command_gives_the_exit_status(status: int) -> None:
    assert program.guarded(lambda: status) == status


def test_a_rule_is_explained_in_any_case() -> None:
    result = _run("explain", "store-not-found")
    assert result.exit_code == 0
    assert result.stdout.startswith("rule        STORE-NOT-FOUND\n")
    assert all(line == line.rstrip() for line in result.stdout.splitlines())


def test_the_list_of_rules_has_sentences() -> None:
    result = _run("explain")
    assert result.exit_code == 0
    assert "STORE-NOT-FOUND" in result.stdout
    assert explain.command.name == "explain"
