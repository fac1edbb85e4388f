"""Developer messages: the tools that they add must have been declared by an earlier header."""

from collections.abc import Mapping, Sequence

from dsh_reference.refusal import Refusal
from dsh_reference.surface.history import History, refuse
from dsh_reference.tools import declared_tools
from dsh_spec.events import DeveloperMessage, Event, RequestHeader, ToolAddition
from dsh_spec.values import Json


def check_tools(event: Event, history: History) -> Refusal | None:
    """Say whether the header that a developer message names declares each tool that it adds.

    Any earlier ``request/header`` will do, not only the latest.

    Source: DEV-HEADER-REF, DEV-HEADER-TOOL (facts: surface §1.7).
    """
    body = event.data
    if not isinstance(body, DeveloperMessage) or body.header_seq is None:
        return None
    header = history.event(body.header_seq) if body.header_seq < event.seq else None
    if header is None or not isinstance(header.data, RequestHeader):
        return refuse(event, "DEV-HEADER-REF", f"{body.header_seq} is no earlier request/header")
    tools = declared_tools(header)
    for block in body.message.content:
        if isinstance(block, ToolAddition) and not declares(tools, block.tool_name):
            return refuse(
                event,
                "DEV-HEADER-TOOL",
                f"header {body.header_seq} does not declare one whole tool {block.tool_name!r}",
            )
    return None


def declares(tools: Sequence[Json], name: str) -> bool:
    """Tell whether exactly one tool has that name, and a description and parameters as well."""
    match [tool for tool in tools if isinstance(tool, Mapping) and tool.get("name") == name]:
        case [{"description": str(), "parameters": Mapping(), **others}]:
            return others.get("deferLoading", True) is True
        case _:
            return False
