"""The command line drives real processes from end to end."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner, Result

from dsh_conformance.cli import main
from dsh_conformance.commands import options
from dsh_conformance.profiles import QUICK

#: A backend that forgets the first event that it should show.
FORGETFUL = """
from dsh_conformance.backends.memory import memory


def forgetful(workspace, config):
    backend = memory(workspace, config)
    create = backend.create

    def creating(header, inherited_event_count=None):
        handle = create(header, inherited_event_count)
        read = handle.read
        handle.read = lambda offset=0, length=None: read(offset, length)[1:]
        return handle

    backend.create = creating
    return backend
"""


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the quick profile so small that it exercises little, and demand little of it."""
    small = evolve(QUICK, examples=10, steps=10, at_least=1)
    monkeypatch.setattr(options, "PROFILES", {"quick": small})


def _run(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def _without_times(path: Path) -> str:
    report = json.loads(path.read_text())
    del report["started"], report["seconds"]
    return json.dumps(report)


@pytest.mark.usefixtures("tiny")
def test_the_same_seed_gives_the_same_report(tmp_path: Path) -> None:
    for name in ("one", "two"):
        result = _run("certify", "memory", "--seed", "7", "--report", str(tmp_path / name))
        assert result.exit_code in (0, 1), result.stderr
        assert "store track, profile quick, seed 7: " in result.stdout
    one, two = tmp_path / "one", tmp_path / "two"
    assert _without_times(one / "report.json") == _without_times(two / "report.json")
    assert (one / "junit.xml").read_bytes() == (two / "junit.xml").read_bytes()


@pytest.mark.usefixtures("tiny")
def test_a_failure_is_shown_kept_and_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "forgetful.py").write_text(FORGETFUL)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    out = tmp_path / "out"
    result = _run("certify", "forgetful:forgetful", "--report", str(out))
    assert result.exit_code == 1, result.stderr
    assert "FAILED  STORE-" in result.stdout
    script = str(next((out / "scripts").iterdir()))
    assert f"dsh-conformance replay {script} --impl forgetful:forgetful" in result.stdout
    assert _run("replay", script, "--impl", "memory").stdout.startswith("Kept: ")
    again = _run("replay", script, "--impl", "forgetful:forgetful")
    assert again.exit_code == 1
    assert again.stdout.startswith("Broken: STORE-")


@pytest.mark.parametrize(
    "code",
    [
        "print('hello')",
        "raise SystemExit(4)",
        "import sys; sys.stderr.write('bye'); print('{}')",
        'print(\'{"jsonrpc": "2.0", "id": 1, "result": {}}\')',
    ],
)
def test_what_is_no_adapter_is_not_driven(tmp_path: Path, code: str) -> None:
    result = _run("certify", "--report", str(tmp_path), "--", sys.executable, "-c", code)
    assert result.exit_code == 3
    closing = [line for line in result.stdout.splitlines() if line.startswith("Not driven: ")]
    assert len(closing) == 1
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["verdict"] == "not-driven"
    assert report["fault"]["blame"] in ("adapter", "implementation")


def _process(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dsh_conformance", *args],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **env},
    )


def test_a_process_ends_with_the_status() -> None:
    done = _process("certify", "--", "/no/such/program")
    assert (done.returncode, done.stderr.count("Traceback")) == (3, 0)
    assert "Not driven: environment: cannot run '/no/such/program'" in done.stdout
    assert _process("certify").returncode == 2
    assert _process("explain", "STORE-NOT-FOUND").returncode == 0


def test_a_terminal_without_the_characters_gets_escapes() -> None:
    done = _process("explain", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()


def test_a_reader_that_goes_away_is_no_failure() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "dsh_conformance", "explain"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141
