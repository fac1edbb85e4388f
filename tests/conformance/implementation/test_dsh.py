"""The launcher of the real runtime: throw-away homes, and clear words without a runtime."""

import gc
import json
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from dsh_conformance.implementation.dsh import launcher
from dsh_conformance.implementation.names import Misuse
from dsh_conformance.implementation.outcome import Fault, Ok
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.implementation.stdio import Deadlines
from dsh_spec.values import JsonObject

BACKEND = Path(__file__).parent / "memory-backend"
MEMORY = {"plugin": str(BACKEND), "durable": "false", "crossProcessLock": "false"}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    directory = tmp_path / "workspace"
    directory.mkdir()
    return directory


@pytest.fixture
def no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the user's home where one sees what is written to it, and the cache elsewhere."""
    home = tmp_path / "home"
    home.mkdir()
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    monkeypatch.setenv("XDG_CACHE_HOME", cache)
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.mark.parametrize("compression", ["none", "zstd"])
def test_the_runtime_can_be_driven(compression: str) -> None:
    capabilities = smoke(launcher({"compression": compression}))
    assert capabilities.implementation.name == "dsh"
    assert capabilities.hostile_values


def test_a_third_party_plugin_can_be_driven() -> None:
    capabilities = smoke(launcher(MEMORY))
    assert capabilities.implementation.name == "dsh-session-persistence-memory-example"


def test_the_users_home_stays_clean(no_home: Path, workspace: Path) -> None:
    connection = launcher({}).launch(workspace)
    header: JsonObject = {"version": 4, "id": "s", "createdAt": 1, "isSeeded": False}
    assert isinstance(connection.call("store/create", {"header": header}), Ok)
    assert isinstance(connection.call("store/flush", {}), Ok)
    connection.close()
    assert list(no_home.iterdir()) == []


def test_the_runtimes_home_goes_with_the_launcher() -> None:
    made = launcher({})
    home = made.home
    assert (home / "profiles").is_dir()
    del made
    gc.collect()
    assert not home.exists()


def test_the_runtime_sees_little_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", "secret")
    environment = launcher({}).stdio.env
    assert environment is not None
    assert set(environment) <= {
        "PATH", "TMPDIR", "LANG", "LC_ALL", "HOME", "DSH_HOME", "DSH_CONFORMANCE_SUBJECT",
    }  # fmt: skip
    assert json.loads(environment["DSH_CONFORMANCE_SUBJECT"])["module"].startswith("@deepseek-ai/")


def test_a_cache_that_cannot_be_written_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    made = launcher({})
    assert made.stdio.env is not None
    assert made.stdio.env["HOME"] == str(made.home)


def test_a_cache_below_a_file_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    made = launcher({})
    assert made.stdio.env is not None
    assert made.stdio.env["HOME"] == str(made.home)


def test_deadlines_are_passed_on() -> None:
    assert launcher({}, Deadlines(call=77)).stdio.deadlines.call == 77


def test_a_missing_runtime_is_the_environments_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "deepseek_harness_runtime", None)
    with pytest.raises(Fault) as caught:
        launcher({})
    assert caught.value.diagnosis.blame == "environment"
    assert "pip install 'dsh-session-conformance[real]'" in caught.value.diagnosis.what


def test_a_runtime_for_another_machine_is_the_environments_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = ModuleType("deepseek_harness_runtime")

    def bundled_runtime_path() -> Path:
        raise FileNotFoundError("no executable\nfor this machine")

    broken.bundled_runtime_path = bundled_runtime_path  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "deepseek_harness_runtime", broken)
    with pytest.raises(Fault) as caught:
        launcher({})
    assert caught.value.diagnosis.blame == "environment"
    assert caught.value.diagnosis.what.endswith("no executable for this machine")


def test_a_wrong_option_is_misuse() -> None:
    with pytest.raises(Misuse, match="dsh has no option"):
        launcher({"colour": "red"})


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("export function apply() { throw new Error('no such database') }", "no such database"),
        ("export function apply() {}", "provides no sessionPersistence service"),
        (
            "export const inject = ['settings']\nexport function apply() {}",
            "does it inject a service",
        ),
        ("export default 7 7", "Unexpected number"),
    ],
)
def test_a_plugin_that_does_not_start_says_why(
    tmp_path: Path, workspace: Path, source: str, words: str
) -> None:
    manifest = {"name": "broken", "version": "1.0.0", "type": "module", "exports": "./index.mjs"}
    package = tmp_path / "broken"
    package.mkdir()
    (package / "package.json").write_text(json.dumps(manifest), "utf-8")
    (package / "index.mjs").write_text(source, "utf-8")
    with pytest.raises(Fault, match=f"refused to start.*{words}") as caught:
        launcher({"plugin": str(package)}).launch(workspace)
    assert caught.value.diagnosis.blame == "implementation"
