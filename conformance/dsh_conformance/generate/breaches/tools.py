"""Breaches between the advertisement of a tool call, its start, its result and its sub-calls."""

from typing import Any

from dsh_conformance.generate.breaches.breach import (
    Breach,
    calling,
    event,
    here,
    result,
    surface,
)
from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.voice import text
from dsh_spec.texts import INTERRUPTED_NOT_STARTED, NOT_STARTED

#: A call id that no generated session uses.
_NOBODY = "nobody"


def _advertised_twice(state: State) -> Raw | None:
    if not state.calls:
        return None
    return surface(state, "assistant/message", calling(state, state.calls[0].id))


def _call(state: State, **other: Any) -> Raw | None:
    if not state.unstarted:
        return None
    call = state.unstarted[0]
    mine = {"callId": call.id, "name": call.name, "arguments": call.arguments}
    return event(state, "tool/call", here(state, **{**mine, **other}))


def _call_unknown(state: State) -> Raw | None:
    if not state.step_open:
        return None
    data = here(state, callId=_NOBODY, name="read", arguments="{}")
    return event(state, "tool/call", data)


def _call_other_arguments(state: State) -> Raw | None:
    return _call(state, arguments="other")


def _call_other_name(state: State) -> Raw | None:
    return _call(state, name="other")


def _call_twice(state: State) -> Raw | None:
    if not state.running:
        return None
    call = state.running[0]
    data = here(state, callId=call.id, name=call.name, arguments=call.arguments)
    return event(state, "tool/call", data)


def _result_unknown(state: State) -> Raw | None:
    return surface(state, "tool/result", result(state, _NOBODY)) if state.step_open else None


def _result_unstarted(state: State) -> Raw | None:
    if not state.unstarted:
        return None
    return surface(state, "tool/result", result(state, state.unstarted[0].id))


def _repair(state: State, cause: str, number: int, **members: Any) -> Raw | None:
    """Return the repair of a call that never started, or something close to it."""
    if not state.unstarted:
        return None
    call = state.unstarted[0]
    content = [text(INTERRUPTED_NOT_STARTED)]
    said = {"id": f"{cause}-tool-result-{call.id}-{number}", "isError": True, "content": content}
    error = {"name": NOT_STARTED.name, "code": NOT_STARTED.code}
    return {**result(state, call.id, **{**said, **members}), "error": error}


def _repair_other_words(state: State) -> Raw | None:
    data = _repair(state, "interrupted", state.seq, content=[text("a")])
    return surface(state, "tool/result", data) if data else None


def _repair_with_sources(state: State) -> Raw | None:
    data = _repair(state, "interrupted", state.seq)
    return surface(state, "tool/result", data, sourceEventSeqs=[0]) if data else None


def _repair_odd_id(state: State) -> Raw | None:
    data = _repair(state, "interrupted", state.seq, id=f"m{state.seq}")
    return surface(state, "tool/result", data) if data else None


def _forked_other_seq(state: State) -> Raw | None:
    data = _repair(state, "forked", state.seq + 1)
    return surface(state, "tool/result", data) if data else None


def _forked_with_sources(state: State) -> Raw | None:
    data = _repair(state, "forked", state.seq)
    return surface(state, "tool/result", data, sourceEventSeqs=[0]) if data else None


def _dispatch(state: State, **members: Any) -> Raw | None:
    if not state.running:
        return None
    root = state.running[0].id
    data = {"rootCallId": root, "parentCallId": root, "subCallId": f"{root}:ptc:{state.seq}"}
    return {**data, "name": "read", "arguments": {}, **members}


def _dispatch_twice(state: State) -> Raw | None:
    if not state.dispatches:
        return None
    return event(state, "tool/ptc-dispatch-start", state.dispatches[0])


def _dispatch_of_stranger(state: State) -> Raw | None:
    data = _dispatch(state, parentCallId=_NOBODY)
    return event(state, "tool/ptc-dispatch-start", data) if data else None


def _settled_unknown(state: State) -> Raw | None:
    data = _dispatch(state, isError=False, content=[])
    return event(state, "tool/ptc-dispatch", data) if data else None


def _settled_other_arguments(state: State) -> Raw | None:
    if not state.dispatches:
        return None
    data = {**state.dispatches[0], "arguments": ["other"], "isError": False, "content": []}
    return event(state, "tool/ptc-dispatch", data)


BREACHES = (
    Breach("REL-TOOL-ADVERTISE", "open call is advertised again", _advertised_twice),
    Breach("REL-TOOL-CALL", "call that nobody advertised", _call_unknown),
    Breach("REL-TOOL-CALL", "call with other arguments", _call_other_arguments),
    Breach("REL-TOOL-CALL", "call of another tool", _call_other_name),
    Breach("REL-TOOL-CALL", "call starts twice", _call_twice),
    Breach("REL-TOOL-RESULT", "result of an unknown call", _result_unknown),
    Breach("REL-TOOL-NOTSTARTED", "result of a call that never started", _result_unstarted),
    Breach("REL-TOOL-NOTSTARTED", "repair in other words", _repair_other_words),
    Breach("REL-TOOL-NOTSTARTED", "repair with sources", _repair_with_sources),
    Breach("REL-TOOL-NOTSTARTED", "repair under another id", _repair_odd_id),
    Breach("FORK-RESULT", "forked repair names another seq", _forked_other_seq, noticed="append"),
    Breach("FORK-RESULT", "forked repair with sources", _forked_with_sources, noticed="append"),
    Breach("REL-PTC", "sub-call starts twice", _dispatch_twice),
    Breach("REL-PTC", "sub-call of an unknown parent", _dispatch_of_stranger),
    Breach("REL-PTC", "sub-call settles that never started", _settled_unknown),
    Breach("REL-PTC", "sub-call settles with other arguments", _settled_other_arguments),
)
