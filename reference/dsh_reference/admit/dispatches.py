"""Tool calls that a program of the model's makes: a tree of dispatches under one call."""

from dsh_reference.admit.log import Broken, Log, broken
from dsh_reference.values import equal
from dsh_spec.events import Event, ToolPtcDispatch, ToolPtcDispatchStart


def check_dispatches(log: Log) -> Broken | None:
    """Hold every dispatch to its parent, and its end to its start.

    Source: REL-PTC (facts: events §9).
    """
    starts: dict[str, ToolPtcDispatchStart] = {}
    unsettled: set[str] = set()
    for entry in log.entries:
        event, wrong = entry.event, None
        match event.data:
            case ToolPtcDispatchStart() as start:
                wrong = _check_start(event, start, starts)
                starts[start.sub_call_id] = start
                unsettled.add(start.sub_call_id)
            case ToolPtcDispatch(sub_call_id=call) if call not in unsettled:
                wrong = broken(event, "REL-PTC", f"no dispatch {call!r} is open")
            case ToolPtcDispatch(sub_call_id=call) as end:
                unsettled.discard(call)
                if not _settles(end, starts[call]):
                    wrong = broken(event, "REL-PTC", f"it differs from the start of {call!r}")
        if wrong is not None:
            return wrong
    return None


def _check_start(
    event: Event, start: ToolPtcDispatchStart, starts: dict[str, ToolPtcDispatchStart]
) -> Broken | None:
    if start.sub_call_id in starts:
        return broken(event, "REL-PTC", f"dispatch {start.sub_call_id!r} was started already")
    parent = starts.get(start.parent_call_id)
    is_root = start.parent_call_id == start.root_call_id
    if not is_root and (parent is None or parent.root_call_id != start.root_call_id):
        return broken(event, "REL-PTC", "its parent does not belong to its root")
    return None


def _settles(end: ToolPtcDispatch, start: ToolPtcDispatchStart) -> bool:
    same = (end.root_call_id, end.parent_call_id, end.name) == (
        start.root_call_id,
        start.parent_call_id,
        start.name,
    )
    return same and equal(end.arguments, start.arguments)
