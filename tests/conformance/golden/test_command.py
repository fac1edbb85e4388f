"""``golden check`` and ``golden write``: what they say, and how they end."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dsh_conformance.cli import main
from dsh_conformance.golden.corpus import PINS, root

PLACE = "v3/migrate-two-turns"


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """A place with one case, pinned."""
    shutil.copytree(Path(str(root())) / PLACE, tmp_path / PLACE)
    pins = json.loads((Path(str(root())) / PINS).read_bytes())
    (tmp_path / PINS).write_text(json.dumps({PLACE: pins[PLACE]}))
    return tmp_path


def _run(*args: str) -> Result:
    return CliRunner().invoke(main, ["golden", *args])


def _edit(golden: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = golden / PLACE / "case.json"
    said = json.loads(path.read_bytes())
    change(said)
    path.write_text(json.dumps(said, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def test_a_good_case_passes(golden: Path) -> None:
    result = _run("check", "--root", str(golden))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "1 cases, 0 findings\n"


def test_a_wrong_case_fails_and_says_why(golden: Path) -> None:
    _edit(golden, lambda said: said["expect"].update(events=3))
    result = _run("check", "--root", str(golden), "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)["findings"]
    assert [each["place"] for each in found] == [PLACE, PLACE]
    assert (found[1]["expected"], found[1]["actual"]) == (3, 16)
    shown = _run("check", "--root", str(golden)).stdout
    assert f"{PLACE}: the reference comes to another events" in shown
    assert "    expected: 3\n    actual: 16\n" in shown


def test_a_lost_case_fails(golden: Path) -> None:
    shutil.rmtree(golden / PLACE)
    result = _run("check", "--root", str(golden))
    assert (result.exit_code, result.stdout) == (1, f"{PLACE}: the case is gone\n")


def test_lost_pins_fail(golden: Path) -> None:
    (golden / PINS).unlink()
    result = _run("check", "--root", str(golden))
    assert result.exit_code == 1
    assert result.stdout == f"{PINS}: there is no list of pinned cases that can be read\n"


@pytest.mark.parametrize("name", ["v3", "migrate-two-turns", PLACE])
def test_a_case_is_called_by_its_name_its_place_or_its_format(golden: Path, name: str) -> None:
    assert _run("check", "--root", str(golden), name).exit_code == 0


def test_a_name_of_no_case_is_wrong_use(golden: Path) -> None:
    result = _run("check", "--root", str(golden), "migrate-two-turn")
    assert result.exit_code == 2
    assert "did you mean migrate-two-turns" in result.stderr


def test_an_unknown_implementation_is_wrong_use(golden: Path) -> None:
    result = _run("check", "--root", str(golden), "--against", "dhs")
    assert result.exit_code == 2


def test_a_case_that_lacks_what_it_is_compared_with_is_a_finding(golden: Path) -> None:
    (golden / PLACE / "migrated.jsonl").unlink()
    _edit(golden, lambda said: said["expect"].pop("migrated"))
    result = _run("check", "--root", str(golden), "--against", "dsh")
    assert "it has no migrated.jsonl to compare it with" in result.stdout
    _edit(golden, lambda said: said.pop("expect"))
    result = _run("check", "--root", str(golden), "--against", "dsh")
    assert "it has no verdict to compare with" in result.stdout


class TestWrite:
    """Writing asks the real runtime."""

    def test_a_case_that_agrees_is_left_alone(self, golden: Path) -> None:
        before = _bytes(golden)
        result = _run("write", "--root", str(golden))
        assert (result.exit_code, result.stdout) == (0, "")
        assert _bytes(golden) == before

    def test_a_difference_is_shown_and_nothing_written(self, golden: Path) -> None:
        _edit(golden, lambda said: said["expect"].update(inherited=1))
        before = _bytes(golden)
        result = _run("write", "--root", str(golden))
        assert result.exit_code == 1
        assert '-    "inherited": 1,\n+    "inherited": 0,\n' in result.stdout
        assert _bytes(golden) == before

    def test_a_difference_is_written_when_it_is_accepted(self, golden: Path) -> None:
        (golden / PLACE / "migrated.jsonl").unlink()
        _edit(golden, lambda said: said["expect"].pop("migrated"))
        result = _run("write", "--root", str(golden), "--accept", PLACE)
        assert result.exit_code == 0
        assert _run("check", "--root", str(golden)).exit_code == 0

    def test_a_case_is_new_until_it_is_accepted(self, golden: Path) -> None:
        (golden / PINS).write_text("{}")
        result = _run("write", "--root", str(golden))
        assert (result.exit_code, result.stderr) == (1, "0 accepted, 1 left as they are\n")
        assert "the case is new" in result.stdout
        assert _run("write", "--root", str(golden), "--accept", "v3").exit_code == 0
        assert _run("check", "--root", str(golden)).exit_code == 0

    def test_a_case_without_expectation_gets_one(self, golden: Path) -> None:
        (golden / PLACE / "migrated.jsonl").unlink()
        _edit(golden, lambda said: said.pop("expect"))
        assert "breaks its schema" in _run("check", "--root", str(golden)).stdout
        assert _run("write", "--root", str(golden), "--accept", PLACE).exit_code == 0
        assert _run("check", "--root", str(golden)).exit_code == 0

    def test_a_case_without_a_log_is_wrong_use(self, golden: Path) -> None:
        (golden / PLACE / "log.jsonl").unlink()
        result = _run("write", "--root", str(golden))
        assert result.exit_code == 2
        assert f"{PLACE} cannot be shown to an implementation: there must be one log" in (
            result.stderr
        )

    def test_pins_that_cannot_be_read_are_not_written_over(self, golden: Path) -> None:
        (golden / PINS).write_text("{")
        result = _run("write", "--root", str(golden), "--accept", PLACE)
        assert result.exit_code == 2
        assert "is no JSON; restore it first" in result.stderr
        assert (golden / PINS).read_text() == "{"

    def test_a_case_that_is_gone_is_forgotten_when_it_is_accepted(self, golden: Path) -> None:
        shutil.rmtree(golden / PLACE)
        assert _run("write", "--root", str(golden)).exit_code == 1
        assert _run("write", "--root", str(golden), "--accept", PLACE).exit_code == 0
        assert json.loads((golden / PINS).read_bytes()) == {}


def _bytes(golden: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in golden.rglob("*") if path.is_file()}
