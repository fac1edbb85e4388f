"""The session header, as a store is given it and as the first line of a log."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_reference.header import check_header, check_header_line
from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind

_LOGICAL: dict[str, Any] = {"version": 4, "id": "s", "createdAt": 0, "isSeeded": False}
_LINE: dict[str, Any] = {"type": "session", **_LOGICAL, "delegationDepth": 0}
_MORE: dict[str, Any] = {
    "cwd": "/a b",
    "parentSession": "",
    "origin": "subagent",
    "agentPreset": "",
    "delegationDepth": 2,
}
_GONE = object()

#: One fault each, with the rule that it breaks in both forms.
_FAULTS: list[tuple[str, Any, str]] = [
    ("id", _GONE, "HDR-EXACT"),
    ("id", 1, "HDR-EXACT"),
    ("createdAt", _GONE, "HDR-EXACT"),
    ("createdAt", -1, "HDR-EXACT"),
    ("createdAt", 1.5, "HDR-EXACT"),
    ("createdAt", True, "HDR-EXACT"),
    ("isSeeded", _GONE, "HDR-EXACT"),
    ("isSeeded", 0, "HDR-EXACT"),
    ("isSeeded", None, "HDR-EXACT"),
    ("cwd", "a", "HDR-CWD-ABS"),
    ("cwd", "", "HDR-CWD-ABS"),
    ("cwd", None, "HDR-CWD-ABS"),
    ("parentSession", None, "HDR-EXACT"),
    ("origin", "user", "HDR-EXACT"),
    ("origin", None, "HDR-EXACT"),
    ("agentPreset", 1, "HDR-EXACT"),
    ("delegationDepth", -1, "HDR-EXACT"),
    ("delegationDepth", "1", "HDR-EXACT"),
    ("note", "x", "HDR-EXACT"),
    ("seedLength", 0, "HDR-RETIRED-SEEDLENGTH"),
    ("sandboxMode", "x", "HDR-RETIRED-POLICY"),
    ("approvalPolicy", "x", "HDR-RETIRED-POLICY"),
]


def _with(header: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    return {k: v for k, v in {**header, key: value}.items() if v is not _GONE}


def _verdict(refusal: Refusal | None) -> tuple[RefusalKind, str] | None:
    return None if refusal is None else (refusal.kind, refusal.rule)


@given(st.fixed_dictionaries({}, optional={key: st.just(value) for key, value in _MORE.items()}))
def test_every_choice_of_optional_keys_makes_a_header(more: dict[str, Any]) -> None:
    assert check_header({**_LOGICAL, **more}) is None
    assert check_header_line({**_LINE, **more}) is None


@pytest.mark.parametrize(("key", "value", "rule"), _FAULTS)
def test_each_fault_is_refused_by_its_rule(key: str, value: Any, rule: str) -> None:
    given = check_header(_with(_LOGICAL, key, value))
    stored = check_header_line(_with(_LINE, key, value))
    assert _verdict(given) == (RefusalKind.INVALID_ARGUMENT, rule)
    assert _verdict(stored) == (RefusalKind.CORRUPT, rule)


def test_the_two_forms_differ_in_type_and_depth() -> None:
    assert _verdict(check_header(_LINE)) == (RefusalKind.INVALID_ARGUMENT, "HDR-EXACT")
    assert _verdict(check_header_line(_LOGICAL)) == (RefusalKind.CORRUPT, "HDR-EXACT")
    assert check_header_line(_with(_LINE, "delegationDepth", _GONE)) is not None
    assert check_header_line({**_LINE, "type": "Session"}) is not None


@pytest.mark.parametrize("version", [0, 3, 5, 2**60, -1, 1.5])
def test_another_version_is_unsupported_whatever_else_is_wrong(version: float) -> None:
    """Each was tried on the real runtime, also under the name of a v4 log."""
    for rest in (_LINE, {}, {"createdAt": "x", "zz": None}):
        refusal = check_header_line({**rest, "version": version})
        assert _verdict(refusal) == (RefusalKind.UNSUPPORTED_FORMAT, "HDR-VERSION-FIRST")
        assert refusal is not None
        assert refusal.remedy


@pytest.mark.parametrize("version", ["4", None, True, [4], _GONE])
def test_what_is_no_version_is_corrupt(version: Any) -> None:
    refusal = check_header_line(_with({**_LINE, "zz": 1}, "version", version))
    assert _verdict(refusal) == (RefusalKind.CORRUPT, "HDR-VERSION-FIRST")


@pytest.mark.parametrize("version", [3, 5, "4", True, _GONE, 4.5])
def test_a_store_is_given_no_other_version(version: Any) -> None:
    refusal = check_header(_with({**_LOGICAL, "zz": 1}, "version", version))
    assert _verdict(refusal) == (RefusalKind.INVALID_ARGUMENT, "HDR-VERSION-FIRST")


@pytest.mark.parametrize("value", [math.nan, -0.0, {"a": {1}}, b"x"])
def test_a_header_that_is_no_json_is_refused_as_such(value: Any) -> None:
    refusal = check_header({**_LOGICAL, "cwd": value})
    assert _verdict(refusal) == (RefusalKind.NOT_JSON, "JSON-REFUSE")
    assert refusal is not None
    assert refusal.where.startswith("header.cwd")


@pytest.mark.parametrize("value", [None, [], "header", 4])
def test_what_is_no_object_is_no_header(value: Any) -> None:
    assert _verdict(check_header(value)) == (RefusalKind.INVALID_ARGUMENT, "HDR-EXACT")
    assert _verdict(check_header_line(value)) == (RefusalKind.CORRUPT, "HDR-EXACT")
