"""Bugs with narrow triggers: each shows on a few small logs and on next to no others.

Each is the reference with one thing wrong, and is found by exhaustion within four events.
"""

import copy
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from attrs import frozen

from dsh_conformance.exhaust.implementation import ask_reference
from dsh_conformance.exhaust.look import Ask
from dsh_conformance.implementation.outcome import Ok, Outcome
from dsh_spec.values import JsonObject

_Events: TypeAlias = Sequence[Any]
#: Changes a result in place where the bug shows, given the events that it is about.
_Spoil: TypeAlias = Callable[[Any, _Events], None]


@frozen(kw_only=True)
class Planted:
    """One bug."""

    #: Its name, in words joined by hyphens.
    name: str
    #: What is wrong, in one sentence.
    says: str
    #: The rule by which it is found.
    rule: str
    #: The alphabet, and the opening, in which it shows.
    alphabet: str
    opening: str
    #: Finds what answers wrongly.
    find: Callable[[], Ask]


PLANTED: Final[list[Planted]] = []


def _plant(function: Callable[..., Any], scope: str, rule: str, find: Callable[[], Ask]) -> None:
    alphabet, _, opening = scope.partition(" after ")
    assert function.__doc__
    PLANTED.append(
        Planted(
            name=function.__name__.strip("_").replace("_", "-"),
            says=function.__doc__,
            rule=rule,
            alphabet=alphabet,
            opening=opening,
            find=find,
        )
    )


def _spoils(method: str, scope: str, rule: str) -> Callable[[_Spoil], _Spoil]:
    """Plant a bug in the results of a method."""

    def plant(spoil: _Spoil) -> _Spoil:
        _plant(spoil, scope, rule, lambda: partial(_spoilt, f"core/{method}", spoil))
        return spoil

    return plant


def _spoilt(bad: str, spoil: _Spoil, method: str, params: JsonObject) -> Outcome:
    found = ask_reference(method, params)
    if method != bad or not isinstance(found, Ok):
        return found
    value: Any = copy.deepcopy(found.value)
    events: Any = params["events"]
    spoil(value, events)
    return Ok(value)


def _answers(scope: str, rule: str) -> Callable[[Callable[[], Ask]], Callable[[], Ask]]:
    """Plant a bug that is more than a spoilt result."""

    def plant(find: Callable[[], Ask]) -> Callable[[], Ask]:
        _plant(find, scope, rule, find)
        return find

    return plant


def _kinds(events: _Events) -> list[str]:
    return [event["type"] for event in events]


def _replacements(events: _Events) -> list[Any]:
    return [event for event in events if isinstance(event.get("surfaceOp"), dict)]


@_spoils("fold", "surface after messages", "SURF-FOLD")
def _second_of_two(found: Any, _: _Events) -> None:
    """The second replacement, if it covers exactly two nodes, is noted from its end."""
    if len(found["replacements"]) == 2 and len(found["replacements"][1]["shadowedSeqs"]) == 2:
        found["replacements"][1]["start"] = found["replacements"][1]["end"]


@_spoils("fold", "turns after step", "SURF-FOLD")
def _summary_behind_attempt(found: Any, events: _Events) -> None:
    """A replacement right behind an attempt is not counted."""
    if _kinds(events)[-2:] == ["assistant/attempt", "user/message"] and _replacements(events[-1:]):
        found["replaceGeneration"] -= 1


@_spoils("fold", "turns after call", "SURF-FOLD")
def _rewrite_behind_step(found: Any, events: _Events) -> None:
    """A result that is rewritten right behind the end of its step goes to the tail."""
    if _kinds(events)[-2:] == ["step/end", "tool/result"]:
        found["nodes"] = found["nodes"][1:] + found["nodes"][:1]


@_spoils("derive", "turns after call", "PROJ-HISTORY")
def _rewrite_behind_marker(found: Any, events: _Events) -> None:
    """A result that is rewritten right behind a marker shows nothing."""
    if _kinds(events)[-2:] == ["session/end-seed", "tool/result"] and _replacements(events[-1:]):
        found["messages"][-1]["content"] = []


@_spoils("derive", "surface after step", "PROJ-HISTORY")
def _second_picture(found: Any, events: _Events) -> None:
    """A second image that goes out of sight brings the first one back."""
    if _kinds(events).count("image/offload") == 2:
        found["messages"][0]["content"][0].pop("offloaded", None)


@_spoils("closers", "turns after step", "CLOSE-ORDER")
def _first_start(found: Any, events: _Events) -> None:
    """A call that started twice cites its first start."""
    starts = [event["seq"] for event in events if event["type"] == "tool/call"]
    for closer in found["events"]:
        if len(starts) == 2 and closer.get("sourceEventSeqs") == [starts[1]]:
            closer["sourceEventSeqs"] = [starts[0]]


