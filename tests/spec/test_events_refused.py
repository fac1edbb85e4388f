"""What one event can get wrong on its own is refused, with the rule, the place and the problem.

Each case changes one value of a log that the real runtime opens.  What is refused here and what is
accepted was observed on 0.2.1rc2, which reads the stored log and restores a session from it;
-0 is the exception, which that runtime lets pass in some places.
"""

import re
from typing import Any, TypeAlias

import pytest

from dsh_spec.catalogue import rules
from dsh_spec.events import EVENT_TYPES, ShapeError, structure_event

Raw: TypeAlias = dict[str, Any]
GONE: Any = object()
CONFIG: Raw = {"provider": "p", "model": "m"}
CONTENT = "data.message.content"
RETIRED: Raw = {"type": "tool-result", "toolCallId": "c", "content": []}
REMOVAL: Raw = {"type": "tool-removal", "toolName": "grep"}
ADDITION: Raw = {"type": "tool-addition", "toolName": "grep"}
IMAGE: Raw = {"attachmentId": "a", "mediaType": "image/png", "bytes": 1, "width": 1, "height": 1}


def chunk(**fields: Any) -> Raw:
    return {"type": "chunk", "time": 1, "chunk": fields}


def changed(event: Raw, place: str, value: Any) -> Raw:
    """The event with another value at a place such as ``data.message.content.0.text``."""
    holder: Any = event
    *steps, last = [int(step) if step.isdecimal() else step for step in place.split(".")]
    for step in steps:
        holder = holder[step]
    if value is GONE:
        del holder[last]
    else:
        holder[last] = value
    return event


def refusal(raw: Any) -> tuple[str, str]:
    with pytest.raises(ShapeError) as refused:
        structure_event(raw)
    return refused.value.rule, refused.value.path


@pytest.mark.parametrize(
    ("place", "value", "rule"),
    [
        ("zz", 1, "ENV-KEYS"),
        ("type", GONE, "ENV-KEYS"),
        ("seq", GONE, "ENV-KEYS"),
        ("data", GONE, "ENV-DATA-PRESENT"),
        ("type", 7, "ENV-TYPE-STR"),
        ("seq", "3", "ENV-SEQ-NEGZERO"),
        ("seq", -0.0, "ENV-SEQ-NEGZERO"),
        ("seq", True, "ENV-SEQ-NEGZERO"),
        ("seq", 2**53, "ENV-SEQ-NEGZERO"),
        ("time", 1.5, "ENV-TIME-INT"),
        ("time", -0.0, "ENV-TIME-INT"),
        ("time", -(2**53), "ENV-TIME-INT"),
        ("ignorable", False, "ENV-IGNORABLE-TRUE"),
        ("ignorable", None, "ENV-IGNORABLE-TRUE"),
        ("surfaceOp", None, "SURF-MARKER-SHAPE"),
        ("surfaceOp", "prepend", "SURF-MARKER-SHAPE"),
        ("surfaceOp", [], "SURF-MARKER-SHAPE"),
        ("surfaceOp", {"op": "replace", "start": 1, "end": 1}, "SURF-REPLACE-SHAPE"),
        ("surfaceOp", {"op": "append", "startSeq": 1, "endSeq": 1}, "SURF-REPLACE-SHAPE"),
        ("surfaceOp", {"op": "replace", "startSeq": 1, "endSeq": 1, "x": 1}, "SURF-REPLACE-SHAPE"),
        ("surfaceOp", {"op": "replace", "startSeq": 1, "endSeq": -1}, "SURF-REPLACE-SHAPE"),
        ("sourceEventSeqs", None, "SRC-ARRAY"),
        ("sourceEventSeqs", {}, "SRC-ARRAY"),
    ],
)
def test_envelopes_that_are_refused(log: dict[str, Raw], place: str, value: Any, rule: str) -> None:
    assert refusal(changed(log["user/message"], place, value)) == (rule, place)


