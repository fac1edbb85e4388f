"""Where the older runtimes lie, and how they get there."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dsh_conformance.cli import main
from dsh_conformance.implementation import runtimes
from dsh_conformance.implementation.outcome import Fault
from dsh_conformance.implementation.runtimes import OLDER, executable, install, place

ERA = OLDER["dsh-v3"]
MODULE = "from pathlib import Path\ndef bundled_runtime_path():\n    return Path('/the/runtime')\n"


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Name a directory of runtimes in which there is nothing."""
    monkeypatch.setenv(runtimes.VARIABLE, str(tmp_path / "runtimes"))
    return tmp_path / "runtimes"


class Pip:
    """Stands for pip: notes its words, and puts a module where it is told."""

    def __init__(self, status: int = 0) -> None:
        self.words: list[tuple[str, ...]] = []
        self.status = status

    def __call__(self, words: tuple[str, ...], **_: Any) -> "subprocess.CompletedProcess[str]":
        self.words.append(words)
        module = Path(words[words.index("--target") + 1]) / "deepseek_harness_runtime"
        module.mkdir()
        (module / "__init__.py").write_text(MODULE, "utf-8")
        return subprocess.CompletedProcess(words, self.status, "", "no such wheel")


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch) -> Pip:
    made = Pip()
    monkeypatch.setattr(subprocess, "run", made)
    return made


def test_each_is_installed_once_to_a_place_of_its_own(pip: Pip, directory: Path) -> None:
    assert install(ERA)
    assert not install(ERA)
    (words,) = pip.words
    assert words[:3] == (sys.executable, "-m", "pip")
    assert words[-1] == "deepseek-harness-runtime-bin==0.1.5rc1"
    assert "--no-deps" in words
    assert [entry.name for entry in directory.iterdir()] == ["0.1.5rc1"]
    assert executable(ERA) == Path("/the/runtime")


def test_what_pip_leaves_half_done_is_not_kept(pip: Pip, directory: Path) -> None:
    pip.status = 1
    with pytest.raises(Fault, match="pip could not install") as caught:
        install(ERA)
    assert caught.value.diagnosis.stderr_tail == "no such wheel"
    assert list(directory.iterdir()) == []


def test_somebody_else_may_be_faster(pip: Pip, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(words: tuple[str, ...], **more: Any) -> "subprocess.CompletedProcess[str]":
        (place(ERA) / "deepseek_harness_runtime").mkdir(parents=True)
        return pip(words, **more)

    monkeypatch.setattr(subprocess, "run", late)
    assert install(ERA)
    assert [entry.name for entry in place(ERA).parent.iterdir()] == ["0.1.5rc1"]


def test_a_directory_that_cannot_be_made_is_the_environments_fault(directory: Path) -> None:
    directory.write_text("", "utf-8")
    with pytest.raises(Fault, match="cannot install to"):
        install(ERA)


def test_a_missing_runtime_says_what_to_do(directory: Path) -> None:
    with pytest.raises(Fault, match="dsh-conformance runtimes install") as caught:
        executable(ERA)
    assert "\n" not in caught.value.diagnosis.what
    assert str(directory) in caught.value.diagnosis.what


def test_the_command_installs_all_and_lists_them(pip: Pip, directory: Path, tmp_path: Path) -> None:
    before = CliRunner().invoke(main, ["runtimes", "list"])
    assert before.output.count(" is not in ") == len(OLDER)
    installed = CliRunner().invoke(main, ["runtimes", "install"])
    assert installed.output.count(" installed in ") == len(OLDER)
    after = CliRunner().invoke(main, ["runtimes", "list"])
    assert after.output.count(f" is in {directory}") == len(OLDER)
    elsewhere = CliRunner().invoke(main, ["runtimes", "install", str(tmp_path / "other")])
    assert elsewhere.output.endswith(
        f"set {runtimes.VARIABLE}={tmp_path / 'other'} for them to be found\n"
    )


def test_a_missing_runtime_ends_a_command_with_three() -> None:
    ended = CliRunner().invoke(main, ["certify", "dsh-v3"])
    assert ended.exit_code == 3
    assert "dsh-conformance runtimes install" in ended.output
