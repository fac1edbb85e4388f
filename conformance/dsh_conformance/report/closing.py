"""The one sentence that a certification ends with."""

from collections import Counter

from dsh_conformance.report.printable import printable
from dsh_conformance.report.verdict import Report


def closing(report: Report) -> str:
    """Return what the whole run comes to, in one sentence."""
    if report.fault is not None:
        return f"Not driven: {report.fault.blame}: {printable(report.fault.what)}"
    counts = Counter(each.verdict for each in report.rules)
    if report.verdict == "conformant":
        return f"Conformant: {_rules(counts['passed'])} claimed, exercised and kept."
    parts = [
        f"{_rules(counts['failed'])} broken" if counts["failed"] else "",
        f"{counts['stale-expectation']} expected to fail but kept"
        if counts["stale-expectation"]
        else "",
        f"{counts['not-exercised']} exercised too seldom" if counts["not-exercised"] else "",
        f"{counts['expected-failure']} broken as expected" if counts["expected-failure"] else "",
    ]
    said = ", ".join(part for part in parts if part) or "no rule was judged"
    return f"Not conformant: {said}."


def _rules(count: int) -> str:
    return "1 rule" if count == 1 else f"{count} rules"
