"""What an event says of its own place on the surface: the marker, and the sources it was made from.

These rules need the event alone.
"""

from dsh_reference.refusal import Refusal
from dsh_reference.surface.history import refuse
from dsh_spec.events import (
    EVENT_TYPES,
    SURFACE_TYPES,
    Append,
    AssistantMessage,
    Event,
    Replace,
    Unknown,
)


def check_marker(event: Event) -> Refusal | None:
    """Say whether an event enters the surface in a way that its type allows.

    An unknown type that is ignorable may carry anything: it is kept, and means nothing.

    Source: SURF-UNKNOWN-IGNORABLE-OPAQUE, SURF-LOGONLY-NO-OP, SURF-LOGONLY-NO-SOURCES,
    SURF-MARKER-REQUIRED, SURF-REPLACE-EARLIER (facts: surface §1.3, rules 2 to 4).
    """
    if event.type not in SURFACE_TYPES:
        is_silent = event.surface_op is None and event.source_event_seqs is None
        if is_silent and not isinstance(event.data, Unknown):
            return None
        return None if _is_opaque(event) else _check_log_only(event)
    match event.surface_op:
        case None:
            return refuse(event, "SURF-MARKER-REQUIRED", f"a {event.type} carries no surfaceOp")
        case Replace(start_seq=start, end_seq=end) if max(start, end) >= event.seq:
            return refuse(event, "SURF-REPLACE-EARLIER", "it replaces a node that is not earlier")
        case Append() | Replace():
            return None


def check_sources(event: Event) -> Refusal | None:
    """Say whether the sources of a surface event are earlier events, each named once.

    They need be neither sorted nor on the surface.  A model's answer has none, because it carries
    the stream that it was made from.

    Source: SRC-ASSISTANT-FORBID, SRC-EMPTY, SRC-NO-DUP, SRC-EARLIER (facts: surface §1.3, rule 5).
    """
    sources = event.source_event_seqs
    if sources is None or _is_opaque(event):
        return None
    if isinstance(event.data, AssistantMessage):
        return refuse(event, "SRC-ASSISTANT-FORBID", "an assistant/message cites sources")
    if not sources:
        return refuse(event, "SRC-EMPTY", "the list of sources is empty")
    if len(set(sources)) < len(sources):
        return refuse(event, "SRC-NO-DUP", "a source is named twice")
    late = next((seq for seq in sources if seq >= event.seq), None)
    if late is not None:
        return refuse(event, "SRC-EARLIER", f"the source {late} is not earlier")
    return None


def _is_opaque(event: Event) -> bool:
    return event.type not in EVENT_TYPES and event.ignorable


def _check_log_only(event: Event) -> Refusal | None:
    kept = event.data.metadata if isinstance(event.data, Unknown) else {}
    if event.surface_op is not None or "surfaceOp" in kept:
        return refuse(event, "SURF-LOGONLY-NO-OP", f"a {event.type} has no place on the surface")
    if event.source_event_seqs is not None or "sourceEventSeqs" in kept:
        return refuse(event, "SURF-LOGONLY-NO-SOURCES", f"a {event.type} cites sources")
    return None
