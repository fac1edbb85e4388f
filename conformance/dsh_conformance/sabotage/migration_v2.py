"""Sabotages of the edge from v2 to v3."""

from collections.abc import Iterator
from typing import Any

from dsh_conformance.sabotage.migration_v1 import unmoved
from dsh_conformance.sabotage.migration_wrap import Log, Raw, Way, refuses, result, takes
from dsh_conformance.tracks.migration.sights import restarts
from dsh_reference.session_log import SessionLog

_SPEAKING = ("user/message", "agent/inbox/spliced", "session/title-llm-request")


def _old(way: Way, *types: str) -> list[Raw]:
    """Return the events of these types in the v2 log, if it was one."""
    events: list[Any] = [] if 2 not in way else [*way[2].events]
    return [event for event in events if event["type"] in types]


def _pairs(log: Log, way: Way, kind: str) -> Iterator[tuple[Raw, Raw]]:
    return zip(_old(way, kind), log.of(kind), strict=False)


def messages(log: Log) -> Iterator[Raw]:
    """Give the messages whose sources may be plugins."""
    for event in log.of("system/message"):
        yield event["data"]["message"]
    for event in log.of(*_SPEAKING):
        data = event["data"]
        yield from data.get("inserted", data.get("messages", [data]))


def _prompts(log: Log, way: Way) -> list[Raw]:
    """Return the system messages that were put in."""
    return log.of("system/message") if 2 in way else []


@result("MIG23-HDR")
def keeps_the_preset(log: Log, way: Way) -> None:
    """The header keeps the old name of the preset."""
    if 2 in way and way[2].header.get("agentPreset") == "code":
        log.header["agentPreset"] = "code"


@result("MIG23-CUT")
def counts_no_insertions(log: Log, way: Way) -> None:
    """The messages that are put in are not counted as inherited."""
    log.inherited = way[2].inherited if 2 in way else log.inherited


@result("MIG23-SYSTEM-INSERT")
def puts_the_head_first(log: Log, way: Way) -> None:
    """The head stands before the first step."""
    for at, event in enumerate(log.events):
        if event["type"] == "system/message" and 2 in way:
            log.events[at - 1 : at + 1] = log.events[at - 1 : at + 1][::-1]
            log.settle()
            return


@result("MIG23-SYSTEM-REPLACE")
def cites_no_head(log: Log, way: Way) -> None:
    """A new prompt does not cite the head that it replaces."""
    for event in _prompts(log, way):
        event.pop("sourceEventSeqs", None)


@result("MIG23-SYSTEM-CLEAR")
def clears_with_an_empty_text(log: Log, way: Way) -> None:
    """A prompt that is taken away leaves an empty text."""
    for event in _prompts(log, way)[1:]:
        message = event["data"]["message"]
        message["content"] = message["content"] or [{"type": "text", "text": ""}]


@result("MIG23-SYSTEM-STRIP")
def keeps_prompts_in_headers(log: Log, way: Way) -> None:
    """A request header keeps its prompt."""
    for old, event in _pairs(log, way, "request/header"):
        if "system" in old["data"]["header"]:
            event["data"]["header"]["system"] = old["data"]["header"]["system"]


@result("MIG23-SYSTEM-SHAPE")
def dates_prompts_by_the_session(log: Log, way: Way) -> None:
    """A message that is put in has no time of its own."""
    for event in _prompts(log, way):
        event["time"] = -1


@result("MIG23-SYSTEM-ID")
def numbers_prompts(log: Log, way: Way) -> None:
    """The id of a message that is put in is made of its seq."""
    for event in _prompts(log, way):
        event["data"]["message"]["id"] = f"v2-to-v3-system-{event['seq']}"


def _of(rule: str, name: str, says: str, like: str = "") -> Any:
    """Carry over what is refused by a rule."""
    return takes(rule, name, says, lambda refusal, _: refusal.rule == rule, like=like)


TAKES_COLLISIONS = _of(
    "MIG23-SYSTEM-COLLIDE",
    "takes-two-messages-of-one-id",
    "A message with the id of one that is put in is carried over.",
)
TAKES_EARLY_MESSAGES = _of(
    "MIG23-SURFACE-EARLY",
    "takes-messages-before-the-head",
    "A message before the first step is carried over.",
    "F18",
)
TAKES_PROMPTS_OUTSIDE = _of(
    "MIG23-PROMPT-OUTSIDE",
    "takes-prompts-outside-steps",
    "A request header that changes the prompt outside a step is carried over.",
)


@result("MIG23-TAIL")
def asks_what_nobody_asked(log: Log, way: Way) -> None:
    """A step that ended without a request is given one."""
    asked, events = True, []
    for event in log.events:
        if event["type"] in ("step/start", "request/header"):
            asked = event["type"] == "request/header"
        if event["type"] == "step/end" and not asked and 2 in way:
            header = {"config": {"provider": "p", "model": "m"}}
            data = {"header": header, "reason": "change"}
            request = {"type": "request/header", "seq": -1, "time": event["time"], "data": data}
            events.append(request)
        events.append(event)
    log.events = events
    log.settle()


