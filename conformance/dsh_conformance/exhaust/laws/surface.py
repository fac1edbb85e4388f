"""Laws of what a log shows: its surface, its messages, and the state of requests.

Source: facts surface-repair-fork §1.3, §1.8, §2, Q1 to Q16.
"""

from collections.abc import Iterator
from typing import Any

from dsh_conformance.exhaust.laws.claim import Claim
from dsh_conformance.exhaust.ledger import Ledger
from dsh_conformance.exhaust.look import Look


def surfaced(look: Look) -> Iterator[Claim]:
    """The surface is what the ledger has."""
    yield Claim("SURF-FOLD", _surface(look.ledger, base=0), look.surface)


def windowed(look: Look) -> Iterator[Claim]:
    """The log without its first event has the same surface but for that event, or none.

    Where a system message that is not the first node is replaced, the window may refuse.
    """
    ledger = look.ledger
    found = look.answer("fold", ledger.events[1:], baseSeq=1)
    if _reaches_first(ledger):
        yield Claim("SURF-WINDOW", {"refusal": "invalid-event"}, found)
    elif not _replaces_prompt(ledger) or "refusal" not in found:
        yield Claim("SURF-WINDOW", _surface(ledger, base=1), found)


def _surface(ledger: Ledger, *, base: int) -> Any:
    replaced = [each for each in ledger.replaced if each["seq"] >= base]
    first = ledger.events[0]["type"] == "image/offload" if base else False
    return {
        "nodes": [seq for seq in ledger.nodes if seq >= base],
        "replaceGeneration": len(replaced),
        "contentGeneration": len(replaced) + ledger.projections - first,
        "replacements": replaced,
    }


def _reaches_first(ledger: Ledger) -> bool:
    """Tell whether a later event needs the first one."""
    targets = [
        target["seq"]
        for event in ledger.events
        if event["type"] == "image/offload"
        for target in event["data"]["targets"]
    ]
    headers = [
        event["data"].get("headerSeq")
        for event in ledger.events
        if event["type"] == "developer/message"
    ]
    ends = [end for each in ledger.replaced for end in (each["start"], each["end"])]
    return 0 in (*targets, *headers, *ends)


def _replaces_prompt(ledger: Ledger) -> bool:
    shadowed = [seq for each in ledger.replaced for seq in each["shadowedSeqs"]]
    return any(ledger.type_of(seq) == "system/message" for seq in shadowed)


def shown(look: Look) -> Iterator[Claim]:
    """The messages are those of the nodes, in order."""
    yield Claim("PROJ-HISTORY", {"messages": [*messages(look.ledger)]}, look.messages)


def messages(ledger: Ledger) -> Iterator[Any]:
    """Give the messages that the nodes show."""
    for seq in ledger.nodes:
        message = ledger.shown[seq]
        if message is not None:
            yield message


def requested(look: Look) -> Iterator[Claim]:
    """Header, context and tools are those that the ledger has."""
    ledger, tools = look.ledger, look.ledger.tools
    state = look.answer("requestHeader", ledger.events)
    yield Claim("PROJ-HEADER", {"value": ledger.header}, state)
    state = look.answer("requestContext", ledger.events)
    yield Claim("PROJ-CONTEXT", {"value": ledger.context}, state)
    agree = {tool["name"] for tool in tools.active} == tools.available
    told = tools.baseline if agree else tools.active
    value = {"tools": [*told], "updates": [*tools.updates] if agree else []}
    yield Claim("PROJ-TOOLHISTORY", {"value": value}, look.answer("toolHistory", ledger.events))
