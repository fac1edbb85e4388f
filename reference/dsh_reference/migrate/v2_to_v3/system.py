"""The system prompt comes onto the surface.

In v2 a prompt is a member of the request header; in v3 it is a message at the head of the surface.
So the edge inserts one: empty behind the first ``step/start``, where every log has its
first request ahead of it, and renewed before each header whose prompt is another one.

A log that shows something before its first step, or changes the prompt between steps, has no place
for such a message that would leave its order as it was.
"""

from hashlib import sha256
from typing import Final

from attrs import evolve, frozen

from dsh_reference.migrate.edit import Wrong
from dsh_reference.values import dump
from dsh_spec.values import Json, JsonObject, is_object

_PREFIX: Final = "v2-to-v3-system-"
#: The types that say something of the prompt, or of where it may be said.
_TELLING: Final = frozenset({"step/start", "step/end", "turn/end", "request/header"})
_SOURCE: Final[JsonObject] = {"kind": "plugin", "plugin": "@deepseek-ai/dsh-system-prompt"}


@frozen(kw_only=True)
class Prompt:
    """What the edge knows of the prompt, going by the events before."""

    #: The prompt in force.
    text: str = ""
    #: The seq, in the target, of the message that says it; nothing before the first step.
    head: int | None = None
    #: The turn and the step that are open.
    place: tuple[Json, Json] | None = None


@frozen(kw_only=True)
class Insertion:
    """A system message to insert."""

    #: The message's event, but for its seq.
    event: JsonObject
    #: Whether it comes before the event that it is inserted for, and not behind.
    is_before: bool


def moved(prompt: Prompt, event: JsonObject) -> Prompt:
    """Return what is known once an event, and the insertion for it, has been passed.

    Source: MIG23-SYSTEM-SHAPE (facts: migration §3.2).
    """
    if event["type"] not in _TELLING:
        return prompt
    match event:
        case {"type": "step/start", "data": {"turn": turn, "step": step}}:
            return evolve(prompt, place=(turn, step))
        case {"type": "step/end" | "turn/end"}:
            return evolve(prompt, place=None)
        case {"type": "request/header"}:
            return evolve(prompt, text=prompt_of(event))
    return prompt


def insertion(prompt: Prompt, event: JsonObject, session: Json) -> Insertion | Wrong | None:
    """Return the system message that an event calls for, if any; *prompt* is what holds before it.

    Source: MIG23-SYSTEM-INSERT, MIG23-SYSTEM-REPLACE, MIG23-SYSTEM-CLEAR, MIG23-PROMPT-OUTSIDE
    (facts: migration §3.2).
    """
    if event["type"] not in _TELLING:
        return None
    match event:
        case {"type": "step/start", "data": {"turn": turn, "step": step}} if prompt.head is None:
            message = _message("", event, (turn, step), session)
            return Insertion(event={**message, "surfaceOp": "append"}, is_before=False)
        case {"type": "request/header"} if prompt_of(event) != prompt.text:
            if prompt.head is None or prompt.place is None:
                problem = "it changes the prompt outside a step, where no message can say so"
                return Wrong(rule="MIG23-PROMPT-OUTSIDE", problem=problem)
            message = _message(prompt_of(event), event, prompt.place, session)
            over: JsonObject = {"op": "replace", "startSeq": prompt.head, "endSeq": prompt.head}
            event = {**message, "surfaceOp": over, "sourceEventSeqs": [prompt.head]}
            return Insertion(event=event, is_before=True)
    return None


def prompt_of(event: JsonObject) -> str:
    """Return the prompt of a request header; a missing one is empty."""
    match event:
        case {"data": {"header": {"system": str(text)}}}:
            return text
    return ""


def stripped(event: JsonObject) -> JsonObject:
    """Return a request header without its prompt (MIG23-SYSTEM-STRIP), any other event as it is."""
    if event["type"] != "request/header":
        return event
    data = event["data"]
    assert is_object(data)
    header = data["header"]
    assert is_object(header)
    kept: JsonObject = {key: header[key] for key in header if key != "system"}
    return {**event, "data": {**data, "header": kept}}


def system_id(session: Json, seq: Json, anchor: Json) -> str:
    """Return the id of the message that is inserted for an event, which depends on nothing else.

    *seq* is where that event stood in v2.

    Source: MIG23-SYSTEM-ID (facts: migration §3.2).
    """
    text = dump(["session-format-v2-to-v3", session, seq, anchor])
    return _PREFIX + sha256(text.encode()).hexdigest()


def _message(text: str, anchor: JsonObject, place: tuple[Json, Json], session: Json) -> JsonObject:
    message: JsonObject = {
        "id": system_id(session, anchor["seq"], anchor["type"]),
        "role": "system",
        "source": _SOURCE,
        "content": [{"type": "text", "text": text}] if text else [],
    }
    turn, step = place
    data: JsonObject = {"turn": turn, "step": step, "message": message}
    return {"type": "system/message", "seq": None, "time": anchor["time"], "data": data}
