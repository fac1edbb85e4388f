"""What a reader of format v0 makes of stored events, and what it refuses.

Two layers judge a log, as 0.1.0rc7 has them.
Whoever reads stored events needs every type known and every message in shape; whoever builds a
session from them needs the surface marks too.
"""

from collections.abc import Mapping, Sequence

from dsh_conformance.backends.seam.storage import FORMAT
from dsh_reference.refusal import Refusal
from dsh_reference.store.seam import present
from dsh_spec.events import event_types, surface_types
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

_READ_AS_ANOTHER = frozenset({"steering/message"})
_KNOWN = frozenset(event_types(FORMAT)) | _READ_AS_ANOTHER
_SURFACE = frozenset(surface_types(FORMAT))


def shown(events: Sequence[JsonObject], session_id: str) -> tuple[JsonObject, ...] | Refusal:
    """Return stored events as a reader sees them (STORE-LEGACY-READ, STORE-FAIL-CLOSED-VOCAB)."""
    for seq, event in enumerate(events):
        kind = event.get("type")
        if kind not in _KNOWN and event.get("ignorable") is not True:
            problem = f"the type {kind!a:.80} is unknown and not marked ignorable"
            return _refuse(RefusalKind.UNSUPPORTED_FORMAT, "STORE-FAIL-CLOSED-VOCAB", seq, problem)
    return present(events, session_id)


def unbuildable(events: Sequence[JsonObject]) -> Refusal | None:
    """Say why no session can be built from these events, where none can."""
    nodes: list[int] = []
    for seq, event in enumerate(events):
        problem = _misplaced(event, seq, nodes)
        if problem:
            return _refuse(RefusalKind.CORRUPT, "STORE-REFUSES-BROKEN-LOG", seq, problem)
    return None


def _misplaced(event: JsonObject, seq: int, nodes: list[int]) -> str | None:
    """Say what is wrong with the surface mark of an event; else put it on the surface."""
    operation = event.get("surfaceOp")
    if event.get("type") not in _SURFACE:
        return "a record of the log alone carries surfaceOp" if operation is not None else None
    match operation:
        case "append":
            nodes.append(seq)
        case {"op": "replace", "start": int(start), "end": int(end)}:
            if not {start, end} <= set(nodes):
                return "it replaces what is not on the surface"
            first, last = nodes.index(start), nodes.index(end)
            if last < first:
                return "it replaces nodes from their last to their first"
            nodes[first : last + 1] = [seq]
        case _:
            return "an event of the surface needs surfaceOp"
    return _unidentified(event)


def _unidentified(event: JsonObject) -> str | None:
    data = event.get("data")
    message: Json = data.get("message", data) if isinstance(data, Mapping) else None
    fields = message if isinstance(message, Mapping) else {}
    named = isinstance(fields.get("id"), str) and isinstance(fields.get("role"), str)
    return None if named else "it lacks an identified message"


def _refuse(kind: RefusalKind, rule: str, seq: int, problem: str) -> Refusal:
    return Refusal(kind=kind, rule=rule, where=f"event {seq}", problem=problem)
