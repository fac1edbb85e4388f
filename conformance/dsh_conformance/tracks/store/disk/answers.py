"""Answers that are at odds with what was streamed of them."""

from dsh_conformance.generate.tape import Tape
from dsh_conformance.tracks.store.disk.run import DiskRun
from dsh_reference.session_log import SessionLog
from dsh_spec.values import Json, JsonObject

_USAGE: JsonObject = {"inputTokens": 1, "outputTokens": 2}
_REPLAY: JsonObject = {"response": "r"}
_TOKENS: JsonObject = {"type": "usage", "usage": _USAGE}
_FINISH: JsonObject = {"type": "finish", "reason": {"kind": "stop"}, "replayState": _REPLAY}
_STREAM: list[Json] = [
    {"type": "text-chunks", "time0": 0, "index": 0, "dt": [0], "texts": ["y", "es"]},
    {"type": "chunk", "time": 0, "chunk": _TOKENS},
    {"type": "chunk", "time": 0, "chunk": _FINISH},
]
#: What differs: the words, the usage, what is replayed, or nothing at all.
_WAYS = (
    ("in which an answer says what its stream does not", "text"),
    ("in which an answer has another usage than its stream", "usage"),
    ("in which an answer replays what its stream does not", "replay"),
    ("in which an answer is what its stream says", ""),
)


def disagreeing(run: DiskRun, tape: Tape) -> tuple[SessionLog, str]:
    """Return a log with one answer, and what is wrong with that."""
    version = max(run.arena.claims.migrates_from)
    says, way = tape.one_of(_WAYS)
    header: JsonObject = {
        "version": version,
        "id": f"answer {way}".strip(),
        "createdAt": 0,
        "isSeeded": False,
        "delegationDepth": 0,
    }
    events = (
        _event("turn/start", {"turn": 1}),
        _event("step/start", {"turn": 1, "step": 1}),
        *([_head()] if version == 3 else []),
        *([_answer(way, stream=_STREAM)] if version > 1 else _streamed(way)),
    )
    placed = tuple({**event, "seq": seq} for seq, event in enumerate(events))
    return SessionLog(header=header, inherited=0, events=placed), says


def _event(kind: str, data: JsonObject, **envelope: Json) -> JsonObject:
    return {"type": kind, "seq": 0, "time": 0, "data": data, **envelope}


def _head() -> JsonObject:
    source: JsonObject = {"kind": "plugin", "plugin": "@deepseek-ai/dsh-system-prompt"}
    message: JsonObject = {"id": "head", "role": "system", "source": source, "content": []}
    data: JsonObject = {"turn": 1, "step": 1, "message": message}
    return _event("system/message", data, surfaceOp="append")


def _streamed(way: str) -> list[JsonObject]:
    """Return an answer of v0 and v1, behind the chunks of which it was made."""
    words: list[JsonObject] = [{"type": "text-delta", "index": 0, "text": t} for t in ("y", "es")]
    chunks = [*words, _TOKENS, _FINISH]
    seqs: list[Json] = list(range(2, 2 + len(chunks)))
    return [
        *(_event("assistant/chunk", {"turn": 1, "step": 1, "chunk": chunk}) for chunk in chunks),
        {**_answer(way), "sourceEventSeqs": seqs},
    ]


def _answer(way: str, **stream: Json) -> JsonObject:
    replay: JsonObject = {"response": "another"} if way == "replay" else _REPLAY
    source: JsonObject = {"kind": "model", "provider": "p", "model": "m", "replayState": replay}
    text: JsonObject = {"type": "text", "text": "no" if way == "text" else "yes"}
    message: JsonObject = {"id": "m", "role": "assistant", "content": [text], "source": source}
    usage: JsonObject = {**_USAGE, "outputTokens": 3} if way == "usage" else _USAGE
    data: JsonObject = {"turn": 1, "step": 1, "message": message, "usage": usage, **stream}
    return _event("assistant/message", data, surfaceOp="append")
