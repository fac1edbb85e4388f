"""The JSON reports keep to their schemas, lose nothing and depend on the verdicts alone."""

import json
from importlib.resources import files

import jsonschema
import pytest
from attrs import evolve
from fastjsonschema import JsonSchemaException
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, SearchStrategy

from dsh_conformance.report import jsonreport
from dsh_conformance.report.printable import plain
from dsh_conformance.report.verdict import Report, SabotageReport, SabotageResult

SCHEMAS = files("dsh_spec").joinpath("schema", "report")


@pytest.mark.parametrize("kind", ["report", "sabotage", "script"])
def test_the_schemas_are_schemas(kind: str) -> None:
    schema = json.loads(SCHEMAS.joinpath(f"{kind}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    assert schema["$id"] == f"urn:dsh-session-conformance:{kind}:1"


@given(data=st.data())
def test_every_report_keeps_to_the_schema_by_another_validator(
    reports: SearchStrategy[Report], data: DataObject
) -> None:
    schema = json.loads(SCHEMAS.joinpath("report.schema.json").read_text(encoding="utf-8"))
    text = jsonreport.text(jsonreport.report_value(data.draw(reports)))
    jsonschema.Draft7Validator(schema).validate(json.loads(text))


@given(data=st.data())
def test_what_is_read_back_is_what_was_found(
    reports: SearchStrategy[Report], data: DataObject
) -> None:
    report = data.draw(reports)
    text = jsonreport.text(jsonreport.report_value(report))
    assert text.isascii()
    read = json.loads(text)
    assert [each["rule"] for each in read["rules"]] == [each.rule for each in report.rules]
    for value, each in zip(read["rules"], report.rules, strict=True):
        assert value["verdict"] == each.verdict
        found = each.counterexample
        if found is not None:
            stored = value["counterexample"]
            assert repr(stored["actual"]) == repr(plain(found.actual))
            assert repr(stored["script"]) == repr([plain(line) for line in found.script])


@given(data=st.data())
def test_the_times_alone_make_two_runs_differ(
    reports: SearchStrategy[Report], data: DataObject
) -> None:
    report = data.draw(reports)
    later = evolve(report, started="2027-07-07T00:00:00+00:00", seconds=report.seconds + 1)
    one, two = jsonreport.report_value(report), jsonreport.report_value(later)
    assert one["started"] != two["started"]
    two.update(started=one["started"], seconds=one["seconds"])
    assert jsonreport.text(one) == jsonreport.text(two)


def test_the_shape(colourful: Report) -> None:
    value = jsonreport.report_value(colourful)
    assert value["suite"] == {"name": "dsh-session-conformance", "version": "1.2.3"}
    assert value["implementation"] == {
        "name": "box",
        "version": "7",
        "language": "go",
        "tracks": ["store"],
    }
    assert "fault" not in value
    rules = value["rules"]
    assert isinstance(rules, list)
    assert rules[3] == {
        "rule": "A-KNOWN",
        "track": "store",
        "verdict": "expected-failure",
        "exercised": 0,
        "reason": "ticket 1",
    }


def test_a_value_that_breaks_the_schema_is_not_written(colourful: Report) -> None:
    with pytest.raises(JsonSchemaException):
        jsonreport.report_value(evolve(colourful, seed=-1))


def test_the_kill_matrix() -> None:
    caught = SabotageResult(
        name="drops-a-flush",
        rule="STORE-DURABLE",
        track="store",
        caught=True,
        by=("STORE-DURABLE",),
        examples=12,
        steps=3,
        seconds=0.12345,
    )
    report = SabotageReport(suite_version="1", profile="quick", seed=0, sabotages=(caught,))
    assert jsonreport.sabotage_value(report)["sabotages"] == [
        {
            "name": "drops-a-flush",
            "rule": "STORE-DURABLE",
            "track": "store",
            "caught": True,
            "by": ["STORE-DURABLE"],
            "examples": 12,
            "steps": 3,
            "seconds": 0.123,
        }
    ]
    with pytest.raises(JsonSchemaException):
        jsonreport.sabotage_value(evolve(report, sabotages=(evolve(caught, by=()),)))
