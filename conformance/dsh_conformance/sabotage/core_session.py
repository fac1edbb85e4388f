"""Sabotages of appends, seeds and the state of requests."""

import copy
from collections.abc import Callable, Mapping
from typing import Any

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.sabotage.core_taking import takes
from dsh_conformance.sabotage.core_wrap import (
    Methods,
    Raw,
    answers,
    named,
    of,
    refuses,
    remembers,
    result,
)
from dsh_spec.events import event_types
from dsh_spec.refusals import RefusalKind

_APPEND, _SEED = "core/append", "core/seed"
_HEADER, _CONTEXT, _TOOLS = "core/requestHeader", "core/requestContext", "core/toolHistory"
_MARKER = "session/end-seed"

# ------------------------------------------------------------------ append


@result("APP-EVENT", _APPEND)
def counts_events_from_one(found: Raw, _params: Raw) -> None:
    """The first event has the seq 1."""
    found["event"]["seq"] += 1


@result("APP-EVENT", _APPEND)
def fills_in_defaults(found: Raw, _params: Raw) -> None:
    """An event without sources gets an empty list of them."""
    found["event"].setdefault("sourceEventSeqs", [])


@result("APP-EVENT", _APPEND)
def keeps_time_going_forward(found: Raw, params: Raw) -> None:
    """The time of an event is never smaller than that of the one before it."""
    if params["events"]:
        found["event"]["time"] = max(found["event"]["time"], params["events"][-1]["time"])


@refuses("APP-LOOSE", _APPEND)
def knows_all_types(params: Raw) -> bool:
    """An event of an unknown type is refused."""
    return params["type"] not in event_types(params["format"])


@refuses("APP-LOOSE", _APPEND)
def keeps_turns_in_order(params: Raw) -> bool:
    """A turn that starts while one is open is refused."""
    turns = of(params["events"], "turn/start", "turn/end")
    is_open = bool(turns) and turns[-1]["type"] == "turn/start"
    return params["type"] == "turn/start" and is_open


@remembers("APP-ATOMIC")
def spends_seqs_on_refusals(right: Methods) -> Mapping[str, Any]:
    """A refused append uses up a seq."""
    spent: list[int] = []

    def append(params: Any) -> Any:
        try:
            found = copy.deepcopy(right[_APPEND](params))
        except Refuse:
            spent[:] = [len(params["events"])]
            raise
        if spent == [len(params["events"])]:
            found["event"]["seq"] += 1
        spent.clear()
        return found

    return {_APPEND: append}


@answers("APP-DATA-JSON", _APPEND)
def writes_null_for_no_json(params: Raw, right: Callable[[Any], Any]) -> Any:
    """Data that is no JSON is stored as null."""
    try:
        return right(params)
    except Refuse as refusal:
        if refusal.kind is not RefusalKind.NOT_JSON:
            raise
    event = {"type": params["type"], "seq": len(params["events"]), "time": params["time"]}
    return {"event": {**event, "data": None}}


@answers("APP-DATA-JSON", _APPEND)
def judges_the_surface_first(params: Raw, right: Callable[[Any], Any]) -> Any:
    """Whether data is JSON is asked last, and refused as a bad event."""
    try:
        return right(params)
    except Refuse as refusal:
        if refusal.kind is not RefusalKind.NOT_JSON:
            raise
        raise Refuse(RefusalKind.INVALID_EVENT, str(refusal)) from None


takes_what_is_retired = named(
    "APP-LEGACY", "core-takes-what-is-retired", "What v0 retired is taken.", takes("APP-LEGACY")
)

takes_any_payload = named(
    "APP-LOCAL",
    "core-takes-any-payload",
    "An append does not look at the payload.",
    lambda right: {
        _APPEND: takes("HDRREQ-CANONICAL", "PL-RESULT-ERROR-CONSISTENT")(right)[_APPEND]
    },
)

# ------------------------------------------------------------------ seed


@answers("SEED-JSON", _SEED)
def borrows_what_it_cannot_keep(params: Raw, right: Callable[[Any], Any]) -> Any:
    """Whether borrowed events are JSON is not asked."""
    try:
        return right(params)
    except Refuse as refusal:
        if refusal.rule != "JSON-REFUSE" or "header" in str(refusal).split(":")[0]:
            raise
    return {"events": []}


@answers("HDR-LOSSLESS", _SEED)
def takes_any_header(params: Raw, right: Callable[[Any], Any]) -> Any:
    """Whether a header is JSON is not asked."""
    try:
        return right(params)
    except Refuse as refusal:
        if refusal.rule != "JSON-REFUSE" or "header" not in str(refusal).split(":")[0]:
            raise
    return {"events": []}


@answers("SEED-EVENTS", _SEED)
def trusts_what_it_stored(params: Raw, right: Callable[[Any], Any]) -> Any:
    """What is restored is not judged."""
    try:
        return right(params)
    except Refuse:
        if params["mode"] != "restore":
            raise
    return {"events": params["events"]}


@answers("SEED-COUNT", _SEED)
def believes_any_count(params: Raw, right: Callable[[Any], Any]) -> Any:
    """The number of inherited events is taken as it is told."""
    try:
        return right(params)
    except Refuse as refusal:
        if refusal.rule != "SEED-COUNT":
            raise
    return {"events": params["events"]}


