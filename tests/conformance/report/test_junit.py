"""The JUnit report, read back by its library and by the standard one."""

from xml.etree import ElementTree as ET

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, SearchStrategy
from junitparser import Error, Failure, JUnitXml, Skipped, TestCase

from dsh_conformance.implementation.outcome import Diagnosis
from dsh_conformance.report.junit import junit_xml
from dsh_conformance.report.verdict import Report


def _cases(report: Report) -> list[TestCase]:
    return [case for suite in JUnitXml.fromstring(junit_xml(report).encode()) for case in suite]


def test_every_verdict_has_its_result(colourful: Report) -> None:
    results = {case.name: [type(each) for each in case.result] for case in _cases(colourful)}
    assert results == {
        "A-KEPT": [],
        "A-BROKEN": [Failure],
        "A-IDLE": [Error],
        "A-KNOWN": [Skipped],
        "A-STALE": [Failure],
        "A-ABSENT": [Skipped],
    }
    assert {case.classname for case in _cases(colourful)} == {"box.store"}


def test_a_failure_tells_the_smallest_run(colourful: Report) -> None:
    failed = next(case for case in _cases(colourful) if case.name == "A-BROKEN")
    assert failed.result[0].text == (
        '1. create session "a" as handle 1\n'
        "2. append event 1 to handle 1\n"
        "expected:\n"
        '{"refusal": "seq-mismatch"}\n'
        "actual:\n"
        '{"result": {}}'
    )


def test_what_could_not_be_driven_is_one_error(colourful: Report) -> None:
    fault = Diagnosis(blame="adapter", what="it hung", stderr_tail="bye\x07")
    report = evolve(colourful, implementation=None, rules=(), verdict="not-driven", fault=fault)
    (case,) = _cases(report)
    (error,) = case.result
    assert (case.name, error.message, error.text) == ("driven", "adapter: it hung", "bye\\u0007")


@given(data=st.data())
def test_any_report_is_well_formed_and_complete(
    reports: SearchStrategy[Report], data: DataObject
) -> None:
    report = data.draw(reports)
    root = ET.fromstring(junit_xml(report))  # noqa: S314 - our own text
    names = [case.get("name") for case in root.iter("testcase")]
    assert names == [each.rule for each in report.rules] + (["driven"] if report.fault else [])


@given(data=st.data())
def test_times_leave_no_trace(reports: SearchStrategy[Report], data: DataObject) -> None:
    report = data.draw(reports)
    assert junit_xml(report) == junit_xml(evolve(report, started="later", seconds=99.0))
