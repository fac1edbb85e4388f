"""The tool history: which tools a request declares, and how that came about.

Headers and developer messages are folded in log order, whatever the surface shows.
Headers come in series.  The first header of a series is its *baseline*; developer messages then add
tools and remove some, which a provider can be told without declaring everything anew.
"""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from dsh_reference.values import dump
from dsh_spec.events import (
    DeveloperMessage,
    Event,
    RequestHeader,
    ToolAddition,
    ToolRemoval,
    unstructure_event,
)
from dsh_spec.values import Json, JsonObject


@frozen(kw_only=True)
class _Series:
    """A series of headers, as far as it has come; before the first header it is empty."""

    #: Whether a header has begun it.
    begun: bool = False
    #: The tools of the baseline.
    baseline: Sequence[Json] = ()
    #: The tools of the latest header.
    active: Sequence[Json] = ()
    #: The JSON text of every tool that was declared, by name.
    declared: Mapping[str, str] = {}
    #: The names of the tools that are available after all developer messages.
    available: frozenset[str] = frozenset()


def tool_history(events: Sequence[Event]) -> JsonObject:
    """Return the ``tools`` of the current series' baseline, and the ``updates`` since then.

    Where the updates do not lead to the tools of the latest header, as in logs of writers that made
    none, those tools count as the baseline.  The log must have a surface: each added tool is
    declared by the header that its message names.

    Source: PROJ-TOOLHISTORY (facts: surface §2.6; the order within a message probed on 0.2.1rc2).
    """
    series = _Series()
    updates: list[JsonObject] = []
    for event in events:
        match event.data:
            case RequestHeader() as body:
                tools = declared_tools(event)
                if _begins_series(series, body, tools):
                    series, updates = _baseline(tools), []
                series = evolve(series, active=tools)
            case DeveloperMessage() as body:
                additions = _additions(body, events)
                updates.append({"messageId": body.message.id, "additions": additions})
                series = _updated(series, body, additions)
    if {_name(tool) for tool in series.active} != series.available:
        return {"tools": list(series.active), "updates": []}
    return {"tools": list(series.baseline), "updates": updates}


def declared_tools(event: Event) -> Sequence[Json]:
    """Return the tools that a ``request/header`` declares, as JSON (facts: events §4.3)."""
    match unstructure_event(event)["data"]:
        case {"header": {"tools": [*tools]}}:
            return tools
    return []


def _baseline(tools: Sequence[Json]) -> _Series:
    declared = {_name(tool): dump(tool) for tool in tools}
    return _Series(begun=True, baseline=tools, declared=declared, available=frozenset(declared))


def _begins_series(series: _Series, body: RequestHeader, tools: Sequence[Json]) -> bool:
    redeclared = any(series.declared.get(_name(tool), dump(tool)) != dump(tool) for tool in tools)
    return not series.begun or redeclared or body.starts_series or body.reason == "series"


def _updated(series: _Series, body: DeveloperMessage, additions: Sequence[Json]) -> _Series:
    available = set(series.available)
    for block in body.message.content:
        match block:
            case ToolAddition(tool_name=name):
                available.add(name)
            case ToolRemoval(tool_name=name):
                available.discard(name)
    added = {_name(tool): dump(tool) for tool in additions}
    return evolve(series, declared={**series.declared, **added}, available=frozenset(available))


def _additions(body: DeveloperMessage, events: Sequence[Event]) -> Sequence[Json]:
    if body.header_seq is None:
        return []
    tools = {_name(tool): tool for tool in declared_tools(events[body.header_seq])}
    names = [block.tool_name for block in body.message.content if isinstance(block, ToolAddition)]
    return [tools[name] for name in names]


def _name(tool: Json) -> str:
    match tool:
        case {"name": str(name)}:
            return name
    return ""
