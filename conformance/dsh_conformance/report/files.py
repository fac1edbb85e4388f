"""The report directory: what ``--report DIR`` writes, and never over what is there.

::

    DIR/report.json           the truth
    DIR/junit.xml             the same for dashboards
    DIR/scripts/RULE.jsonl    a replay script for each failure
    DIR/sabotage.json         the kill matrix, of a sabotage run
"""

from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from dsh_conformance.report import jsonreport
from dsh_conformance.report.errors import Unwritable
from dsh_conformance.report.junit import junit_xml
from dsh_conformance.report.verdict import Report, SabotageReport
from dsh_spec.catalogue import rules


@frozen
class ReportDirectory:
    """A directory that was found fit to take a report."""

    #: Where it is.
    path: Path

    def write(self, contents: Mapping[str, str]) -> None:
        """Write the files; the keys are paths within the directory.

        A replay script that an earlier run left goes, since it would seem to belong to this one.
        """
        try:
            for rule in rules():
                (self.path / script_name(rule.slug)).unlink(missing_ok=True)
            for name, content in contents.items():
                target = self.path / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(content, encoding="utf-8", newline="\n")
        except OSError as error:
            raise Unwritable(_words(self.path, error)) from None


def claim(path: Path, *, force: bool) -> ReportDirectory:
    """Make *path* ready for a report before the run begins.

    Raises `Unwritable` when it is no directory, cannot be made or written to, or holds something
    and *force* does not allow overwriting.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()) and not force:
            problem = f"the directory {str(path)!r} is not empty; name another or add --force"
            raise Unwritable(problem)
        probe = path / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise Unwritable(_words(path, error)) from None
    return ReportDirectory(path)


def script_name(rule: str) -> str:
    """Return where the replay script of *rule* stands within the directory."""
    return f"scripts/{rule}.jsonl"


def _words(path: Path, error: OSError) -> str:
    why = (error.strerror or "unknown error").lower()
    return f"cannot write the report to {str(path)!r}: {why}; name another directory"


def report_files(report: Report) -> dict[str, str]:
    """Return the files of a certification, by path."""
    contents = {
        "report.json": jsonreport.text(jsonreport.report_value(report)),
        "junit.xml": junit_xml(report),
    }
    for each in report.rules:
        if each.counterexample is not None and each.counterexample.script:
            script = "".join(jsonreport.line(line) for line in each.counterexample.script)
            contents[script_name(each.rule)] = script
    return contents


def sabotage_files(report: SabotageReport) -> dict[str, str]:
    """Return the files of a sabotage run, by path."""
    return {"sabotage.json": jsonreport.text(jsonreport.sabotage_value(report))}
