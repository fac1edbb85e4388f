"""Old logs: dense, of every type and shape of their format, and simple when shrunk.

That they are valid is for the real runtime to say: see tests/real/generate.
"""

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.formats import FORMATS, Format, Past, families, logs
from dsh_conformance.generate.formats.breaches.members import REQUIRED
from dsh_conformance.generate.formats.draft import Draft
from dsh_reference.refusal import Refusal
from dsh_reference.session import seed
from dsh_reference.session_log import SessionLog
from dsh_reference.values import not_json

Raw: TypeAlias = dict[str, Any]
Pools: TypeAlias = Mapping[Past, list[Draft]]
Smallest: TypeAlias = Callable[..., SessionLog]

#: Facts: events §3 - what a format has beside the 50 types of formats v0 to v2 and their chunks.
TYPES: Mapping[Past, frozenset[str]] = {
    0: frozenset((*REQUIRED, "assistant/chunk")),
    1: frozenset((*REQUIRED, "assistant/chunk")),
    2: frozenset((*REQUIRED, "assistant/attempt")),
    3: frozenset(REQUIRED) - {"tool/code-dispatch-start", "tool/code-dispatch"}
    | {
        *("assistant/attempt", "system/message", "subagent/catalog", "image/offload"),
        *("deliverables/presented", "workspace/changes", "feedback/message-put"),
        *("feedback/message-delete", "tool/ptc-dispatch-start", "tool/ptc-dispatch"),
    },
}
EARLY = {"steering/message", "compact/start", "compact/summary", "compact/end", "compact/prune"}


def test_the_types_are_counted_as_the_facts_count_them() -> None:
    assert [len(TYPES[version]) for version in TYPES] == [51, 51, 51, 58]


@pytest.mark.parametrize("version", TYPES)
def test_every_type_comes(pools: Pools, version: Past) -> None:
    met = {event["type"] for draft in pools[version] for event in draft.events}
    assert met >= TYPES[version]
    known = TYPES[version] | (EARLY if version == 0 else set())
    late = {"feedback/message-put", "feedback/message-delete"} if version == 2 else set()
    if version < 3:
        assert met <= known | late
    assert late <= met


@given(st.data(), st.sampled_from(FORMATS))
def test_without_early_words_a_log_is_one_that_a_session_begins_with(
    data: st.DataObject, version: Format
) -> None:
    log = data.draw(logs(version, early=False))
    inherited = log.inherited if log.header["isSeeded"] else 0
    begun = seed(log.header, log.events, format=version, mode="restore", inherited=inherited)
    assert not isinstance(begun, Refusal)


@given(st.data(), st.sampled_from(FORMATS))
def test_logs_are_dense_and_json(data: st.DataObject, version: Format) -> None:
    log = data.draw(logs(version))
    assert log.header["version"] == version
    assert [event["seq"] for event in log.events] == list(range(len(log.events)))
    assert 0 <= log.inherited <= len(log.events)
    assert not_json([log.header, *log.events]) is None
    if not log.header["isSeeded"]:
        assert log.inherited == 0


@given(st.data(), st.sampled_from(FORMATS[2:]))
def test_from_format_v2_on_the_mark_is_the_cut(data: st.DataObject, version: Format) -> None:
    log = data.draw(logs(version))
    marks = [
        seq
        for seq, event in enumerate(log.events)
        if event["type"] == "session/end-seed" and "inherited" in event["data"]  # type: ignore[operator]
    ]
    assert bool(marks) is log.header["isSeeded"]
    assert marks[-1:] in ([], [log.inherited])


# ------------------------------------------------------------------ what comes

Sight: TypeAlias = Callable[[Draft], bool]


def _some(having: Callable[[Raw], object]) -> Sight:
    return lambda draft: any(map(having, draft.events))


def _chunks(draft: Draft) -> int:
    return sum(event["type"] == "assistant/chunk" for event in draft.events)


