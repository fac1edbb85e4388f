"""How an open turn is closed for it: after a crash, by a fork, and when a step fails.

Sources: facts surface-repair-fork §3 (REPAIR-*, EX1 to EX14) and §4.2; events §7.6 (CLOSE-*).
"""

from dsh_conformance.generate.state import Call, Raw, State, tie
from dsh_conformance.generate.voice import text
from dsh_conformance.generate.writer import Writer
from dsh_spec.texts import NOT_STARTED, OUTCOME_UNKNOWN, Cause, closer_text


def ended_turn(state: State) -> list[Raw]:
    """Return the events after which no turn is open; there is a turn end among them.

    An open compaction ends first, since no turn may begin or end within it.
    """
    writer = Writer(state)
    end_turn(writer)
    return writer.events


def end_turn(writer: Writer) -> None:
    """Write the events after which no turn is open, with a turn end among them."""
    state = writer.state
    bracket = state.compacting
    if bracket is not None:
        writer.emit("compaction/end", tie(bracket, turn=bracket.turn, error="interrupted"))
    if not state.turn_open:
        writer.emit("turn/start", {"turn": state.turn + 1})
    close_turn(writer, "interrupted")


def close_turn(writer: Writer, cause: Cause) -> None:
    """Answer the open calls, end the open step and the open turn, all at the last event's time."""
    pace, writer.pace = writer.pace, 0
    answer_calls(writer, cause)
    state = writer.state
    if state.step_open:
        writer.emit("step/end", writer.here())
    if state.turn_open:
        writer.emit("turn/end", {"turn": state.turn, "reason": {"kind": cause}})
    writer.pace = pace


def answer_calls(writer: Writer, cause: Cause) -> None:
    """Answer every open call with an error, in the order of their advertisement."""
    for call in writer.state.calls:
        sources = () if call.started is None else (call.started,)
        writer.append("tool/result", synthetic(writer, call, cause), sources)


def synthetic(writer: Writer, call: Call, cause: Cause) -> Raw:
    """Return the data of the result that stands in for one that never came."""
    started = call.started is not None
    error = OUTCOME_UNKNOWN if started else NOT_STARTED
    message = {
        "id": f"{cause}-tool-result-{call.id}-{writer.state.seq}",
        "role": "tool",
        "toolCallId": call.id,
        "isError": True,
        "source": {"kind": "tool", "callId": call.id},
        "content": [text(closer_text(cause, started=started))],
    }
    return writer.here(message=message, error={"name": error.name, "code": error.code})
