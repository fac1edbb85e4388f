"""Breaches of what may take the place of results and of the protected head."""

from itertools import pairwise

from dsh_conformance.generate.breaches.breach import (
    Breach,
    replacing,
    seqs,
    surface,
    system,
    user,
)
from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.voice import text


def _head_by_user(state: State) -> Raw | None:
    head = state.head
    if head is None:
        return None
    return surface(
        state,
        "user/message",
        user(state),
        surfaceOp=replacing(head, head),
        sourceEventSeqs=[head["seq"]],
    )


def _head_with_more(state: State) -> Raw | None:
    if state.head is None or len(state.nodes) < 2 or not state.step_open:
        return None
    nodes = state.nodes[:2]
    operation = replacing(*nodes)
    data = system(state)
    return surface(state, "system/message", data, surfaceOp=operation, sourceEventSeqs=seqs(nodes))


def _late_head(state: State) -> Raw | None:
    ready = state.step_open and state.nodes and state.head is None
    return surface(state, "system/message", system(state)) if ready else None


def _results(state: State) -> list[Raw]:
    if not state.turn_open:
        return []
    return [node for node in state.nodes if node["type"] == "tool/result" and _ordinary(node)]


def _ordinary(node: Raw) -> bool:
    return "error" not in node["data"]


def _rewrite(state: State, node: Raw, data: Raw) -> Raw:
    operation = replacing(node, node)
    return surface(state, "tool/result", data, surfaceOp=operation, sourceEventSeqs=[node["seq"]])


def _rewrite_meta(state: State) -> Raw | None:
    found = _results(state)
    return _rewrite(state, found[0], {**found[0]["data"], "meta": "other"}) if found else None


def _rewrite_id(state: State) -> Raw | None:
    found = _results(state)
    if not found:
        return None
    data = found[0]["data"]
    said = {**data["message"], "id": "other", "content": [text("a")]}
    return _rewrite(state, found[0], {**data, "message": said})


def _rewrite_user(state: State) -> Raw | None:
    found = _results(state)
    target = next((node for node in state.loose if node["type"] == "user/message"), None)
    return _rewrite(state, target, found[0]["data"]) if found and target else None


def _rewrite_two(state: State) -> Raw | None:
    found = _results(state)
    for first, second in pairwise(state.nodes):
        if first in found and second["type"] == "tool/result":
            operation = replacing(first, second)
            cited = seqs((first, second))
            data = first["data"]
            return surface(state, "tool/result", data, surfaceOp=operation, sourceEventSeqs=cited)
    return None


def _rewrite_outside(state: State) -> Raw | None:
    found = [node for node in state.nodes if node["type"] == "tool/result" and _ordinary(node)]
    return _rewrite(state, found[0], found[0]["data"]) if found and not state.turn_open else None


BREACHES = (
    Breach("SURF-SYSTEM-HEAD", "head replaced by a user message", _head_by_user),
    Breach("SURF-SYSTEM-HEAD", "head replaced with its neighbour", _head_with_more),
    Breach("SURF-HEAD-V4", "system message after a headless start", _late_head),
    Breach("SURF-TOOL-CONTENT-ONLY", "rewrite changes the meta", _rewrite_meta, noticed="session"),
    Breach(
        "SURF-TOOL-CONTENT-ONLY", "rewrite changes the message id", _rewrite_id, noticed="session"
    ),
    Breach("SURF-TOOL-TARGET", "rewrite of a user message", _rewrite_user, noticed="session"),
    Breach("SURF-TOOL-ONE", "rewrite of two results", _rewrite_two, noticed="session"),
    Breach("REL-IN-TURN", "rewrite outside a turn", _rewrite_outside),
)
