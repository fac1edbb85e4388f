"""Sabotages of the migration: what every edge obeys."""

from typing import Any

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.implementation.port import PureMethod
from dsh_conformance.sabotage.migration_wrap import (
    Log,
    Raw,
    Way,
    answers,
    begins,
    given,
    log_of,
    mends,
    refusal_of,
    refuses,
    result,
    takes,
    thawed,
)
from dsh_conformance.sabotage.port_wrap import Answer
from dsh_conformance.tracks.migration.history import NEWEST
from dsh_conformance.tracks.migration.sights import open_at_end, restarts
from dsh_reference.migrate import v0_to_v1, v1_to_v2, v2_to_v3, v3_to_v4
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.values import dump
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject


@result("MIG-ADJACENT")
def stops_where_nothing_is_to_do(log: Log, way: Way) -> None:
    """A log on whose events the last edge has nothing to do keeps the version before."""
    if log.events == list(way[NEWEST - 1].events):
        log.header["version"] = NEWEST - 1


@answers("MIG-NEWER", like="F20")
def reads_newer_logs(params: JsonObject, right: PureMethod) -> Json:
    """A log of a format to come is read as one of the newest format."""
    header: Any = params["header"]
    if (
        isinstance(header, dict)
        and type(header.get("version")) is int
        and header["version"] > NEWEST
    ):
        return {**given(thawed(log_of(params))), "header": {**header, "version": NEWEST}}
    return right(params)


@answers("MIG-NEWER", like="F20")
def calls_newer_logs_corrupt(params: JsonObject, right: PureMethod) -> Json:
    """A log of a format to come is called corrupt."""
    try:
        return right(params)
    except Refuse as refusal:
        if refusal.kind != RefusalKind.UNSUPPORTED_FORMAT:
            raise
        raise Refuse(RefusalKind.CORRUPT, str(refusal)) from None


@answers("MIG-VERSION-PROBE")
def takes_any_version_for_the_first(params: JsonObject, right: PureMethod) -> Json:
    """A log whose version is no number is taken for one of v0."""
    header: Any = params["header"]
    if isinstance(header, dict) and type(header.get("version")) is not int:
        return right({**params, "header": {**header, "version": 0}})
    return right(params)


@result("MIG-HEADER-ONLY")
def takes_the_preset_from_the_events(log: Log, _way: Way) -> None:
    """The header names the preset that the events selected last."""
    for event in log.of("agent-preset/selected"):
        log.header["agentPreset"] = event["data"]["agentPreset"]


@mends("MIG-HEADER-CHECK")
def mends_headers(log: Log, refusal: Refusal) -> bool:
    """A header that is none is brought into shape."""
    basis = {"id": "s", "createdAt": 0, "isSeeded": False, "delegationDepth": 0}
    version = log.header.get("version")
    log.header = {**basis, "version": version}
    log.inherited = 0
    return refusal.where == "header" and type(version) is int and 0 <= version <= NEWEST


@result("MIG-CUT")
def adds_the_marker_to_the_prefix(log: Log, _way: Way) -> None:
    """The marker is counted among the inherited events."""
    log.inherited += 1 if log.header["isSeeded"] else 0


@answers("MIG-SOURCE-KIND")
def judges_no_payloads_of_stored_chunks(params: JsonObject, right: PureMethod) -> Json:
    """The payloads of a stored v1 log are not judged before the next edge."""
    log = log_of(params)
    if refusal_of(params) is None or log.header.get("version") != 1:
        return right(params)
    moved = v1_to_v2(log, decoded=False)
    if isinstance(moved, Refusal):
        return right(params)
    return right({**params, **given(thawed(moved))})


@answers("MIG-WRAP")
def calls_the_unsupported_corrupt(params: JsonObject, right: PureMethod) -> Json:
    """A log that has no migration is called corrupt."""
    try:
        return right(params)
    except Refuse as refusal:
        if refusal.kind != RefusalKind.UNSUPPORTED_MIGRATION:
            raise
        raise Refuse(RefusalKind.CORRUPT, str(refusal)) from None


@answers("MIG-TARGET-CHECK", like="F08")
def checks_no_target(params: JsonObject, right: PureMethod) -> Json:
    """Nobody holds the result to the rules between events."""
    refusal = refusal_of(params)
    if refusal is None or "of the v4 log" not in refusal.where:
        return right(params)
    log: SessionLog | Refusal = log_of(params)
    edges: dict[int, Any] = {
        0: v0_to_v1,
        1: lambda log: v1_to_v2(log, decoded=False),
        2: v2_to_v3,
        3: lambda log: v3_to_v4(log, children=()),
    }
    assert isinstance(log, SessionLog)
    version: Any = log.header["version"]
    for at in range(version, NEWEST):
        log = edges[at](log)
        assert isinstance(log, SessionLog)
    return given(thawed(log))


@answers("MIG-NO-PARTIAL")
def gives_what_it_has(params: JsonObject, right: PureMethod) -> Json:
    """A log that is refused at its last event comes out without it."""
    log = log_of(params)
    shorter = {**params, "events": list(log.events[:-1])}
    if refusal_of(params) is None or not log.events or refusal_of(shorter) is not None:
        return right(params)
    return right(shorter)


