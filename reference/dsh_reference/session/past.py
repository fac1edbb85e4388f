"""What an event of a format before v4 does to the surface."""

from collections.abc import Mapping, Sequence
from typing import Literal

from attrs import frozen

from dsh_reference.refusal import Refusal
from dsh_reference.session.refuse import refuse_event
from dsh_reference.surface import Replacement
from dsh_reference.values import equal, is_count
from dsh_spec.catalogue import Format
from dsh_spec.events import event_types, surface_types
from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class Past:
    """The surface just before an event, and the window of the log that led to it."""

    #: The format.
    format: Format
    #: The events of the window; those after the event are never looked at.
    events: Sequence[Json]
    #: The seq of the window's first event.
    base_seq: int
    #: The nodes, in surface order.
    nodes: Sequence[int]

    def event(self, seq: int) -> JsonObject:
        """Return the event of a node."""
        event = self.events[seq - self.base_seq]
        assert isinstance(event, Mapping)
        return event


_Step = Refusal | Replacement | Literal["append"] | None


def plan(event: JsonObject, past: Past) -> _Step:
    """Say what an event does to the surface; nothing has happened yet.

    Source: SURF-TYPES and the rules of the functions it asks (facts: surface §1.3, §1.4).
    """
    if event.get("type") not in surface_types(past.format):
        return _check_log_only(event, past.format)
    refusal = _check_marker(event, past.format)
    if refusal is not None:
        return refusal
    op = event["surfaceOp"]
    if not isinstance(op, Mapping):
        return _check_sources(event, past.format) or "append"
    if past.format < 3:
        return _stretch_first(event, op, past)
    refusal = _check_earlier(event, op) or _check_sources(event, past.format)
    if refusal is not None:
        return refusal
    found = _stretch(event, op, past)
    if isinstance(found, Refusal):
        return found
    return (
        _check_coverage(event, found)
        or _check_rewrite(event, found, past)
        or _check_head(event, found, past)
        or found
    )


def _stretch_first(event: JsonObject, op: JsonObject, past: Past) -> Refusal | Replacement:
    found = _stretch(event, op, past)
    if isinstance(found, Refusal):
        return found
    return (
        _check_sources(event, past.format)
        or _check_coverage(event, found)
        or _check_rewrite(event, found, past)
        or found
    )


def _check_log_only(event: JsonObject, format: Format) -> Refusal | None:  # noqa: A002 - the word of the specification
    """SURF-UNKNOWN-IGNORABLE-OPAQUE, SURF-LOGONLY-NO-OP, SURF-LOGONLY-NO-SOURCES."""
    is_unknown = event.get("type") not in event_types(format)
    if format == 3 and is_unknown and event.get("ignorable") is True:
        return None
    if "surfaceOp" in event:
        return _refuse(event, "SURF-LOGONLY-NO-OP", "it has no place on the surface")
    if "sourceEventSeqs" in event:
        return _refuse(event, "SURF-LOGONLY-NO-SOURCES", "it cites sources")
    return None


def _check_marker(event: JsonObject, format: Format) -> Refusal | None:  # noqa: A002 - the word of the specification
    """SURF-MARKER-REQUIRED, SURF-MARKER-SHAPE, SURF-REPLACE-SHAPE."""
    if "surfaceOp" not in event:
        return _refuse(event, "SURF-MARKER-REQUIRED", "it carries no surfaceOp")
    op = event["surfaceOp"]
    if op == "append":
        return None
    if not isinstance(op, Mapping):
        return _refuse(event, "SURF-MARKER-SHAPE", "its surfaceOp is neither append nor an object")
    start, end = _ends(format)
    is_right = (
        op.keys() == {"op", start, end}
        and op["op"] == "replace"
        and is_count(op[start])
        and is_count(op[end])
    )
    problem = f"a replacement has exactly op, {start} and {end}"
    return None if is_right else _refuse(event, "SURF-REPLACE-SHAPE", problem)


def _ends(format: Format) -> tuple[str, str]:  # noqa: A002 - the word of the specification
    return ("start", "end") if format < 3 else ("startSeq", "endSeq")


def _check_earlier(event: JsonObject, op: JsonObject) -> Refusal | None:
    """SURF-REPLACE-EARLIER."""
    seq = _count(event["seq"])
    if _count(op["startSeq"]) >= seq or _count(op["endSeq"]) >= seq:
        return _refuse(event, "SURF-REPLACE-EARLIER", "it replaces a node that is not earlier")
    return None


