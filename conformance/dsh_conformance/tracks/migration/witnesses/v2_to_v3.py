"""What shows the rules of the edge from v2 to v3.

Source: facts migration §3.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from dsh_conformance.tracks.migration.sights import (
    Part,
    always,
    data_of,
    has,
    holds,
    inherits,
    marked,
    refers,
    replaces,
    restarts,
    sourced,
)
from dsh_conformance.tracks.migration.witness import Witness, picks, shown_in
from dsh_conformance.tracks.migration.witnesses.v1_to_v2 import REFERENCES
from dsh_reference.session_log import SessionLog

_v2 = shown_in(2)

#: Where messages stand whose sources may be plugins, and their sources.
SPEAKERS = "user/message system/message agent/inbox/spliced session/title-llm-request"
SOURCES = ("data.source", "data.message.source", "data.inserted.*.source", "data.messages.*.source")


def _prompts(log: SessionLog) -> Iterator[str]:
    """Give the prompt of each request in turn, from none on."""
    yield ""
    for data in data_of(log, "request/header"):
        text = data["header"].get("system")
        yield text if isinstance(text, str) else ""


def _prompted(log: SessionLog) -> bool:
    return any(before != after for before, after in pairwise(_prompts(log)))


def _cleared(log: SessionLog) -> bool:
    return any(before and not after for before, after in pairwise(_prompts(log)))


def _asks_nothing(log: SessionLog) -> bool:
    """Say whether a step ends without a request."""
    asked = True
    for event in log.events:
        match event["type"]:
            case "step/start":
                asked = False
            case "request/header":
                asked = True
            case "step/end" if not asked:
                return True
    return False


def _has_empty(data: Part) -> bool:
    header: Part = data["header"]
    return header.get("tools") == [] or header.get("adapterDefaults") == {}


def _never_started(data: Part) -> bool:
    error = data.get("error")
    return isinstance(error, Mapping) and error.get("code") == "TOOL_NOT_STARTED"


#: What is only accepted.
ACCEPTED: tuple[Witness, ...] = (
    _v2("CAT-V2-FEEDBACK", has("feedback/message-*"), "accepted"),
    _v2("MIG23-NO-RESTART", restarts, "accepted"),
)

WITNESSES: tuple[Witness, ...] = (
    _v2("MIG23-DENSE", has("step/start"), "dense"),
    _v2("MIG23-CUT", inherits(has("step/start")), "cut"),
    _v2("MIG23-TAIL", _asks_nothing, picks("request/header step/end turn/end", "type", "time")),
    _v2(
        "MIG23-SYSTEM-CLEAR",
        _cleared,
        picks("system/message", "data.message.content"),
    ),
    _v2("MIG23-SYSTEM-ID", has("step/start"), picks("system/message", "data.message.id")),
    _v2(
        "MIG23-SYSTEM-REPLACE",
        _prompted,
        picks("system/message request/header", "type", "surfaceOp", "sourceEventSeqs"),
    ),
    _v2(
        "MIG23-SYSTEM-INSERT",
        has("step/start"),
        picks("step/start system/message", "type", "seq", "surfaceOp"),
    ),
    _v2(
        "MIG23-SYSTEM-SHAPE",
        has("step/start"),
        picks("system/message", "time", "data"),
    ),
    _v2(
        "MIG23-SYSTEM-STRIP",
        has("request/header"),
        picks("request/header", "data.header.system", "data.reason", "data.startsSeries"),
    ),
    _v2(
        "MIG23-EMPTY-OPT",
        holds(_has_empty, "request/header"),
        picks("request/header", "data.header"),
    ),
    _v2(
        "MIG23-ENDPOINTS",
        replaces,
        picks("user/message assistant/message tool/result", "surfaceOp"),
    ),
    _v2(
        "MIG23-PTC-TYPES",
        has("tool/code-dispatch*"),
        picks("tool/ptc-dispatch* tool/code-dispatch*", "type", "data"),
    ),
    _v2(
        "MIG23-PTC-SOURCE",
        sourced(lambda source: source.get("plugin") == "tools-code-mode"),
        picks(SPEAKERS, *SOURCES),
    ),
    _v2(
        "MIG23-PRESET-EVENT",
        holds(lambda data: data["agentPreset"] == "code", "agent-preset/selected"),
        picks("agent-preset/selected", "data"),
    ),
    _v2(
        "MIG23-NOT-STARTED",
        holds(_never_started, "tool/result"),
        picks("tool/result", "data.error", "data.message.id"),
    ),
    _v2("MIG23-ATTEMPT", has("assistant/attempt"), picks("assistant/attempt", "time", "data")),
    _v2("MIG23-REFS", refers, picks("*", *REFERENCES)),
    _v2(
        "MIG23-DELIVERY",
        marked(lambda event: bool(event["data"]), "session-log-deepseek/delivery-accepted"),
        picks("session-log-deepseek/delivery-accepted", "data"),
    ),
    _v2("MIG23-HDR", always, "header"),
)
