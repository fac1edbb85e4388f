"""Breaches of the surface: operations, ranges, sources, rewrites and the protected head."""

from typing import Any

from dsh_conformance.generate.breaches.breach import (
    Breach,
    assistant,
    event,
    replacing,
    seqs,
    surface,
    user,
)
from dsh_conformance.generate.state import Raw, State


def _said(state: State, **envelope: Any) -> Raw:
    return surface(state, "user/message", user(state), **envelope)


def _unmarked(state: State) -> Raw | None:
    return event(state, "user/message", user(state))


def _odd_marker(state: State) -> Raw | None:
    return _said(state, surfaceOp="prepend")


def _null_marker(state: State) -> Raw | None:
    return _said(state, surfaceOp=None)


def _old_dialect(state: State) -> Raw | None:
    """The key names of formats v0 to v2 (F12)."""
    nodes = state.loose
    if not nodes:
        return None
    seq = nodes[0]["seq"]
    operation = {"op": "replace", "start": seq, "end": seq}
    return _said(state, surfaceOp=operation, sourceEventSeqs=[seq])


def _extra_key(state: State) -> Raw | None:
    nodes = state.loose
    if not nodes:
        return None
    operation = replacing(nodes[0], nodes[0], more=0)
    return _said(state, surfaceOp=operation, sourceEventSeqs=seqs(nodes[:1]))


def _log_only_marker(state: State) -> Raw | None:
    return event(state, "todo/write", {"todos": []}, surfaceOp="append")


def _log_only_sources(state: State) -> Raw | None:
    return event(state, "todo/write", {"todos": []}, sourceEventSeqs=[0]) if state.seq else None


def _unknown_node(state: State) -> Raw | None:
    """A log-only event, or a node that an earlier replacement has shadowed."""
    shown = set(seqs(state.nodes))
    hidden = next((seq for seq in range(state.seq) if seq not in shown), None)
    if hidden is None:
        return None
    operation = {"op": "replace", "startSeq": hidden, "endSeq": hidden}
    return _said(state, surfaceOp=operation, sourceEventSeqs=[hidden])


def _unknown_end(state: State) -> Raw | None:
    shown, nodes = set(seqs(state.nodes)), state.loose
    hidden = next((seq for seq in range(state.seq) if seq not in shown), None)
    if hidden is None or not nodes:
        return None
    operation = {"op": "replace", "startSeq": nodes[0]["seq"], "endSeq": hidden}
    return _said(state, surfaceOp=operation, sourceEventSeqs=[nodes[0]["seq"], hidden])


def _itself(state: State) -> Raw | None:
    operation = {"op": "replace", "startSeq": state.seq, "endSeq": state.seq}
    return _said(state, surfaceOp=operation, sourceEventSeqs=[0]) if state.seq else None


def _reversed(state: State) -> Raw | None:
    nodes = state.loose
    if len(nodes) < 2:
        return None
    sources = seqs(nodes[:2])
    return _said(state, surfaceOp=replacing(nodes[1], nodes[0]), sourceEventSeqs=sources)


def _uncovered(state: State) -> Raw | None:
    nodes = state.loose
    if len(nodes) < 2:
        return None
    return _said(state, surfaceOp=replacing(nodes[0], nodes[1]), sourceEventSeqs=seqs(nodes[:1]))


def _uncited(state: State) -> Raw | None:
    nodes = state.loose
    return _said(state, surfaceOp=replacing(nodes[0], nodes[0])) if nodes else None


def _cited_twice(state: State) -> Raw | None:
    return _said(state, sourceEventSeqs=[0, 0]) if state.seq else None


def _cited_itself(state: State) -> Raw | None:
    return _said(state, sourceEventSeqs=[state.seq])


def _cited_nothing(state: State) -> Raw | None:
    return _said(state, sourceEventSeqs=[])


def _cited_null(state: State) -> Raw | None:
    return _said(state, sourceEventSeqs=None)


def _cited_text(state: State) -> Raw | None:
    return _said(state, sourceEventSeqs=["0"]) if state.seq else None


def _cited_fraction(state: State) -> Raw | None:
    return _said(state, sourceEventSeqs=[0.5]) if state.seq else None


def _assistant_cites(state: State) -> Raw | None:
    ready = state.step_open and not state.calls
    data = assistant(state)
    return surface(state, "assistant/message", data, sourceEventSeqs=[0]) if ready else None


BREACHES = (
    Breach("SURF-MARKER-REQUIRED", "surface event without operation", _unmarked),
    Breach("SURF-MARKER-SHAPE", "unknown operation", _odd_marker),
    Breach("SURF-MARKER-SHAPE", "null operation", _null_marker),
    Breach("SURF-REPLACE-SHAPE", "key names of an older format", _old_dialect),
    Breach("SURF-REPLACE-SHAPE", "operation with a fourth key", _extra_key),
    Breach("SURF-LOGONLY-NO-OP", "operation on a log-only event", _log_only_marker),
    Breach("SURF-LOGONLY-NO-SOURCES", "sources on a log-only event", _log_only_sources),
    Breach("SURF-REPLACE-START", "range starts at no node", _unknown_node),
    Breach("SURF-REPLACE-END", "range ends at no node", _unknown_end),
    Breach("SURF-REPLACE-EARLIER", "range names the event itself", _itself),
    Breach("SURF-REPLACE-ORDER", "range runs backwards", _reversed),
    Breach("SURF-REPLACE-COVERAGE", "sources miss a shadowed node", _uncovered),
    Breach("SURF-REPLACE-COVERAGE", "replacement without sources", _uncited),
    Breach("SRC-NO-DUP", "source cited twice", _cited_twice, noticed="tail"),
    Breach("SRC-EARLIER", "source is the event itself", _cited_itself, noticed="tail"),
    Breach("SRC-EMPTY", "empty sources", _cited_nothing),
    Breach("SRC-ARRAY", "null sources", _cited_null, noticed="append"),
    Breach("SRC-DENSE-INT", "source is text", _cited_text, noticed="tail"),
    Breach("SRC-DENSE-INT", "source is a fraction", _cited_fraction, noticed="tail"),
    Breach("SRC-ASSISTANT-FORBID", "assistant message with sources", _assistant_cites),
)
