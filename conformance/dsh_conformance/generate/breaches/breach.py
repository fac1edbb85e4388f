"""What a breach is: one event that breaks exactly one rule, where the log before it is valid."""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from attrs import field, frozen

from dsh_conformance.generate.state import Raw, State
from dsh_conformance.generate.voice import text
from dsh_spec.refusals import RefusalKind

#: Where a breach comes to light in the runtime's own JSONL backend (probed on 0.2.1rc2).
#: ``read``: appended without a word, and refused by every later read.
#: ``append``: refused by the writer; a log that holds it all the same is refused by reads.
#: ``tail``: as the last row it is taken for a torn tail and left out; before a `turn/end` refused.
#: ``session``: read without a word, and refused where a session is built from the log.
Noticed: TypeAlias = Literal["read", "append", "tail", "session"]

#: The kind of refusal for what a build does not know, rather than what is broken.
UNSUPPORTED = RefusalKind.UNSUPPORTED_FORMAT


@frozen
class Breach:
    """One way to go on with a valid log that its next reader has to refuse."""

    #: The rule that breaks, by its slug.
    rule: str
    #: What is wrong, in a few words; unique.
    name: str
    #: Writes the event in a state where it breaks this rule and no other, or nothing elsewhere.
    write: Callable[[State], Raw | None]
    #: How whoever loads the log refuses it.
    kind: RefusalKind = field(default=RefusalKind.CORRUPT, kw_only=True)
    #: Where it comes to light.
    noticed: Noticed = field(default="read", kw_only=True)


def event(state: State, kind: str, data: Any, /, **envelope: Any) -> Raw:
    """Return the next event of a log."""
    return {"type": kind, "seq": state.seq, "time": state.time, "data": data, **envelope}


def surface(state: State, kind: str, data: Any, /, **envelope: Any) -> Raw:
    """Return the next event of a log, appended to the surface unless said otherwise."""
    return event(state, kind, data, **{"surfaceOp": "append", **envelope})


def here(state: State, **more: Any) -> Raw:
    """Return the coordinates of the last turn and step, and *more*."""
    return {"turn": state.turn, "step": state.step, **more}


def message(state: State, role: str, kind: str, /, **members: Any) -> Raw:
    """Return a message of one text block from a source of that kind."""
    base = {"id": f"m{state.seq}", "role": role, "content": [text("a")], "source": {"kind": kind}}
    return {**base, **members}


def user(state: State, /, **members: Any) -> Raw:
    """Return what a person wrote."""
    return message(state, "user", "user", **members)


def assistant(state: State, /, **members: Any) -> Raw:
    """Return the data of an assistant message in the open step."""
    source = {"kind": "model", "provider": "p", "model": "m"}
    said = message(state, "assistant", "model", **{"source": source, **members})
    return here(state, message=said, stream=[])


def calling(state: State, name: str) -> Raw:
    """Return the data of an assistant message that calls one tool."""
    block = {"type": "tool-call", "id": name, "name": "read", "arguments": "{}"}
    return assistant(state, content=[block])


def result(state: State, name: str, /, **members: Any) -> Raw:
    """Return the data of a tool result in the open step."""
    mine = {"source": {"kind": "tool", "callId": name}, "toolCallId": name, **members}
    return here(state, message=message(state, "tool", "tool", **mine))


def system(state: State, /, **members: Any) -> Raw:
    """Return the data of a system message in the open step."""
    return here(state, message=message(state, "system", "system-prompt", **members))


def developer(state: State, *content: Raw, **members: Any) -> Raw:
    """Return the data of a developer message in the open step."""
    said = message(state, "developer", "tool-registry", content=list(content))
    return here(state, message=said, **members)


def replacing(first: Raw, last: Raw, **more: Any) -> Raw:
    """Return the operation that replaces a range of nodes."""
    return {"op": "replace", "startSeq": first["seq"], "endSeq": last["seq"], **more}


def seqs(nodes: tuple[Raw, ...]) -> list[int]:
    """Return the seqs of nodes."""
    return [node["seq"] for node in nodes]
