"""One event of v3 as one of v4."""

from dsh_reference.admit.slots import is_list
from dsh_reference.migrate.edit import MESSAGES, Wrong, edit_event
from dsh_reference.migrate.v3_to_v4.content import namespaced
from dsh_reference.migrate.v3_to_v4.results import lifted
from dsh_reference.migrate.v3_to_v4.sources import with_producer
from dsh_spec.values import JsonObject, is_object


def converted(event: JsonObject) -> JsonObject | Wrong:
    """Return a known event as v4 has it, but for its references and its seq.

    Payloads are open in v3, so a payload that is no object is left to the target check.

    Source: MIG34-DEFER, and the rules of the functions it asks, in their order
    (facts: migration §4.2).
    """
    if not is_object(event["data"]):
        return event
    if event["type"] == "request/header" and _defers(event):
        return Wrong(rule="MIG34-DEFER", problem="a tool of its header has deferLoading, of v4")
    edited: JsonObject | Wrong = event
    path = MESSAGES.get(event["type"])
    if path is not None:
        edited = edit_event(event, path, with_producer, rule="MIG34-SOURCES")
    if event["type"] == "tool/result" and not isinstance(edited, Wrong):
        edited = edit_event(edited, ("data", "message"), lifted, rule="MIG34-TOOL-LIFT")
    return edited if isinstance(edited, Wrong) else namespaced(edited)


def _defers(event: JsonObject) -> bool:
    match event:
        case {"data": {"header": {"tools": tools}}} if is_list(tools):
            return any(is_object(tool) and "deferLoading" in tool for tool in tools)
    return False
