"""What a model sends: chunks that assemble to a content, and the records that keep them.

Sources: facts events §6.1, §6.3 (REC-ENCODE, REC-ASSEMBLE) and migration §2.4 (MIG12-REC-*).
"""

from collections.abc import Sequence
from typing import TypeAlias

from dsh_conformance.generate.beats.turns import failure
from dsh_conformance.generate.payloads import payload
from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.tape import Tape

#: What counts as white space where blank blocks of an interrupted message are dropped.
_BLANK = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
#: How a delta names its text, by the kind of block.
_DELTAS = {"text": ("text-delta", "text"), "reasoning": ("reasoning-delta", "text")}

#: A chunk and the time at which it came, in ms since the epoch.
Timed: TypeAlias = tuple[int, Raw]


def block_chunks(index: int, block: Raw, tape: Tape) -> list[Raw]:
    """Return chunks that assemble to *block* at *index*; the simplest is one delta."""
    style = tape.pick(4)
    deltas = _deltas(index, block, tape)
    chunks = list(deltas)
    if style % 2:
        chunks.insert(0, {"type": "block-start", "index": index, "blockType": block["type"]})
    if style > 1 or not deltas:
        chunks.append({"type": "block-end", "index": index, "block": block})
    return chunks


def _deltas(index: int, block: Raw, tape: Tape) -> list[Raw]:
    if block["type"] == "tool-call":
        return _call_deltas(index, block, tape)
    if block["type"] not in _DELTAS:
        return []
    kind, member = _DELTAS[block["type"]]
    return [{"type": kind, "index": index, member: piece} for piece in _pieces(block["text"], tape)]


def _call_deltas(index: int, block: Raw, tape: Tape) -> list[Raw]:
    """The name comes with each delta or with the first one alone."""
    named = {"name": block["name"]}
    chunks: list[Raw] = []
    for piece in _pieces(block["arguments"], tape):
        delta = {"type": "tool-call-delta", "index": index, "id": block["id"]}
        chunks.append({**delta, "argumentsDelta": piece, **named})
        named = named if tape.pick(2) else {}
    return chunks


def _pieces(words: str, tape: Tape) -> list[str]:
    """Return one to four pieces of a text; some are empty."""
    cuts = sorted(tape.pick(len(words) % 200 + 1) for _ in range(tape.pick(4)))
    return [words[start:end] for start, end in zip([0, *cuts], [*cuts, len(words)], strict=True)]


def tail_chunks(tape: Tape, kind: str) -> list[Raw]:
    """Return what may come after the blocks: the usage, and how it finished."""
    chunks: list[Raw] = []
    if tape.pick(2):
        chunks.append({"type": "usage", "usage": usage(tape)})
    match tape.pick(4):
        case 0 | 1:
            chunks.append({"type": "finish", "reason": {"kind": kind}})
        case 2:
            replay = {"response": payload(tape)}
            chunks.append({"type": "finish", "reason": {"kind": kind}, "replayState": replay})
    return chunks


def usage(tape: Tape) -> Raw:
    """Return how many tokens a request took."""
    more = ("totalTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens")[: tape.pick(5)]
    return {"inputTokens": 0, "outputTokens": 2**53 - 1, **dict.fromkeys(more, 1)}


def failed(tape: Tape) -> Raw:
    """Return the chunk with which a request comes to nothing."""
    kind = tape.one_of(("error", "aborted"))
    return {"type": "finish", "reason": {"kind": kind, "failure": failure(tape)}}


def interrupted(content: Sequence[Raw]) -> list[Raw]:
    """Return what is kept of a stream that was cancelled: its text and reasoning, but no blanks."""
    return [
        block for block in content if block["type"] in _DELTAS and block["text"].strip(_BLANK) != ""
    ]


def records(timed: Sequence[Timed]) -> list[Raw]:
    """Return the records that keep chunks in an event of format v2 and later."""
    kept: list[Raw] = []
    last: tuple[object, ...] = ()
    before = 0
    for time, chunk in timed:
        key = _joins(chunk)
        if key and key == last:
            kept[-1]["dt"].append(time - before)
            kept[-1][_member(chunk)].append(chunk.get("text", chunk.get("argumentsDelta")))
        else:
            kept.append(_record(time, chunk) if key else _kept_raw(time, chunk))
        last, before = key, time
    return kept


def _joins(chunk: Raw) -> tuple[object, ...]:
    """Return what a delta shares with those of its record; nothing for what stands alone."""
    match chunk:
        case {"type": "text-delta" | "reasoning-delta" as kind, "index": index}:
            return (kind, index)
        case {"type": "tool-call-delta" as kind, "index": index, "id": call}:
            return (kind, index, call, chunk.get("name")) if chunk.get("name") != "" else ()
    return ()


def _member(chunk: Raw) -> str:
    return "args" if chunk["type"] == "tool-call-delta" else "texts"


def _record(time: int, chunk: Raw) -> Raw:
    kind = str(chunk["type"]).replace("-delta", "-chunks")
    base: Raw = {"type": kind, "time0": time, "index": chunk["index"], "dt": []}
    if chunk["type"] != "tool-call-delta":
        return {**base, "texts": [chunk["text"]]}
    name = {"name": chunk["name"]} if "name" in chunk else {}
    return {**base, "id": chunk["id"], **name, "args": [chunk["argumentsDelta"]]}


def _kept_raw(time: int, chunk: Raw) -> Raw:
    return {"type": "chunk", "time": time, "chunk": chunk}
