"""Tool calls: the model asks, the call starts, and one result answers, all within one step."""

import re

from attrs import evolve, frozen

from dsh_reference.admit.log import Broken, Log, broken
from dsh_reference.values import MAX_SAFE
from dsh_spec.events import (
    Append,
    AssistantMessage,
    Event,
    StepEnd,
    TextBlock,
    ToolCall,
    ToolCallBlock,
    ToolResult,
    TurnEnd,
)
from dsh_spec.texts import INTERRUPTED_NOT_STARTED, NOT_STARTED


@frozen(kw_only=True)
class _Asked:
    """A call that the model asked for and that has no result yet."""

    name: str
    arguments: str
    started: bool = False


def check_calls(log: Log) -> Broken | None:
    """Hold every call to what the model asked for, and every result to its call.

    Source: REL-TOOL-CLOSED, and the rules of the functions below (facts: events §9).
    """
    asked: dict[str, _Asked] = {}
    for entry in log.entries:
        event, wrong = entry.event, None
        match event.data:
            case AssistantMessage() as body:
                wrong = _ask(event, body, asked)
            case ToolCall() as body:
                wrong = _start(event, body, asked)
            case ToolResult() as body if isinstance(event.surface_op, Append):
                wrong = _answer(event, body, asked)
            case StepEnd() | TurnEnd() if asked:
                wrong = broken(event, "REL-TOOL-CLOSED", f"call {next(iter(asked))!r} is open")
        if wrong is not None:
            return wrong
    return None


def _ask(event: Event, body: AssistantMessage, asked: dict[str, _Asked]) -> Broken | None:
    """REL-TOOL-ADVERTISE."""
    for block in body.message.content:
        if not isinstance(block, ToolCallBlock):
            continue
        if block.id in asked:
            return broken(event, "REL-TOOL-ADVERTISE", f"call {block.id!r} is open already")
        asked[block.id] = _Asked(name=block.name, arguments=block.arguments)
    return None


def _start(event: Event, body: ToolCall, asked: dict[str, _Asked]) -> Broken | None:
    """REL-TOOL-CALL."""
    if asked.get(body.call_id) != _Asked(name=body.name, arguments=body.arguments):
        return broken(
            event, "REL-TOOL-CALL", f"no call {body.call_id!r} of this name waits to be started"
        )
    asked[body.call_id] = evolve(asked[body.call_id], started=True)
    return None


def _answer(event: Event, body: ToolResult, asked: dict[str, _Asked]) -> Broken | None:
    """REL-TOOL-RESULT, REL-TOOL-NOTSTARTED."""
    call_id = str(body.message.source.fields["callId"])
    call = asked.pop(call_id, None)
    if call is None:
        return broken(event, "REL-TOOL-RESULT", f"no call {call_id!r} is open")
    if not call.started and not _is_repair(event, body, call_id):
        return broken(
            event, "REL-TOOL-NOTSTARTED", f"call {call_id!r} has a result and was never started"
        )
    return None


def _is_repair(event: Event, body: ToolResult, call_id: str) -> bool:
    """Tell whether a result says, in the one way there is, that its call never started."""
    error = body.error
    if error is None or (error.name, error.code) != (NOT_STARTED.name, NOT_STARTED.code):
        return False
    if not body.message.is_error or event.source_event_seqs is not None:
        return False
    if body.message.id.startswith(f"forked-tool-result-{call_id}-"):
        return True  # FORK-RESULT asks the rest of it.
    match body.message.content:
        case (TextBlock(text=text),):
            prefix = f"interrupted-tool-result-{call_id}-"
            return text == INTERRUPTED_NOT_STARTED and is_numbered(body.message.id, prefix)
        case _:
            return False


def is_numbered(text: str, prefix: str) -> bool:
    """Tell whether a text is a prefix and a canonical decimal number up to 2^53 - 1."""
    number = text.removeprefix(prefix)
    return (
        text.startswith(prefix)
        and re.fullmatch("0|[1-9][0-9]{0,15}", number) is not None
        and int(number) <= MAX_SAFE
    )
