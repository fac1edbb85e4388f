"""The reports as JSON: ``report.json`` and ``sabotage.json``, checked against their schemas.

The value is built from the verdicts alone, in the order of the catalogue, so that two runs with the
same seed write the same bytes apart from the times.
"""

import functools
import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any, Literal, TypeAlias

import fastjsonschema

from dsh_conformance.report.printable import plain
from dsh_conformance.report.verdict import (
    BenignResult,
    Counterexample,
    Report,
    RuleVerdict,
    SabotageReport,
    SabotageResult,
)
from dsh_spec.values import Json

#: The name of the suite in reports.
SUITE = "dsh-session-conformance"

#: The reports that have a schema.
Kind: TypeAlias = Literal["report", "sabotage", "script"]


@functools.cache
def checker(kind: Kind) -> Callable[[Any], Any]:
    """Return what raises `fastjsonschema.JsonSchemaException` on a value that its schema forbids.

    The schemas travel in the wheel, as ``dsh_spec/schema/report/KIND.schema.json``.
    """
    source = files("dsh_spec").joinpath("schema", "report", f"{kind}.schema.json")
    compiled: Callable[[Any], Any] = fastjsonschema.compile(
        json.loads(source.read_text(encoding="utf-8")), use_default=False
    )
    return compiled


def report_value(report: Report) -> dict[str, Json]:
    """Return *report* as the value of ``report.json``, which keeps to its schema."""
    who = report.implementation
    value: dict[str, Json] = {
        "schema": "urn:dsh-session-conformance:report:1",
        "suite": {"name": SUITE, "version": report.suite_version},
        "implementation": None
        if who is None
        else {
            "name": who.name,
            "version": who.version,
            "language": who.language,
            "tracks": list(report.tracks),
        },
        "profile": report.profile,
        "seed": report.seed,
        "config": dict(sorted(report.config.items())),
        "started": report.started,
        "seconds": round(report.seconds, 3),
        "verdict": report.verdict,
        **_fault(report),
        "examples": report.examples,
        "steps": report.steps,
        "notes": list(report.notes),
        "rules": [_rule(each) for each in report.rules],
    }
    checker("report")(value)
    return value


def _fault(report: Report) -> dict[str, Json]:
    if report.fault is None:
        return {}
    fault = report.fault
    return {"fault": {"blame": fault.blame, "what": fault.what, "stderrTail": fault.stderr_tail}}


def _rule(each: RuleVerdict) -> dict[str, Json]:
    value: dict[str, Json] = {
        "rule": each.rule,
        "track": each.track,
        "verdict": each.verdict,
        "exercised": each.exercised,
    }
    if each.reason:
        value["reason"] = each.reason
    if each.counterexample is not None:
        value["counterexample"] = _counterexample(each.counterexample)
    return value


def _counterexample(found: Counterexample) -> dict[str, Json]:
    return {
        "steps": found.steps,
        "narrative": list(found.narrative),
        "expected": plain(found.expected),
        "actual": plain(found.actual),
        "script": [plain(line) for line in found.script],
    }


def sabotage_value(report: SabotageReport) -> dict[str, Json]:
    """Return *report* as the value of ``sabotage.json``, which keeps to its schema."""
    value: dict[str, Json] = {
        "schema": "urn:dsh-session-conformance:sabotage:1",
        "suite": {"name": SUITE, "version": report.suite_version},
        "profile": report.profile,
        "seed": report.seed,
        "sabotages": [_sabotage(each) for each in report.sabotages],
        "benign": [_benign(each) for each in report.benign],
    }
    checker("sabotage")(value)
    return value


def _sabotage(each: SabotageResult) -> dict[str, Json]:
    return {
        "name": each.name,
        "rule": each.rule,
        "track": each.track,
        "caught": each.caught,
        "by": list(each.by),
        "examples": each.examples,
        "steps": each.steps,
        "seconds": round(each.seconds, 3),
    }


def _benign(each: BenignResult) -> dict[str, Json]:
    return {"name": each.name, "passed": each.passed, "by": list(each.by)}


def text(value: Json) -> str:
    """Return *value* as the text of a report file: ASCII, indented, ending in a line feed."""
    return json.dumps(value, indent=2, allow_nan=False) + "\n"


def line(value: Json) -> str:
    """Return *value* as one line of a replay script: ASCII, compact, ending in a line feed."""
    return json.dumps(plain(value), separators=(",", ":"), allow_nan=False) + "\n"
