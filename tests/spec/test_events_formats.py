"""The vocabularies of formats v0 to v3: their sizes, lossless reading, exactness and openness.

The payloads of ``payloads.json`` were written by hand from the facts, one for each arm of a type;
the payload check of the real runtime 0.2.1rc2 lets each of them pass in the formats that it names.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_reference.values import equal
from dsh_spec.catalogue import Format, rules
from dsh_spec.events import (
    VOCABULARIES,
    Replace,
    ShapeError,
    Undeclared,
    Unknown,
    event_types,
    structure_body,
    structure_event,
    surface_types,
    unstructure_event,
)

Raw: TypeAlias = dict[str, Any]
PAYLOADS: list[Raw] = json.loads((Path(__file__).parents[1] / "payloads.json").read_text("utf-8"))
EXACT: tuple[Format, ...] = (0, 1, 2)
CASES = [(each, format_) for each in PAYLOADS for format_ in each["formats"]]
SLUGS = {each.slug for each in rules()}
#: The seq of the events under test; their payloads cite earlier ones.
SEQ = 5


def event(case: Raw, format_: Format) -> Raw:
    marker = {"surfaceOp": "append"} if case["type"] in surface_types(format_) else {}
    return {"type": case["type"], "seq": SEQ, "time": 1, "data": deepcopy(case["data"]), **marker}


def read(type_: str, data: Any, format_: Format) -> None:
    structure_body(type_, data, seq=SEQ, format=format_)


def test_the_vocabularies_have_their_sizes() -> None:
    assert [len(event_types(format_)) for format_ in VOCABULARIES] == [51, 51, 51, 58, 62]
    assert [len(surface_types(format_)) for format_ in VOCABULARIES] == [3, 3, 3, 4, 5]
    for vocabulary in VOCABULARIES.values():
        assert vocabulary.surface < vocabulary.core <= vocabulary.checked <= vocabulary.known.keys()


def test_the_vocabularies_differ_as_they_should() -> None:
    v0, v1, v2, v3, v4 = (set(event_types(format_)) for format_ in VOCABULARIES)
    assert v0 == v1
    assert (v1 - v2, v2 - v1) == ({"assistant/chunk"}, {"assistant/attempt"})
    assert v2 - v3 == {"tool/code-dispatch", "tool/code-dispatch-start"}
    assert v3 - v2 == {
        "deliverables/presented", "feedback/message-delete", "feedback/message-put",
        "image/offload", "subagent/catalog", "system/message", "tool/ptc-dispatch",
        "tool/ptc-dispatch-start", "workspace/changes",
    }  # fmt: skip
    assert v3 - v4 == set()
    assert v4 - v3 == {
        "developer/message", "job/registered", "job/settled", "working-directory/change",
    }  # fmt: skip


@pytest.mark.parametrize("format_", EXACT)
def test_every_type_has_a_payload_written_by_hand(format_: Format) -> None:
    written = {each["type"] for each in PAYLOADS if format_ in each["formats"]}
    assert written == set(VOCABULARIES[format_].known)


@pytest.mark.parametrize(("case", "format_"), CASES)
def test_what_was_written_is_read_and_written_the_same(case: Raw, format_: Format) -> None:
    raw = event(case, format_)
    read_ = structure_event(raw, format_)
    is_foreign = case["data"].get("version") == 4
    assert isinstance(
        read_.data, Undeclared if is_foreign else VOCABULARIES[format_].known[case["type"]]
    )
    assert equal(unstructure_event(read_, format_), raw)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place below a value, as the holder and the key or index."""
    keys: Any = range(len(value)) if isinstance(value, list) else value
    for key in keys if isinstance(value, list | dict) else ():
        yield value, key
        yield from places(value[key])


#: What a value may become.
OTHERS: list[Any] = [
    None, True, 0, 1, 3, -1, 1.5, -0.0, 2**53, 1.0, "", "x", [], {}, [None], {"kind": "user"},
    {"type": "x"},
]  # fmt: skip


