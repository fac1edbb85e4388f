"""Chunks that the edge from v1 cannot fold into attempts.

Source: facts migration §2.2, §2.3, §2.6; rules MIG12-CHUNK-ENVELOPE, MIG12-CHUNK-PAYLOAD,
MIG12-SETTLE-REFUSE, MIG12-CUT-SPLIT, MIG12-REFS-CONSUMED.
"""

from collections.abc import Iterator

from attrs import evolve

from dsh_conformance.generate.breaches.breach import event
from dsh_conformance.generate.formats.breaches.breach import (
    Breach,
    Change,
    NearMiss,
    at,
    drops,
    followed,
    puts,
    sets,
    tampered,
)
from dsh_conformance.generate.formats.draft import Draft
from dsh_conformance.generate.formats.state import Past, PastState
from dsh_conformance.generate.state import Raw
from dsh_reference.session_log import SessionLog
from dsh_reference.values import dump

_CHUNK = "assistant/chunk"
_SETTLE = "MIG12-SETTLE-REFUSE"


def _delta(path: str, value: object, kind: str = "text-delta") -> Change:
    """Change a member of a delta of that kind."""
    change = puts(f"data.chunk.{path}", value)
    return lambda raw: at(raw, "data.chunk.type") == kind and change(raw)


def _citing(change: Change) -> Change:
    """Change the citations of a message that settles at least two chunks."""
    return lambda raw: len(raw.get("sourceEventSeqs", ())) > 1 and change(raw)


def _partly(raw: Raw) -> bool:
    del raw["sourceEventSeqs"][0]
    return True


def _reordered(raw: Raw) -> bool:
    raw["sourceEventSeqs"].reverse()
    return True


def _foreign(raw: Raw) -> bool:
    raw["sourceEventSeqs"].insert(0, 0)
    return 0 not in raw["sourceEventSeqs"][1:]


def _running(state: PastState) -> bool:
    stream = state.stream
    return state.step_open and stream is not None and not stream.sealed


def _said(state: PastState, **members: object) -> Raw:
    source = {"kind": "model", "provider": "p", "model": "m"}
    said = {"id": "m", "role": "assistant", "content": [], "source": source}
    data: Raw = {"turn": state.turn, "step": state.step, "message": said}
    return event(state, "assistant/message", data, surfaceOp="append", **members)


def _uncited(state: PastState) -> Raw | None:
    return _said(state) if _running(state) else None


def _cites_late(state: PastState) -> Raw | None:
    """The citation comes when nothing streams: the event before this one is no chunk of it."""
    ready = state.step_open and state.stream is None and state.seq and not state.calls
    return _said(state, sourceEventSeqs=[state.seq - 1]) if ready else None


def _done_by_chunk(state: PastState) -> Raw | None:
    stream = state.stream
    if stream is None or not state.commands:
        return None
    data = {"commandId": state.commands[-1], "kind": "success", "sourceEventSeq": stream.seqs[0]}
    return event(state, "command/done", data)


def _titled_by_chunk(state: PastState) -> Raw | None:
    stream = state.stream
    if stream is None:
        return None
    data = {"title": "a", "messageSeqs": [stream.seqs[0]], "source": {"kind": "fallback"}}
    return event(state, "session/title", data)


def _replaces_chunk(state: PastState) -> Raw | None:
    stream = state.stream
    if stream is None:
        return None
    first = stream.seqs[0]
    data = {"id": "m", "role": "user", "content": [], "source": {"kind": "user"}}
    operation = {"op": "replace", "startSeq": first, "endSeq": first}
    return event(state, "user/message", data, surfaceOp=operation, sourceEventSeqs=[first])


def _told(state: PastState, seq: int, **members: object) -> Raw:
    """Return a user message at *seq*."""
    said: Raw = {"id": f"m{seq}", "role": "user", "content": [], "source": {"kind": "user"}}
    return {**event(state, "user/message", {**said, **members}, surfaceOp="append"), "seq": seq}


def _goal(state: PastState, seq: int) -> Raw:
    """Return a user message that holds the change of a goal."""
    shown: Raw = {"cleared": {"id": "g", "revision": 1}, "clearedAt": 0}
    change = {"kind": "goal/change", "version": 1, "operation": "clear", **shown}
    source = {"kind": "goal", "goalId": "g", "revision": 1, "round": 0, "change": change}
    words = f"<goal_state>{dump(shown)}</goal_state>"
    return _told(state, seq, source=source, content=[{"type": "text", "text": words}])