def _early_reason(event: Raw) -> bool:
    reason: Raw = event["data"]["reason"] if event["type"] == "turn/end" else {}
    return reason in ({"kind": "disposed"}, {"kind": "aborted"}) or "failure" in reason


def _restarts(draft: Draft) -> bool:
    starts = [event for event in draft.events if event["type"] == "turn/start"]
    return any(draft.states[event["seq"]].turn_open for event in starts)


def _settles(event: Raw) -> bool:
    return event["type"] == "assistant/message" and bool(event.get("sourceEventSeqs"))


ALL: dict[str, Sight] = {
    "is seeded": lambda draft: bool(draft.header["isSeeded"]) and draft.inherited > 0,
    "is seeded by nothing": lambda draft: draft.header["isSeeded"] and draft.inherited == 0,
    "goes on after its cut": lambda draft: len(draft.events) > draft.own > 2,
    "restarts": _restarts,
    "ends in an open turn": lambda draft: draft.states[-1].turn_open,
    "ends in an open step": lambda draft: draft.states[-1].step_open,
    "ends with a call that has not started": lambda draft: bool(draft.states[-1].unstarted),
    "ends with a call that runs": lambda draft: bool(draft.states[-1].running),
    "ends in a compaction": lambda draft: draft.states[-1].bracket is not None,
    "has parallel calls": lambda draft: any(len(state.calls) > 1 for state in draft.states),
    "has three turns": lambda draft: draft.states[-1].turn > 2,
    "has the old preset": lambda draft: draft.header.get("agentPreset") == "code",
    "replaces": _some(lambda event: isinstance(event.get("surfaceOp"), dict)),
    "retries twice": _some(lambda event: event["data"].get("retry") == 2 if _known(event) else 0),
    "repairs": _some(lambda event: "TOOL_NOT_STARTED" in str(event["data"])),
}
CHUNKED: dict[str, Sight] = {
    "ends in an attempt": lambda draft: draft.states[-1].stream is not None,
    "settles": _some(_settles),
    "cites an empty stream": _some(lambda event: event.get("sourceEventSeqs") == []),
    "streams more than it settles": lambda draft: (
        _chunks(draft)
        > sum(len(event["sourceEventSeqs"]) for event in draft.events if _settles(event))
    ),
    "is cut behind an attempt": lambda draft: any(
        state.stream is not None and state.stream.sealed for state in draft.states
    ),
    "told a goal by a message": _some(lambda event: "<goal_state>" in str(event["data"])),
}
PROMPTED: dict[str, Sight] = {
    "has a prompt": _some(lambda event: event["data"].get("header", {}).get("system")),
    "takes a prompt back": lambda draft: any(
        before.prompt and not after.prompt
        for before, after in zip(draft.states, draft.states[1:], strict=False)
    ),
}
EARLY_SIGHTS: dict[str, Sight] = {
    "says what triggered a turn": _some(lambda event: "trigger" in event["data"]),
    "ends a turn in old words": _some(_early_reason),
    "steers with a message": _some(lambda event: _steers(event) and "message" in event["data"]),
    "steers in bare words": _some(lambda event: _steers(event) and "content" in event["data"]),
    "has a user message without an id": _some(
        lambda event: event["type"] == "user/message" and "id" not in event["data"]
    ),
    "has a provenance": _some(lambda event: "provenance" in event["data"]),
    "has a bare result": _some(
        lambda event: event["type"] == "tool/result" and "message" not in event["data"]
    ),
    "replaces by a bare result": _some(
        lambda event: (
            event["type"] == "tool/result"
            and "message" not in event["data"]
            and event["surfaceOp"] != "append"
        )
    ),
    "retries without an id": _some(
        lambda event: event["type"] == "llm/retry" and "retryId" not in event["data"]
    ),
    "compacts without an id": _some(
        lambda event: (
            event["type"].endswith("/start")
            and event["type"].startswith("comp")
            and "compactionId" not in event["data"]
        )
    ),
    "has a message prefix": _some(lambda event: "messagePrefix" in event["data"].get("header", {})),
}


