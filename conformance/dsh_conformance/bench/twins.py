"""A long session told twice: as format v4 keeps it, and as format v0 did.

The session is one of a working day and longer: in each turn a user asks, the model calls two tools
and answers, and every so often the conversation is compacted or an old result is cut short.
Nothing in it is left to chance, and the first turns of a longer session are those of a shorter one.

The two tellings are written side by side, neither out of the other: what the chain of migrations
makes of the older one is the newer one, event by event.
"""

from collections.abc import Iterator
from typing import Any, Final, Literal, TypeAlias

from attrs import define, field, frozen

#: An event on its way, or a part of one.
Raw: TypeAlias = dict[str, Any]

#: The moment at which the session began, in ms since the epoch.
_BEGAN: Final = 1_750_000_000_000
#: How much time passes from event to event of v0, in ms.
_PACE: Final = 7
#: After how many turns the conversation is compacted.
_COMPACTED: Final = 25
#: After how many turns a result is cut short.
_CUT: Final = 10
#: The id of the session.
SESSION: Final = "bench"
_MODEL: Final = {"kind": "model", "provider": "p", "model": "m"}
_SYSTEM: Final = "You are a careful engineer. Read before you write, and run the tests."
_TEXT: Final = "the parser reads one line and then another until a test says no"
_WORDS: Final = tuple(_TEXT.split())
#: The ids of the system messages that a migration inserts into this session (MIG23-SYSTEM-ID).
_HEADS: Final = (
    "v2-to-v3-system-e82e6adc8a4045321d5aa63e884cb38da7eada400ecc0cfb0213329c39e33af3",
    "v2-to-v3-system-228d6a84ddf5f7bae5771c5e186272cfda64a85e26824ada08eb07b1ce155b1b",
)
_TOOLS: Final = [
    {
        "name": name,
        "description": f"{name.capitalize()} a file of the project.",
        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
    }
    for name in ("read", "edit")
]


@frozen(kw_only=True)
class Batch:
    """Some events of the session, told twice."""

    #: In format v4.
    newest: list[Raw]
    #: In format v0.
    oldest: list[Raw]


def header(version: Literal[0, 4]) -> Raw:
    """Return the session's logical header in one of the two formats."""
    return {
        "id": SESSION,
        "createdAt": _BEGAN,
        "delegationDepth": 0,
        "isSeeded": False,
        "version": version,
    }


def batches(events: int) -> Iterator[Batch]:
    """Give the session turn by turn, until it has at least so many events in v4."""
    writer = _Writer()
    turn = 0
    while writer.new_seq < events:
        turn += 1
        _write_turn(writer, turn)
        if turn % _COMPACTED == 0:
            _write_compaction(writer, turn)
        yield writer.take()


@define
class _Writer:
    """Both tellings, as far as they are not given out yet, and what later events refer to."""

    batch: Batch = field(factory=lambda: Batch(newest=[], oldest=[]))
    #: The seqs of the next events.
    new_seq: int = 0
    old_seq: int = 0
    #: The nodes of the surface behind its head, as pairs of seqs: in v4, in v0.
    nodes: list[tuple[int, int]] = field(factory=list)
    time: int = _BEGAN

    def take(self) -> Batch:
        """Give out what was told since the last time."""
        batch, self.batch = self.batch, Batch(newest=[], oldest=[])
        return batch

    def both(self, type_: str, data: Raw) -> None:
        """Tell an event in both."""
        self.old(type_, data)
        self.new(type_, data)

    def shown(self, type_: str, data: Raw, old_data: Raw, **more: Any) -> None:
        """Tell an event that comes onto the surface; *more* is of v0 alone."""
        self.nodes.append((self.new_seq, self.old_seq))
        self.old(type_, old_data, surfaceOp="append", **more)
        self.new(type_, data, surfaceOp="append")

    def new(self, type_: str, data: Raw, **more: Any) -> None:
        """Tell an event in v4, at the time of the last one of v0."""
        event = {"type": type_, "seq": self.new_seq, "time": self.time, "data": data, **more}
        self.batch.newest.append(event)
        self.new_seq += 1

    def old(self, type_: str, data: Raw, **more: Any) -> None:
        """Tell an event in v0."""
        self.time += _PACE
        event = {"type": type_, "seq": self.old_seq, "time": self.time, "data": data, **more}
        self.batch.oldest.append(event)
        self.old_seq += 1


