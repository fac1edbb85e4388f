"""From words to launchers, and what is said about words that mean nothing."""

import sys
from pathlib import Path

import pytest

from dsh_conformance.implementation import names
from dsh_conformance.implementation.names import Misuse, resolve
from dsh_conformance.implementation.outcome import Fault
from dsh_conformance.implementation.stdio import Deadlines, StdioLauncher

ADAPTERS = Path(__file__).parent / "adapters"


@pytest.mark.parametrize("name", names.BACKENDS)
def test_a_built_in_backend_is_hosted_in_a_process(name: str) -> None:
    launcher = resolve(name, (), {"key": "value"}, deadline=3)
    assert isinstance(launcher, StdioLauncher)
    served = ("-m", "dsh_conformance", "serve", name, "--config", "key=value")
    assert launcher.command == (sys.executable, *served)
    assert launcher.deadlines == Deadlines(first=3, call=3, exit=3)
    assert launcher.can_share


def test_a_factory_in_the_current_directory_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ADAPTERS)
    launcher = resolve("shelf:shelf", (), {})
    assert launcher.describe == "shelf:shelf"


def test_a_command_is_taken_as_it_is() -> None:
    launcher = resolve(None, ["node", "adapter.mjs"], {})
    assert isinstance(launcher, StdioLauncher)
    assert launcher.command == ("node", "adapter.mjs")
    assert launcher.describe == "node adapter.mjs"


@pytest.mark.parametrize(
    ("impl", "command", "what"),
    [
        (None, [], "no implementation; give memory, jsonl, sqlite, reference, dsh, dsh-v3, dsh-v0"),
        ("memory", ["node"], "both 'memory' and a command after --; give one of them"),
        ("jsnol", [], "no implementation is called 'jsnol'; did you mean jsonl?"),
        ("postgres", [], "no implementation is called 'postgres'; give memory, jsonl"),
        ("dsh-v2", [], "no implementation is called 'dsh-v2'; did you mean dsh-v3?"),
        ("no.such.module:make", [], "cannot import no.such.module: ModuleNotFoundError"),
        ("json:make", [], "json has no factory make"),
        ("shelf:not_callable", [], "shelf has no factory not_callable"),
        ("json:", [], "'json:' is no package.module:factory"),
        (":make", [], "':make' is no package.module:factory"),
        ("..x:make", [], "cannot import ..x: TypeError"),
    ],
)
def test_words_that_mean_nothing_are_wrong_use(
    monkeypatch: pytest.MonkeyPatch, impl: str | None, command: list[str], what: str
) -> None:
    monkeypatch.syspath_prepend(str(ADAPTERS))
    with pytest.raises(Misuse) as caught:
        resolve(impl, command, {})
    assert str(caught.value).startswith(what)


def test_configuration_does_not_reach_a_command() -> None:
    with pytest.raises(Misuse, match="--config does not reach a command"):
        resolve(None, ["node"], {"a": "b"})


def test_a_missing_runtime_is_the_environments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "deepseek_harness_runtime", None)
    with pytest.raises(Fault, match=r"pip install 'dsh-session-conformance\[real\]'") as caught:
        resolve("dsh", (), {})
    assert caught.value.diagnosis.blame == "environment"


@pytest.mark.parametrize("name", ["dsh-v3", "dsh-v0"])
def test_a_missing_older_runtime_is_the_environments(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DSH_CONFORMANCE_RUNTIMES", str(tmp_path))
    with pytest.raises(Fault, match="run dsh-conformance runtimes install") as caught:
        resolve(name, (), {})
    assert caught.value.diagnosis.blame == "environment"
