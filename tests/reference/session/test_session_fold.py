"""The fold of every format: the worked cases, and what holds of any log."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.formats import FORMATS, Format
from dsh_conformance.tracks.core.small import small_logs
from dsh_reference.refusal import Refusal
from dsh_reference.session import Folded, derive, fold, watch

Raw = dict[str, Any]
VERSIONS = st.sampled_from(FORMATS)
EVERY_FORMAT = pytest.mark.parametrize("version", FORMATS)


def user(seq: int, op: Any = "append", **more: Any) -> Raw:
    data = {"id": f"m{seq}", "role": "user", "content": [], "source": {"kind": "user"}}
    event = {"type": "user/message", "seq": seq, "time": 0, "data": data, "surfaceOp": op}
    return {**event, **more}


def system(seq: int, op: Any = "append", **more: Any) -> Raw:
    message = {
        "id": f"s{seq}",
        "role": "system",
        "content": [],
        "source": {"kind": "system-prompt"},
    }
    data = {"turn": 1, "step": 1, "message": message}
    event = {"type": "system/message", "seq": seq, "time": 0, "data": data, "surfaceOp": op}
    return {**event, **more}


def over(version: Format, start: int, end: int) -> Raw:
    """Return the operation that replaces a stretch, in the words of a format."""
    names = ("start", "end") if version < 3 else ("startSeq", "endSeq")
    return {"op": "replace", **dict(zip(names, (start, end), strict=True))}


def folded(events: list[Raw], version: Format, base: int = 0) -> Folded:
    found = fold(events, format=version, base_seq=base)
    assert isinstance(found, Folded)
    return found


def rule(events: list[Raw], version: Format, base: int = 0) -> str:
    found = fold(events, format=version, base_seq=base)
    assert isinstance(found, Refusal)
    return found.rule


@EVERY_FORMAT
def test_endpoints_go_by_position(version: Format) -> None:
    """Facts, surface §1.1: on [3, 2] a stretch from 3 to 2 is right, one from 2 to 3 is not."""
    log = [user(0), user(1), user(2), user(3, over(version, 0, 1), sourceEventSeqs=[0, 1])]
    assert folded(log, version).nodes == (3, 2)
    right = user(4, over(version, 3, 2), sourceEventSeqs=[2, 3])
    assert folded([*log, right], version).nodes == (4,)
    wrong = user(4, over(version, 2, 3), sourceEventSeqs=[2, 3])
    assert rule([*log, wrong], version) == "SURF-REPLACE-ORDER"


@EVERY_FORMAT
def test_the_words_of_another_format_are_refused(version: Format) -> None:
    other: Format = 4 if version < 3 else 0
    wrong = user(1, over(other, 0, 0), sourceEventSeqs=[0])
    assert rule([user(0), wrong], version) == "SURF-REPLACE-SHAPE"


@pytest.mark.parametrize("version", [3, 4])
def test_a_window_protects_its_head(version: Format) -> None:
    """Facts, surface §1.8: the whole log folds to [0, 3], the window from 1 is refused."""
    last = user(3, over(version, 1, 2), sourceEventSeqs=[1, 2])
    log = [user(0), system(1), user(2), last]
    assert folded(log, version).nodes == (0, 3)
    assert rule(log[1:], version, base=1) == "SURF-SYSTEM-HEAD"


@pytest.mark.parametrize("version", [0, 2, 3])
def test_which_rule_of_two_is_broken_first(version: Format) -> None:
    """Facts, surface §1.4: an unknown start and a repeated source."""
    wrong = user(1, over(version, 0, 0), sourceEventSeqs=[0, 0])
    log = [{"type": "todo/write", "seq": 0, "time": 0, "data": {"todos": []}}, wrong]
    assert rule(log, version) == ("SURF-REPLACE-START" if version < 3 else "SRC-NO-DUP")


@pytest.mark.parametrize(("version", "is_taken"), [(0, True), (1, True), (2, False), (3, False)])
def test_an_answer_of_the_oldest_formats_may_have_no_chunks(
    version: Format, is_taken: object
) -> None:
    """Facts, surface §1.3, SRC-EMPTY."""
    source = {"kind": "model", "provider": "p", "model": "m"}
    message = {"id": "a", "role": "assistant", "content": [], "source": source}
    data = {"turn": 1, "step": 1, "message": message}
    answer: Raw = {"type": "assistant/message", "seq": 0, "time": 0, "data": data}
    found = fold([{**answer, "surfaceOp": "append", "sourceEventSeqs": []}], format=version)
    assert isinstance(found, Folded) is is_taken


@given(st.data(), VERSIONS)
def test_every_node_is_shown_or_shadowed_once(data: st.DataObject, version: Format) -> None:
    """Q1 to Q3 and Q6."""
    events = data.draw(small_logs(version))
    surface = folded(list(events), version)
    gone = [seq for each in surface.replacements for seq in each.shadowed_seqs]
    entered = sorted(event["seq"] for event in events if "surfaceOp" in event)
    assert sorted([*surface.nodes, *gone]) == entered
    assert surface.replace_generation == len(surface.replacements)


@given(st.data(), VERSIONS)
def test_messages_are_at_most_the_nodes(data: st.DataObject, version: Format) -> None:
    """Q14."""
    events = data.draw(small_logs(version))
    messages = derive(events, format=version)
    assert not isinstance(messages, Refusal)
    assert len(messages) <= len(folded(list(events), version).nodes)


@given(st.data(), st.integers(0, 14))
def test_renaming_the_endpoints_turns_one_format_into_another(
    data: st.DataObject, cut: int
) -> None:
    """Q13: without system messages a log of v2 folds as its twin of v3 does."""
    events = list(data.draw(small_logs(2)))[:cut]
    names = {"start": "startSeq", "end": "endSeq"}
    twin = [
        {**e, "surfaceOp": {names.get(k, k): v for k, v in e["surfaceOp"].items()}}
        if isinstance(e.get("surfaceOp"), dict)
        else e
        for e in events
    ]
    one, other = folded(events, 2), folded(twin, 3)
    assert (one.nodes, one.replacements) == (other.nodes, other.replacements)


def test_the_companion_wants_turns_in_order() -> None:
    start: Raw = {"type": "turn/start", "seq": 0, "time": 0, "data": {"turn": 1}}
    assert not isinstance(watch([start], format=4), Refusal)
    again: Raw = {**start, "seq": 1, "data": {"turn": 2}}
    found = watch([start, again], format=4)
    assert isinstance(found, Refusal)
    assert found.rule == "REL-TURN"