def _write_turn(writer: _Writer, turn: int) -> None:
    writer.both("turn/start", {"turn": turn})
    _start_step(writer, turn, 1)
    asked = _message(f"u{turn}", "user", _text(turn, 4), {"kind": "user"})
    writer.shown("user/message", asked, asked)
    if turn == 1:
        _write_request(writer)
    _write_call(writer, turn, 1)
    writer.both("step/end", {"turn": turn, "step": 1})
    _start_step(writer, turn, 2)
    _write_call(writer, turn, 2)
    if turn % _CUT == 0:
        _cut_result(writer, turn)
    writer.both("step/end", {"turn": turn, "step": 2})
    _start_step(writer, turn, 3)
    _write_answer(writer, turn)
    writer.both("step/end", {"turn": turn, "step": 3})
    writer.both("turn/end", {"turn": turn, "reason": {"kind": "completed"}})


def _start_step(writer: _Writer, turn: int, step: int) -> None:
    writer.both("step/start", {"turn": turn, "step": step})
    if (turn, step) == (1, 1):
        _write_head(writer, [], surfaceOp="append")


def _write_request(writer: _Writer) -> None:
    """v0 has the prompt in the header; v4 has it on the surface, and no list of no tools."""
    header = {"config": {"provider": "p", "model": "m"}, "tools": _TOOLS}
    data = {"header": header, "reason": "initial"}
    old = {"header": {**header, "system": _SYSTEM}, "reason": "initial"}
    writer.old("request/header", old)
    over = {"op": "replace", "startSeq": 2, "endSeq": 2}
    _write_head(writer, _texts(_SYSTEM), sourceEventSeqs=[2], surfaceOp=over)
    writer.new("request/header", data)


def _write_head(writer: _Writer, content: list[Raw], **more: Any) -> None:
    name = _HEADS[1 if content else 0]
    message = _message(name, "system", content, {"kind": "system-prompt"})
    writer.new("system/message", {"turn": 1, "step": 1, "message": message}, **more)


def _write_call(writer: _Writer, turn: int, step: int) -> None:
    """The model calls a tool, which a hook and the user let go ahead."""
    call, name = f"c{turn}-{step}", ("read", "edit")[step - 1]
    arguments = f'{{"path":"src/part{turn % 97}.py"}}'
    block = {"type": "tool-call", "id": call, "name": name, "arguments": arguments}
    pieces = [arguments[:9], arguments[9:15], arguments[15:]]
    deltas = [
        {"type": "tool-call-delta", "index": 0, "id": call, "name": name, "argumentsDelta": piece}
        for piece in pieces
    ]
    run = {"type": "tool-call-chunks", "index": 0, "id": call, "name": name, "args": pieces}
    _write_message(writer, {"turn": turn, "step": step}, [block], deltas, run)
    hook = {"turn": turn, "point": "pre", "handlerId": "h"}
    writer.both("hook/invoked", {**hook, "dialect": "codex", "matcher": name})
    told = {"decision": "allow", "exitCode": 0, "stderrSummary": "", "durationMs": 1.5}
    writer.both("hook/result", {**hook, **told})
    writer.both("approval/asked", {"id": f"q{call}", "toolName": name, "callId": call})
    writer.both("approval/decided", {"id": f"q{call}", "outcome": "allowed-once"})
    asked = {"turn": turn, "step": step, "callId": call, "name": name, "arguments": arguments}
    writer.both("tool/call", asked)
    _write_result(writer, turn, step, call)


def _write_result(writer: _Writer, turn: int, step: int, call: str) -> None:
    content = _texts(" ".join(_WORDS[(turn + at) % len(_WORDS)] for at in range(4)))
    writer.shown(
        "tool/result",
        {"turn": turn, "step": step, "message": _result(call, content)},
        {"turn": turn, "step": step, "message": _old_result(call, content)},
    )


def _cut_result(writer: _Writer, turn: int) -> None:
    """The result of the second step, which is the last node, is replaced by a shorter one."""
    new_seq, old_seq = writer.nodes.pop()
    place, call = {"turn": turn, "step": 2}, f"c{turn}-2"
    short = _texts("cut")
    writer.nodes.append((writer.new_seq, writer.old_seq))
    writer.old(
        "tool/result",
        {**place, "message": _old_result(call, short)},
        surfaceOp={"op": "replace", "start": old_seq, "end": old_seq},
        sourceEventSeqs=[old_seq],
    )
    writer.new(
        "tool/result",
        {**place, "message": _result(call, short)},
        sourceEventSeqs=[new_seq],
        surfaceOp={"op": "replace", "startSeq": new_seq, "endSeq": new_seq},
    )