@_spoils("closers", "turns after call", "CLOSE-ORDER")
def _named_again(found: Any, events: _Events) -> None:
    """A started call that is named again keeps its start."""
    if _kinds(events)[-2:] == ["tool/call", "assistant/message"]:
        for closer in found["events"]:
            if closer["data"].get("error", {}).get("code") == "TOOL_NOT_STARTED":
                closer["sourceEventSeqs"] = [events[-2]["seq"]]


@_spoils("closers", "turns after call", "CLOSE-ORDER")
def _misplaced(found: Any, events: _Events) -> None:
    """Right behind a result of another step a call has not started."""
    if _kinds(events)[-2:] == ["tool/call", "tool/result"]:
        for closer in found["events"]:
            closer.pop("sourceEventSeqs", None)


@_spoils("closers", "turns after step", "CLOSE-ORDER")
def _turn_in_turn(found: Any, events: _Events) -> None:
    """A turn in a turn keeps the step of the first one, if that was the second step."""
    if _kinds(events)[-2:] == ["step/start", "turn/start"] and events[-1]["seq"] > 2:
        last = found["events"][-1]
        step = {"turn": 2, "step": 2}
        found["events"].insert(0, {**last, "type": "step/end", "data": step})


@_spoils("fork", "turns after step", "FORK-CLOSERS")
def _child_of_marked(found: Any, events: _Events) -> None:
    """The child of a log that ends with a marker and an answer closes as interrupted."""
    if _kinds(events)[-2:] == ["session/end-seed", "assistant/message"]:
        found["events"][-1]["data"]["reason"]["kind"] = "interrupted"


@_spoils("fork", "surface after messages", "FORK-CLOSERS")
def _cut_at_two(found: Any, events: _Events) -> None:
    """A boundary at a replacement of two nodes loses what that cites."""
    if len(events[-1].get("sourceEventSeqs", ())) == 2 and _replacements(events[-1:]):
        for event in found["events"][len(events) - 1 :]:
            event.pop("sourceEventSeqs", None)


@_spoils("seed", "turns after nothing", "SEED-MARKER")
def _any_marker(found: Any, events: _Events) -> None:
    """A marker anywhere in a restored log is marker enough."""
    if "session/end-seed" in _kinds(events) and len(found["events"]) > len(events):
        found["events"].pop()


@_spoils("toolHistory", "requests after step", "PROJ-TOOLHISTORY")
def _added_behind_removal(found: Any, events: _Events) -> None:
    """A tool that is added right behind a removal is not told."""
    updates = found["value"]["updates"]
    if _kinds(events)[-2:] == ["developer/message"] * 2 and updates and updates[-1]["additions"]:
        updates.pop()


@_spoils("requestHeader", "requests after step", "PROJ-HEADER")
def _third_header(found: Any, events: _Events) -> None:
    """A third header without tools keeps those of the second."""
    headers = [each["data"]["header"] for each in events if each["type"] == "request/header"]
    if len(headers) == 3 and "tools" not in headers[-1] and "tools" in headers[-2]:
        found["value"]["tools"] = headers[-2]["tools"]


@_answers("surface after step", "SURF-ATOMIC")
def _remembered() -> Ask:
    """A projection that an append refuses counts in the next fold of the log."""
    refused: list[Any] = []

    def ask(method: str, params: JsonObject) -> Outcome:
        found = ask_reference(method, params)
        if method == "core/append" and not isinstance(found, Ok):
            refused[:] = [params["events"]] if params["type"] == "image/offload" else []
        if method == "core/fold" and isinstance(found, Ok) and refused == [params["events"]]:
            value: Any = found.value
            return Ok({**value, "contentGeneration": value["contentGeneration"] + 1})
        return found

    return ask


@_answers("turns after call", "REL-TURN")
def _lenient() -> Ask:
    """A stored log is accepted that starts a call twice around an attempt."""

    def ask(method: str, params: JsonObject) -> Outcome:
        events: Any = params["events"]
        if method == "core/admit" and _kinds(events)[-2:] == ["assistant/attempt", "tool/call"]:
            return Ok({})
        return ask_reference(method, params)

    return ask


@_answers("surface after messages", "SURF-FOLD")
def _by_number() -> Ask:
    """A stretch that runs to a smaller seq is refused."""

    def ask(method: str, params: JsonObject) -> Outcome:
        events: Any = params["events"]
        for event in _replacements(events):
            if event["surfaceOp"]["startSeq"] > event["surfaceOp"]["endSeq"]:
                return ask_reference("core/fold", {"format": 4, "events": [None]})
        return ask_reference(method, params)

    return ask
