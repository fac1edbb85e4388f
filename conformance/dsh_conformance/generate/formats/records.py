"""Beats of older formats that leave records: plugin events, deliveries, headers, restarts.

Sources: facts events §4.3, §4.9 and REL-TURN-RESTART; migration §3.2 (MIG23-PROMPT-OUTSIDE) and
§4.2 (MIG34-OPAQUE, MIG34-RESTART).
"""

from dsh_conformance.generate.beats.beat import Beat, always
from dsh_conformance.generate.beats.messages import user_message
from dsh_conformance.generate.beats.records import STRANGERS
from dsh_conformance.generate.formats.options import optional
from dsh_conformance.generate.formats.plugins import DELIVERY, plugin_events
from dsh_conformance.generate.formats.state import Past, past
from dsh_conformance.generate.payloads import obj, payload
from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.strings import NAMES, TEXTS
from dsh_conformance.generate.tape import Tape
from dsh_conformance.generate.writer import Writer


def _record(writer: Writer, tape: Tape) -> None:
    """An event of a plugin that came with the runtime; marked or not, it means the same."""
    state = past(writer.state)
    kind, data = tape.one_of(plugin_events(state.format))
    envelope: Raw = {"ignorable": True} if tape.rarely(6) else {}
    writer.emit(kind, writer.embellished(tape, data(tape, state)), **envelope)


def _may_deliver(state: State) -> bool:
    return state.seq > 0


def _deliver(writer: Writer, tape: Tape) -> None:
    kind, data = DELIVERY
    writer.emit(kind, data(tape, past(writer.state)))


def _may_restart(state: State) -> bool:
    return state.turn_open and not state.step_open and state.bracket is None


def _restart(writer: Writer, tape: Tape) -> None:
    """The process died within a turn, and the next one began with what lay in the inbox."""
    data = {"target": "next-turn", "start": 0, "inserted": [user_message(writer, tape)]}
    writer.emit("agent/inbox/spliced", data)
    writer.emit("turn/start", {"turn": writer.state.turn + 1})


#: Types that only format v4 knows, or that no format knows any more.
_OTHER_ERAS = ("developer/message", "job/settled", "tool/code-dispatch-start", "steering/message")


def _remark(writer: Writer, tape: Tape) -> None:
    """An ignorable record of a type that format v3 does not know; its data may be anything."""
    kind = tape.one_of((*STRANGERS, *_OTHER_ERAS))
    writer.emit(kind, payload(tape), ignorable=True)


# ------------------------------------------------------------------ request headers


def _in_turn(state: State) -> bool:
    return state.turn_open


def _head(writer: Writer, tape: Tape) -> None:
    state = past(writer.state)
    header = _epoch(tape, empties=state.format < 3)
    if state.format < 3:
        header |= _prompt(writer, tape)
    reasons = ("initial", "series") if state.header is None else ("change", "resume", "series")
    data: Raw = {"header": header, "reason": tape.one_of(reasons)}
    data |= optional(tape, startsSeries=True)
    writer.emit("request/header", writer.embellished(tape, data))


def _prompt(writer: Writer, tape: Tape) -> Raw:
    """A prompt changes only within a step: nowhere else can it become a message."""
    state = past(writer.state)
    prompt = state.prompt
    if state.step_open and tape.pick(3):
        prompt = "" if tape.rarely(3) else tape.one_of((" ", *TEXTS))
    return {"system": prompt} if prompt or tape.pick(2) else {}


def _epoch(tape: Tape, *, empties: bool) -> Raw:
    config: Raw = {"provider": tape.one_of(("p", "q")), "model": tape.one_of(("m", *NAMES))}
    config |= optional(tape, temperature=0.1, stop=[tape.one_of(TEXTS)])
    header: Raw = {"config": config}
    tools = [_tool(name, tape) for name in ("read", "bash", tape.one_of(NAMES))[: tape.pick(4)]]
    if tools or (empties and tape.pick(2)):
        header["tools"] = tools
    if tape.pick(2):
        config |= {"reasoningEffort": "high", "maxTokens": 2**53 - 1}
        defaults = optional(tape, reasoningEffort=True, maxTokens=True)
        if defaults or empties:
            header["adapterDefaults"] = defaults
    return header


def _tool(name: str, tape: Tape) -> Raw:
    parameters = {"type": "object", "properties": obj(tape)} if tape.rarely(2) else {}
    return {"name": name, "description": tape.one_of(TEXTS), "parameters": parameters}


def recording(version: Past) -> tuple[Beat, ...]:
    """Return the beats of a format's records."""
    return (
        Beat("plugin event", 5, always, _record),
        Beat("delivery", 1, _may_deliver, _deliver),
        Beat("request header", 4, _in_turn, _head),
        Beat("restart", 2, _may_restart, _restart),
        *((Beat("stranger", 1, always, _remark),) if version == 3 else ()),
    )
