"""Shapes that say what a request has besides messages: its header, its context, its tools."""

from typing import Any

from attrs import evolve

from dsh_conformance.exhaust.ledger import Ledger, Move, Tools, appended, event, logged
from dsh_conformance.exhaust.shapes.messages import said
from dsh_conformance.generate.state import Raw

_CONFIG: Raw = {"provider": "p", "model": "m", "maxTokens": 9}
_HEADER = "request/header"


def tool(name: str, description: str = "usual") -> Raw:
    """Return a declaration."""
    return {"name": name, "description": description, "parameters": {}}


def headed(ledger: Ledger, reason: str, **members: Any) -> Raw:
    """Return a request header."""
    data = {"header": {"config": _CONFIG, **members}, "reason": reason}
    return event(ledger, _HEADER, data)


def _declared(ledger: Ledger, made: Raw, *tools: Raw, series: bool = False) -> Move:
    known = ledger.tools
    is_new = any(known.declared.get(each["name"], each) != each for each in tools)
    named = {each["name"]: each for each in tools}
    if series or is_new or not known.begun:
        known = Tools(begun=True, baseline=tools, declared=named, available=frozenset(named))
    members = made["data"]["header"].items()
    canonical = {key: value for key, value in members if key != "acme" and value != []}
    orderly = ledger.turn is not None
    return logged(
        ledger, made, orderly=orderly, header=canonical, tools=evolve(known, active=tools)
    )


def header(ledger: Ledger) -> Move:
    """A header with a tool, and with a key that nobody knows."""
    tools = (tool("t"),)
    return _declared(ledger, headed(ledger, "initial", tools=[*tools], acme=1), *tools)


def other_header(ledger: Ledger) -> Move:
    """A header that declares the tool otherwise, and one more."""
    tools = (tool("t", "other"), tool("u"))
    return _declared(ledger, headed(ledger, "change", tools=[*tools]), *tools)


def bare_header(ledger: Ledger) -> Move:
    """A header without tools that begins a series, with a default."""
    made = headed(ledger, "series", adapterDefaults={"maxTokens": True})
    return _declared(ledger, made, series=True)


def context(ledger: Ledger) -> Move | None:
    """A context; a second one directly behind it takes its place."""
    if ledger.events[:-1] and ledger.events[-2]["type"] == "request/context":
        return None
    data = {"provider": "p", "model": f"m{ledger.seq}"}
    made = event(ledger, "request/context", data)
    return logged(ledger, made, orderly=ledger.turn is not None, context=data)


def latest(ledger: Ledger) -> Raw | None:
    """Return the latest header event."""
    return next((each for each in ledger.events[::-1] if each["type"] == _HEADER), None)


def developed(ledger: Ledger, *blocks: Raw, **members: Any) -> tuple[Raw, Raw]:
    """Return a developer's message, as an event and bare."""
    message = said(ledger, "developer", {"kind": "tool-registry"}, *blocks)
    data = {**ledger.place, "message": message, **members}
    return event(ledger, "developer/message", data), message


def added(name: str) -> Raw:
    """Return the block that adds a tool."""
    return {"type": "tool-addition", "toolName": name}


def addition(ledger: Ledger) -> Move | None:
    """A message that adds the last tool of the latest header."""
    source = latest(ledger)
    tools = source["data"]["header"].get("tools") if source else None
    if source is None or not tools:
        return None
    new: Raw = tools[-1]
    made, message = developed(ledger, added(new["name"]), headerSeq=source["seq"])
    update = {"messageId": message["id"], "additions": [new]}
    known = ledger.tools
    after = evolve(
        known,
        updates=(*known.updates, update),
        declared={**known.declared, new["name"]: new},
        available=known.available | {new["name"]},
    )
    return appended(ledger, made, message, orderly=ledger.in_step, tools=after)


def removal(ledger: Ledger) -> Move:
    """A message that removes a tool, known or not."""
    made, message = developed(ledger, {"type": "tool-removal", "toolName": "t"})
    update = {"messageId": message["id"], "additions": []}
    known = ledger.tools
    updates, available = (*known.updates, update), known.available - {"t"}
    after = evolve(known, updates=updates, available=available)
    return appended(ledger, made, message, orderly=ledger.in_step, tools=after)
