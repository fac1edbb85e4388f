"""The rules of a single row that no reader may set aside, whatever stands around it.

A reader of plain text lets a damaged tail go, since nobody was told that it was stored.  But a row
that some writer, older or wrong, must have meant is no damage, and to drop it in silence would be a
loss.  So a row of such a shape refuses the log, even behind a bad one.
"""

from collections.abc import Mapping
from typing import TypeAlias

from dsh_reference.admit.calls import is_numbered
from dsh_reference.admit.slots import (
    SLOTTED,
    free_tags_of,
    is_list,
    messages_of,
    tags_of,
)
from dsh_reference.refusal import Refusal
from dsh_reference.values import MAX_SAFE
from dsh_spec.events import ShapeError, structure_body
from dsh_spec.refusals import RefusalKind
from dsh_spec.texts import NOT_STARTED
from dsh_spec.values import JsonObject, is_object

_Verdict: TypeAlias = "tuple[str, str] | None"

#: Types that went by these names in older formats.
RETIRED_TYPES = frozenset({"tool/code-dispatch", "tool/code-dispatch-start"})
#: Types whose payload is whole or refused.
_STRICT_TYPES = frozenset({"system/message", "developer/message", "tool/result"})
#: Rules that a payload of a strict type may break in a row that is let go.
_LOOSE_RULES = frozenset({"REL-IN-STEP", "SRC-SYSTEM"})
_FORKED = "forked-tool-result-"
#: The types of which anything is asked here.
_JUDGED = RETIRED_TYPES | _STRICT_TYPES | SLOTTED | {"request/header"}


def check_hard(row: JsonObject) -> Refusal | None:
    """Say whether a row is of a shape that refuses the log outright, good or bad otherwise.

    Source: INV-HARD-ADMISSION, and the rules of the functions below (facts: events §9; each
    probed behind a bad row on 0.2.1rc2).
    """
    type_ = row.get("type")
    if not isinstance(type_, str) or type_ not in _JUDGED:
        return None
    if type_ in RETIRED_TYPES and row.get("ignorable") is not True:
        return Refusal(
            kind=RefusalKind.UNSUPPORTED_FORMAT,
            rule="IGN-RETIRED-PTC",
            where=type_,
            problem="its type is retired",
        )
    found = _check_slots(row) or _check_header(row) or _check_strict(row) or check_forked(row)
    if found is None:
        return None
    return Refusal(kind=RefusalKind.CORRUPT, rule=found[0], where=type_, problem=found[1])


def _check_slots(row: JsonObject) -> _Verdict:
    """SRC-V4-NO-PLUGIN, DEV-ROLE, DEV-BLOCKS, BLOCK-V4-RETIRED."""
    is_developer = row.get("type") == "developer/message"
    for message in messages_of(row):
        source = message.get("source")
        if is_object(source) and source.get("kind") == "plugin":
            return "SRC-V4-NO-PLUGIN", "a message of it comes from a plugin"
        if message.get("role") == "developer" and not is_developer:
            return "DEV-ROLE", "a message of it has the role developer"
    for tag in tags_of(row):
        if tag in ("tool-addition", "tool-removal") and not is_developer:
            return "DEV-BLOCKS", f"it has a {tag} block"
        if tag == "tool-result":
            return "BLOCK-V4-RETIRED", "it has a tool-result block"
    if "tool-result" in free_tags_of(row):
        return "BLOCK-V4-RETIRED", "it has a tool-result block"
    return None


def _check_header(row: JsonObject) -> _Verdict:
    """HDRREQ-CANONICAL, HDRREQ-DEFER."""
    match row:
        case {"type": "request/header", "data": {"header": Mapping() as header}}:
            tools = header.get("tools")
            if "system" in header:
                return "HDRREQ-CANONICAL", "its header has a system prompt"
            for tool in tools if is_list(tools) else ():
                if is_object(tool) and tool.get("deferLoading", True) is not True:
                    return "HDRREQ-DEFER", "deferLoading is present and not true"
        case {"type": "request/header"}:
            return "HDRREQ-CANONICAL", "it has no header"
    return None


def _check_strict(row: JsonObject) -> _Verdict:
    """Ask the payload of a strict type for its whole shape, in an envelope that is right."""
    type_ = row.get("type")
    if not isinstance(type_, str) or type_ not in _STRICT_TYPES:
        return None
    try:
        structure_body(type_, row.get("data"), seq=MAX_SAFE, format=4)
    except ShapeError as error:
        return None if error.rule in _LOOSE_RULES else (error.rule, f"{error.path} {error.problem}")
    return None


def check_forked(row: JsonObject) -> _Verdict:
    """Ask a result that was made for a fork, by its id and code, for all that makes it one.

    FORK-RESULT (facts: surface §3.4).
    """
    match row:
        case {
            "type": "tool/result",
            "data": {
                "message": {"id": str(name), **message},
                "error": {"code": NOT_STARTED.code, **error},
            },
        } if name.startswith(_FORKED):
            is_right = (
                error.get("name") == NOT_STARTED.name
                and message.get("isError") is True
                and _is_text(message.get("content"))
                and _is_numbered_by_seq(row, name, f"{_FORKED}{message.get('toolCallId')}-")
            )
            return None if is_right else ("FORK-RESULT", "it is not the result that a fork makes")
    return None


def _is_text(content: object) -> bool:
    match content:
        case [{"type": "text", "text": str()}]:
            return True
    return False


def _is_numbered_by_seq(row: JsonObject, name: str, prefix: str) -> bool:
    if not is_numbered(name, prefix):
        return False
    number = int(name.removeprefix(prefix))
    match row:
        case {"surfaceOp": "append"}:
            return row.get("seq") == number and "sourceEventSeqs" not in row
        case {"surfaceOp": Mapping(), "sourceEventSeqs": [source], "seq": int(seq)}:
            return source == number < seq
    return False
