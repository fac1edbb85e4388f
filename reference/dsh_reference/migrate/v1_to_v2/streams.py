"""Streams: the chunks of one attempt, folded into records.

A record of deltas holds a run of them that have their kind, their block and their tool in common;
each keeps its own text and, as the gap to its neighbour, its own time.  Whatever else was streamed
stands raw, and parts the runs on its two sides.  The fold goes chunk by chunk, so that it cannot
matter how a file had packed them.

Source: MIG12-REC, MIG12-REC-JOIN, MIG12-REC-RAW, MIG12-REC-PACKED (facts: migration §2.4).
"""

from collections.abc import Mapping
from typing import Final

from attrs import define, field, frozen

from dsh_reference.values import MAX_SAFE
from dsh_spec.values import Json, JsonObject

#: The record of each kind of delta, and the key of a delta's text.
DELTAS: Final[Mapping[Json, tuple[str, str]]] = {
    "text-delta": ("text-chunks", "text"),
    "reasoning-delta": ("reasoning-chunks", "text"),
    "tool-call-delta": ("tool-call-chunks", "argumentsDelta"),
}


@frozen(kw_only=True)
class _Run:
    """A record that deltas may still join."""

    #: What its members have in common.
    shared: JsonObject
    #: The record's list of gaps between the times of its members, in ms.
    gaps: list[Json] = field(factory=list)
    #: The record's list of the members' texts.
    texts: list[Json] = field(factory=list)


@define(kw_only=True)
class Stream:
    """The records of one attempt; grows as the log is read."""

    #: The records, in order.
    records: list[Json] = field(factory=list)
    #: The time of the last chunk, in ms.
    time: int | float = 0
    _run: _Run | None = None

    def push(self, time: int | float, chunk: JsonObject) -> None:
        """Add a well-formed *chunk* that was streamed at *time*."""
        shared = _shared(chunk)
        run = self._run
        if shared is None:
            run = None
            self.records.append({"type": "chunk", "time": time, "chunk": chunk})
        elif run is not None and run.shared == shared and abs(time - self.time) <= MAX_SAFE:
            run.gaps.append(time - self.time)
        else:
            run = _Run(shared=shared)
            self.records.append(_record(run, time))
        if run is not None:
            run.texts.append(chunk[DELTAS[chunk["type"]][1]])
        self._run, self.time = run, time


def _shared(chunk: JsonObject) -> JsonObject | None:
    """Return what a delta has in common with its run, or nothing for a chunk that stands raw."""
    type_ = chunk["type"]
    if type_ not in DELTAS:
        return None
    shared = {"type": DELTAS[type_][0], "index": chunk["index"]}
    if type_ != "tool-call-delta":
        return shared
    if chunk["id"] == "" or chunk.get("name") == "":
        return None
    return shared | {key: chunk[key] for key in ("id", "name") if key in chunk}


def _record(run: _Run, time: int | float) -> JsonObject:
    tool = {key: run.shared[key] for key in ("id", "name") if key in run.shared}
    return {
        "type": run.shared["type"],
        "time0": time,
        "index": run.shared["index"],
        "dt": run.gaps,
        **tool,
        "args" if tool else "texts": run.texts,
    }
