"""Beats of tools: calls start, results come in any order, sub-calls run inside a call.

Source: facts events §4.2, §4.10 and §5.3; rules REL-TOOL-CALL, REL-TOOL-RESULT, REL-PTC.
"""

from dsh_conformance.generate.beats.beat import Beat
from dsh_conformance.generate.beats.messages import TOOLS
from dsh_conformance.generate.payloads import payload
from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.strings import NAMES, TEXTS
from dsh_conformance.generate.tape import Tape
from dsh_conformance.generate.writer import Writer


def _may_call(state: State) -> bool:
    return bool(state.unstarted)


def _call(writer: Writer, tape: Tape) -> None:
    call = tape.one_of(writer.state.unstarted)
    data = writer.here(callId=call.id, name=call.name, arguments=call.arguments)
    writer.emit("tool/call", writer.embellished(tape, data))


def _may_answer(state: State) -> bool:
    return bool(state.running)


def _answer(writer: Writer, tape: Tape) -> None:
    call = tape.one_of(writer.state.running)
    source = {"kind": "tool", "callId": call.id}
    message = writer.message("tool", writer.voice.blocks(tape), source, toolCallId=call.id)
    data = writer.here(message=message)
    outcome = tape.one_of(("plain", "good", "bad", "worse"))
    if outcome != "plain":
        message["isError"] = outcome != "good"
    if outcome == "worse":
        data["error"] = {"name": tape.one_of(NAMES), "code": "E"}
        reason = tape.one_of(TEXTS)
        if writer.voice.open:
            data["error"]["reason"] = reason
    if tape.rarely(2):
        data["meta"] = payload(tape)
    writer.embellished(tape, tape.one_of((data, message)))
    sources = (call.started,) if call.started is not None and tape.rarely(4) else ()
    writer.append("tool/result", data, sources)


def _dispatch(writer: Writer, tape: Tape) -> None:
    """A running call calls a tool itself, or one of its sub-calls does."""
    root = tape.one_of(writer.state.running)
    parents = [root.id]
    parents += [each["subCallId"] for each in writer.state.dispatches if _root(each) == root.id]
    parent = tape.one_of(parents)
    data = {"rootCallId": root.id, "parentCallId": parent}
    data |= {"subCallId": f"{parent}:ptc:{writer.state.seq}", "name": tape.one_of(TOOLS)}
    writer.emit("tool/ptc-dispatch-start", {**data, "arguments": payload(tape)})


def _root(dispatch: Raw) -> str:
    return str(dispatch["rootCallId"])


def _may_settle(state: State) -> bool:
    return bool(state.dispatches)


def _settle(writer: Writer, tape: Tape) -> None:
    started = tape.one_of(writer.state.dispatches)
    data = {**started, "isError": bool(tape.pick(2)), "content": writer.voice.blocks(tape)}
    if writer.voice.open and tape.rarely(3):
        data["meta"] = payload(tape)
    writer.emit("tool/ptc-dispatch", data)


BEATS = (
    Beat("tool call", 12, _may_call, _call),
    Beat("tool result", 12, _may_answer, _answer),
    Beat("sub-call", 3, _may_answer, _dispatch),
    Beat("sub-call settles", 6, _may_settle, _settle),
)
