"""Breaches of compaction brackets, titles, commands, child lists and offloaded images."""

from typing import Any

from dsh_conformance.generate.breaches.breach import (
    Breach,
    event,
    message,
)
from dsh_conformance.generate.state import Raw, State

_OTHER = "other"


def _title(state: State, kind: str, cited: list[int]) -> Raw:
    data = {"title": "a", "messageSeqs": cited, "source": {"kind": kind}}
    return event(state, "session/title", data)


def _title_user_cites(state: State) -> Raw | None:
    return _title(state, "user", [state.prompts[-1]]) if state.prompts else None


def _title_uncited(state: State) -> Raw | None:
    return _title(state, "fallback", [])


def _title_cites_other(state: State) -> Raw | None:
    """The event before this one, where that is no message of a person."""
    last = state.seq - 1
    ready = state.seq and last not in state.prompts
    return _title(state, "fallback", [last]) if ready else None


def _title_cites_twice(state: State) -> Raw | None:
    return _title(state, "fallback", [state.prompts[-1]] * 2) if state.prompts else None


def _title_request(state: State) -> Raw | None:
    if not state.prompts:
        return None
    asked = message(state, "user", "dsh-session-title-llm")
    data: Raw = {"titleProvider": "a", "messageSeqs": [state.prompts[-1]], "maxTokens": 1}
    route = {"provider": "p", "model": "m"}
    return event(
        state,
        "session/title-llm-request",
        {**data, "route": route, "system": "", "messages": [asked, asked]},
    )


def _run_twice(state: State) -> Raw | None:
    if not state.commands:
        return None
    data = {"commandId": state.commands[-1], "name": "a", "source": {"kind": "user"}}
    return event(state, "command/run", data)


def _done_unknown(state: State) -> Raw | None:
    return event(state, "command/done", {"commandId": _OTHER, "kind": "success"})


def _failed_with_source(state: State) -> Raw | None:
    if not state.commands or not state.prompts:
        return None
    data = {"commandId": state.commands[-1], "kind": "error", "sourceEventSeq": state.prompts[-1]}
    return event(state, "command/done", data)


def _done_by_command(state: State) -> Raw | None:
    """The event before this one, where that is a `command/run`."""
    last = f"x{state.seq - 1}"
    if last not in state.commands:
        return None
    data = {"commandId": last, "kind": "success", "sourceEventSeq": state.seq - 1}
    return event(state, "command/done", data)


def _child(state: State, **members: Any) -> Raw:
    data = {"version": 1, "childId": f"child-{state.seq}", "childCreatedAt": 0, "mode": "one-shot"}
    return event(state, "subagent/catalog", {**data, **members})


def _child_twice(state: State) -> Raw | None:
    return _child(state, childId=state.children[-1]) if state.children else None


def _child_unlabelled(state: State) -> Raw | None:
    return _child(state, mode="continuable")


def _child_misversioned(state: State) -> Raw | None:
    return _child(state, mode="external")


def _delivered_elsewhere(state: State) -> Raw | None:
    """An own marker of this format names another session (DELIV-OWNER)."""
    data = {"sessionId": "no such session", "throughSeq": 0, "sessionFormatVersion": 4}
    return event(state, "session-log-deepseek/delivery-accepted", data) if state.seq else None


def _offload(state: State, *targets: Raw) -> Raw:
    return event(state, "image/offload", {"targets": list(targets)})


def _offload_nothing(state: State) -> Raw | None:
    return _offload(state)


def _offload_log_only(state: State) -> Raw | None:
    """The event before this one, where that is no node."""
    last = state.seq - 1
    hidden = state.seq and (not state.nodes or state.nodes[-1]["seq"] != last)
    return _offload(state, {"seq": last, "imageIndexes": [0]}) if hidden else None


def _offload_no_image(state: State) -> Raw | None:
    node = _last(state, "user/message")
    return _offload(state, {"seq": node["seq"], "imageIndexes": [99]}) if node else None


def _offload_twice(state: State) -> Raw | None:
    node = _last(state, "user/message")
    if node is None or (node["seq"], 0) not in state.offloaded:
        return None
    return _offload(state, {"seq": node["seq"], "imageIndexes": [0]})


def _last(state: State, kind: str) -> Raw | None:
    return next((node for node in reversed(state.nodes) if node["type"] == kind), None)


BREACHES = (
    Breach("REL-TITLE", "title of a user cites", _title_user_cites),
    Breach("REL-TITLE", "title of nobody cites nothing", _title_uncited),
    Breach("REL-TITLE", "title cites what no person wrote", _title_cites_other),
    Breach("REL-TITLE", "title cites twice", _title_cites_twice),
    Breach("REL-TITLE-REQUEST", "title request with two messages", _title_request),
    Breach("REL-COMMAND", "command runs twice", _run_twice),
    Breach("REL-COMMAND", "unknown command is done", _done_unknown),
    Breach("REL-COMMAND", "failed command with a source", _failed_with_source),
    Breach("REL-COMMAND", "command done by a command", _done_by_command),
    Breach("CATALOG-UNIQUE", "child listed twice", _child_twice),
    Breach("CATALOG-SHAPE", "continuable child without label", _child_unlabelled),
    Breach("CATALOG-SHAPE", "external child of version 1", _child_misversioned),
    Breach("DELIV-OWNER", "delivery of another session", _delivered_elsewhere),
    Breach("IMG-TARGETS", "offload of nothing", _offload_nothing, noticed="session"),
    Breach("IMG-NODE", "offload from what is no node", _offload_log_only, noticed="session"),
    Breach("IMG-INDEXES", "offload of no image", _offload_no_image, noticed="session"),
    Breach("IMG-ONCE", "offload twice", _offload_twice, noticed="session"),
)
