"""Sabotages of the closers."""

import copy
from collections.abc import Callable, Mapping
from typing import Any

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.sabotage.core_wrap import Methods, Raw, answers, of, refuses, remembers, result
from dsh_reference.closers import closers_of
from dsh_spec.refusals import RefusalKind

_CLOSERS = "core/closers"


def _renumbered(events: list[Raw], first: int) -> list[Raw]:
    """Number closers anew, and their results' ids with them."""
    for seq, event in enumerate(events, first):
        if event["type"] == "tool/result":
            message = event["data"]["message"]
            message["id"] = f"{message['id'].rpartition('-')[0]}-{seq}"
        event["seq"] = seq
    return events


def _base(params: Raw) -> int:
    return len(params["events"])


def _results(found: Raw) -> list[Raw]:
    return of(found["events"], "tool/result")


@answers("REPAIR-EMPTY", _CLOSERS, like="F01")
def closes_what_is_closed(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A log without an open turn gets an end of its last turn."""
    found = right(params)
    if found["events"] or not params["events"]:
        return found
    last = params["events"][-1]
    data = {"turn": 1, "reason": {"kind": params["cause"]}}
    return {
        "events": [{"type": "turn/end", "seq": _base(params), "time": last["time"], "data": data}]
    }


@result("CLOSE-ORDER", _CLOSERS, like="F08")
def ends_the_step_first(found: Raw, params: Raw) -> None:
    """The step ends before its calls are answered."""
    order = sorted(found["events"], key=lambda event: event["type"] != "step/end")
    found["events"] = _renumbered(order, _base(params))


@result("CLOSE-ORDER", _CLOSERS)
def ends_no_step(found: Raw, params: Raw) -> None:
    """The turn ends, and the step in it does not."""
    kept = [event for event in found["events"] if event["type"] != "step/end"]
    found["events"] = _renumbered(kept, _base(params))


@result("CLOSE-ORDER", _CLOSERS)
def ends_no_turn(found: Raw, _params: Raw) -> None:
    """Calls are answered and the step ends; the turn does not."""
    found["events"] = [event for event in found["events"] if event["type"] != "turn/end"]


@result("REPAIR-ADVERTISED", _CLOSERS)
def answers_the_last_call_first(found: Raw, params: Raw) -> None:
    """Results come in the opposite order of their calls."""
    results = _results(found)[::-1]
    rest = [event for event in found["events"] if event["type"] != "tool/result"]
    found["events"] = _renumbered([*results, *rest], _base(params))


@result("CLOSE-BASE", _CLOSERS, like="F27")
def asks_the_clock(found: Raw, _params: Raw) -> None:
    """Closers have the time of the repair."""
    for event in found["events"]:
        event["time"] += 1


@result("CLOSE-BASE", _CLOSERS)
def counts_from_zero(found: Raw, _params: Raw) -> None:
    """The seqs of closers begin at 0."""
    for at, event in enumerate(found["events"]):
        event["seq"] = at


@result("CLOSE-BASE", _CLOSERS)
def takes_the_time_of_the_turn(found: Raw, params: Raw) -> None:
    """Closers have the time at which the turn began."""
    starts = of(params["events"], "turn/start")
    for event in found["events"]:
        event["time"] = starts[-1]["time"]


@answers("REPAIR-ADVERTISED", _CLOSERS)
def answers_what_was_only_started(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A call that no answer named is closed as well."""
    found = copy.deepcopy(right(params))
    calls = of(params["events"], "tool/call")
    known = {event["data"]["message"]["source"]["callId"] for event in _results(found)}
    if not found["events"] or not calls or calls[-1]["data"]["callId"] in known:
        return found
    call = calls[-1]["data"]["callId"]
    extra = {
        "type": "tool/result",
        "seq": 0,
        "time": found["events"][0]["time"],
        "surfaceOp": "append",
        "data": {"turn": 1, "step": 1, "message": {"id": "x-0", "source": {"callId": call}}},
    }
    return {"events": _renumbered([extra, *found["events"]], _base(params))}


@answers("REPAIR-ADVERTISED", _CLOSERS)
def moves_what_is_named_again(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A call that is named again goes behind the others."""
    found = copy.deepcopy(right(params))
    names: list[str] = []
    for event in of(params["events"], "assistant/message"):
        for block in event["data"].get("message", {}).get("content", ()):
            if block.get("type") == "tool-call":
                names = [*(name for name in names if name != block["id"]), block["id"]]
    by_name = {event["data"]["message"]["source"]["callId"]: event for event in _results(found)}
    ordered = [by_name[name] for name in names if name in by_name]
    if len(ordered) == len(by_name):
        rest = [event for event in found["events"] if event["type"] != "tool/result"]
        found["events"] = _renumbered([*ordered, *rest], _base(params))
    return found


def _as_old(params: Raw) -> Any:
    """Return the ids of the calls that the scan of the older formats leaves open."""
    found = closers_of(params["events"], format=3)
    return {
        event["data"]["message"]["source"]["callId"]  # type: ignore[index,call-overload]
        for event in found
        if event["type"] == "tool/result"
    }


@result("REPAIR-MATCH-EXACT", _CLOSERS)
def matches_by_id(found: Raw, params: Raw) -> None:
    """Any result of a call's id answers it, in the newest format too."""
    if params["format"] == 4:
        left = _as_old(params)
        kept = [
            event
            for event in found["events"]
            if event["type"] != "tool/result"
            or event["data"]["message"]["source"]["callId"] in left
        ]
        found["events"] = _renumbered(kept, _base(params))


@answers("REPAIR-MATCH-EXACT", _CLOSERS)
def lets_replacements_answer(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A result that replaces another answers an open call of its id."""
    if params["format"] < 4:
        return right(params)
    events = [
        {**event, "surfaceOp": "append"}
        if event["type"] == "tool/result" and isinstance(event.get("surfaceOp"), dict)
        else event
        for event in params["events"]
    ]
    return right({**params, "events": events})


@answers("REPAIR-MATCH-BY-ID", _CLOSERS)
def matches_exactly_before_its_time(params: Raw, right: Callable[[Any], Any]) -> Any:
    """In the older formats a result has to be appended for the call's step, too."""
    if params["format"] == 4:
        return right(params)
    steps: list[Any] = [None]
    events = []
    for event in params["events"]:
        if event["type"] == "step/start":
            steps.append(event["data"].get("step"))
        is_other = event["type"] == "tool/result" and (
            event.get("surfaceOp") != "append" or event["data"].get("step") != steps[-1]
        )
        events.append({**event, "type": "todo/write"} if is_other else event)
    return right({**params, "events": events})


@result("CLOSE-RESULT", _CLOSERS)
def numbers_results_by_place(found: Raw, params: Raw) -> None:
    """The id of a result ends with its place among the closers."""
    if params["format"] == 4:
        for at, event in enumerate(_results(found)):
            message = event["data"]["message"]
            message["id"] = f"{message['id'].rpartition('-')[0]}-{at}"


@result("CLOSE-RESULT", _CLOSERS)
def names_the_open_turn(found: Raw, params: Raw) -> None:
    """A result names the open turn, not that of its call."""
    if params["format"] == 4 and found["events"]:
        for event in _results(found):
            event["data"]["turn"] = found["events"][-1]["data"]["turn"]


@result("CLOSE-RESULT-V0V3", _CLOSERS)
def speaks_the_newest_dialect(found: Raw, params: Raw) -> None:
    """A result has the shape of the newest format in all of them."""
    if params["format"] < 4:
        for event in _results(found):
            message = event["data"]["message"]
            block = message["content"][0]
            message |= {"role": "tool", "toolCallId": block["toolCallId"], "isError": True}
            message["content"] = block["content"]


@result("CLOSE-RESULT", _CLOSERS)
def speaks_the_old_dialect(found: Raw, params: Raw) -> None:
    """A result of the newest format is a message of the user."""
    if params["format"] == 4:
        for event in _results(found):
            event["data"]["message"]["role"] = "user"


@result("CLOSE-STARTED", _CLOSERS)
def cites_no_call(found: Raw, _params: Raw) -> None:
    """A result for a call that was started names no source."""
    for event in found["events"]:
        event.pop("sourceEventSeqs", None)


@result("CLOSE-STARTED", _CLOSERS)
def cites_the_first_start(found: Raw, params: Raw) -> None:
    """A result names the first event that started its call, not the last."""
    for event in _results(found):
        call = event["data"]["message"]["source"]["callId"]
        starts = [
            e["seq"] for e in of(params["events"], "tool/call") if e["data"]["callId"] == call
        ]
        if "sourceEventSeqs" in event:
            event["sourceEventSeqs"] = starts[:1]


@result("CLOSE-STARTED", _CLOSERS)
def says_that_nothing_started(found: Raw, _params: Raw) -> None:
    """Every call is said not to have been started."""
    for event in _results(found):
        event["data"]["error"] = {"name": "ToolNotStartedError", "code": "TOOL_NOT_STARTED"}


@result("CLOSE-NOT-STARTED", _CLOSERS)
def cites_an_empty_list(found: Raw, _params: Raw) -> None:
    """A result for a call that was not started has an empty list of sources."""
    for event in _results(found):
        event.setdefault("sourceEventSeqs", [])


@result("CLOSE-TEXT", _CLOSERS)
def says_it_in_its_own_words(found: Raw, _params: Raw) -> None:
    """The text of a result lacks its full stop."""
    for event in _results(found):
        content = event["data"]["message"]["content"]
        for block in content[0].get("content", content):
            block["text"] = block["text"].removesuffix(".")


@answers("CLOSE-TEXT", _CLOSERS)
def speaks_of_crashes_in_forks(params: Raw, right: Callable[[Any], Any]) -> Any:
    """The text of a fork's result is that for an interruption."""
    found = copy.deepcopy(right(params))
    plain = right({**params, "cause": "interrupted"})
    for event, other in zip(found["events"], plain["events"], strict=True):
        if event["type"] == "tool/result":
            event["data"]["message"]["content"] = other["data"]["message"]["content"]
    return found


@result("CLOSE-REASON", _CLOSERS)
def calls_it_aborted(found: Raw, _params: Raw) -> None:
    """The turn ends as one that somebody aborted."""
    for event in of(found["events"], "turn/end"):
        event["data"]["reason"] = {"kind": "aborted"}


@answers("CLOSE-REASON", _CLOSERS)
def knows_one_cause(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A fork's turn ends as an interrupted one."""
    found = copy.deepcopy(right(params))
    for event in of(found["events"], "turn/end"):
        event["data"]["reason"] = {"kind": "interrupted"}
    return found


@result("REPAIR-LAST-ONLY", _CLOSERS)
def counts_turns_itself(found: Raw, params: Raw) -> None:
    """The end names the turn by the number of starts, not as it was opened."""
    count = len(of(params["events"], "turn/start"))
    for event in of(found["events"], "turn/end"):
        event["data"]["turn"] = count


@result("REPAIR-LAST-ONLY", _CLOSERS)
def ends_the_first_step(found: Raw, _params: Raw) -> None:
    """The step that ends is always the first of its turn."""
    for event in of(found["events"], "step/end"):
        event["data"]["step"] = 1


@result("REPAIR-NO-BRACKETS", _CLOSERS)
def ends_compactions(found: Raw, params: Raw) -> None:
    """A compaction that was started is ended, too."""
    if found["events"] and of(params["events"], "compaction/start"):
        end = {**copy.deepcopy(found["events"][0]), "type": "compaction/end", "data": {}}
        found["events"] = [end, *found["events"]]


@answers("REPAIR-IDEMPOTENT", _CLOSERS, like="F01")
def closes_the_interrupted_again(params: Raw, right: Callable[[Any], Any]) -> Any:
    """A turn that ended as interrupted or forked is ended once more."""
    match params["events"]:
        case [
            *_,
            {"type": "turn/end", "data": {"reason": {"kind": "interrupted" | "forked"}}} as end,
        ]:
            return {"events": [{**end, "seq": _base(params)}]}
    return right(params)


@refuses("REPAIR-ADMISSIBLE", "core/admit", like="F08")
def refuses_what_was_repaired(params: Raw) -> bool:
    """A log that ends with an interrupted turn is refused."""
    match params["events"]:
        case [*_, {"type": "turn/end", "data": {"reason": {"kind": "interrupted" | "forked"}}}]:
            return len(params["events"]) > 1
    return False


@remembers("REPAIR-EMPTY")
def has_no_closers_for_nothing(right: Methods) -> Mapping[str, Any]:
    """An empty log is refused instead of being left alone."""

    def closers(params: Any) -> Any:
        if not params["events"]:
            raise Refuse(RefusalKind.INVALID_ARGUMENT, "there is nothing to close")
        return right[_CLOSERS](params)

    return {_CLOSERS: closers}
