"""What is asked of a migrated log before it is published: answers agree with their streams.

An edge takes the chunks of an answer as they are and does not compare them with what became of
them.  A reader of the older log never looks either.  So this is the last moment at which somebody
can tell that one of the two is wrong, and the older log is still the one that counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import define, field, frozen

from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.values import equal
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

_RULE: Final = "MIG-VERIFY"
#: What counts as white space where an interrupted answer drops its blank blocks.
_BLANK: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
#: The block that each kind of record of deltas makes.
_RUNS: Final[Mapping[str, str]] = {"text-chunks": "text", "reasoning-chunks": "reasoning"}


@frozen(kw_only=True)
class Said:
    """What a stream says."""

    #: The blocks, in the order in which they began.
    content: tuple[JsonObject, ...]
    #: The last usage.
    usage: Json
    #: What the provider needs to go on from here.
    replay: Json


def verify(log: SessionLog) -> Refusal | None:
    """Return what is wrong with the first answer of a v4 log that is at odds with its stream.

    The kind is ``corrupt``.  An answer without a stream is not looked at.
    Source: MIG-VERIFY (facts: migration §6, events §6.3, REC-AGREE, REC-ASSEMBLE).
    """
    for seq, event in enumerate(log.events):
        problem = _disagreement(event["data"]) if event["type"] == "assistant/message" else None
        if problem is not None:
            return Refusal(
                kind=RefusalKind.CORRUPT, rule=_RULE, where=f"event {seq}", problem=problem
            )
    return None


def _disagreement(data: Json) -> str | None:
    if not isinstance(data, Mapping):
        return None
    match data:
        case {"stream": [_, *_] as stream, "message": Mapping() as message}:
            said = assemble(stream, interrupted=data.get("interrupted") is True)
        case _:
            return None
    if said is None:
        return "its stream cannot be made out"
    source = message.get("source")
    replay = source.get("replayState") if isinstance(source, Mapping) else None
    if not equal(message.get("content"), list(said.content)):
        return "its content is not what its stream says"
    if not equal(data.get("usage"), said.usage):
        return "its usage is not that of its stream"
    return None if equal(replay, said.replay) else "its replay state is not that of its stream"


@define(kw_only=True)
class _Block:
    """A block that grows with its deltas until its end stands for all of them."""

    kind: str
    words: list[str] = field(factory=list)
    call: JsonObject = field(factory=dict)
    whole: JsonObject | None = None

    def finished(self, index: Json) -> JsonObject | None:
        """Return the block; nothing where deltas make none of its kind."""
        text = "".join(self.words)
        if self.whole is not None:
            return self.whole
        match self.kind:
            case "text" | "reasoning":
                return {"type": self.kind, "text": text}
            case "tool-call":
                bare = {"type": "tool-call", "id": f"call-{index}", "name": ""}
                return {**bare, **self.call, "arguments": text}
        return None


def assemble(stream: Sequence[Json], *, interrupted: bool = False) -> Said | None:
    """Return what the records of a *stream* come to; nothing where they come to nothing whole."""
    blocks: dict[Json, _Block] = {}
    usage: Json = None
    finish: JsonObject = {}
    for chunk in _chunks(stream):
        match chunk:
            case {"type": "usage", "usage": found}:
                usage = found
            case {"type": "finish"}:
                finish = chunk
            case {"index": int() | float() as index}:
                _grow(blocks, index, chunk)
    made = [block.finished(index) for index, block in blocks.items()]
    whole = tuple(block for block in made if block is not None)
    if len(whole) < len(made) and not interrupted:
        return None
    if interrupted:
        return Said(content=_unblank(whole), usage=usage, replay=finish.get("replayState"))
    return _finished(whole, usage, finish)


def _chunks(stream: Sequence[Json]) -> Iterator[JsonObject]:
    """Yield the chunks of a stream, each run of deltas as one chunk that has all its words."""
    for record in stream:
        if not isinstance(record, Mapping):
            continue
        match record:
            case {"type": "chunk", "chunk": Mapping() as chunk}:
                yield chunk
            case {"type": str(kind), "index": index, "texts": [*words]} if kind in _RUNS:
                yield {"type": _RUNS[kind], "index": index, "words": words}
            case {"type": "tool-call-chunks", "index": index, "args": [*words]}:
                tool = {key: record[key] for key in ("id", "name") if key in record}
                yield {"type": "tool-call", "index": index, "words": words, "call": tool}


def _grow(blocks: dict[Json, _Block], index: int | float, chunk: JsonObject) -> None:
    match chunk:
        case {"type": "block-start", "blockType": str(kind)}:
            blocks.setdefault(index, _Block(kind=kind))
        case {"type": "block-end", "block": Mapping() as whole}:
            block = blocks.setdefault(index, _Block(kind=str(whole.get("type"))))
            block.whole = whole if block.whole is None else block.whole
        case {"type": "tool-call-delta", "argumentsDelta": str(words)}:
            told = {key: chunk[key] for key in ("id", "name") if chunk.get(key)}
            _add(blocks, index, "tool-call", [words], told)
        case {"type": "text-delta" | "reasoning-delta" as kind, "text": str(words)}:
            _add(blocks, index, str(kind).removesuffix("-delta"), [words], {})
        case {"type": "tool-call", "words": [*pieces], "call": Mapping() as named}:
            _add(blocks, index, "tool-call", pieces, named)
        case {"type": str(kind), "words": [*pieces]}:
            _add(blocks, index, kind, pieces, {})


def _add(
    blocks: dict[Json, _Block], index: Json, kind: str, words: Sequence[Json], tool: JsonObject
) -> None:
    block = blocks.setdefault(index, _Block(kind=kind))
    block.words.extend(map(str, words))
    block.call = {**block.call, **tool}


def _unblank(blocks: Sequence[JsonObject]) -> tuple[JsonObject, ...]:
    """Return what is kept of an answer that was interrupted: text and reasoning, but no blanks."""
    return tuple(
        block
        for block in blocks
        if block["type"] in ("text", "reasoning") and str(block.get("text", "")).strip(_BLANK)
    )


def _finished(blocks: tuple[JsonObject, ...], usage: Json, finish: JsonObject) -> Said:
    """Drop the calls of an answer that ran out of tokens, and what replays them."""
    replay = finish.get("replayState")
    match finish:
        case {"reason": {"kind": "max-tokens"}}:
            kept = [block["type"] != "tool-call" for block in blocks]
        case _:
            kept = [True] * len(blocks)
    each = replay.get("blocks") if isinstance(replay, Mapping) else None
    if isinstance(replay, Mapping) and isinstance(each, list | tuple):
        left: list[Json] = [one for one, keep in zip(each, kept, strict=False) if keep]
        replay = {**replay, "blocks": left} if len(each) == len(blocks) else None
    content = tuple(block for block, keep in zip(blocks, kept, strict=True) if keep)
    return Said(content=content, usage=usage, replay=replay)
