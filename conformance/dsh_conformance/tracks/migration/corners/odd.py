"""Odd logs that show one rule which few other logs show.

Source: facts migration §1 to §4; events §5.5, §7.
"""

from collections.abc import Callable, Iterator, Mapping

from attrs import evolve

from dsh_conformance.generate.breaches.breach import event
from dsh_conformance.generate.formats import NearMiss, Past, near_misses
from dsh_conformance.generate.formats.breaches.breach import (
    Next,
    Write,
    followed,
    sets,
    spelled_already,
    tampered,
)
from dsh_conformance.generate.formats.draft import Draft
from dsh_conformance.generate.formats.state import PastState
from dsh_conformance.generate.state import Raw
from dsh_conformance.tracks.migration.corners.scenes import is_streaming, records, says
from dsh_reference.session_log import SessionLog


def corner_near_misses(version: Past) -> Iterator[NearMiss]:
    """Return odd logs of format *version* that migrate."""
    cut, write = _CUTS[version]
    yield NearMiss(cut, "inherited as a whole", write)
    rule = "MIG34-KINDS" if version == 3 else "MIG23-PTC-SOURCE"
    yield NearMiss(rule, "message of a tool's mode", followed(_by_plugin("tools-code-mode")))
    if version == 0:
        for name, reason in _OLD_REASONS:
            write = tampered("turn/end", sets("data.reason", reason))
            yield NearMiss("MIG01-TURN-END", f"turn {name}", write)
        write = tampered("turn/end", sets("data.reason", {"kind": "rejected", "by": [1]}))
        yield NearMiss("MIG01-OPEN-ARMS", "turn that was rejected by a list", write)
    if version < 2:
        write = tampered("assistant/message", _contradict)
        yield NearMiss("MIG12-CONTENT-NOT-COMPARED", "answer that says something else", write)
        yield NearMiss("MIG12-ATTEMPT-EXTEND", "record between two chunks", _interleaved)
        yield NearMiss("MIG12-ATTEMPT-SPLIT", "chunk behind the last", _streams_on)
    if version < 3:
        yield NearMiss("MIG23-SYSTEM-CLEAR", "prompt that is taken back", followed(_unprompted))
        yield NearMiss("MIG23-SYSTEM-REPLACE", "blank prompt", followed(_prompts(" ")))
        write = spelled_already(records("agent-preset/selected", {"agentPreset": "code"}))
        yield NearMiss("MIG23-PRESET-EVENT", "preset of old", write)


def _by_plugin(plugin: str) -> Next:
    return says(source={"kind": "plugin", "plugin": plugin})


def _contradict(raw: Raw) -> bool:
    """Change what a message says that settles a stream."""
    message = raw["data"].get("message")
    if not raw.get("sourceEventSeqs") or message is None:
        return False
    said = [block for block in message["content"] if block["type"] in ("text", "reasoning")]
    for block in said:
        block["text"] += "?"
    return bool(said)


def _text(state: PastState, seq: int) -> Raw:
    chunk = {"type": "text-delta", "index": 0, "text": "a"}
    data = {"turn": state.turn, "step": state.step, "chunk": chunk}
    return {"type": "assistant/chunk", "seq": seq, "time": state.time, "data": data}


def _interleaved(draft: Draft) -> SessionLog | None:
    """Let the stream go on behind a record."""
    for seq in range(draft.own, len(draft.events) + 1):
        state = draft.states[seq]
        if is_streaming(state):
            record = event(state, "plan/mode", {"active": True})
            return draft.until(seq, record, _text(state, seq + 1))
    return None


def _streams_on(draft: Draft) -> SessionLog | None:
    """Let another stream follow in the step of one that has finished."""
    for seq in range(draft.own, len(draft.events) + 1):
        state = draft.states[seq]
        if state.step_open and state.stream is not None and state.stream.finished:
            return draft.until(seq, _text(state, seq))
    return None


def _prompts(text: str) -> Next:
    return _heads({"system": text}, lambda state: state.prompt != text)


def _heads(members: Raw, when: Callable[[PastState], bool]) -> Next:
    def write(state: PastState) -> Raw | None:
        if not state.step_open or not when(state):
            return None
        header = {"config": {"provider": "p", "model": "m"}, **members}
        return event(state, "request/header", {"header": header, "reason": "change"})

    return write


_unprompted = _heads({}, lambda state: bool(state.prompt))


def _all_inherited(draft: Draft) -> SessionLog | None:
    """The header of v0 and v1 says how much was inherited: all."""
    if draft.header["isSeeded"]:
        return None
    header = {**draft.header, "isSeeded": True, "parentSession": "parent"}
    return evolve(draft.log, header=header, inherited=len(draft.events))


def _marked_at_the_end(draft: Draft) -> SessionLog | None:
    """From v2 on a marker says so."""
    return None if draft.header["isSeeded"] else _marked(draft.log)


def _restarted_and_marked(draft: Draft) -> SessionLog | None:
    """The end of a turn is to be put in before the marker."""
    if draft.header["isSeeded"]:
        return None
    for restart in near_misses(3):
        if restart.rule == "MIG34-RESTART":
            log = restart.write(draft)
            return None if log is None else _marked(log)
    raise AssertionError


def _marked(log: SessionLog) -> SessionLog:
    count = len(log.events)
    header = {**log.header, "isSeeded": True, "parentSession": "parent"}
    mark: Raw = {"type": "session/end-seed", "seq": count, "time": 0, "data": {"inherited": True}}
    return evolve(log, header=header, inherited=count, events=(*log.events, mark))


#: The rule of the cut of each format, and what shows it.
_CUTS: Mapping[Past, tuple[str, Write]] = {
    0: ("MIG12-CUT-COUNT", _all_inherited),
    1: ("MIG12-CUT-COUNT", _all_inherited),
    2: ("MIG23-CUT", _marked_at_the_end),
    3: ("MIG34-CUT", _restarted_and_marked),
}


#: Reasons for which turns ended in the first releases of v0.
_OLD_REASONS: tuple[tuple[str, Raw], ...] = (
    ("that was aborted", {"kind": "aborted"}),
    ("that was disposed of", {"kind": "disposed"}),
    ("that failed in so many words", {"kind": "error", "step": 3, "message": "a"}),
    ("that failed with a code", {"kind": "error", "step": 0, "message": "a", "code": "E"}),
    (
        "that failed by a failure",
        {"kind": "error", "step": 1, "failure": {"message": "a", "code": "E"}},
    ),
)
