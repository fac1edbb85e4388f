"""Every witness is seen, its check holds of the right result, and none holds of a refusal."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import pytest

from dsh_conformance.generate.formats import Past
from dsh_conformance.generate.formats.draft import Draft
from dsh_conformance.implementation.outcome import Ok, Refused
from dsh_conformance.tracks.migration.attempts import sights_of
from dsh_conformance.tracks.migration.corners import corner_near_misses
from dsh_conformance.tracks.migration.history import History, as_params, history_of
from dsh_conformance.tracks.migration.witness import checks, whole
from dsh_conformance.tracks.migration.witnesses import WITNESSES
from dsh_conformance.tracks.store.expect import holds
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

Pools: TypeAlias = Mapping[Past, Sequence[Draft]]

HEADER: JsonObject = {"id": "s", "createdAt": 9, "isSeeded": False, "delegationDepth": 0}
REFUSED = Refused(kind=RefusalKind.UNSUPPORTED_MIGRATION, message="no")


@pytest.fixture(scope="session")
def histories(pools: Pools) -> list[History]:
    """Return the histories of the pools' logs, and of the odd ones that corners make of them."""
    logs = [draft.log for drafts in pools.values() for draft in drafts]
    for version, drafts in pools.items():
        for each in corner_near_misses(version):
            odd = filter(None, map(each.write, drafts))
            logs += [log for log, _ in zip(odd, range(5), strict=False)]
    moved = [history_of(log) for log in logs]
    assert not any(isinstance(each, Refusal) for each in moved)
    return [each for each in moved if not isinstance(each, Refusal)]


def answer(history: History) -> Ok:
    result = history.result
    return Ok(
        {
            "header": result.header,
            "inheritedEventCount": result.inherited,
            "events": list(result.events),
        }
    )


def test_every_witness_is_seen(histories: list[History]) -> None:
    seen = {w.rule for w in WITNESSES if any(map(w.sees, histories))}
    assert {w.rule for w in WITNESSES} == seen


def test_the_right_result_passes_every_check(histories: list[History]) -> None:
    for history in histories:
        for check in checks(WITNESSES, history):
            assert holds(check.expects, answer(history), {}), check.rule


def test_a_refusal_passes_no_check(histories: list[History]) -> None:
    for history in histories[::20]:
        assert not any(holds(c.expects, REFUSED, {}) for c in checks(WITNESSES, history))


def test_the_whole_is_compared(histories: list[History]) -> None:
    longest = max(histories, key=lambda each: len(each.result.events))
    shortest = min(histories, key=lambda each: len(each.result.events))
    assert not all(holds(c.expects, answer(shortest), {}) for c in whole(longest, "MIG-COMPOSE"))


def chunk(seq: int, step: int = 1, **members: Json) -> JsonObject:
    content: JsonObject = {"type": "text-delta", "index": 0, "text": "a", **members}
    data: JsonObject = {"turn": 1, "step": step, "chunk": content}
    return {"type": "assistant/chunk", "seq": seq, "time": 0, "data": data}


def seen(*events: JsonObject) -> frozenset[str]:
    return sights_of(SessionLog(header={**HEADER, "version": 1}, inherited=0, events=events))


def other(kind: str, seq: int, **envelope: Json) -> JsonObject:
    return {"type": kind, "seq": seq, "time": 0, "data": {"turn": 1, "step": 1}, **envelope}


def test_what_chunks_show() -> None:
    assert seen() == frozenset()
    assert seen(chunk(0)) == {"recorded", "alone", "closed", "unclaimed"}
    assert seen(chunk(0), chunk(1)) == {"recorded", "joined", "closed", "unclaimed"}
    assert "joined" not in seen(chunk(0), chunk(1, index=1))
    assert "raw" in seen(chunk(0, type="usage"))
    assert "split" in seen(chunk(0), chunk(1, step=2))
    assert "split" in seen(chunk(0, type="finish"), chunk(1))
    record = other("plan/mode", 1)
    assert "let out" in seen(chunk(0), record, chunk(2))
    assert "held back" in seen(chunk(0), record)
    settled = other("assistant/message", 1, sourceEventSeqs=[0])
    assert seen(chunk(0), settled) == {"recorded", "alone", "settled"}
    assert seen(other("assistant/message", 0)) == {"empty"}
    assert "empty" in seen(chunk(0), other("assistant/message", 1, sourceEventSeqs=[]))


def test_silence_about_children_is_not_the_lack_of_any() -> None:
    log = SessionLog(header={**HEADER, "version": 3}, inherited=0, events=())
    assert as_params(log)["children"] == []
    assert "children" not in as_params(log, None)
