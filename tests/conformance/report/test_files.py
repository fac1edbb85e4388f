"""The report directory is never written over by accident."""

from pathlib import Path

import pytest
from attrs import evolve

from dsh_conformance.report.errors import Unwritable
from dsh_conformance.report.files import claim, report_files, script_name
from dsh_conformance.report.verdict import Report
from dsh_spec.catalogue import rules


def test_a_new_directory_gets_the_files(tmp_path: Path, colourful: Report) -> None:
    target = tmp_path / "deep" / "er"
    claim(target, force=False).write(report_files(colourful))
    found = {str(each.relative_to(target)) for each in target.rglob("*") if each.is_file()}
    assert found == {"report.json", "junit.xml", "scripts/A-BROKEN.jsonl"}
    script = (target / "scripts/A-BROKEN.jsonl").read_bytes()
    assert script == b'{"method":"store/create","params":{}}\n'


def test_what_is_there_is_kept_without_force(tmp_path: Path, colourful: Report) -> None:
    (tmp_path / "report.json").write_text("mine")
    with pytest.raises(Unwritable, match="is not empty; name another or add --force"):
        claim(tmp_path, force=False)
    assert (tmp_path / "report.json").read_text() == "mine"
    claim(tmp_path, force=True).write(report_files(colourful))
    assert (tmp_path / "report.json").read_text() != "mine"


def test_force_removes_the_scripts_of_an_earlier_run_and_nothing_else(
    tmp_path: Path, colourful: Report
) -> None:
    stale = tmp_path / script_name(rules()[0].slug)
    foreign = tmp_path / "scripts" / "mine.jsonl"
    stale.parent.mkdir()
    stale.touch()
    foreign.touch()
    claim(tmp_path, force=True).write(report_files(colourful))
    assert (stale.exists(), foreign.exists()) == (False, True)


def test_a_directory_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("file", "file/below"):
        with pytest.raises(Unwritable, match=r"cannot write the report to .*; name another"):
            claim(tmp_path / name, force=False)


def test_the_same_report_gives_the_same_bytes(colourful: Report) -> None:
    one, two = report_files(colourful), report_files(evolve(colourful))
    assert one == two
