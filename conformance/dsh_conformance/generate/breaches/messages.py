"""Breaches of what messages are made of: roles, sources, blocks, ids and tool changes."""

from typing import Any

from dsh_conformance.generate.breaches.breach import (
    Breach,
    assistant,
    result,
    surface,
    system,
    user,
)
from dsh_conformance.generate.state import Raw, State

_WRAPPED = {"type": "tool-result", "toolCallId": "c1", "content": []}
_REMOVAL = {"type": "tool-removal", "toolName": "read"}


def _user(state: State, **members: Any) -> Raw:
    return surface(state, "user/message", user(state, **members))


def _user_as_assistant(state: State) -> Raw | None:
    return _user(state, role="assistant")


def _user_as_developer(state: State) -> Raw | None:
    return _user(state, role="developer")


def _plugin_source(state: State) -> Raw | None:
    return _user(state, source={"kind": "plugin", "plugin": "acme"})


def _no_source_kind(state: State) -> Raw | None:
    return _user(state, source={})


def _wrapped_result(state: State) -> Raw | None:
    """The result block of formats v0 to v3."""
    return _user(state, content=[_WRAPPED])


def _user_removes_tool(state: State) -> Raw | None:
    return _user(state, content=[_REMOVAL])


def _empty_id(state: State) -> Raw | None:
    return _user(state, id="")


def _content_text(state: State) -> Raw | None:
    return _user(state, content="a")


def _assistant(state: State, **members: Any) -> Raw | None:
    if not state.step_open or state.calls:
        return None
    return surface(state, "assistant/message", assistant(state, **members))


def _assistant_from_user(state: State) -> Raw | None:
    return _assistant(state, source={"kind": "user"})


def _assistant_of_nobody(state: State) -> Raw | None:
    return _assistant(state, source={"kind": "model", "provider": "", "model": "m"})


def _assistant_as_user(state: State) -> Raw | None:
    return _assistant(state, role="user")


def _assistant_wraps(state: State) -> Raw | None:
    return _assistant(state, content=[_WRAPPED])


def _no_stream(state: State) -> Raw | None:
    event = _assistant(state)
    if event is not None:
        del event["data"]["stream"]
    return event


def _system(state: State, **members: Any) -> Raw | None:
    if not state.step_open or (state.nodes and state.head is None):
        return None
    return surface(state, "system/message", system(state, **members))


def _system_of_user(state: State) -> Raw | None:
    return _system(state, source={"kind": "user"})


def _system_as_user(state: State) -> Raw | None:
    return _system(state, role="user")


def _system_wraps(state: State) -> Raw | None:
    return _system(state, content=[_WRAPPED])


def _system_wordless(state: State) -> Raw | None:
    return _system(state, content=[{"type": "text"}])


def _result(state: State, **members: Any) -> Raw | None:
    if not state.running:
        return None
    return surface(state, "tool/result", result(state, state.running[0].id, **members))


def _result_as_user(state: State) -> Raw | None:
    return _result(state, role="user")


def _result_two_ids(state: State) -> Raw | None:
    return _result(state, source={"kind": "tool", "callId": "other"})


def _result_wraps(state: State) -> Raw | None:
    return _result(state, content=[_WRAPPED])


def _good_error(state: State) -> Raw | None:
    event = _result(state, isError=False)
    if event is not None:
        event["data"]["error"] = {"name": "E", "code": "E"}
    return event


def _silent_error(state: State) -> Raw | None:
    event = _result(state)
    if event is not None:
        event["data"]["error"] = {"name": "E", "code": "E"}
    return event


def _result_nameless(state: State) -> Raw | None:
    """An empty call id (F09)."""
    return _result(state, source={"kind": "tool", "callId": ""}, toolCallId="")


BREACHES = (
    Breach("MSG-ROLES", "user message as assistant", _user_as_assistant),
    Breach("DEV-ROLE", "user message as developer", _user_as_developer, noticed="append"),
    Breach("SRC-V4-NO-PLUGIN", "source kind plugin", _plugin_source, noticed="append"),
    Breach("MSG-FIELDS", "source without a kind", _no_source_kind),
    Breach("BLOCK-V4-RETIRED", "result block in a user message", _wrapped_result, noticed="append"),
    Breach("DEV-BLOCKS", "user message removes a tool", _user_removes_tool, noticed="append"),
    Breach("MSG-FIELDS", "empty message id", _empty_id),
    Breach("MSG-FIELDS", "content is text", _content_text),
    Breach("SRC-ASSISTANT", "assistant message from a user", _assistant_from_user),
    Breach("SRC-ASSISTANT", "assistant message of no provider", _assistant_of_nobody),
    Breach("MSG-ROLES", "assistant message as user", _assistant_as_user),
    Breach(
        "BLOCK-V4-RETIRED",
        "result block in an assistant message",
        _assistant_wraps,
        noticed="append",
    ),
    Breach(
        "PL-ASSISTANT-STREAM", "assistant message without stream", _no_stream, noticed="session"
    ),
    Breach("SRC-SYSTEM", "system message from a user", _system_of_user),
    Breach("MSG-ROLES", "system message as user", _system_as_user, noticed="append"),
    Breach("BLOCK-V4-RETIRED", "result block in a system message", _system_wraps, noticed="append"),
    Breach(
        "PL-SYSTEM-MESSAGE",
        "text block without text in a system message",
        _system_wordless,
        noticed="append",
    ),
    Breach("MSG-ROLES", "result as user message", _result_as_user, noticed="append"),
    Breach("TOOLMSG-V4", "result with two call ids", _result_two_ids, noticed="append"),
    Breach("BLOCK-V4-RETIRED", "result block in a result", _result_wraps, noticed="append"),
    Breach("PL-RESULT-ERROR-CONSISTENT", "error of a good result", _good_error, noticed="append"),
    Breach(
        "PL-RESULT-ERROR-CONSISTENT",
        "error of a result that says nothing",
        _silent_error,
        noticed="append",
    ),
    Breach("SRC-TOOL", "result with an empty call id", _result_nameless, noticed="append"),
)