@result("MIG23-ENDPOINTS", like="F12")
def keeps_the_old_endpoints(log: Log, way: Way) -> None:
    """A replacement keeps the old names of its ends."""
    for event in log.of("user/message", "assistant/message", "tool/result") if 2 in way else ():
        match event["surfaceOp"]:
            case {"startSeq": start, "endSeq": end}:
                event["surfaceOp"] = {"op": "replace", "start": start, "end": end}


TAKES_SILENCE = _of(
    "MIG23-SURFACEOP-REQUIRED",
    "takes-messages-that-say-nothing",
    "A message that does not say how it enters the surface is carried over.",
)


@result("MIG23-EMPTY-OPT")
def keeps_empty_members(log: Log, way: Way) -> None:
    """A request header keeps its empty tools and defaults."""
    for old, event in _pairs(log, way, "request/header"):
        for key in ("tools", "adapterDefaults"):
            if old["data"]["header"].get(key) in ([], {}):
                event["data"]["header"][key] = old["data"]["header"][key]


@result("MIG23-PTC-TYPES")
def keeps_the_old_dispatches(log: Log, way: Way) -> None:
    """Dispatches of tools keep their old names."""
    for event in log.of("tool/ptc-dispatch*") if 2 in way else ():
        event["type"] = event["type"].replace("ptc", "code")


@result("MIG23-PTC-SOURCE")
def keeps_the_old_plugin(log: Log, way: Way) -> None:
    """The plugin that was renamed counts as one that nobody knows."""
    for message in messages(log) if 2 in way else ():
        if message["source"].get("kind") == "ptc-mode":
            message["source"]["kind"] = "plugin:tools-code-mode"


@result("MIG23-PRESET-EVENT")
def keeps_the_preset_in_events(log: Log, way: Way) -> None:
    """A selection keeps the old name of the preset."""
    for old, event in _pairs(log, way, "agent-preset/selected"):
        event["data"]["agentPreset"] = old["data"]["agentPreset"]


TAKES_ERRORS = _of(
    "MIG23-ERROR-CONSISTENT",
    "takes-errors-of-good-results",
    "A result that is an error and is none is carried over.",
)


@result("MIG23-ATTEMPT")
def empties_attempts(log: Log, way: Way) -> None:
    """What came of nothing is forgotten but for its name."""
    for event in log.of("assistant/attempt") if 2 in way else ():
        event["data"]["stream"] = [{"type": "chunk", "time": 0, "chunk": {"type": "finish"}}]


@result("MIG23-DENSE")
def numbers_no_insertions(log: Log, way: Way) -> None:
    """The head has the seq of the step that it was put in for."""
    late = 0
    for event in log.events if 2 in way else ():
        late += 1 if event["type"] == "system/message" else 0
        event["seq"] -= late


@result("MIG23-REFS")
def leaves_references_of_v_two(log: Log, way: Way) -> None:
    """References keep the seqs that they had in v2."""
    if 2 in way:
        unmoved(log, way[2])


TAKES_FUTURES = _of(
    "MIG23-REFS",
    "takes-references-to-nothing",
    "A reference that names no earlier event is carried over.",
)
TAKES_STRANGERS = _of(
    "MIG23-CLOSED",
    "takes-types-that-nobody-audited",
    "An event of a type that v2 did not have is carried over.",
    "F14",
)
TAKES_ENVELOPES = _of(
    "MIG23-ENVELOPE",
    "takes-keys-beside-the-envelope",
    "An event with a key that no envelope has is carried over.",
)
TAKES_PAYLOADS = _of(
    "MIG23-PAYLOAD",
    "takes-odd-payloads-of-v-two",
    "A v2 payload that is not exactly its type's is carried over.",
    "F17",
)
TAKES_CONTENT = _of(
    "MIG23-CONTENT",
    "takes-blocks-of-any-kind",
    "A content block of an unknown kind is carried over.",
)
TAKES_SOURCES = _of(
    "MIG23-SOURCES",
    "takes-sources-of-any-kind",
    "A source of a kind that v2 did not have is carried over.",
    "F19",
)
TAKES_REPAIRS = _of(
    "MIG23-NOT-STARTED",
    "takes-repairs-of-any-name",
    "The result of a call that never started is carried over under any id.",
)
TAKES_DELIVERIES = _of(
    "MIG23-DELIVERY",
    "takes-deliveries-of-the-next-format",
    "A delivery that claims format v3 is carried over.",
)


@refuses("MIG23-NO-RESTART")
def mends_no_restarts(log: SessionLog) -> bool:
    """A v2 log in which a turn begins over an open one is refused."""
    return log.header["version"] == 2 and restarts(log)