@pytest.mark.parametrize("value", [None, 7, [], "turn/start"])
def test_what_is_no_object_is_no_event(value: Any) -> None:
    assert refusal(value) == ("ENV-KEYS", "")


def test_a_source_is_a_seq(log: dict[str, Raw]) -> None:
    raw = changed(log["user/message"], "sourceEventSeqs", [1, [0, 2]])
    assert refusal(raw) == ("SRC-DENSE-INT", "sourceEventSeqs[1]")


def test_a_type_off_the_surface_has_no_surface_keys(log: dict[str, Raw]) -> None:
    raw = log["turn/start"]
    assert refusal({**raw, "surfaceOp": "append"}) == ("SURF-LOGONLY-NO-OP", "surfaceOp")
    expected = ("SURF-LOGONLY-NO-SOURCES", "sourceEventSeqs")
    assert refusal({**raw, "sourceEventSeqs": [0]}) == expected


BODIES: list[tuple[str, str, Any, str]] = [
    ("turn/start", "data", None, "ENV-DATA-PRESENT"),
    ("request/context", "data", [], "ENV-DATA-PRESENT"),
    ("turn/start", "data.turn", GONE, "PL-TURN-START"),
    ("step/start", "data.step", "1", "PL-TURN-START"),
    ("step/end", "data.turn", None, "PL-TURN-START"),
    ("turn/end", "data.turn", 1.5, "REL-TURN"),
    # messages
    ("user/message", "data.id", "", "MSG-FIELDS"),
    ("user/message", "data.role", None, "MSG-FIELDS"),
    ("user/message", "data.role", "assistant", "MSG-ROLES"),
    ("user/message", "data.role", "developer", "DEV-ROLE"),
    ("user/message", "data.content", "hi", "MSG-FIELDS"),
    ("user/message", "data.source", {"kind": ""}, "MSG-FIELDS"),
    ("user/message", "data.source.kind", "plugin", "SRC-V4-NO-PLUGIN"),
    ("user/message", "data.content.0", RETIRED, "BLOCK-V4-RETIRED"),
    ("user/message", "data.content.0", {"type": "tool-addition"}, "DEV-BLOCKS"),
    ("assistant/message", "data.message", GONE, "MSG-FIELDS"),
    ("assistant/message", "data.message.role", "user", "MSG-ROLES"),
    ("assistant/message", "data.message.source.kind", "user", "SRC-ASSISTANT"),
    ("assistant/message", "data.message.source.model", "", "SRC-ASSISTANT"),
    ("assistant/message", "data.turn", -1, "PL-ASSISTANT-STREAM"),
    ("assistant/message", "data.stream", {}, "PL-ASSISTANT-STREAM"),
    ("assistant/message", f"{CONTENT}.0", 7, "REL-TOOL-ADVERTISE"),
    ("assistant/message", f"{CONTENT}.0.id", "", "REL-TOOL-ADVERTISE"),
    ("assistant/message", f"{CONTENT}.0", REMOVAL, "DEV-BLOCKS"),
    ("assistant/attempt", "data.stream", GONE, "PL-ASSISTANT-STREAM"),
    ("tool/call", "data.callId", "", "REL-TOOL-CALL"),
    ("tool/call", "data.name", GONE, "REL-TOOL-CALL"),
    # system prompts
    ("system/message", "data.turn", 0, "PL-SYSTEM-MESSAGE"),
    ("system/message", "data.message.role", "user", "MSG-ROLES"),
    ("system/message", "data.message.source.kind", "user", "SRC-SYSTEM"),
    ("system/message", f"{CONTENT}.0", {}, "PL-SYSTEM-MESSAGE"),
    ("system/message", f"{CONTENT}.0.text", GONE, "PL-SYSTEM-MESSAGE"),
    ("system/message", f"{CONTENT}.0", RETIRED, "BLOCK-V4-RETIRED"),
    # developer messages
    ("developer/message", "data.step", 0, "REL-IN-STEP"),
    ("developer/message", "data.message.role", "user", "DEV-ROLE"),
    ("developer/message", "data.message.source.kind", "plugin", "SRC-V4-NO-PLUGIN"),
    ("developer/message", "data.headerSeq", None, "DEV-HEADERSEQ-IFF"),
    ("developer/message", "data.headerSeq", GONE, "DEV-HEADERSEQ-IFF"),
    ("developer/message", f"{CONTENT}.0.toolName", "", "DEV-TOOLNAME"),
    ("developer/message", f"{CONTENT}.0.tool", None, "DEV-NO-INLINE"),
    ("developer/message", f"{CONTENT}.0", RETIRED, "BLOCK-V4-RETIRED"),
    # tool results
    ("tool/result", "data.turn", "1", "REL-IN-STEP"),
    ("tool/result", "data.message.role", "user", "MSG-ROLES"),
    ("tool/result", "data.message.source.kind", "model", "SRC-TOOL"),
    ("tool/result", "data.message.source.callId", 1, "SRC-TOOL"),
    ("tool/result", "data.message.toolCallId", "c2", "TOOLMSG-V4"),
    ("tool/result", "data.message.toolCallId", GONE, "TOOLMSG-V4"),
    ("tool/result", "data.message.isError", None, "TOOLMSG-V4"),
    ("tool/result", f"{CONTENT}.0", RETIRED, "BLOCK-V4-RETIRED"),
    # request headers
    ("request/header", "data.header", None, "HDRREQ-CANONICAL"),
    ("request/header", "data.header.system", None, "HDRREQ-CANONICAL"),
    ("request/header", "data.header.tools", [], "HDRREQ-CANONICAL"),
    ("request/header", "data.header.adapterDefaults", {}, "HDRREQ-CANONICAL"),
    ("request/header", "data.header.adapterDefaults", {"zz": True}, "HDRREQ-DEFAULT-NEEDS-VALUE"),
    ("request/header", "data.header.config.provider", "", "INV-REQHDR-RESTORE"),
    ("request/header", "data.header.config.model", GONE, "INV-REQHDR-RESTORE"),
    ("request/header", "data.header.config.reasoningEffort", None, "INV-REQHDR-RESTORE"),
    ("request/header", "data.header.tools.0.deferLoading", False, "HDRREQ-DEFER"),
    ("request/header", "data.reason", "fallback", "INV-REQHDR-RESTORE"),
    ("request/header", "data.startsSeries", False, "INV-REQHDR-RESTORE"),
]


