"""Breaches of developer messages and of the tool changes that they announce."""

from typing import Any

from dsh_conformance.generate.breaches.breach import (
    Breach,
    developer,
    message,
    surface,
)
from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.voice import text


def _develop(state: State, *content: Raw, **members: Any) -> Raw | None:
    if not state.step_open or state.calls:
        return None
    return surface(state, "developer/message", developer(state, *content, **members))


def _added(state: State, **members: Any) -> Raw | None:
    """A developer message that adds the first tool of the last header that declares any."""
    declaring = state.declaring
    if declaring is None:
        return None
    name = declaring["data"]["header"]["tools"][0]["name"]
    block = {"type": "tool-addition", "toolName": name, **members}
    return _develop(state, block, headerSeq=declaring["seq"])


def _uncited_header(state: State) -> Raw | None:
    event = _added(state)
    if event is not None:
        del event["data"]["headerSeq"]
    return event


def _cited_other(state: State) -> Raw | None:
    event = _added(state)
    if event is not None:
        event["data"]["headerSeq"] -= 1
    return event if event is None or event["data"]["headerSeq"] >= 0 else None


def _undeclared_tool(state: State) -> Raw | None:
    return _added(state, toolName="undeclared")


def _inline_tool(state: State) -> Raw | None:
    return _added(state, tool={})


def _idle_citation(state: State) -> Raw | None:
    if state.declaring is None:
        return None
    return _develop(state, text("a"), headerSeq=state.declaring["seq"])


def _nameless_removal(state: State) -> Raw | None:
    return _develop(state, {"type": "tool-removal", "toolName": ""})


def _developer_as_user(state: State) -> Raw | None:
    event = _develop(state, text("a"))
    if event is not None:
        event["data"]["message"] = message(state, "user", "tool-registry")
    return event


def _developer_from_plugin(state: State) -> Raw | None:
    event = _develop(state, text("a"))
    if event is not None:
        event["data"]["message"]["source"] = {"kind": "plugin", "plugin": "acme"}
    return event


BREACHES = (
    Breach("DEV-HEADERSEQ-IFF", "tool added without a header", _uncited_header, noticed="append"),
    Breach("DEV-HEADER-REF", "tool added from what is no header", _cited_other),
    Breach("DEV-HEADER-TOOL", "tool added that is not declared", _undeclared_tool),
    Breach("DEV-NO-INLINE", "tool added inline", _inline_tool, noticed="append"),
    Breach("DEV-HEADERSEQ-IFF", "header cited for nothing", _idle_citation, noticed="append"),
    Breach("DEV-TOOLNAME", "nameless tool removed", _nameless_removal, noticed="append"),
    Breach("DEV-ROLE", "developer message as user", _developer_as_user, noticed="append"),
    Breach(
        "SRC-V4-NO-PLUGIN",
        "developer message from a plugin",
        _developer_from_plugin,
        noticed="append",
    ),
)
