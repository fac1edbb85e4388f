"""Each historical shape of v0: what becomes of it, and what only looks like it.

All values are worked by hand from the facts (migration §1.3, events §7); the shapes of a single
event stand in a file, so that the real runtime can be asked for them too.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from dsh_reference.migrate.v0_to_v1 import v0_to_v1
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.values import equal
from dsh_spec.refusals import RefusalKind

HEADER: Mapping[str, Any] = {
    "type": "session",
    "version": 0,
    "id": "s",
    "createdAt": 9,
    "delegationDepth": 0,
}
TEXT = [{"type": "text", "text": "q"}]
MESSAGE: Mapping[str, Any] = {
    "id": "u",
    "role": "user",
    "content": TEXT,
    "source": {"kind": "user"},
}
RETRY = {
    "turn": 1,
    "step": 1,
    "provider": "p",
    "mode": "always",
    "policyKey": "k",
    "retry": 1,
    "delayMs": 0,
    "failure": {"message": "m", "code": "C"},
}
PLUGIN: Mapping[str, Any] = {"kind": "plugin", "plugin": "compact"}

#: Each shape by its name: the event that goes in, and the event or the rule that comes out.
SHAPES: Mapping[str, list[str]] = {
    title: [line[4:] for line in lines]
    for title, *lines in (
        block.splitlines()
        for block in (Path(__file__).parent / "examples" / "v0-shapes.txt")
        .read_text("utf-8")
        .removeprefix("# ")
        .split("\n\n# ")
    )
}


@pytest.fixture
def renew(log_of: Callable[..., SessionLog]) -> Callable[..., SessionLog | Refusal]:
    """Migrate a log of events given by type, payload and envelope."""

    def migrate(*events: tuple[Any, ...]) -> SessionLog | Refusal:
        rows = [
            {"type": type_, "seq": seq, "time": seq, "data": data, **dict(*envelope)}
            for seq, (type_, data, *envelope) in enumerate(events)
        ]
        return v0_to_v1(log_of(HEADER, *rows))

    return migrate


def _datas(outcome: SessionLog | Refusal) -> list[Any]:
    assert isinstance(outcome, SessionLog), outcome
    return [event["data"] for event in outcome.events]


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_a_shape(renew: Callable[..., SessionLog | Refusal], shape: list[str]) -> None:
    event = json.loads(shape[0])
    outcome = renew(("feedback/record", {"text": "f"}), (event["type"], event["data"]))
    if isinstance(outcome, Refusal):
        assert outcome.kind is RefusalKind.UNSUPPORTED_MIGRATION
        assert shape[1] == f"refusal: {outcome.rule}"
        assert outcome.where == "event 1"
    else:
        expected = {**json.loads(shape[1]), "seq": 1, "time": 1}
        assert equal(outcome.events[1], expected)


def test_retries_of_one_chain_share_an_id(renew: Callable[..., SessionLog | Refusal]) -> None:
    other = {**RETRY, "step": 2}
    datas = _datas(
        renew(
            ("llm/retry", RETRY),
            ("llm/retry", other),
            ("llm/retry", {**RETRY, "retry": 2}),
            ("llm/retry", {**other, "retryId": "x"}),
            ("llm/retry", {**other, "retry": 2}),
        )
    )
    ids = [data["retryId"] for data in datas]
    assert ids == ["legacy-retry:s:0", "legacy-retry:s:1", "legacy-retry:s:0", "x", "x"]


def test_a_checkpoint_belongs_to_the_compaction_that_is_open(
    renew: Callable[..., SessionLog | Refusal],
) -> None:
    checkpoint = {**MESSAGE, "source": PLUGIN}
    outcome = renew(
        ("user/message", {**MESSAGE, "source": {**PLUGIN, "compactionId": "own"}}),
        ("compact/start", {"turn": None}),
        ("user/message", checkpoint),
        ("user/message", {**MESSAGE, "source": {**PLUGIN, "compactionId": "own"}}),
        ("compact/end", {"turn": None}),
    )
    ids = [
        data.get("compactionId", data.get("source", {}).get("compactionId"))
        for data in _datas(outcome)
    ]
    minted = "legacy-compaction:s:1"
    assert ids == ["own", minted, minted, "own", minted]


@pytest.mark.parametrize("ending", [("compact/end", {"turn": None}), ("session/end-seed", {})])
def test_a_checkpoint_behind_its_compaction_is_refused(
    renew: Callable[..., SessionLog | Refusal], ending: tuple[str, Any]
) -> None:
    checkpoint = ("user/message", {**MESSAGE, "source": PLUGIN})
    outcome = renew(("compact/start", {"turn": None}), ending, checkpoint)
    assert isinstance(outcome, Refusal)
    assert (outcome.rule, outcome.where) == ("MIG01-PAYLOAD", "event 2")


def test_a_result_that_replaces_no_message_is_refused(
    renew: Callable[..., SessionLog | Refusal],
) -> None:
    result = {"turn": 1, "step": 1, "callId": "c", "content": [], "isError": False}
    operation = {"surfaceOp": {"op": "replace", "start": 0, "end": 0}, "sourceEventSeqs": [0]}
    outcome = renew(("feedback/record", {"text": "f"}), ("tool/result", result, operation))
    assert isinstance(outcome, Refusal)
    assert outcome.rule == "MIG01-TOOL-WRAP"


def test_the_envelope_is_not_looked_at(renew: Callable[..., SessionLog | Refusal]) -> None:
    odd = {"ignorable": False, "surfaceOp": "nowhere", "x": 1, "time": 0.5}
    outcome = renew(("feedback/record", {"text": "f"}, odd))
    assert isinstance(outcome, SessionLog)
    assert outcome.events[0] == {"type": "feedback/record", "seq": 0, "data": {"text": "f"}, **odd}


def test_a_chunk_is_not_read(renew: Callable[..., SessionLog | Refusal]) -> None:
    assert _datas(renew(("assistant/chunk", "junk"))) == ["junk"]


def test_a_log_that_is_shorter_than_its_cut_is_corrupt(
    log_of: Callable[..., SessionLog],
) -> None:
    outcome = v0_to_v1(log_of({**HEADER, "seedLength": 1}))
    assert isinstance(outcome, Refusal)
    assert (outcome.kind, outcome.rule) == (RefusalKind.CORRUPT, "MIG01-CUT")