@pytest.mark.parametrize(("type_", "place", "value", "rule"), BODIES)
def test_bodies_that_are_refused(
    log: dict[str, Raw], type_: str, place: str, value: Any, rule: str
) -> None:
    spelled = re.sub(r"\.(\d+)", r"[\1]", place)
    assert refusal(changed(log[type_], place, value)) == (rule, spelled)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"adapterDefaults": {"maxTokens": True}}, "maxTokens"),
        ({"adapterDefaults": {"maxTokens": 1}, "config": {**CONFIG, "maxTokens": 1}}, "maxTokens"),
        ({"adapterDefaults": {"reasoningEffort": True}}, "reasoningEffort"),
    ],
)
def test_a_default_needs_its_value(log: dict[str, Raw], change: Raw, place: str) -> None:
    log["request/header"]["data"]["header"] |= change
    path = f"data.header.adapterDefaults.{place}"
    assert refusal(log["request/header"]) == ("HDRREQ-DEFAULT-NEEDS-VALUE", path)


def test_only_additions_name_a_header(log: dict[str, Raw]) -> None:
    raw = changed(log["developer/message"], CONTENT, [REMOVAL])
    assert refusal(raw) == ("DEV-HEADERSEQ-IFF", "data.headerSeq")
    structure_event(changed(raw, "data.headerSeq", GONE))


@pytest.mark.parametrize("value", [None, {}, {"name": "E", "code": "C"}])
def test_only_an_error_carries_one(log: dict[str, Raw], value: Any) -> None:
    raw = changed(log["tool/result"], "data.error", value)
    structure_event(raw)
    raw["data"]["message"]["isError"] = False
    assert refusal(raw) == ("PL-RESULT-ERROR-CONSISTENT", "data.error")