def _write_answer(writer: _Writer, turn: int) -> None:
    pieces = [f"{word} " for word in _WORDS[turn % 5 : turn % 5 + 3]]
    deltas = [{"type": "text-delta", "index": 0, "text": piece} for piece in pieces]
    run = {"type": "text-chunks", "index": 0, "texts": pieces}
    block = {"type": "text", "text": "".join(pieces)}
    _write_message(writer, {"turn": turn, "step": 3}, [block], deltas, run)


def _write_message(
    writer: _Writer, place: Raw, content: list[Raw], deltas: list[Raw], run: Raw
) -> None:
    """v0 tells each chunk and cites them; v4 keeps them within the message."""
    first, began = writer.old_seq, writer.time + _PACE
    finish = {"type": "finish", "reason": {"kind": "tool-calls" if "id" in run else "stop"}}
    for chunk in (*deltas, finish):
        writer.old("assistant/chunk", {**place, "chunk": chunk})
    kept: Raw = {
        "type": run["type"],
        "time0": began,
        "index": 0,
        "dt": [_PACE] * (len(deltas) - 1),
        **{key: run[key] for key in ("id", "name", "texts", "args") if key in run},
    }
    ended = {"type": "chunk", "time": writer.time, "chunk": finish}
    message = _message(f"a{place['turn']}-{place['step']}", "assistant", content, _MODEL)
    cited = list(range(first, writer.old_seq))
    writer.shown(
        "assistant/message",
        {**place, "message": message, "stream": [kept, ended]},
        {**place, "message": message},
        sourceEventSeqs=cited,
    )


def _write_compaction(writer: _Writer, turn: int) -> None:
    """All nodes behind the head become one."""
    name = f"k{turn}"
    summary = _text(turn, 40)
    new, old = [seqs[0] for seqs in writer.nodes], [seqs[1] for seqs in writer.nodes]
    writer.both("compaction/start", {"compactionId": name, "turn": None})
    writer.old("compaction/summary", _summary(name, summary, old))
    writer.new("compaction/summary", _summary(name, summary, new))
    writer.nodes = [(writer.new_seq, writer.old_seq)]
    writer.old(
        "user/message",
        _message(f"m{turn}", "user", summary, _producer("plugin", name, plugin="compact")),
        surfaceOp={"op": "replace", "start": old[0], "end": old[-1]},
        sourceEventSeqs=old,
    )
    writer.new(
        "user/message",
        _message(f"m{turn}", "user", summary, _producer("compact-checkpoint", name)),
        sourceEventSeqs=new,
        surfaceOp={"op": "replace", "startSeq": new[0], "endSeq": new[-1]},
    )
    writer.both("compaction/end", {"compactionId": name, "turn": None})


def _producer(kind: str, compaction: str, **more: str) -> Raw:
    return {"kind": kind, **more, "compactionId": compaction}


def _summary(name: str, content: list[Raw], shadowed: list[int]) -> Raw:
    return {
        "compactionId": name,
        "summary": content,
        "shadowedRange": {"start": shadowed[0], "end": shadowed[-1]},
        "shadowedSeqs": shadowed,
        "shadowedTokenCount": 9 * len(shadowed),
        "provider": "p",
        "model": "m",
    }


def _message(name: str, role: str, content: list[Raw], source: Raw) -> Raw:
    return {"id": name, "role": role, "source": source, "content": content}


def _result(call: str, content: list[Raw]) -> Raw:
    return {
        "role": "tool",
        "source": {"kind": "tool", "callId": call},
        "toolCallId": call,
        "content": content,
        "id": f"r{call}",
    }


def _old_result(call: str, content: list[Raw]) -> Raw:
    block = {"type": "tool-result", "toolCallId": call, "content": content}
    return _message(f"r{call}", "user", [block], {"kind": "tool", "callId": call})


def _text(turn: int, words: int) -> list[Raw]:
    return _texts(" ".join(_WORDS[(turn * at) % len(_WORDS)] for at in range(words)))


def _texts(text: str) -> list[Raw]:
    return [{"type": "text", "text": text}]
