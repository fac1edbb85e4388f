"""Beats that leave records no model sees: titles, commands, and what plugins write down.

Source: facts events §1.2 and §4.4 to §4.10; rules IGN-*, REL-TITLE, REL-TITLE-REQUEST, REL-COMMAND,
CATALOG-UNIQUE.
"""

from dsh_conformance.generate.beats.beat import Beat, always
from dsh_conformance.generate.beats.messages import user_message
from dsh_conformance.generate.beats.plugins import PLUGIN_EVENTS
from dsh_conformance.generate.payloads import payload
from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.strings import NAMES, TEXTS
from dsh_conformance.generate.tape import Tape
from dsh_conformance.generate.voice import text
from dsh_conformance.generate.writer import Writer

#: Types that no build knows; whoever does not know them keeps them and looks away.
STRANGERS = (
    *("plugin:acme/ping", "plugin:acme/a.b_c-d/1", "acme/ping", "", "turn/Start", "😀\ud83d"),
    *("tool/code-dispatch", "assistant/chunk", "text-chunks"),
)


def _remark(writer: Writer, tape: Tape) -> None:
    """An ignorable record of a type that nobody knows; its members may be anything."""
    kind = tape.one_of(STRANGERS)
    envelope: Raw = {"ignorable": True}
    data = payload(tape)
    if tape.rarely(4):
        envelope["surfaceOp"] = payload(tape)
    writer.emit(kind, data, **envelope)


def _record(writer: Writer, tape: Tape) -> None:
    """An event of a plugin that comes with the runtime; marked or not, it means the same."""
    kind, data = tape.one_of(PLUGIN_EVENTS)
    envelope: Raw = {"ignorable": True} if tape.rarely(6) else {}
    writer.emit(kind, writer.embellished(tape, data(tape, writer.state)), **envelope)


def _inbox(writer: Writer, tape: Tape) -> None:
    inserted = [user_message(writer, tape)] if tape.pick(2) else []
    data: Raw = {"target": tape.one_of(("next-turn", "next-step")), "start": 0}
    if tape.rarely(2):
        data |= {"removedCount": 1, "outcome": "canceled"}
    writer.emit("agent/inbox/spliced", {**data, "inserted": inserted})


def _title(writer: Writer, tape: Tape) -> None:
    """A title from the user cites nothing; any other cites messages that a person wrote."""
    prompts = writer.state.prompts
    data: Raw = {"title": tape.one_of(NAMES), "messageSeqs": [], "source": {"kind": "user"}}
    if prompts and tape.pick(3):
        data["messageSeqs"] = list(prompts[-1 - tape.pick(len(prompts)) :])
        model = {"provider": "p", "model": "m"}
        provider = {"kind": "provider", "provider": "acme", "model": model}
        data["source"] = tape.one_of(({"kind": "fallback"}, provider))
    writer.emit("session/title", data)


def _may_request_title(state: State) -> bool:
    return bool(state.prompts)


def _request_title(writer: Writer, tape: Tape) -> None:
    source = {"kind": "dsh-session-title-llm"}
    message = writer.message("user", [text(tape.one_of(TEXTS))], source)
    data: Raw = {"titleProvider": "acme", "messageSeqs": list(writer.state.prompts[-2:])}
    data |= {"route": {"provider": "p", "model": "m"}, "system": tape.one_of(TEXTS)}
    writer.emit("session/title-llm-request", {**data, "messages": [message], "maxTokens": 1})


def _command(writer: Writer, tape: Tape) -> None:
    data: Raw = {"commandId": f"x{writer.state.seq}", "name": tape.one_of(NAMES)}
    if tape.pick(2):
        data["args"] = tape.one_of(TEXTS)
    writer.emit("command/run", {**data, "source": {"kind": "user"}})


def _may_finish(state: State) -> bool:
    return bool(state.commands)


def _finish(writer: Writer, tape: Tape) -> None:
    commands = writer.state.commands
    data: Raw = {"commandId": commands[-1 - tape.pick(len(commands))]}
    data["kind"] = tape.one_of(("success", "error"))
    if tape.pick(2):
        data["text"] = tape.one_of(TEXTS)
    prompts = writer.state.prompts
    if data["kind"] == "success" and prompts and tape.pick(2):
        data["sourceEventSeq"] = tape.one_of(prompts)
    writer.emit("command/done", data)


def _child(writer: Writer, tape: Tape) -> None:
    data: Raw = {"version": 1, "childId": f"child-{writer.state.seq}", "childCreatedAt": 0}
    data |= tape.one_of(_MODES)
    writer.emit("subagent/catalog", data)


_MODES: tuple[Raw, ...] = (
    {"mode": "one-shot"},
    {"mode": "continuable", "label": "\u2028"},
    {"mode": "unknown"},
    {"version": 0, "mode": "one-shot"},
    {"version": 2, "mode": "external"},
)


BEATS = (
    Beat("stranger", 1, always, _remark),
    Beat("plugin event", 2, always, _record),
    Beat("inbox", 1, always, _inbox),
    Beat("title", 1, always, _title),
    Beat("title request", 1, _may_request_title, _request_title),
    Beat("command", 1, always, _command),
    Beat("command done", 1, _may_finish, _finish),
    Beat("child listed", 1, always, _child),
)
