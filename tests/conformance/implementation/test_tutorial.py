"""The tutorial: every wrong state that it shows is still answered in those words."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from dsh_conformance.implementation.outcome import Fault
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.implementation.stdio import Deadlines, StdioLauncher

DOCS = Path(__file__).parents[3] / "docs"


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tutorial = load(DOCS / "refresh_tutorial.py")


def launcher(directory: Path, program: str, deadline: float | None = None) -> StdioLauncher:
    path = directory / "my_adapter.py"
    path.write_text(program, "utf-8")
    deadlines = Deadlines(first=deadline) if deadline else Deadlines()
    return StdioLauncher(
        command=(sys.executable, str(path)),
        describe="my_adapter.py",
        env=tutorial.environment(),
        deadlines=deadlines,
    )


@pytest.mark.parametrize("name", tutorial.steps("output"))
def test_a_wrong_state_is_answered_as_shown(tmp_path: Path, name: str) -> None:
    program = tutorial.adapter(name)
    with pytest.raises(Fault) as caught:
        smoke(launcher(tmp_path, program, tutorial.DEADLINES.get(name)))
    diagnosis = caught.value.diagnosis
    shown = " ".join(tutorial.block("output", name).split())
    assert f"Not driven: {diagnosis.blame}: {diagnosis.what}" in shown


def test_the_dictionary_can_be_driven_once_it_names_its_refusals(tmp_path: Path) -> None:
    program = tutorial.adapter("dictionary", judged=True)
    assert smoke(launcher(tmp_path, program)).implementation.name == "my store"


@pytest.mark.parametrize(
    "fault",
    ["exit", "half an answer", "garbage", "twice", "wrong id", "crash", "unknown method"],
)
def test_the_later_states_are_told_as_shown(misbehaving: Any, tmp_path: Path, fault: str) -> None:
    def live() -> None:
        connection = misbehaving(fault).launch(tmp_path)
        connection.call("store/list", {})
        connection.close()

    with pytest.raises(Fault) as caught:
        live()
    assert f"`{caught.value.diagnosis.what}`" in (DOCS / "tutorial.md").read_text("utf-8")
