"""The report as ``junit.xml``, for the dashboards that read such files.

A test case is a rule: its name is the slug, its class ``IMPLEMENTATION.TRACK``, so that the files
of several implementations line up.

========================  ==========================================================
verdict on the rule       result of the test case
========================  ==========================================================
passed                    none, which means success
failed                    failure, with the smallest run
stale-expectation         failure, since the announcement has to be withdrawn
not-exercised             error: the run says nothing, and must not look like success
expected-failure          skipped, with the announced reason
not-claimed               skipped, with the reason
========================  ==========================================================

A run that could not be driven has the one test case ``driven``, an error.
No times are written, so that the same seed gives the same bytes.
"""

from io import BytesIO

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from dsh_conformance.report.demand import comparable
from dsh_conformance.report.explain import statement
from dsh_conformance.report.layout import lines
from dsh_conformance.report.printable import paragraph, printable
from dsh_conformance.report.verdict import Counterexample, Report, RuleVerdict
from dsh_spec.values import Json


def junit_xml(report: Report) -> str:
    """Return *report* as the text of ``junit.xml``."""
    who = printable(report.implementation.name) if report.implementation else "unknown"
    suite = TestSuite("dsh-session-conformance")
    for name, value in _properties(report).items():
        suite.add_property(name, value)
    cases = [_case(each, who) for each in report.rules]
    if report.fault is not None:
        cases.append(_driven(report, who))
    suite.add_testcases(cases)
    xml = JUnitXml("dsh-session-conformance")
    xml.add_testsuite(suite)
    written = BytesIO()
    xml.write(written, pretty=True)
    return written.getvalue().decode("utf-8")


def _properties(report: Report) -> dict[str, str]:
    who = report.implementation
    return {
        "suite-version": report.suite_version,
        "implementation-version": printable(who.version) if who else "unknown",
        "profile": report.profile,
        "seed": str(report.seed),
        "verdict": report.verdict,
    }


def _case(each: RuleVerdict, who: str) -> TestCase:
    case = TestCase(each.rule, classname=f"{who}.{each.track}")
    result = _result(each)
    if result is not None:
        case.result = [result]
    return case


def _result(each: RuleVerdict) -> Failure | Error | Skipped | None:
    reason = printable(each.reason or "")
    match each.verdict:
        case "passed":
            return None
        case "failed":
            failure = Failure(statement(each.rule), each.verdict)
            if each.counterexample is not None:
                failure.text = _narrated(each.counterexample)
            return failure
        case "stale-expectation":
            return Failure(f"kept, although expected to fail: {reason}", each.verdict)
        case "not-exercised":
            return Error(f"claimed, but exercised only {each.exercised} times", each.verdict)
        case "expected-failure" | "not-claimed":
            return Skipped(reason, each.verdict)


def _narrated(found: Counterexample) -> str:
    """Return the smallest run as text."""
    steps = [f"{at}. {printable(each)}" for at, each in enumerate(found.narrative, start=1)]
    expected, actual = comparable(found.expected, found.actual)
    values = ["expected:", *_value(expected), "actual:", *_value(actual)]
    return "\n".join([*steps, *values])


def _value(value: Json) -> list[str]:
    return [printable(line) for line in lines(value)]


def _driven(report: Report, who: str) -> TestCase:
    """Return the test case of a run that came to nothing."""
    case = TestCase("driven", classname=who)
    if report.fault is not None:
        error = Error(f"{report.fault.blame}: {printable(report.fault.what)}", "not-driven")
        error.text = "\n".join(paragraph(report.fault.stderr_tail))
        case.result = [error]
    return case