@st.composite
def mutants(draw: st.DrawFn) -> tuple[Raw, Format]:
    """An event of an exact format with one value changed, gone or new, somewhere in its payload."""
    case, format_ = draw(st.sampled_from(CASES))
    raw = event(case, format_)
    holder, key = draw(st.sampled_from([(raw, "data"), *places(raw["data"])]))
    match draw(st.sampled_from(("gone", "new", "other"))):
        case "gone" if holder is not raw:
            del holder[key]
        case "new" if isinstance(holder[key], dict):
            holder[key]["zz"] = 1
        case _:
            holder[key] = deepcopy(draw(st.sampled_from(OTHERS)))
    return raw, format_


@given(mutant=mutants())
def test_any_payload_is_refused_by_a_rule_or_kept_whole(mutant: tuple[Raw, Format]) -> None:
    raw, format_ = mutant
    try:
        read_ = structure_event(raw, format_)
    except ShapeError as error:
        found = error
    else:
        assert equal(unstructure_event(read_, format_), raw)
        return
    assert found.rule in SLUGS
    assert found.path.startswith("data")


@pytest.mark.parametrize(
    ("format_", "type_", "data", "path", "problem"),
    [
        (0, "plan/mode", {}, "data", "must be an object with the key 'active'"),
        (
            1,
            "plan/mode",
            {"active": True, "zz": 1},
            "data",
            "must be an object without the key 'zz'",
        ),
        (2, "plan/mode", {"active": None}, "data.active", "must be true or false"),
        (2, "plan/mode", [], "data", "must be an object"),
        (
            0,
            "session/end-seed",
            {"inherited": True},
            "data",
            "must be an object without the key 'inherited'",
        ),
        (2, "session/end-seed", {"inherited": False}, "data.inherited", "must be true, or absent"),
        (
            2,
            "assistant/attempt",
            {"turn": 1, "step": 0, "stream": []},
            "data.step",
            "must be positive",
        ),
        (2, "team/member", {"version": 2}, "data", "must be an object with the key 'member'"),
        (
            0,
            "turn/end",
            {"turn": 1, "reason": {"kind": "aborted"}},
            "data.reason",
            "must be an object with the key 'reason'",
        ),
        (
            1,
            "turn/end",
            {"turn": 1, "reason": {"kind": "completed", "a": 1}},
            "data.reason",
            "must be an object without the key 'a'",
        ),
        (
            0,
            "schedule/change",
            {"version": 1, "operation": "delete", "id": "i\ufeff"},
            "data.id",
            "must not begin or end with space",
        ),
        (
            0,
            "command/done",
            {"commandId": "c", "kind": "success", "sourceEventSeq": 5},
            "data.sourceEventSeq",
            "must be a seq below 5",
        ),
    ],
)
def test_exact_formats_refuse(
    format_: Format, type_: str, data: Any, path: str, problem: str
) -> None:
    with pytest.raises(ShapeError) as refused:
        read(type_, data, format_)
    assert (refused.value.rule, refused.value.path) == ("PL-EXACT", path)
    assert refused.value.problem == problem


TEXT: Raw = {"type": "text", "text": "hi"}
REFERENCE: Raw = {
    "sessionId": "x", "label": "", "capturedThroughSeq": 1, "compacted": False, "inputIndex": 0,
    "originalMessages": 3, "retainedMessages": 1, "omittedMessages": 2, "omittedBytes": 0,
    "truncated": True,
}  # fmt: skip


def user(source: Raw) -> Raw:
    return {"id": "m", "role": "user", "content": [TEXT], "source": source}


def quoting(*changes: Raw) -> Raw:
    references = [{**REFERENCE, "inputIndex": at, **each} for at, each in enumerate(changes)]
    return user(
        {"kind": "session-reference", "form": "recall", "version": 1, "references": references}
    )


RETRY: Raw = {
    "retryId": "r", "turn": 1, "step": 1, "provider": "p", "mode": "normal", "policyKey": "k",
    "retry": 2, "delayMs": 0, "failure": {"message": "m", "code": "c"}, "maxRetries": 2,
}  # fmt: skip
PRUNE: Raw = {
    "shadowedRange": {"start": 1, "end": 2}, "shadowedSeqs": [1, 2], "shadowedTokenCount": 0,
}  # fmt: skip
SUMMARY: Raw = {**PRUNE, "compactionId": "c", "summary": [], "provider": "p", "model": "m"}


