"""The JSON Schemas are fresh, whole, and agree with the classes that they are generated from."""

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any, TypeAlias

import pytest
from attrs import fields
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from dsh_spec.catalogue import Format
from dsh_spec.events import EVENT_TYPES, VOCABULARIES, ShapeError, Undeclared, structure_event
from dsh_spec.events.record import Open
from dsh_spec.events.v2_message import REASONS, SOURCES
from dsh_spec.schema.docs import class_doc, field_docs
from dsh_spec.schema.generate import event_schema, header_schema
from dsh_spec.schema.table import types_table

Raw: TypeAlias = dict[str, Any]
Events: TypeAlias = Callable[[str], st.SearchStrategy[Raw]]
TYPES = st.sampled_from(sorted(EVENT_TYPES))
EVENT = Draft202012Validator(event_schema(4))
HEADER = Draft202012Validator(header_schema(4))


@pytest.mark.parametrize("format_", VOCABULARIES)
@pytest.mark.parametrize(("name", "build"), [("event", event_schema), ("header", header_schema)])
def test_schemas_are_fresh(format_: Format, name: str, build: Callable[[Format], Raw]) -> None:
    path = files("dsh_spec") / f"schema/v{format_}/{name}.schema.json"
    text = path.read_text(encoding="utf-8")
    assert json.dumps(build(format_), indent=2) + "\n" == text, "run python -m dsh_spec.schema"
    Draft202012Validator.check_schema(json.loads(text))


def test_the_table_of_types_is_fresh() -> None:
    path = files("dsh_spec") / "schema/event-types.md"
    assert path.read_text(encoding="utf-8") == types_table(), "run python -m dsh_spec.schema"


def test_every_type_has_its_body() -> None:
    conditions = [
        branch["if"]["properties"]["type"].get("const") for branch in EVENT.schema["allOf"]
    ]
    assert set(EVENT_TYPES) <= set(conditions)


@given(data=st.data(), type_=TYPES)
def test_what_a_writer_writes_is_valid(
    valid_events: Events, data: st.DataObject, type_: str
) -> None:
    EVENT.validate(data.draw(valid_events(type_)))


def test_a_log_of_the_core_is_valid(log: dict[str, Raw]) -> None:
    for raw in log.values():
        EVENT.validate(raw)


#: Rules that relate one field of an event to another, which the schema leaves to the reader.
BETWEEN_FIELDS = {
    "DELIV-GEN",
    "DEV-HEADERSEQ-IFF",
    "DEV-NO-INLINE",
    "HDRREQ-DEFAULT-NEEDS-VALUE",
    "PL-RESULT-ERROR-CONSISTENT",
    "REL-TITLE-REQUEST",
    "TOOLMSG-V4",
}
#: Unchecked types whose declared shape relates one field to another.
FIELDS_GO_TOGETHER = {
    "goal/change",
    "hook/result",
    "schedule/change",
    "subagent/catalog",
    "subagent/descriptor",
    "subagent/model-selection-policy",
    "web/deepseek-search-llm-request",
}


def reading(raw: Raw) -> tuple[str | None, bool]:
    """The rule that a reader finds broken, and whether it keeps the body as undeclared."""
    try:
        return None, isinstance(structure_event(raw).data, Undeclared)
    except ShapeError as error:
        return error.rule, False


@given(data=st.data())
def test_what_is_valid_is_read_as_declared(
    mutants: st.SearchStrategy[Raw], data: st.DataObject
) -> None:
    raw = data.draw(mutants)
    assume(EVENT.is_valid(raw))
    broken, undeclared = reading(raw)
    assert broken in {None, *BETWEEN_FIELDS}
    assert not undeclared or raw["type"] in FIELDS_GO_TOGETHER


@given(data=st.data(), type_=TYPES)
def test_an_expected_key_is_required(valid_events: Events, data: st.DataObject, type_: str) -> None:
    raw = data.draw(valid_events(type_))
    cls = EVENT_TYPES[type_].__name__
    name = "Message" if type_ == "user/message" else cls
    for key in EVENT.schema["$defs"][name]["required"]:
        assert not EVENT.is_valid(
            {**raw, "data": {k: v for k, v in raw["data"].items() if k != key}}
        )


@pytest.mark.parametrize(
    ("type_", "change"),
    [
        ("turn/start", {"surfaceOp": "append"}),
        ("turn/start", {"sourceEventSeqs": [0]}),
        ("turn/start", {"ignorable": False}),
        ("turn/start", {"seq": -1}),
        ("turn/start", {"time": 1.5}),
        ("turn/start", {"zz": 1}),
        ("turn/start", {"type": "turn/begin"}),
        ("turn/end", {"data": {"turn": 1}}),
        ("user/message", {"surfaceOp": {"op": "replace", "start": 1, "end": 1}}),
        ("user/message", {"sourceEventSeqs": []}),
        ("user/message", {"sourceEventSeqs": [1, 1]}),
        ("assistant/message", {"sourceEventSeqs": [1]}),
        ("assistant/message", {"surfaceOp": {"op": "replace", "startSeq": 1, "endSeq": 1}}),
    ],
)
def test_slips_of_a_writer_are_invalid(log: dict[str, Raw], type_: str, change: Raw) -> None:
    assert not EVENT.is_valid({**log[type_], **change})


@pytest.mark.parametrize("type_", ["user/message", "assistant/message", "tool/result"])
@pytest.mark.parametrize("tag", ["tool-result", "tool-addition", "text"])
def test_blocks_out_of_place_are_invalid(log: dict[str, Raw], type_: str, tag: str) -> None:
    body = log[type_]["data"]
    body.get("message", body)["content"].append({"type": tag, "toolName": "grep"})
    assert not EVENT.is_valid(log[type_])


@pytest.mark.parametrize(
    "change",
    [
        {"system": ""},
        {"tools": []},
        {"tools": [{"name": "grep"}]},
        {"adapterDefaults": {}},
        {"adapterDefaults": {"temperature": True}},
    ],
)
def test_headers_out_of_form_are_invalid(log: dict[str, Raw], change: Raw) -> None:
    log["request/header"]["data"]["header"] |= change
    assert not EVENT.is_valid(log["request/header"])


def test_a_session_header_is_valid() -> None:
    header = {"version": 4, "id": "s", "createdAt": 1, "isSeeded": False, "cwd": "/home/ada"}
    HEADER.validate(header)
    for change in ({"version": 3}, {"cwd": "work"}, {"origin": None}, {"seedLength": 0}):
        assert not HEADER.is_valid({**header, **change})


def test_every_class_and_field_is_documented() -> None:
    bodies = {cls for each in VOCABULARIES.values() for cls in each.known.values()}
    parts = {cls for each in (SOURCES, REASONS) for cls in each.values()}
    for cls in {*Open.__subclasses__(), *bodies, *parts}:
        assert class_doc(cls).endswith((".", ")."))
        assert field_docs(cls).keys() == {attribute.name for attribute in fields(cls)}
