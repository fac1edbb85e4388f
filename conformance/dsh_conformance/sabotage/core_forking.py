"""Sabotages of forks and of what a header says."""

import copy
from collections.abc import Callable, Mapping
from typing import Any

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.sabotage.core_wrap import Methods, Raw, answers, of, refuses, remembers, result
from dsh_spec.refusals import RefusalKind

_FORK, _ADMIT = "core/fork", "core/admit"
_MARKER = "session/end-seed"


def _is_open(events: list[Raw]) -> bool:
    turns = of(events, "turn/start", "turn/end")
    return bool(turns) and turns[-1]["type"] == "turn/start"


def _prefix(found: Raw, params: Raw) -> list[Raw]:
    return list(params["events"][: found["inheritedEventCount"]])


@answers("FORK-BOUNDARY-INT", _FORK)
def counts_from_the_end(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A negative boundary counts from the end."""
    boundary, count = params.get("boundary"), len(params["events"])
    if isinstance(boundary, int) and -count <= boundary < 0:
        return right({**params, "boundary": count + boundary})
    return right(params)


@answers("FORK-BOUNDARY-INT", _FORK)
def rounds_boundaries(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A fractional boundary is cut down to an integer."""
    boundary = params.get("boundary")
    if isinstance(boundary, float) or boundary is True:
        return right({**params, "boundary": int(boundary)})
    return right(params)


@answers("FORK-BOUNDARY-INT", _FORK)
def calls_bad_boundaries_bad_events(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A boundary that is none is refused as an event that is none."""
    try:
        return right(params)
    except Refuse as refusal:
        if refusal.kind is not RefusalKind.INVALID_BOUNDARY:
            raise
        raise Refuse(RefusalKind.INVALID_EVENT, str(refusal)) from None


@answers("FORK-BOUNDARY-EXISTS", _FORK)
def clamps_boundaries(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A boundary behind the last event means the last event."""
    boundary, last = params.get("boundary"), len(params["events"]) - 1
    if isinstance(boundary, int) and boundary > last >= 0:
        return right({**params, "boundary": last})
    return right(params)


@answers("FORK-BOUNDARY-EXISTS", _FORK)
def forks_at_the_last_end(params: Raw, right: Callable[[Any], Any]) -> Any:
    """Without a boundary the fork ends at the last end of a turn."""
    ends = of(params["events"], "turn/end")
    if "boundary" not in params and ends:
        return right({**params, "boundary": ends[-1]["seq"]})
    return right(params)


@refuses("FORK-OPEN-TAIL", _FORK)
def forks_between_turns_only(params: Raw) -> bool:
    """A boundary inside an open turn is refused in the newest format, too."""
    boundary = params.get("boundary", len(params["events"]) - 1)
    return params["format"] == 4 and _is_open(params["events"][: boundary + 1])


@answers("FORK-OPEN-TURN", _FORK, like="F21")
def forks_anywhere(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A boundary inside an open turn is accepted in the older formats, too."""
    try:
        return right(params)
    except Refuse as refusal:
        if refusal.kind is not RefusalKind.OPEN_TURN:
            raise
    return right({**params, "events": [], "boundary": None})


@refuses("FORK-OPEN-TURN", _FORK)
def forks_at_ends_only(params: Raw) -> bool:
    """In the older formats the boundary has to be the end of a turn itself."""
    boundary = params.get("boundary", len(params["events"]) - 1)
    if params["format"] == 4 or not isinstance(boundary, int) or boundary < 0:
        return False
    return bool(params["events"][boundary]["type"] != "turn/end")


@answers("FORK-OPEN-TURN", _FORK)
def calls_open_turns_bad_boundaries(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A boundary inside an open turn is refused as one that does not exist."""
    try:
        return right(params)
    except Refuse as refusal:
        if refusal.kind is not RefusalKind.OPEN_TURN:
            raise
        raise Refuse(RefusalKind.INVALID_BOUNDARY, str(refusal)) from None


@answers("CUT-FORK", _FORK)
def leaves_the_boundary_out(params: Raw, right: Callable[[Any], Any]) -> Any:
    """The count of what was inherited leaves the boundary out."""
    found = copy.deepcopy(right(params))
    if params["format"] == 4 and params.get("boundary") and found["inheritedEventCount"]:
        found["inheritedEventCount"] -= 1
    return found


@result("FORK-PREFIX", _FORK)
def mints_new_ids(found: Raw, _params: Raw) -> None:
    """The messages of the prefix get ids of their own."""
    for event in found["events"][: found["inheritedEventCount"]]:
        if event["type"] == "user/message":
            event["data"]["id"] = f"fork-{event['data'].get('id')}"


@result("FORK-PREFIX", _FORK)
def sets_the_clock(found: Raw, _params: Raw) -> None:
    """The events of the prefix have the time of the fork."""
    for event in found["events"][: found["inheritedEventCount"]]:
        event["time"] = 1_800_000_000_000


@result("FORK-PREFIX", _FORK)
def drops_marks_of_ignorance(found: Raw, _params: Raw) -> None:
    """Copied events are no longer ignorable."""
    for event in found["events"][: found["inheritedEventCount"]]:
        event.pop("ignorable", None)


@result("CUT-FORK", _FORK)
def marks_the_present(found: Raw, params: Raw) -> None:
    """The marker has the time of the fork."""
    count = found["inheritedEventCount"]
    if params["format"] == 4 and count < len(found["events"]):
        found["events"][count]["time"] = 1_800_000_000_000


@result("CUT-FORK", _FORK)
def marks_a_resume(found: Raw, params: Raw) -> None:
    """The marker does not say that anything was inherited."""
    count = found["inheritedEventCount"]
    if params["format"] == 4 and count < len(found["events"]):
        found["events"][count]["data"] = {}


@result("CUT-FORK", _FORK)
def counts_the_marker(found: Raw, params: Raw) -> None:
    """The marker counts as inherited."""
    if params["format"] == 4 and found["events"]:
        found["inheritedEventCount"] += 1


@result("FORK-CLOSERS", _FORK)
def leaves_the_tail_open(found: Raw, params: Raw) -> None:
    """Nothing closes what the fork cut open."""
    if params["format"] == 4:
        found["events"] = found["events"][: found["inheritedEventCount"] + 1]


@result("FORK-CLOSERS", _FORK)
def closes_as_a_crash(found: Raw, params: Raw) -> None:
    """The turn that the fork cut ends as interrupted."""
    if params["format"] == 4:
        for event in found["events"][found["inheritedEventCount"] :]:
            if event["type"] == "turn/end":
                event["data"]["reason"]["kind"] = "interrupted"


@result("FORK-HEADER", _FORK)
def takes_over_the_rank(found: Raw, params: Raw) -> None:
    """The child has the depth, the origin and the preset of its source."""
    for key in ("delegationDepth", "origin", "agentPreset"):
        if key in params["header"]:
            found["header"][key] = params["header"][key]


@result("FORK-HEADER", _FORK)
def forgets_the_parent(found: Raw, _params: Raw) -> None:
    """The child does not say where it comes from."""
    found["header"].pop("parentSession", None)


@result("FORK-HEADER", _FORK)
def names_the_first_parent(found: Raw, params: Raw) -> None:
    """The child of a child names the parent of its source."""
    if "parentSession" in params["header"]:
        found["header"]["parentSession"] = params["header"]["parentSession"]


@result("FORK-HEADER", _FORK)
def begins_unseeded(found: Raw, params: Raw) -> None:
    """The child of an empty log, or of a log of v0, is not seeded."""
    if params["format"] == 0 or not params["events"]:
        found["header"]["isSeeded"] = False


@result("HDR-ID-MATCH", _FORK)
def keeps_the_id(found: Raw, params: Raw) -> None:
    """The child has the id of its source."""
    found["header"]["id"] = params["header"]["id"]


@result("HDR-IMMUTABLE", _FORK)
def moves_with_the_session(found: Raw, params: Raw) -> None:
    """The child's directory is the one to which the session changed."""
    for event in of(params["events"], "working-directory/change"):
        found["header"]["cwd"] = "/elsewhere" if event["data"] else found["header"].get("cwd")


@remembers("FORK-DERIVE")
def shows_closers_to_nobody(right: Methods) -> Mapping[str, Any]:
    """Results that were made for a fork are not shown."""

    def derive(params: Any) -> Any:
        found = copy.deepcopy(right["core/derive"](params))
        found["messages"] = [
            m for m in found["messages"] if not str(m.get("id")).startswith("forked-tool-result-")
        ]
        return found

    return {"core/derive": derive}


@remembers("FORK-DERIVE")
def shows_what_is_its_own(right: Methods) -> Mapping[str, Any]:
    """What was inherited is not shown."""

    def derive(params: Any) -> Any:
        marks = [e["seq"] for e in of(params["events"], _MARKER) if e["data"].get("inherited")]
        found = right["core/derive"](params)
        return {"messages": []} if marks and params["format"] >= 2 else found

    return {"core/derive": derive}


@result("FORK-MARKER-V0V1", _FORK)
def marks_twice_in_the_old(found: Raw, params: Raw) -> None:
    """A prefix of v0 or v1 gets a marker even if it ends with one."""
    count = found["inheritedEventCount"]
    if params["format"] < 2 and len(found["events"]) == count:
        found["events"].append({"type": _MARKER, "seq": count, "time": 0, "data": {}})


@result("FORK-MARKER-V0V1", _FORK)
def marks_ahead_of_its_time(found: Raw, params: Raw) -> None:
    """The marker of v0 and v1 says that what is before it was inherited."""
    if params["format"] < 2 and len(found["events"]) > found["inheritedEventCount"]:
        found["events"][-1]["data"] = {"inherited": True}


@result("FORK-MARKER-V2V3", _FORK)
def trusts_the_last_marker(found: Raw, params: Raw) -> None:
    """A prefix of v2 or v3 that ends with a marker gets no other."""
    prefix = _prefix(found, params)
    if params["format"] in (2, 3) and prefix and prefix[-1]["type"] == _MARKER:
        found["events"].pop()


@result("FORK-MARKER-V2V3", _FORK)
def marks_nothing_inherited(found: Raw, params: Raw) -> None:
    """The marker of v2 and v3 does not say that anything was inherited."""
    if params["format"] in (2, 3):
        found["events"][-1]["data"] = {}


@refuses("HDRL-DEPTH-OPTIONAL", _ADMIT)
def wants_a_depth(params: Raw) -> bool:
    """A header without a depth is refused."""
    return "delegationDepth" not in params["header"]


@answers("HDRL-RELEASED", _ADMIT)
def asks_for_little_in_a_header(params: Raw, right: Callable[[Any], Any]) -> Any:
    """What a header lacks is made up."""
    made = {"version": 4, "id": "s", "createdAt": 0, "isSeeded": False}
    return right({**params, "header": {**made, **params["header"]}})


@refuses("HDRL-RELEASED", _ADMIT)
def knows_no_presets(params: Raw) -> bool:
    """A header that names a preset of the agent is refused."""
    return "agentPreset" in params["header"] or "cwd" in params["header"]