@pytest.mark.parametrize(
    ("format_", "type_", "data", "rule"),
    [
        (0, "llm/retry", {**RETRY, "maxRetries": 1}, "PL-RETRY-MODE"),
        (1, "llm/retry", {**RETRY, "mode": "always"}, "PL-RETRY-MODE"),
        (2, "compaction/prune", {**PRUNE, "shadowedSeqs": [2, 1]}, "PL-SHADOW-ENDPOINTS"),
        (2, "compaction/summary", {**SUMMARY, "llmStreamCall": True}, "PL-SUMMARY-RAW"),
        (0, "user/message", user({"kind": "plugin", "plugin": "p", "form": "notice"}), "SRC-FORM"),
        (2, "user/message", quoting({"inputIndex": 1}), "SRC-SESSIONREF"),
        (2, "user/message", quoting({}, {}), "SRC-SESSIONREF"),
        (2, "user/message", quoting({"truncated": False}), "SRC-SESSIONREF"),
        (2, "user/message", quoting({"omittedMessages": 1}), "SRC-SESSIONREF"),
        (1, "user/message", quoting({"capturedFormatVersion": 2}), "SRC-SESSIONREF"),
        (0, "user/message", quoting({"capturedFormatVersion": 0}), "PL-EXACT"),
        (2, "user/message", quoting(), "SRC-SESSIONREF"),
        (
            2,
            "session-log-deepseek/delivery-accepted",
            {"sessionId": "s", "throughSeq": 5, "sessionFormatVersion": 2},
            "DELIV-GEN",
        ),
    ],
)
def test_fields_that_do_not_go_together_break_a_rule_of_their_own(
    format_: Format, type_: str, data: Any, rule: str
) -> None:
    with pytest.raises(ShapeError) as refused:
        read(type_, data, format_)
    assert refused.value.rule == rule


@pytest.mark.parametrize("format_", EXACT)
@pytest.mark.parametrize(
    ("type_", "data"),
    [
        ("user/message", user({"kind": "weird", "zz": 1})),
        ("user/message", {**user({"kind": "user"}), "content": [{"type": "weird", "zz": None}]}),
        ("turn/end", {"turn": 1, "reason": {"kind": "weird", "zz": 1}}),
    ],
)
def test_what_belongs_to_a_producer_may_have_any_keys(
    format_: Format, type_: str, data: Any
) -> None:
    read(type_, data, format_)


def test_wrapped_results_may_be_nested_as_deep_as_a_text_may_be() -> None:
    block: Raw = TEXT
    for _ in range(250):
        block = {"type": "tool-result", "toolCallId": "c", "content": [block]}
    message = {**user({"kind": "user"}), "content": [block]}
    read("user/message", message, 0)
    innermost = message
    while innermost["content"][0]["type"] != "text":
        innermost = innermost["content"][0]
    innermost["content"] = [{"type": "text"}]
    with pytest.raises(ShapeError, match="a tool-result of blocks that fit their types"):
        read("user/message", message, 0)


@pytest.mark.parametrize("format_", VOCABULARIES)
def test_a_replacement_has_the_keys_of_its_format(format_: Format) -> None:
    old, new = {"start": 1, "end": 2}, {"startSeq": 1, "endSeq": 2}
    right, wrong = (old, new) if format_ < 3 else (new, old)
    raw = event({"type": "user/message", "data": user({"kind": "user"})}, format_)
    raw["surfaceOp"] = {"op": "replace", **right}
    read_ = structure_event(raw, format_)
    assert read_.surface_op == Replace(start_seq=1, end_seq=2)
    assert unstructure_event(read_, format_) == raw
    with pytest.raises(ShapeError) as refused:
        structure_event({**raw, "surfaceOp": {"op": "replace", **wrong}}, format_)
    rule = "SURF-OP-REPLACE-V0V1V2" if format_ < 3 else "SURF-REPLACE-SHAPE"
    assert refused.value.rule == rule


@pytest.mark.parametrize("format_", VOCABULARIES)
def test_a_type_of_another_format_is_unknown(format_: Format) -> None:
    every = {type_ for each in VOCABULARIES.values() for type_ in each.known}
    for type_ in every - VOCABULARIES[format_].known.keys():
        raw: Raw = {"type": type_, "seq": 0, "time": 0, "data": 1}
        read_ = structure_event(raw, format_)
        assert isinstance(read_.data, Unknown)
        assert unstructure_event(read_, format_) == raw
