"""Breaches of compaction brackets and of what they say they shadow."""

from typing import Any

from dsh_conformance.generate.breaches.breach import (
    Breach,
    event,
    message,
    replacing,
    seqs,
    surface,
)
from dsh_conformance.generate.state import Raw, State, tie
from dsh_conformance.generate.voice import text

_OTHER = "other"


def _second_start(state: State) -> Raw | None:
    if state.compacting is None:
        return None
    return event(state, "compaction/start", {"compactionId": _OTHER, "turn": state.open_turn})


def _start_elsewhere(state: State) -> Raw | None:
    if state.bracket is not None:
        return None
    turn = None if state.turn_open else state.turn + 1
    return event(state, "compaction/start", {"compactionId": _OTHER, "turn": turn})


def _end_unopened(state: State) -> Raw | None:
    if state.bracket is not None:
        return None
    data = {"compactionId": _OTHER, "turn": state.open_turn, "error": "a"}
    return event(state, "compaction/end", data)


def _end_of_other(state: State) -> Raw | None:
    bracket = state.compacting
    if bracket is None:
        return None
    data = tie(bracket, compactionId=_OTHER, turn=bracket.turn, error="a")
    return event(state, "compaction/end", data)


def _end_empty(state: State) -> Raw | None:
    bracket = state.compacting
    if bracket is None or bracket.summarised:
        return None
    return event(state, "compaction/end", tie(bracket, turn=bracket.turn))


def _turn_end_inside(state: State) -> Raw | None:
    if state.compacting is None or not state.turn_open or state.step_open:
        return None
    return event(state, "turn/end", {"turn": state.turn, "reason": {"kind": "completed"}})


def _turn_start_inside(state: State) -> Raw | None:
    if state.compacting is None or state.turn_open:
        return None
    return event(state, "turn/start", {"turn": state.turn + 1})


def _shadow(nodes: tuple[Raw, ...], **members: Any) -> Raw:
    shown = seqs(nodes)
    span = {"start": shown[0], "end": shown[-1]}
    return {"shadowedRange": span, "shadowedSeqs": shown, "shadowedTokenCount": 0, **members}


def _summary(state: State, **members: Any) -> Raw | None:
    nodes = state.loose[:1]
    if not nodes:
        return None
    data = {"summary": [text("a")], **_shadow(nodes), "provider": "p", "model": "m"}
    return event(state, "compaction/summary", {**data, **members})


def _summary_unopened(state: State) -> Raw | None:
    return _summary(state, compactionId=_OTHER) if state.bracket is None else None


def _summary_of_other(state: State) -> Raw | None:
    bracket = state.compacting
    if bracket is None or bracket.summarised:
        return None
    return _summary(state, **tie(bracket, compactionId=_OTHER))


def _summary_twice(state: State) -> Raw | None:
    bracket = state.compacting
    if bracket is None or not bracket.summarised:
        return None
    return _summary(state, **tie(bracket))


def _summary_of_hidden(state: State) -> Raw | None:
    bracket, nodes = state.compacting, state.loose
    if bracket is None or bracket.summarised or len(nodes) < 3:
        return None
    shown = [nodes[0]["seq"], nodes[2]["seq"]]
    span = {"start": shown[0], "end": shown[1]}
    return _summary(state, **tie(bracket, shadowedRange=span, shadowedSeqs=shown))


def _summary_misses_range(state: State) -> Raw | None:
    bracket, nodes = state.compacting, state.loose
    if bracket is None or bracket.summarised or len(nodes) < 2:
        return None
    span = {"start": nodes[0]["seq"], "end": nodes[1]["seq"]}
    return _summary(state, **tie(bracket, shadowedRange=span))


def _prune_of_hidden(state: State) -> Raw | None:
    nodes = state.loose
    if len(nodes) < 3:
        return None
    data = _shadow((nodes[0], nodes[2]))
    return event(state, "compaction/prune", data)


def _checkpoint_of_other(state: State) -> Raw | None:
    bracket, nodes = state.compacting, state.loose[:1]
    if bracket is None or not nodes:
        return None
    source = {"kind": "compact-checkpoint", **tie(bracket, compactionId=_OTHER)}
    data = message(state, "user", _OTHER, source=source)
    operation = replacing(nodes[0], nodes[0])
    return surface(state, "user/message", data, surfaceOp=operation, sourceEventSeqs=seqs(nodes))


BREACHES = (
    Breach("REL-COMPACT-OPEN", "second compaction starts", _second_start),
    Breach("REL-COMPACT-OPEN", "compaction starts in another turn", _start_elsewhere),
    Breach("REL-COMPACT-OWNER", "compaction ends that never started", _end_unopened),
    Breach("REL-COMPACT-OWNER", "end of another compaction", _end_of_other),
    Breach("REL-COMPACT-ONE-SUMMARY", "compaction ends without a summary", _end_empty),
    Breach("REL-COMPACT-TURN", "turn ends inside a compaction", _turn_end_inside),
    Breach("REL-COMPACT-TURN", "turn starts inside a compaction", _turn_start_inside),
    Breach("REL-COMPACT-OWNER", "summary outside a compaction", _summary_unopened),
    Breach("REL-COMPACT-OWNER", "summary of another compaction", _summary_of_other),
    Breach("REL-COMPACT-ONE-SUMMARY", "second summary", _summary_twice),
    Breach("REL-COMPACT-SPAN", "summary skips a node", _summary_of_hidden),
    Breach("REL-COMPACT-SPAN", "summary of another range", _summary_misses_range),
    Breach("REL-COMPACT-SPAN", "prune skips a node", _prune_of_hidden),
    Breach("REL-COMPACT-OWNER", "checkpoint of another compaction", _checkpoint_of_other),
)
