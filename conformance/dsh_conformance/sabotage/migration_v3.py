"""Sabotages of the edge from v3 to v4."""

from typing import Any, Final

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.implementation.port import PureMethod
from dsh_conformance.sabotage.migration_v0 import invented
from dsh_conformance.sabotage.migration_v1 import unmoved
from dsh_conformance.sabotage.migration_v2 import messages
from dsh_conformance.sabotage.migration_wrap import (
    Log,
    Way,
    answers,
    children_of,
    given,
    log_of,
    refusal_of,
    refuses,
    result,
    takes,
    thawed,
    way_of,
)
from dsh_conformance.tracks.migration.history import NEWEST
from dsh_conformance.tracks.migration.sights import restarts
from dsh_reference.session_log import SessionLog
from dsh_spec.events import event_types
from dsh_spec.values import Json, JsonObject

_KNOWN: Final = frozenset({"text", "reasoning", "image", "file", "tool-call", "tool-result"})
_CATALOG: Final = "subagent/catalog"
_TYPES: Final = frozenset(event_types(3))


@result("MIG34-HDR")
def invents_a_directory_in_v_three(log: Log, way: Way) -> None:
    """The header of a v3 log that has no directory is given one."""
    invented(log, way, 3)


@answers("MIG34-CHILDREN-REQUIRED")
def takes_silence_for_no_children(params: JsonObject, right: PureMethod) -> Json:
    """Where nobody looked for children there are none."""
    return right({"children": [], **params})


@result("MIG34-CUT")
def counts_no_inserted_ends(log: Log, way: Way) -> None:
    """Ends of turns that are put in are not counted as inherited."""
    log.inherited = way[3].inherited if 3 in way else log.inherited


@result("MIG34-DENSE-IN")
def numbers_no_inserted_ends(log: Log, way: Way) -> None:
    """The end of a turn that is put in has the seq of the event before it."""
    late = 0
    for before, event in zip(log.events, log.events[1:], strict=False):
        inserted = before["type"] == "agent/inbox/spliced" and event["type"] == "turn/end"
        late += 1 if inserted and 3 in way and restarts(way[3]) else 0
        event["seq"] -= late


@result("MIG34-RESTART")
def says_aborted_of_restarts(log: Log, way: Way) -> None:
    """A turn that a restart left open is ended as aborted."""
    for before, event in zip(log.events, log.events[1:], strict=False):
        inserted = before["type"] == "agent/inbox/spliced" and event["type"] == "turn/end"
        if inserted and 3 in way and restarts(way[3]):
            event["data"]["reason"] = {"kind": "aborted", "reason": {"kind": "legacy"}}


def _of(rule: str, name: str, says: str, like: str = "") -> Any:
    """Carry over what is refused by a rule."""
    return takes(rule, name, says, lambda refusal, _: refusal.rule == rule, like=like)


TAKES_STRANGERS = takes(
    "MIG34-VOCAB",
    "takes-required-strangers",
    "A required event of a type that v3 did not have is carried over.",
    lambda _, event: event["type"] not in _TYPES,
    like="F14",
)


@result("MIG34-OPAQUE", like="F15")
def gives_strangers_their_name_back(log: Log, way: Way) -> None:
    """An event that is not known keeps its type."""
    for event in log.of("plugin:*") if 3 in way else ():
        event["type"] = event["type"].removeprefix("plugin:") or "plugin"


@result("MIG34-SOURCES", like="F19")
def keeps_the_plugin(log: Log, _way: Way) -> None:
    """A source that is named after its producer goes on naming a plugin."""
    for message in messages(log):
        source = message.get("source")
        if isinstance(source, dict) and source.get("kind") not in ("user", "model", "tool"):
            source["plugin"] = "plugin"


@result("MIG34-KINDS", like="F19")
def knows_no_plugin(log: Log, _way: Way) -> None:
    """Every plugin counts as one that nobody knows."""
    known = ("system-prompt", "time-context", "ptc-mode", "compact-basic", "tool-jobs", "schedule")
    for message in messages(log):
        source = message.get("source")
        if isinstance(source, dict) and source.get("kind") in known:
            source["kind"] = f"plugin:{source['kind']}"


@result("MIG34-TOOL-LIFT", like="F08")
def leaves_results_to_the_user(log: Log, _way: Way) -> None:
    """A result stays in the role of the user."""
    for event in log.of("tool/result"):
        event["data"]["message"]["role"] = "user"


@result("MIG34-CONTENT")
def marks_no_blocks(log: Log, _way: Way) -> None:
    """A block that is not known keeps its type."""
    contents = [message.get("content", []) for message in messages(log)]
    contents += [
        e["data"]["message"]["content"] for e in log.of("assistant/message", "tool/result")
    ]
    contents += [event["data"]["summary"] for event in log.of("compaction/summary")]
    for content in contents:
        for block in content:
            block["type"] = block["type"].removeprefix("plugin:")