def _known(event: Raw) -> bool:
    return bool(event["type"] == "llm/retry")


def _steers(event: Raw) -> bool:
    return bool(event["type"] == "steering/message")


SIGHTS: list[tuple[Past, str, Sight]] = [
    *((version, name, sight) for version in TYPES for name, sight in ALL.items()),
    *((version, name, sight) for version in (0, 1) for name, sight in CHUNKED.items()),
    *((version, name, sight) for version in (0, 1, 2) for name, sight in PROMPTED.items()),
    *((0, name, sight) for name, sight in EARLY_SIGHTS.items()),
]


@pytest.mark.parametrize(("version", "name", "sight"), SIGHTS)
def test_every_sight_comes(pools: Pools, version: Past, name: str, sight: Sight) -> None:
    assert any(map(sight, pools[version])), name


# ------------------------------------------------------------------ what it shrinks to


@pytest.mark.parametrize("version", FORMATS)
def test_the_simplest_log_is_empty(smallest: Smallest, version: Format) -> None:
    log = smallest(logs(version))
    bare = {"id": "s1", "createdAt": 0, "isSeeded": False, "delegationDepth": 0}
    assert log.header == {"version": version, **bare}
    assert len(log.events) <= (1 if version == 4 else 0)


#: What the smallest log with an event of that type has at least, and how many more it may have.
NEEDS: dict[str, list[str]] = {
    "turn/end": ["turn/start", "turn/end"],
    "tool/call": ["turn/start", "step/start", "assistant/message", "tool/call"],
}
_SPARE = 2


@pytest.mark.parametrize("wanted", NEEDS)
def test_an_event_shrinks_to_what_it_needs(smallest: Smallest, wanted: str) -> None:
    log = smallest(logs(1), lambda log: any(event["type"] == wanted for event in log.events))
    told = [event["type"] for event in log.events]
    assert set(NEEDS[wanted]) <= set(told)
    assert len(told) <= len(NEEDS[wanted]) + _SPARE


def test_a_settled_stream_shrinks_to_a_chunk_or_two(smallest: Smallest) -> None:
    log = smallest(logs(0), lambda log: any(map(_settles, log.events)))
    told = [event["type"] for event in log.events]
    assert told[-1] == "assistant/message"
    assert len(told) <= 5 + _SPARE


# ------------------------------------------------------------------ children


@given(st.data(), st.sampled_from(FORMATS[:4]))
def test_families_belong_together(data: st.DataObject, version: Past) -> None:
    family = data.draw(families(version))
    names = [child.header["id"] for child in family.children]
    assert len({family.parent.header["id"], *names}) == 1 + len(names)
    assert [fact["childId"] for fact in family.facts] == names
    for child, fact in zip(family.children, family.facts, strict=True):
        assert child.header["parentSession"] == family.parent.header["id"]
        told = [e["data"] for e in child.events if e["type"] == "subagent/descriptor"]
        assert fact["descriptorCount"] == len(told)
        assert fact["descriptor"] == (told[0] if told else None)


def test_families_of_every_kind_come(smallest: Callable[..., Any]) -> None:
    def listed(family: Any) -> bool:
        return any(event["type"] == "subagent/catalog" for event in family.parent.events)

    for condition in (
        lambda family: len(family.children) == 4,
        lambda family: any(fact["descriptorCount"] == 2 for fact in family.facts),
        lambda family: any(fact["descriptor"] is None for fact in family.facts),
        lambda family: bool(family.children) and listed(family),
    ):
        assert smallest(families(3), condition)


def test_kinds_of_pools_differ(pools: Pools) -> None:
    """Formats are drawn alike and spelled apart: no event of format v2 cites chunks."""
    events = list(chain.from_iterable(draft.events for draft in pools[2]))
    assert not any(_settles(event) for event in events)