@pytest.mark.parametrize("type_", ["assistant/message", "assistant/attempt"])
@pytest.mark.parametrize(
    ("record", "rule", "place"),
    [
        (chunk(type="block-start", blockType="tool-result"), "BLOCK-V4-RETIRED", "blockType"),
        (chunk(type="block-end", block=RETIRED), "BLOCK-V4-RETIRED", "block.type"),
        (chunk(type="block-start", blockType="tool-removal"), "DEV-BLOCKS", "blockType"),
        (chunk(type="block-end", block=ADDITION), "DEV-BLOCKS", "block.type"),
    ],
)
def test_streams_hold_no_retired_blocks(
    log: dict[str, Raw], type_: str, record: Raw, rule: str, place: str
) -> None:
    raw = changed(log[type_], "data.stream", [7, {}, record])
    assert refusal(raw) == (rule, f"data.stream[2].chunk.{place}")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"attachmentId": ""}, "attachmentId must be a non-empty string"),
        ({"mediaType": "image/svg+xml"}, "mediaType must be"),
        ({"bytes": -1}, "bytes must be an integer from 0"),
        ({"width": 0}, "width must be an integer from 1"),
        ({"name": None}, "name must be a string"),
        ({"originalDimensions": {"width": 1}}, "originalDimensions.height is missing"),
    ],
)
def test_images_of_a_system_prompt_are_whole(
    log: dict[str, Raw], change: Raw, problem: str
) -> None:
    block = {"type": "image", "attachment": {**IMAGE, **change}}
    with pytest.raises(ShapeError) as refused:
        structure_event(changed(log["system/message"], f"{CONTENT}.0", block))
    assert str(refused.value).startswith(f"data.message.content[0].attachment.{problem}")


@pytest.mark.parametrize(
    ("type_", "place", "value"),
    [
        ("turn/end", "data.reason", GONE),
        ("turn/end", "data.reason", None),
        ("turn/end", "data.reason", {"kind": 1}),
        ("request/context", "data", {}),
        ("request/context", "data.provider", None),
        ("request/header", "data.header.tools", None),
        ("request/header", "data.header.tools", [7, {}]),
        ("request/header", "data.header.config.maxTokens", "many"),
        ("user/message", "data.content", [7, None, {}, {"type": "text"}]),
        ("user/message", "data.toolCallId", None),
        ("user/message", "data.source.kind", "tool"),
        ("assistant/message", "data.usage", []),
        ("assistant/message", "data.stream", [7]),
        ("assistant/message", f"{CONTENT}.0", {}),
        ("developer/message", f"{CONTENT}.1", {"type": "text"}),
        ("system/message", f"{CONTENT}.0", {"type": "file"}),
        ("tool/result", CONTENT, [7, {"type": "nest", "content": [RETIRED]}]),
        ("tool/result", "data.error", {"code": 7}),
    ],
)
def test_slips_that_readers_keep(log: dict[str, Raw], type_: str, place: str, value: Any) -> None:
    raw = log[type_]
    if place == f"{CONTENT}.1":
        raw["data"]["message"]["content"].append(value)
    structure_event(changed(raw, place, value))


def test_a_path_stays_short(log: dict[str, Raw]) -> None:
    rule, path = refusal({**log["turn/start"], "k" * 10**6: 1})
    assert (rule, len(path)) == ("ENV-KEYS", 60)


def test_every_rule_named_here_is_in_the_catalogue() -> None:
    known = {rule.slug for rule in rules()}
    named = {slug for cls in EVENT_TYPES.values() for slug in _slugs(cls)}
    assert named - known == set()
    assert {case[3] for case in BODIES} <= known


def _slugs(cls: Any) -> list[str]:
    return [*getattr(cls, "RULES", {}).values(), *filter(None, [getattr(cls, "RULE", None)])]
