"""Beats that say something: user, system, developer and assistant messages, and attempts.

Source: facts events §4.2, §5 and §6.3; rules REL-IN-STEP, SURF-HEAD-V4, REL-TOOL-ADVERTISE,
REL-DEV-HEADER, SRC-V4-NO-PLUGIN.
"""

from collections.abc import Callable

from dsh_conformance.generate.beats.beat import Beat, always
from dsh_conformance.generate.payloads import obj, payload
from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.strings import NAMES, TEXTS
from dsh_conformance.generate.tape import Tape
from dsh_conformance.generate.writer import Writer, embellished, text

#: Ids of tool calls; the plain ones come back in later steps, as real providers' ids do.
CALL_IDS = ("c1", "c2", "c3", *NAMES)
#: Raw arguments of tool calls: text that need not be JSON.
ARGUMENTS = ("{}", '{"path":"a"}', "", "{", *TEXTS)
#: Names of tools.
TOOLS = ("read", "bash", "edit")


def user_message(writer: Writer, tape: Tape) -> Raw:
    """Return a message of role user from a person or a producer."""
    source = tape.one_of(_SOURCES)(tape)
    message = writer.message("user", blocks(tape), source)
    return embellished(tape, message)


def blocks(tape: Tape) -> list[Raw]:
    """Return a content list, mostly of one text block."""
    return tape.one_of(_CONTENTS)(tape)


def _words(tape: Tape) -> list[Raw]:
    return [text(tape.one_of(TEXTS))]


def _picture(tape: Tape) -> Raw:
    attachment: Raw = {"attachmentId": "a1", "mediaType": "image/png", "bytes": 0}
    attachment |= {"width": 1, "height": 1}
    if tape.rarely(2):
        attachment["name"] = tape.one_of(TEXTS)
    return {"type": "image", "attachment": attachment}


def _file(tape: Tape) -> Raw:
    attachment = {"attachmentId": "a2", "name": tape.one_of(TEXTS), "bytes": 2**31}
    return {"type": "file", "attachment": attachment}


_CONTENTS: tuple[Callable[[Tape], list[Raw]], ...] = (
    _words,
    _words,
    lambda tape: [text(tape.one_of(TEXTS)), text(tape.one_of(TEXTS))],
    lambda tape: [_picture(tape), text("a"), _picture(tape)],
    lambda tape: [{**obj(tape), "type": "acme/widget"}],
    lambda _tape: [],
    lambda tape: [_file(tape)],
)

_SOURCES: tuple[Callable[[Tape], Raw], ...] = (
    lambda _tape: {"kind": "user"},
    lambda _tape: {"kind": "user"},
    lambda tape: {"kind": "user", "rpcId": tape.one_of(NAMES), "clientTimeZone": "Asia/Tokyo"},
    lambda tape: {**obj(tape), "kind": "plugin:acme"},
    lambda tape: {"kind": "skill-invocation", "name": tape.one_of(NAMES), "form": "instructions"},
    lambda tape: {"kind": "time-context", "form": "notice", "summary": tape.one_of(TEXTS)},
)


def _ask(writer: Writer, tape: Tape) -> None:
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
    content = [] if tape.rarely(6) else _words(tape)
    message = writer.message("system", content, {"kind": "system-prompt"})
    return writer.here(message=embellished(tape, message))


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


def _may_speak(state: State) -> bool:
    return state.step_open and not state.calls


def _answer(writer: Writer, tape: Tape) -> None:
    """The assistant speaks, thinks, calls one to three tools, or some of these."""
    content = tape.one_of(_ANSWERS)(tape)
    finish = "stop"
    if tape.pick(3):
        content += _advertised(tape)
        finish = "tool-calls"
    _assistant(writer, tape, content, finish)


_ANSWERS: tuple[Callable[[Tape], list[Raw]], ...] = (
    _words,
    lambda _tape: [],
    lambda tape: [{"type": "reasoning", "text": tape.one_of(TEXTS)}, *_words(tape)],
)


def _advertised(tape: Tape) -> list[Raw]:
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
    data = writer.here(message=embellished(tape, message), stream=[])
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
    records = stream(writer.state.time, _words(tape), "stop") if tape.rarely(2) else []
    data = writer.here(stream=records)
    if tape.rarely(4):
        data["acme"] = payload(tape)
    writer.emit("assistant/attempt", data)


BEATS = (
    Beat("head", 12, _may_lead, _lead),
    Beat("assistant message", 12, _may_speak, _answer),
    Beat("user message", 3, always, _ask),
    Beat("system message", 1, _may_instruct, _instruct),
    Beat("developer message", 4, _may_speak, _develop),
    Beat("assistant attempt", 1, _may_speak, _attempt),
)
