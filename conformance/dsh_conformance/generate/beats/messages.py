"""Beats that say something: user, system, developer and assistant messages, and attempts.

Source: facts events §4.2, §5 and §6.3; rules REL-IN-STEP, SURF-HEAD-V4, REL-TOOL-ADVERTISE,
REL-DEV-HEADER, SRC-V4-NO-PLUGIN.
"""

from collections.abc import Callable

from dsh_conformance.generate.beats.beat import Beat, always
from dsh_conformance.generate.payloads import payload
from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.strings import NAMES, TEXTS
from dsh_conformance.generate.tape import Tape
from dsh_conformance.generate.voice import text, words
from dsh_conformance.generate.writer import Writer

#: Ids of tool calls; the plain ones come back in later steps, as real providers' ids do.
CALL_IDS = ("c1", "c2", "c3", *NAMES)
#: Raw arguments of tool calls: text that need not be JSON.
ARGUMENTS = ("{}", '{"path":"a"}', "", "{", *TEXTS)
#: Names of tools.
TOOLS = ("read", "bash", "edit")


def user_message(writer: Writer, tape: Tape) -> Raw:
    """Return a message of role user from a person or a producer."""
    source = writer.voice.source(tape)
    message = writer.message("user", writer.voice.blocks(tape), source)
    return writer.embellished(tape, message)


def ask(writer: Writer, tape: Tape) -> None:
    """A person or a producer says something."""
    writer.append("user/message", user_message(writer, tape))


def _may_lead(state: State) -> bool:
    """A system message comes first on the surface, or not at all."""
    return state.step_open and not state.nodes


def _lead(writer: Writer, tape: Tape) -> None:
    writer.append("system/message", _instructions(writer, tape))


def _may_instruct(state: State) -> bool:
    return state.step_open and state.head is not None


def _instruct(writer: Writer, tape: Tape) -> None:
    """The head is replaced by other instructions, or more of them come later."""
    data = _instructions(writer, tape)
    head = writer.state.head
    if head is not None and not tape.rarely(3):
        writer.replace("system/message", data, [head])
    else:
        writer.append("system/message", data)


def _instructions(writer: Writer, tape: Tape) -> Raw:
    content = [] if tape.rarely(6) else words(tape)
    message = writer.message("system", content, {"kind": "system-prompt"})
    return writer.here(message=writer.embellished(tape, message))


def _develop(writer: Writer, tape: Tape) -> None:
    content = [text(tape.one_of(TEXTS))] if tape.rarely(2) else []
    if tape.rarely(3):
        content.append({"type": "tool-removal", "toolName": tape.one_of(NAMES)})
    data = writer.here()
    declaring = writer.state.declaring
    if declaring is not None and not tape.rarely(3):
        tool = tape.one_of(declaring["data"]["header"]["tools"])
        content.append({"type": "tool-addition", "toolName": tool["name"]})
        data["headerSeq"] = declaring["seq"]
    data["message"] = writer.message("developer", content, {"kind": "tool-registry"})
    writer.append("developer/message", data)


def may_speak(state: State) -> bool:
    """Tell whether the assistant has its say: in a step, and after all results."""
    return state.step_open and not state.calls


def _answer(writer: Writer, tape: Tape) -> None:
    """The assistant speaks, thinks, calls one to three tools, or some of these."""
    content = tape.one_of(ANSWERS)(tape)
    finish = "stop"
    if tape.pick(3):
        content += advertised(tape)
        finish = "tool-calls"
    _assistant(writer, tape, content, finish)


#: What an assistant says, tool calls aside.
ANSWERS: tuple[Callable[[Tape], list[Raw]], ...] = (
    words,
    lambda _tape: [],
    lambda tape: [{"type": "reasoning", "text": tape.one_of(TEXTS)}, *words(tape)],
)


def advertised(tape: Tape) -> list[Raw]:
    """Return one to three tool-call blocks with different ids."""
    calls: dict[str, Raw] = {}
    for plain in CALL_IDS[: 1 + tape.pick(3)]:
        name = tape.one_of(CALL_IDS) if tape.rarely(4) else plain
        calls[name] = {
            "type": "tool-call",
            "id": name,
            "name": tape.one_of(TOOLS),
            "arguments": tape.one_of(ARGUMENTS),
        }
    return list(calls.values())


def _assistant(writer: Writer, tape: Tape, content: list[Raw], finish: str) -> None:
    source: Raw = {"kind": "model", "provider": "p", "model": "m"}
    message = writer.message("assistant", content, source)
    data = writer.here(message=writer.embellished(tape, message), stream=[])
    choice = tape.pick(6)
    if choice % 2:
        data["stream"] = stream(writer.state.time, content, finish)
    match choice:
        case 2:
            data["usage"] = {"inputTokens": 0, "outputTokens": 2**53 - 1, "totalTokens": 1}
        case 4 if finish == "stop":
            data["interrupted"] = True
    writer.append("assistant/message", data)


def stream(time: int, content: list[Raw], finish: str) -> list[Raw]:
    """Return stream records that assemble to *content* (REC-ASSEMBLE), in two pieces a block."""
    records: list[Raw] = []
    for index, block in enumerate(content):
        base = {"time0": time, "index": index, "dt": [-1]}
        match block["type"]:
            case "tool-call":
                call = {"id": block["id"], "name": block["name"], "args": ["", block["arguments"]]}
                records.append({"type": "tool-call-chunks", **base, **call})
            case kind:
                records.append({"type": f"{kind}-chunks", **base, "texts": ["", block["text"]]})
    finished = {"type": "finish", "reason": {"kind": finish}}
    return [*records, {"type": "chunk", "time": time, "chunk": finished}]


def _attempt(writer: Writer, tape: Tape) -> None:
    """A model request came to nothing: what it streamed is kept and shown to nobody."""
    records = stream(writer.state.time, words(tape), "stop") if tape.rarely(2) else []
    data = writer.here(stream=records)
    if tape.rarely(4):
        data["acme"] = payload(tape)
    writer.emit("assistant/attempt", data)


BEATS = (
    Beat("head", 12, _may_lead, _lead),
    Beat("assistant message", 12, may_speak, _answer),
    Beat("user message", 3, always, ask),
    Beat("system message", 1, _may_instruct, _instruct),
    Beat("developer message", 4, may_speak, _develop),
    Beat("assistant attempt", 1, may_speak, _attempt),
)