@answers("MIG-IDENTITY-CURRENT")
def lists_the_children_of_current_logs(params: JsonObject, right: PureMethod) -> Json:
    """Children that a log of the newest format does not list are added to it."""
    log = log_of(params)
    children: Any = params.get("children")
    found = right(params)
    if log.header["version"] != NEWEST or not children:
        return found
    changed = thawed(log)
    data = {"version": 1, "childId": "kid", "childCreatedAt": 5, "mode": "unknown"}
    event = {"type": "subagent/catalog", "seq": len(log.events), "time": 0, "data": data}
    changed.events.append(event)
    return given(changed)


@begins("MIG-PURE")
def migrates_a_log_once() -> Answer:
    """A log that was migrated before is refused."""
    seen: set[str] = set()

    def answer(params: JsonObject, right: PureMethod) -> Json:
        found, key = right(params), dump(params)
        if key in seen:
            raise Refuse(RefusalKind.ALREADY_EXISTS, "it was migrated before")
        seen.add(key)
        return found

    return answer


@result("MIG-COMPOSE")
def unmarks_what_it_knows(log: Log, _way: Way) -> None:
    """Events of types that are known are no longer marked as ignorable."""
    for event in log.events:
        if not event["type"].startswith("plugin:"):
            event.pop("ignorable", None)


@result("MIG-CUMULATIVE-SEQ")
def follows_the_seq_in_ids(log: Log, _way: Way) -> None:
    """The id of an interrupted result is given the seq that the event has now."""
    for event in log.of("tool/result"):
        message = event["data"]["message"]
        front, dash, _ = message["id"].rpartition("-")
        if front.startswith("interrupted-tool-result-"):
            message["id"] = f"{front}{dash}{event['seq'] + 1000}"


@result("MIG-KEEP-DERIVED")
def trims_texts(log: Log, _way: Way) -> None:
    """Text that is empty or ends in white space is cut short."""
    for block in _texts(log):
        block["text"] = block["text"].rstrip() or "(empty)"


def _texts(log: Log) -> list[Raw]:
    messages: list[Raw] = [event["data"] for event in log.of("user/message")]
    messages += [event["data"]["message"] for event in log.of("assistant/message", "tool/result")]
    blocks = [block for message in messages for block in message["content"]]
    return [block for block in blocks if block["type"] == "text"]


@result("MIG-KEEP-USAGE")
def fills_in_totals(log: Log, _way: Way) -> None:
    """Token counts are given a total."""
    for event in log.of("assistant/message"):
        if isinstance(event["data"].get("usage"), dict):
            event["data"]["usage"]["totalTokens"] = 0


@result("MIG-KEEP-PROVIDER")
def forgets_replay_states(log: Log, _way: Way) -> None:
    """The replay state of an answer is lost."""
    for event in log.of("assistant/message"):
        event["data"]["message"]["source"].pop("replayState", None)


@result("MIG-KEEP-TIME", like="F27")
def lets_no_time_go_back(log: Log, _way: Way) -> None:
    """A time before that of the last event is raised to it."""
    for before, event in zip(log.events, log.events[1:], strict=False):
        event["time"] = max(before["time"], event["time"])


@refuses("MIG-OPEN-TAIL", like="F08")
def refuses_open_ends(log: SessionLog) -> bool:
    """A log that ends within a turn is refused."""
    return open_at_end(log)


MENDS_OPEN_TAILS = takes(
    "MIG-OPEN-TAIL",
    "takes-unbalanced-logs",
    "A turn or a step that has no place where it stands is carried over.",
    lambda refusal, _: refusal.rule in ("REL-TURN", "REL-STEP"),
    like="F08",
)


@result("MIG-BEFORE-REPAIR", like="F01")
def closes_open_turns(log: Log, _way: Way) -> None:
    """A turn that is open at the end is closed as interrupted."""
    turns = log.of("turn/*")
    if turns and turns[-1]["type"] == "turn/start":
        turn, time = turns[-1]["data"]["turn"], log.events[-1]["time"]
        data = {"turn": turn, "reason": {"kind": "interrupted"}}
        log.events.append({"type": "turn/end", "seq": len(log.events), "time": time, "data": data})


@refuses("MIG-RETRY-AFTER-STEP")
def refuses_late_retries(log: SessionLog) -> bool:
    """A log with a retry behind the end of its step is refused."""
    stepping = False
    for event in log.events:
        if event["type"] in ("step/start", "step/end"):
            stepping = event["type"] == "step/start"
        elif event["type"] == "llm/retry" and not stepping:
            return True
    return False


@result("MIG-TITLE-TEXT")
def quotes_titles(log: Log, _way: Way) -> None:
    """The text of a title request is put in other words."""
    for event in log.of("session/title-llm-request"):
        for message in event["data"]["messages"]:
            for block in message["content"]:
                if "text" in block:
                    block["text"] += "."


@refuses("MIG01-RELATIONS-LATE")
def judges_early(log: SessionLog) -> bool:
    """A log of v0 or v1 in which a turn begins over an open one is refused at once."""
    return log.header["version"] in (0, 1) and restarts(log)
