"""There are golden cases enough, of every event type of every format and every field report."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

import pytest

from dsh_conformance.golden import Case, corpus, pinned, runs
from dsh_conformance.golden.check import check_pins
from dsh_conformance.golden.form import plain_text
from dsh_reference.files import read_log
from dsh_reference.refusal import Refusal
from dsh_spec.catalogue import Format
from dsh_spec.events import event_types

CASES = corpus()
FORMATS = get_args(Format)
#: The reports that say what is right, and the ones that leave it open.
REPORTS = [f"F{number:02}" for number in (*range(3, 8), *range(11, 21))]


def _of(version: Format) -> list[Case]:
    return [case for case in CASES if case.format == version]


def _types(case: Case) -> Iterator[str]:
    """The types of the events in a log; a packed row counts as the chunks that it holds."""
    text = plain_text(case)
    log = None if text is None else read_log(text, compression="none", format=case.format)
    if log is not None and not isinstance(log, Refusal):
        yield from (str(event["type"]) for event in log.events)


def test_no_case_is_lost_added_or_changed() -> None:
    assert check_pins([*CASES, *runs()], pinned()) == []


@pytest.mark.parametrize("version", FORMATS)
def test_there_are_cases_enough(version: Format) -> None:
    cases = _of(version)
    damaged = [
        case for case in cases if case.expect["verdict"] != "admitted" or case.expect.get("torn")
    ]
    compressed = [case for case in cases if case.compression == "zstd"]
    assert len(cases) >= 40
    assert len(damaged) >= 15
    assert len(compressed) >= 5


@pytest.mark.parametrize("version", FORMATS)
def test_every_event_type_occurs_in_a_log_that_is_admitted(version: Format) -> None:
    admitted = [case for case in _of(version) if case.expect["verdict"] == "admitted"]
    seen = {found for case in admitted for found in _types(case)}
    assert set(event_types(version)) <= seen


@pytest.mark.parametrize("version", [0, 3])
def test_the_runtime_of_their_own_format_was_shown_every_case(version: Format) -> None:
    assert [case.place for case in _of(version) if "native" not in case.expect] == []


@pytest.mark.parametrize("report", REPORTS)
def test_every_field_report_has_a_case(report: str) -> None:
    named = [case.name for case in CASES if report in case.said.get("reports", ())]
    assert [name for name in named if report.lower() in name]


def test_what_is_undecided_does_not_bind() -> None:
    """F17 asks whether the shapes ought to be admitted, F24 whether CRLF is contract."""
    loose = {report for case in CASES for report in case.said.get("reports", ()) if _loose(case)}
    assert {"F12", "F17", "F24", "F25"} == loose
    assert all(_loose(case) for case in CASES if "-f17-" in case.name)


def _loose(case: Case) -> bool:
    said: Mapping[str, Any] = case.said
    return said["binding"] is False
