"""What a log shows: to the model, to people, and to who asks how the last turn ended."""

from collections.abc import Mapping, Sequence

from dsh_reference.refusal import Refusal
from dsh_reference.session.fold import fold
from dsh_spec.catalogue import Format
from dsh_spec.events import surface_types
from dsh_spec.values import Json, JsonObject

#: The types whose message shows even without content.
_ALWAYS_SHOWN = frozenset({"user/message", "tool/result"})


def derive(events: Sequence[Json], *, format: Format) -> tuple[Json, ...] | Refusal:  # noqa: A002 - the word of the specification
    """Return the messages that the model sees, in order; or why the log has no surface.

    Source: PROJ-HISTORY, PROJ-VERBATIM, PROJ-EMPTY, PROJ-OFFLOADED (facts: surface §2.1).
    """
    surface = fold(events, format=format)
    if isinstance(surface, Refusal):
        return surface
    shown = (surface.projected.get(seq, _shown(events[seq])) for seq in surface.nodes)
    return tuple(message for message in shown if message is not None)


def transcript(events: Sequence[Json], *, format: Format) -> tuple[Json, ...]:  # noqa: A002 - the word of the specification
    """Return the events of the transcript for people: the appended ones, in log order.

    Source: PROJ-APPEND-ORIGIN (facts: surface §2.3).
    """
    return tuple(
        event
        for event in events
        if isinstance(event, Mapping)
        and event.get("type") in surface_types(format)
        and event.get("surfaceOp") == "append"
    )


def last_message_turn_end(events: Sequence[JsonObject]) -> JsonObject | None:
    """Return the ``turn/end`` of the latest turn that had a step and ended, if there is one.

    Source: facts, surface §2.7 (b).
    """
    has_step, found = False, None
    for event in events:
        match event["type"]:
            case "turn/start":
                has_step = False
            case "step/start":
                has_step = True
            case "turn/end":
                found = event if has_step else found
                has_step = False
    return found


def _shown(event: Json) -> Json:
    """Return the message of an event of a surface type, or nothing where it shows none."""
    match event:
        case {"type": "user/message", "data": data}:
            return data
        case {"type": str(kind), "data": {"message": Mapping() as message}}:
            return message if kind in _ALWAYS_SHOWN or message.get("content") else None
    return None
