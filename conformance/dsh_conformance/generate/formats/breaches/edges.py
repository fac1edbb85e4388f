"""What the edge from v2 cannot put on the surface, and what it refuses to carry over.

Source: facts migration §3.1, §3.2, §3.5; rules MIG23-SURFACE-EARLY, MIG23-PROMPT-OUTSIDE,
MIG23-SYSTEM-COLLIDE, MIG23-ERROR-CONSISTENT, MIG23-NOT-STARTED, MIG23-DELIVERY, MIG12-DELIVERY,
MIG01-DELIVERY.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from dsh_conformance.generate.breaches.breach import event
from dsh_conformance.generate.formats.breaches.breach import (
    Breach,
    NearMiss,
    Next,
    Write,
    followed,
    sets,
    spelled_already,
    tampered,
)
from dsh_conformance.generate.formats.state import Past, PastState
from dsh_conformance.generate.state import Raw
from dsh_reference.values import dump

_DELIVERY = "session-log-deepseek/delivery-accepted"
_DELIVERED: Mapping[Past, str] = MappingProxyType(
    {0: "MIG01-DELIVERY", 1: "MIG12-DELIVERY", 2: "MIG23-DELIVERY", 3: "MIG34-DELIVERY"}
)


def _message(name: str) -> Raw:
    return {"id": name, "role": "user", "content": [], "source": {"kind": "user"}}


def _early(state: PastState) -> Raw | None:
    if state.stepped:
        return None
    return event(state, "user/message", _message("m"), surfaceOp="append")


def _prompt_outside(state: PastState) -> Raw | None:
    if not state.turn_open or state.step_open:
        return None
    header = {"config": {"provider": "p", "model": "m"}, "system": state.prompt + "x"}
    return event(state, "request/header", {"header": header, "reason": "change"})


def _prompt_kept_outside(state: PastState) -> Raw | None:
    if not state.turn_open or state.step_open or not state.stepped or not state.prompt:
        return None
    header = {"config": {"provider": "p", "model": "m"}, "system": state.prompt}
    return event(state, "request/header", {"header": header, "reason": "change"})


def head_id(session: str, seq: int, anchor: str) -> str:
    """Return the id of the system message that stands for an event of format v2 (MIG23-SYSTEM-ID).

    *seq* is the event's own, in format v2.
    """
    text = dump(["session-format-v2-to-v3", session, seq, anchor])
    return f"v2-to-v3-system-{sha256(text.encode()).hexdigest()}"


def _collides(state: PastState) -> Raw | None:
    """The first step of a bare log is its second event, so its head's id is known."""
    if state.seq != 2 or not state.step_open:
        return None
    said = _message(head_id(state.session, 1, "step/start"))
    return event(state, "user/message", said, surfaceOp="append")


def _bare(write: Write) -> Write:
    """Leave out seeded logs: an edge may put a marker in front of their own events."""
    return lambda draft: None if draft.header["isSeeded"] else write(draft)


def _unstarted(name: str) -> Next:
    """Answer a call that never started, under another id than the canonical one."""

    def write(state: PastState) -> Raw | None:
        if not state.unstarted or state.stream is not None:
            return None
        call = state.unstarted[0].id
        message: Raw = {"id": name.format(call=call), "role": "tool", "toolCallId": call}
        message |= {"source": {"kind": "tool", "callId": call}, "isError": True}
        words = "The tool call was interrupted before the Harness recorded it as started."
        said = {"type": "text", "text": f"{words} Retry it if it is still needed."}
        error = {"name": "ToolNotStartedError", "code": "TOOL_NOT_STARTED"}
        data = {"turn": state.turn, "step": state.step, "error": error}
        message["content"] = [said]
        return event(state, "tool/result", {**data, "message": message}, surfaceOp="append")

    return write


def _error(*, flag: bool | None) -> Any:
    """Give a result that is not an error the words of one."""

    def change(raw: Raw) -> bool:
        block = raw["data"].get("message", {}).get("content", [{}])[0]
        if block.get("type") != "tool-result" or "error" in raw["data"]:
            return False
        raw["data"]["error"] = {"name": "E", "code": "C"}
        block.pop("isError", None)
        if flag is not None:
            block["isError"] = flag
        return True

    return change


def _delivers(**members: Any) -> Next:
    def write(state: PastState) -> Raw | None:
        if state.seq == 0:
            return None
        data = {"sessionId": state.session, "throughSeq": 0, **members}
        return event(state, _DELIVERY, data)

    return write


def _own(version: Past) -> Raw:
    return {"sessionFormatVersion": version} if version else {}


def breaches(version: Past) -> Iterator[Breach]:
    """Return the breaches of the edge from v2, for logs that have to pass it."""
    yield from _deliveries(version)
    if version == 3:
        return
    yield Breach("MIG23-SURFACE-EARLY", "message before the first step", followed(_early))
    yield Breach("MIG23-PROMPT-OUTSIDE", "prompt changes outside a step", followed(_prompt_outside))
    yield Breach("MIG23-SYSTEM-COLLIDE", "message under the head's id", _bare(followed(_collides)))
    for name, flag in (("good", False), ("plain", None)):
        write = tampered("tool/result", _error(flag=flag))
        yield Breach("MIG23-ERROR-CONSISTENT", f"error of a {name} result", write)
    for name in ("m", "interrupted-tool-result-{call}-01", "interrupted-tool-result-{call}-"):
        write = followed(_unstarted(name))
        yield Breach("MIG23-NOT-STARTED", f"repair under the id {name}", write)


def _deliveries(version: Past) -> Iterator[Breach]:
    rule = _DELIVERED[version]
    write = spelled_already(_delivers(sessionId="elsewhere", **_own(version)))
    yield Breach(rule, "delivery of another session", write)
    write = spelled_already(_delivers(throughSeq=2**53 - 1, **_own(version)))
    yield Breach(rule, "delivery up to a later event", write)
    if 1 <= version <= 2:
        write = spelled_already(_delivers(sessionFormatVersion=3))
        yield Breach("MIG23-DELIVERY", "delivery of format v3", write)
    if version:
        write = spelled_already(_delivers(sessionFormatVersion=4))
        yield Breach("MIG34-DELIVERY", "delivery of format v4", write)


def near_misses(version: Past) -> Iterator[NearMiss]:
    """Return what only seems to be refused."""
    if version:
        write = spelled_already(_delivers(sessionFormatVersion=7, sessionId="x", throughSeq=2**50))
        yield NearMiss(_DELIVERED[version], "delivery of format v7", write)
    if version == 3:
        return
    yield NearMiss(
        "MIG23-PROMPT-OUTSIDE", "prompt repeats outside a step", followed(_prompt_kept_outside)
    )
    write = tampered("tool/result", _error(flag=True))
    yield NearMiss("MIG23-ERROR-CONSISTENT", "error of a bad result", write)
    write = followed(_unstarted("interrupted-tool-result-{call}-0"))
    yield NearMiss("MIG23-NOT-STARTED", "repair that names another seq", write)
    write = tampered("user/message", sets("data.id", "v2-to-v3-system-" + "0" * 64))
    yield NearMiss("MIG23-SYSTEM-COLLIDE", "message under a head's id that is nobody's", write)
