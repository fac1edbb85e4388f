"""Shapes of format v0's early days that even its edge does not know.

Source: facts migration §1.3; rules MIG01-TRIGGER, MIG01-TURN-END, MIG01-MSGPREFIX, MIG01-STEERING,
MIG01-CURRENT-LOOKING, MIG01-RETIRED, MIG01-DESCRIPTOR.
"""

from collections.abc import Iterator
from typing import Any

from dsh_conformance.generate.breaches.breach import event
from dsh_conformance.generate.formats.breaches.breach import (
    Breach,
    Change,
    NearMiss,
    Next,
    puts,
    sets,
    spelled_already,
    tampered,
)
from dsh_conformance.generate.formats.state import Past, PastState
from dsh_conformance.generate.state import Raw

_TRIGGERS: tuple[Any, ...] = (None, "message", {}, {"kind": ""}, {"kind": 1})

#: Reasons of turn ends that are neither old nor modern.
_REASONS: tuple[Raw, ...] = (
    {"kind": "error"},
    {"kind": "error", "step": 1},
    {"kind": "error", "message": "a"},
    {"kind": "error", "step": 1, "message": "a", "failure": {"message": "a", "code": "E"}},
    {"kind": "error", "step": "1", "message": "a"},
    {"kind": "error", "step": 1, "failure": {"message": "a"}},
    {"kind": "error", "step": 1, "message": "a", "code": 7},
    {"kind": "blocked", "by": "a"},
)

_STEERING: tuple[tuple[str, Raw], ...] = (
    ("without a turn", {"content": [], "source": {"kind": "user"}}),
    ("without a source", {"turn": 1, "content": []}),
    ("with another member", {"turn": 1, "content": [], "source": {"kind": "user"}, "x": 1}),
    ("in a negative turn", {"turn": -1, "content": [], "source": {"kind": "user"}}),
    ("of nothing", {"turn": 1, "message": {}}),
)


def _steers(data: Raw) -> Next:
    def write(state: PastState) -> Raw | None:
        if not state.stepped:
            return None
        return event(state, "steering/message", data, surfaceOp="append")

    return write


def _untold(members: Raw) -> Change:
    """Put an early shape in the place of a modern event's data."""

    def change(raw: Raw) -> bool:
        kept = {key: raw["data"][key] for key in ("turn", "step") if key in raw["data"]}
        raw["data"] = {**kept, **members}
        return True

    return change


_CONTENT: Raw = {"content": []}

#: Early shapes that lack what the edge would need to bring them up to date: it leaves them as they
#: are, and their payload is not exact (MIG01-CURRENT-LOOKING).
_EARLY: tuple[tuple[str, str, Raw], ...] = (
    ("user/message", "without a source", _CONTENT),
    ("user/message", "with a role alone", {**_CONTENT, "role": "user"}),
    ("assistant/message", "of no provenance", _CONTENT),
    (
        "assistant/message",
        "of a nameless provider",
        {**_CONTENT, "provenance": {"provider": "", "model": "m"}},
    ),
    ("tool/result", "of no call", {**_CONTENT, "isError": False}),
    ("tool/result", "of unknown outcome", {**_CONTENT, "callId": "c1"}),
)


def breaches(version: Past) -> Iterator[Breach]:
    """Return the breaches of the early shapes, which only format v0 has."""
    if version:
        for kind, path, value in (
            ("turn/start", "trigger", {"kind": "message"}),
            ("turn/end", "reason", {"kind": "aborted"}),
        ):
            if version < 3:
                rule = {1: "MIG12-PAYLOAD", 2: "MIG23-PAYLOAD"}[version]
                write = tampered(kind, puts(f"data.{path}", value))
                yield Breach(rule, f"{kind} of format v0's early days", write)
        return
    for trigger in _TRIGGERS:
        write = tampered("turn/start", puts("data.trigger", trigger))
        yield Breach("MIG01-TRIGGER", f"turn triggered by {trigger!a}", write)
    for reason in _REASONS:
        write = tampered("turn/end", sets("data.reason", reason))
        yield Breach("MIG01-TURN-END", f"turn ended by {reason!a}", write)
    prefix = tampered("request/header", puts("data.header.messagePrefix", {}))
    yield Breach("MIG01-MSGPREFIX", "message prefix that is no list", prefix)
    for name, data in _STEERING:
        rule = "MIG01-PAYLOAD" if "message" in data else "MIG01-STEERING"
        yield Breach(rule, f"steering {name}", spelled_already(_steers(data)))
    for kind, name, members in _EARLY:
        yield Breach("MIG01-PAYLOAD", f"early {kind} {name}", tampered(kind, _untold(members)))
    write = tampered("request/header", sets("data.reason", "fallback"))
    yield Breach("MIG01-RETIRED", "request header by fallback", write)
    write = tampered("subagent/descriptor", sets("data.version", 2))
    yield Breach("MIG01-DESCRIPTOR", "descriptor of version 2", write)
    delivery = "session-log-deepseek/delivery-accepted"
    write = tampered(delivery, puts("data.sessionFormatVersion", 0))
    yield Breach("MIG01-PAYLOAD", "delivery that states its format", write)


def near_misses(version: Past) -> Iterator[NearMiss]:
    """Return what looks too old and is not."""
    if version:
        return
    said = {"content": [], "source": {"kind": "user"}}
    yield NearMiss(
        "MIG01-STEERING",
        "steering of turn 2^53 - 1",
        spelled_already(_steers({"turn": 2**53 - 1, **said})),
    )
    write = tampered("turn/end", sets("data.reason", {"kind": "rejected", "reason": "a"}))
    yield NearMiss("MIG01-TURN-END", "turn ended by rejection", write)
    write = tampered("turn/start", puts("data.trigger", {"kind": "cron", "x": [1]}))
    yield NearMiss("MIG01-TRIGGER", "turn triggered by a stranger", write)
    write = tampered("request/header", puts("data.header.messagePrefix", [1]))
    yield NearMiss("MIG01-MSGPREFIX", "message prefix of anything", write)
