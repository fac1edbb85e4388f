"""The real runtime reads every golden case as the case says."""

import json
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import pytest

CASES = sorted((files("dsh_spec") / "golden" / "v4").iterdir(), key=lambda case: case.name)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.name))
def test_a_golden_case(plain: Any, framed: Any, case: Traversable) -> None:
    expected: Mapping[str, Any] = json.loads((case / "case.json").read_text("utf-8"))["expect"]
    log = case / "log.jsonl"
    if log.is_file():
        word, events = plain.verdict(log.read_bytes())
    else:
        word, events = framed.verdict((case / "log.jsonl.zstd").read_bytes())
    verdict = expected["verdict"]
    assert word == (verdict if verdict == "admitted" else verdict["refused"]["kind"])
    assert len(events) == expected.get("events", len(events))
