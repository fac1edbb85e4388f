"""The state of requests: the header, the context and the tools, by the log alone.

No replacement changes them.  Before v4 there is no tool history, and up to v2 the header holds the
system prompt.
"""

from collections.abc import Mapping, Sequence

from dsh_reference import tools
from dsh_reference.refusal import Refusal
from dsh_reference.session.typed import typed
from dsh_spec.catalogue import Format
from dsh_spec.values import Json, JsonObject


def request_header(events: Sequence[Json], *, format: Format) -> JsonObject | None:  # noqa: A002 - the word of the specification
    """Return the header of the latest ``request/header`` in canonical form, ``None`` without one.

    Source: PROJ-HEADER (facts: surface §2.4).
    """
    match _latest(events, "request/header"):
        case {"header": Mapping() as header}:
            return _canonical(header, format)
    return None


def request_context(events: Sequence[Json]) -> JsonObject | None:
    """Return the payload of the latest ``request/context``, whole; ``None`` without one.

    Source: PROJ-CONTEXT (facts: surface §2.5).
    """
    return _latest(events, "request/context")


def tool_history(events: Sequence[Json]) -> JsonObject | Refusal:
    """Return the tool history of a log of v4, or why the log has none.

    Source: PROJ-TOOLHISTORY (facts: surface §2.6).
    """
    read = typed(events)
    return read if isinstance(read, Refusal) else tools.tool_history(read)


def _canonical(header: JsonObject, format: Format) -> JsonObject:  # noqa: A002 - the word of the specification
    canonical: dict[str, Json] = {"config": header.get("config")}
    match header.get("adapterDefaults"):
        case {"reasoningEffort": True} | {"maxTokens": True} as defaults:
            canonical["adapterDefaults"] = defaults
    if format < 3 and isinstance(header.get("system"), str) and header["system"]:
        canonical["system"] = header["system"]
    if header.get("tools"):
        canonical["tools"] = header["tools"]
    return canonical


def _latest(events: Sequence[Json], kind: str) -> JsonObject | None:
    for event in reversed(events):
        match event:
            case {"type": found, "data": Mapping() as data} if found == kind:
                return data
    return None