def _pursued(state: PastState) -> Raw | None:
    return _goal(state, state.seq) if _running(state) else None


def _overtaken(draft: Draft) -> SessionLog | None:
    """Replace two messages of which the edge lets the second one go ahead of the first."""
    for count in range(draft.own, len(draft.states)):
        state = draft.states[count]
        if _running(state):
            first, last = state.seq, state.seq + 1
            later = _told(state, last + 1)
            later["surfaceOp"] = {"op": "replace", "start": first, "end": last}
            later["sourceEventSeqs"] = [first, last]
            return draft.until(count, _told(state, first), _goal(state, last), later)
    return None


def _split(draft: Draft) -> SessionLog | None:
    """Cut between the first two chunks of an attempt that streams on."""
    for seq, state in enumerate(draft.states[:-1]):
        stream = state.stream
        if stream is None or stream.finished or stream.sealed or seq <= draft.own:
            continue
        if draft.events[seq]["type"] == _CHUNK:
            header = {**draft.header, "isSeeded": True, "parentSession": "parent"}
            return evolve(draft.until(seq + 1), header=header, inherited=seq)
    return None


def breaches(version: Past) -> Iterator[Breach]:
    """Return the breaches of chunks, in the formats that have them."""
    if version > 1:
        return
    rule = "MIG12-CHUNK-ENVELOPE"
    yield Breach(rule, "chunk with another key", tampered(_CHUNK, puts("acme", 1)))
    yield Breach(
        rule, "chunk that is not ignorable", tampered(_CHUNK, puts("ignorable", value=False))
    )
    yield Breach(rule, "chunk without time", tampered(_CHUNK, drops("time")))
    rule = "MIG12-CHUNK-PAYLOAD"
    for name, change in _PAYLOADS:
        yield Breach(rule, name, tampered(_CHUNK, change))
    write = tampered(_CHUNK, sets("data.step", "1"))
    yield Breach("MIG23-PAYLOAD", "chunk whose step is text", write)
    for name, change in (("partly", _partly), ("reordered", _reordered), ("foreign", _foreign)):
        write = tampered("assistant/message", _citing(change))
        yield Breach(_SETTLE, f"citations of an attempt, {name}", write)
    yield Breach(_SETTLE, "message beside an attempt without citations", followed(_uncited))
    yield Breach(_SETTLE, "citation of what is no attempt", followed(_cites_late))
    rule = "MIG12-REFS-CONSUMED"
    yield Breach(rule, "command done by a chunk", followed(_done_by_chunk))
    yield Breach(rule, "title of a chunk", followed(_titled_by_chunk))
    yield Breach(rule, "replacement of a chunk", followed(_replaces_chunk))
    yield Breach("MIG12-CUT-SPLIT", "cut within an attempt", _split)
    yield Breach("SURF-REPLACE-ORDER", "range that ends at a goal message", _overtaken)


_PAYLOADS: tuple[tuple[str, Change], ...] = (
    ("chunk of an unknown type", sets("data.chunk.type", "image-delta")),
    ("chunk that is no object", sets("data.chunk", [])),
    ("delta whose text is a number", _delta("text", 1)),
    ("delta whose index is negative", _delta("index", -1)),
    ("delta whose index is a fraction", _delta("index", 0.5)),
    ("delta of a call without text", _delta("argumentsDelta", None, "tool-call-delta")),
    ("delta of a call whose id is a number", _delta("id", 1, "tool-call-delta")),
    ("delta of a call whose name is null", _delta("name", None, "tool-call-delta")),
    ("chunk at a fractional time", puts("time", 0.5)),
)


def near_misses(version: Past) -> Iterator[NearMiss]:
    """Return odd chunks that are taken."""
    if version > 1:
        return
    rule = "MIG12-CHUNK-PAYLOAD"
    yield NearMiss(rule, "delta with another member", tampered(_CHUNK, _delta("acme", 1)))
    for kind in ("finish", "usage"):
        write = tampered(_CHUNK, sets("data.chunk", {"type": kind}))
        yield NearMiss(rule, f"{kind} of nothing", write)
    empty = _delta("name", "", "tool-call-delta")
    yield NearMiss("MIG12-REC-RAW", "call without a name", tampered(_CHUNK, empty))
    write = tampered(_CHUNK, puts("surfaceOp", "append"))
    yield NearMiss("MIG12-CHUNK-ENVELOPE", "chunk with an operation", write)
    yield NearMiss("MIG12-GOAL-SPLIT", "goal message beside an attempt", followed(_pursued))
