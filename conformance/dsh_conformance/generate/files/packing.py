"""What the rows of a file may pack: cited seqs as ranges, and in v0 and v1 chunks as runs.

Every legal packing can come, also those that no released writer chose: ranges of one seq, runs of
one chunk, and runs cut anywhere.
Source: facts events §1.6, §6.2, persistence §4.4.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from attrs import frozen

from dsh_conformance.generate.tape import Tape
from dsh_reference.values import MAX_SAFE
from dsh_spec.values import Json, JsonObject

#: The type of the row, the name of its list, and the chunk's member, by the type of the chunk.
RUNS: Final = {
    "text-delta": ("text-chunks", "texts", "text"),
    "reasoning-delta": ("reasoning-chunks", "texts", "text"),
    "tool-call-delta": ("tool-call-chunks", "args", "argumentsDelta"),
}
#: What the chunks of a run have in common.
_COMMON: Final = ("index", "id", "name")


@frozen
class Run:
    """One row, and how many events it holds."""

    #: The row.
    row: JsonObject
    #: How many events.
    count: int


def pack_sources(seqs: Sequence[int], tape: Tape) -> Json:
    """Put some runs of a strictly increasing list as pairs, and any other list as it is."""
    if any(left >= right for left, right in pairwise(seqs)):
        return list(seqs)
    packed: list[Json] = []
    start = 0
    for at in range(1, len(seqs) + 1):
        if at == len(seqs) or seqs[at] != seqs[at - 1] + 1 or tape.rarely(6):
            run = list(seqs[start:at])
            packed += [[run[0], run[-1]]] if tape.pick(4) else run
            start = at
    return packed


def pack_chunks(events: Sequence[JsonObject], tape: Tape) -> list[Run]:
    """Put some runs of chunks as one row each; zeros on the tape pack nothing."""
    runs: list[Run] = []
    start = 0
    while start < len(events):
        end = start + 1
        if _key(events[start]) is not None and tape.pick(4):
            while end < len(events) and _joins(events[end - 1], events[end]) and not tape.rarely(6):
                end += 1
            runs.append(Run(packed(events[start:end]), end - start))
        else:
            runs.append(Run(events[start], 1))
        start = end
    return runs


def packed(events: Sequence[Any]) -> JsonObject:
    """Return the row of some chunks that agree in all that a row has once."""
    kind, many, one = RUNS[events[0]["data"]["chunk"]["type"]]
    first = events[0]
    chunk = first["data"]["chunk"]
    data = {"turn": first["data"]["turn"], "step": first["data"]["step"]}
    data |= {key: chunk[key] for key in _COMMON if key in chunk}
    data["dt"] = [after["time"] - before["time"] for before, after in pairwise(events)]
    data[many] = [event["data"]["chunk"][one] for event in events]
    return {"type": kind, "seq0": first["seq"], "time0": first["time"], "data": data}


def _key(event: Any) -> object:
    """Return what the run of a chunk has in common; nothing for what no row can hold."""
    if event["type"] != "assistant/chunk" or event.keys() != {"type", "seq", "time", "data"}:
        return None
    data = event["data"]
    chunk = data.get("chunk", {})
    if chunk.get("type") not in RUNS or data.keys() != {"turn", "step", "chunk"}:
        return None
    one = RUNS[chunk["type"]][2]
    common = {key: chunk[key] for key in _COMMON if key in chunk}
    if chunk.keys() != {"type", one, *common} or common.get("id") == "":
        return None
    return chunk["type"], data["turn"], data["step"], common


def _joins(before: Any, event: Any) -> bool:
    key = _key(event)
    return (
        key is not None
        and key == _key(before)
        and event["seq"] == before["seq"] + 1
        and abs(event["time"] - before["time"]) <= MAX_SAFE
    )