def _check_sources(event: JsonObject, format: Format) -> Refusal | None:  # noqa: A002 - the word of the specification
    """SRC-ASSISTANT-FORBID, SRC-ARRAY, SRC-EMPTY, SRC-DENSE-INT, SRC-NO-DUP, SRC-EARLIER."""
    if "sourceEventSeqs" not in event:
        return None
    sources, is_answer = event["sourceEventSeqs"], event["type"] == "assistant/message"
    if is_answer and format >= 2:
        return _refuse(event, "SRC-ASSISTANT-FORBID", "an assistant/message cites sources")
    if not isinstance(sources, list | tuple):
        return _refuse(event, "SRC-ARRAY", "its sources are no list")
    if not sources and not is_answer:
        return _refuse(event, "SRC-EMPTY", "the list of sources is empty")
    if not all(map(is_count, sources)):
        return _refuse(event, "SRC-DENSE-INT", "a source is no count")
    if len(set(sources)) < len(sources):
        return _refuse(event, "SRC-NO-DUP", "a source is named twice")
    if any(source >= _count(event["seq"]) for source in map(_count, sources)):
        return _refuse(event, "SRC-EARLIER", "a source is not earlier")
    return None


def _stretch(event: JsonObject, op: JsonObject, past: Past) -> Replacement | Refusal:
    """SURF-REPLACE-START, SURF-REPLACE-END, SURF-REPLACE-ORDER."""
    start, end = (_count(op[key]) for key in _ends(past.format))
    if start not in past.nodes:
        return _refuse(event, "SURF-REPLACE-START", f"the start {start} is no node")
    if end not in past.nodes:
        return _refuse(event, "SURF-REPLACE-END", f"the end {end} is no node")
    first, last = past.nodes.index(start), past.nodes.index(end)
    if first > last:
        return _refuse(event, "SURF-REPLACE-ORDER", "the end stands before the start")
    shadowed = tuple(past.nodes[first : last + 1])
    return Replacement(seq=_count(event["seq"]), start=start, end=end, shadowed_seqs=shadowed)


def _check_coverage(event: JsonObject, found: Replacement) -> Refusal | None:
    """SURF-REPLACE-COVERAGE."""
    sources = event.get("sourceEventSeqs")
    cited = set(sources) if isinstance(sources, list | tuple) else set()
    missing = [seq for seq in found.shadowed_seqs if seq not in cited]
    problem = f"its sources leave out {missing[:8]}"
    return _refuse(event, "SURF-REPLACE-COVERAGE", problem) if missing else None


def _check_rewrite(event: JsonObject, found: Replacement, past: Past) -> Refusal | None:
    """SURF-TOOL-ONE, SURF-TOOL-TARGET, SURF-TOOL-CONTENT-ONLY (facts: surface §1.5)."""
    if event["type"] != "tool/result":
        return None
    if len(found.shadowed_seqs) > 1:
        return _refuse(event, "SURF-TOOL-ONE", "a tool/result replaces more than one node")
    original = past.event(found.shadowed_seqs[0])
    if original["type"] != "tool/result":
        return _refuse(event, "SURF-TOOL-TARGET", "a tool/result replaces what is none")
    if not equal(_but_content(event), _but_content(original)):
        return _refuse(event, "SURF-TOOL-CONTENT-ONLY", "a rewrite changes more than the content")
    return None


def _but_content(event: JsonObject) -> Json:
    """Return the data of a result without the content of its first block, and without the rest."""
    data = event["data"]
    message = data.get("message") if isinstance(data, Mapping) else None
    content = message.get("content") if isinstance(message, Mapping) else None
    first = content[0] if isinstance(content, list | tuple) and content else None
    if not (isinstance(data, Mapping) and isinstance(message, Mapping)):
        return data
    if not isinstance(first, Mapping):
        return data
    rest = {key: value for key, value in first.items() if key != "content"}
    return {**data, "message": {**message, "content": [rest]}}


def _check_head(event: JsonObject, found: Replacement, past: Past) -> Refusal | None:
    """SURF-SYSTEM-HEAD, WIN-SYSTEM-HEAD."""
    head = past.event(past.nodes[0])
    shadowed = found.shadowed_seqs
    if shadowed[0] != past.nodes[0] or head["type"] != "system/message":
        return None
    if event["type"] == "system/message" and len(shadowed) == 1:
        return None
    return _refuse(event, "SURF-SYSTEM-HEAD", "it shadows the system message at the head")


def _count(value: Json) -> int:
    assert isinstance(value, int | float)
    return int(value)


def _refuse(event: JsonObject, rule: str, problem: str) -> Refusal:
    return refuse_event(_count(event["seq"]), rule, problem)