TAKES_DEFERRED = _of(
    "MIG34-DEFER",
    "takes-tools-that-load-later",
    "A tool with a member that only v4 has is carried over.",
)


@result("MIG34-REFS")
def leaves_references_of_v_three(log: Log, way: Way) -> None:
    """References keep the seqs that they had in v3."""
    if 3 in way and restarts(way[3]):
        unmoved(log, way[3])


TAKES_DELIVERIES = _of(
    "MIG34-DELIVERY",
    "takes-deliveries-of-the-newest-format",
    "A delivery that claims format v4 is carried over.",
)


@refuses("MIG34-DESCRIPTOR")
def refuses_strange_descriptors(log: SessionLog) -> bool:
    """A v3 log with a descriptor of another version than 3 is refused."""
    events: list[Any] = [e["data"] for e in log.events if e["type"] == "subagent/descriptor"]
    return log.header["version"] == 3 and any(data.get("version") != 3 for data in events)


# ------------------------------------------------------------------ children


@answers("MIG34-CHILD-FACT")
def believes_the_first_descriptor(params: JsonObject, right: PureMethod) -> Json:
    """Of a child that describes itself twice the first description holds."""
    facts: list[Any] = [{**fact} for fact in children_of(params)]
    for fact in facts:
        fact["descriptorCount"] = min(1, fact["descriptorCount"])
    return right({**params, "children": facts} if "children" in params else params)


@answers("MIG34-CHILD-INTERPRET")
def takes_halves_for_unknown(params: JsonObject, right: PureMethod) -> Json:
    """A child that is described by halves is listed as unknown."""
    try:
        return right(params)
    except Refuse:
        facts: list[Any] = [{**fact, "descriptorCount": 0} for fact in children_of(params)]
        if refusal_of(params) is not None or not facts:
            raise
        return right({**params, "children": facts})


@answers("MIG34-CHILD-INTERPRET")
def believes_no_descriptor(params: JsonObject, right: PureMethod) -> Json:
    """Every child is listed as unknown."""
    found = right(params)
    changed = thawed(way_of(params)[NEWEST])
    for event in changed.of(_CATALOG) if log_of(params).header["version"] != NEWEST else ():
        event["data"]["mode"] = "unknown"
    return given(changed) if children_of(params) else found


TAKES_ENTRIES = _of(
    "MIG34-CATALOG-OWN",
    "takes-entries-of-any-version",
    "An entry of an unknown version, or of a child that is listed, is carried over.",
)


@answers("MIG34-CATALOG-KEEP")
def believes_the_parent(params: JsonObject, right: PureMethod) -> Json:
    """What a session says of its children is not held against their logs."""
    try:
        return right(params)
    except Refuse:
        events: list[Any] = [*log_of(params).events]
        listed = {event["data"].get("childId") for event in events if event["type"] == _CATALOG}
        facts = [fact for fact in children_of(params) if fact["childId"] not in listed]
        return right({**params, "children": facts} if "children" in params else params)


@result("MIG34-CATALOG-OWN")
def lists_children_twice(log: Log, way: Way) -> None:
    """A child that the session lists itself is listed once more."""
    own = [e for e in log.events[log.inherited :] if e["type"] == _CATALOG]
    if 3 in way and own and len(log.events) == len(way[3].events):
        log.events.append({**own[0], "seq": len(log.events)})


@answers("MIG34-CATALOG-ADD")
def dates_entries_by_the_session(params: JsonObject, right: PureMethod) -> Json:
    """An entry that is added has no time of its own."""
    found = right(params)
    if not children_of(params) or log_of(params).header["version"] == NEWEST:
        return found
    log = thawed(way_of(params)[NEWEST])
    for event in log.events[-len(children_of(params)) :]:
        event["time"] = -1 if event["type"] == _CATALOG else event["time"]
    return given(log)


@answers("MIG34-CATALOG-ADD")
def orders_children_by_code_points(params: JsonObject, right: PureMethod) -> Json:
    """Children are listed in the order of the code points of their ids."""
    found = right(params)
    log = thawed(way_of(params)[NEWEST]) if children_of(params) else None
    if log is None or log_of(params).header["version"] == NEWEST:
        return found
    names = {fact["childId"] for fact in children_of(params)}
    at = next(
        (
            n
            for n, e in enumerate(log.events)
            if e["type"] == _CATALOG and e["data"]["childId"] in names
        ),
        len(log.events),
    )
    added = [event["data"] for event in log.events[at:] if event["type"] == _CATALOG]
    if len(added) == len(log.events) - at:
        added.sort(key=lambda data: (data["childCreatedAt"], data["childId"]))
        for event, data in zip(log.events[at:], added, strict=True):
            event["data"] = data
    return given(log)


@answers("MIG34-CATALOG-FORK")
def lists_no_children_of_forks(params: JsonObject, right: PureMethod) -> Json:
    """The children of a fork are not listed."""
    header: Any = params["header"]
    if isinstance(header, dict) and header.get("isSeeded") is True and "children" in params:
        return right({**params, "children": []})
    return right(params)