@answers("CUT-EXACT", _SEED)
def believes_an_early_cut(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A marker that is not the last one may be the cut."""
    try:
        return right(params)
    except Refuse as refusal:
        if refusal.rule != "CUT-EXACT":
            raise
    return {"events": params["events"]}


@refuses("SEED-COUNT", _SEED)
def wants_nothing_inherited(params: Raw) -> bool:
    """A count of inherited events is refused where it is not 0."""
    return bool(params["format"] >= 2 and params.get("inheritedEventCount", 0) > 0)


def _unmarked(found: Raw, params: Raw) -> None:
    del found["events"][len(params["events"]) :]


@result("SEED-MARKER-V0V1", _SEED)
def marks_no_old_seed(found: Raw, params: Raw) -> None:
    """A seed of v0 or v1 gets no marker."""
    if params["format"] < 2:
        _unmarked(found, params)


@result("SEED-MARKER-V2V3", _SEED)
def marks_no_later_seed(found: Raw, params: Raw) -> None:
    """A seed of v2 or v3 gets no marker."""
    if params["format"] in (2, 3):
        _unmarked(found, params)


@result("SEED-MARKER", _SEED)
def marks_no_new_seed(found: Raw, params: Raw) -> None:
    """A seed of v4 gets no marker."""
    if params["format"] == 4:
        _unmarked(found, params)


@result("SEED-MARKER", _SEED)
def marks_a_fork_twice(found: Raw, params: Raw) -> None:
    """A fresh seed that has its marker gets another."""
    if params["format"] == 4 and params["mode"] == "snapshot" and params["header"]["isSeeded"]:
        count, data = len(found["events"]), {"inherited": True}
        if count == len(params["events"]):
            found["events"].append({"type": _MARKER, "seq": count, "time": 0, "data": data})


@result("SEED-MARKER-V2V3", _SEED)
def marks_restored_seeds_as_fresh(found: Raw, params: Raw) -> None:
    """A restored seed of v2 or v3 is marked as inherited."""
    if params["format"] in (2, 3) and len(found["events"]) > len(params["events"]):
        found["events"][-1]["data"] = {"inherited": True}


@result("SEED-REPLAY", _SEED)
def marks_each_opening(found: Raw, params: Raw) -> None:
    """Restoring adds a marker behind a marker."""
    count = len(params["events"])
    if params["mode"] == "restore" and len(found["events"]) == count > 1:
        found["events"].append({"type": _MARKER, "seq": count, "time": 0, "data": {}})


@result("ENV-ACCEPTED-FROZEN", _SEED)
def sets_times_anew(found: Raw, params: Raw) -> None:
    """A seed's events have the time at which the session began."""
    for event in found["events"][: len(params["events"])]:
        event["time"] = params["header"]["createdAt"] + 1


# ------------------------------------------------------------------ requests


@answers("PROJ-HEADER", _HEADER)
def keeps_the_first_header(params: Raw, right: Callable[[Any], Any]) -> Any:
    """The first header holds for good."""
    headers = of(params["events"], "request/header")
    return right({**params, "events": headers[:1]})


@result("PROJ-HEADER", _HEADER)
def merges_headers(found: Raw, params: Raw) -> None:
    """What the latest header leaves out is taken from earlier ones."""
    for event in of(params["events"], "request/header")[::-1]:
        for key, value in event["data"].get("header", {}).items():
            if key in ("tools", "adapterDefaults") and value:
                found["value"].setdefault(key, value)


@result("PROJ-HEADER", _HEADER)
def keeps_strange_members(found: Raw, params: Raw) -> None:
    """What nobody knows in a header is kept."""
    headers = of(params["events"], "request/header")
    if headers and "acme" in headers[-1]["data"].get("header", {}):
        found["value"]["acme"] = headers[-1]["data"]["header"]["acme"]


@result("PROJ-HEADER", _HEADER)
def shows_empty_tools(found: Raw, _params: Raw) -> None:
    """A header without tools has an empty list of them."""
    if found["value"] is not None:
        found["value"].setdefault("tools", [])


@result("PROJ-CONTEXT", _CONTEXT)
def merges_contexts(found: Raw, params: Raw) -> None:
    """A window that the latest context leaves out is that of an earlier one."""
    for event in of(params["events"], "request/context")[::-1]:
        if "contextWindow" in event["data"]:
            found["value"].setdefault("contextWindow", event["data"]["contextWindow"])


@answers("PROJ-TOOLHISTORY", _TOOLS)
def knows_no_series(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A header for a new series goes on with the old one."""
    events = copy.deepcopy(params["events"])
    for event in of(events, "request/header"):
        event["data"]["reason"] = "change"
        event["data"].pop("startsSeries", None)
    return right({**params, "events": events})


@result("PROJ-TOOLHISTORY", _TOOLS)
def forgets_updates(found: Raw, _params: Raw) -> None:
    """What developer messages said is left out."""
    found["value"]["updates"] = []


@result("PROJ-TOOLHISTORY", _TOOLS)
def tells_of_additions_only(found: Raw, _params: Raw) -> None:
    """A message that only takes tools away is left out."""
    found["value"]["updates"] = [each for each in found["value"]["updates"] if each["additions"]]
