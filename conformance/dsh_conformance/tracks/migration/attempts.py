"""What the chunks of a v1 log show of the rules about attempts.

It goes through a log as the edge does, but makes nothing of it.

Source: facts migration §2.3, §2.4.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

from attrs import define, field

from dsh_reference.session_log import SessionLog

#: What can be seen.
#: ``alone``: a chunk begins an attempt, and no further one joins it.
#: ``recorded``: there is an attempt.
#: ``joined``: neighbouring deltas have one kind, block and tool.
#: ``raw``: a chunk is no delta, or one without an id or a name.
#: ``let out``: a chunk joins an attempt behind which other events were held back.
#: ``split``: a chunk closes an attempt and begins another.
#: ``closed``: another event, or the end, closes an attempt.
#: ``unclaimed``: an attempt is closed.
#: ``held back``: another event comes between the chunks of an attempt and its end.
#: ``settled``: a message cites the attempt.
#: ``empty``: a message has no chunks.
Sight: TypeAlias = Literal[
    "alone",
    "recorded",
    "joined",
    "raw",
    "let out",
    "split",
    "closed",
    "unclaimed",
    "held back",
    "settled",
    "empty",
]

_CLOSING: Final = frozenset({"step/end", "turn/end", "llm/retry", "llm/retry-started"})
_DELTAS: Final = frozenset({"text-delta", "reasoning-delta", "tool-call-delta"})


def sights_of(log: SessionLog) -> frozenset[Sight]:
    """Return all that the chunks of a log show."""
    watch = _Watch()
    seen: set[Sight] = set()
    for event in log.events:
        seen.update(watch.see(event))
    if watch.chunks:
        seen.update(watch.close("closed"))
    return frozenset(seen)


@define
class _Watch:
    """The pending attempt."""

    #: Its turn and step.
    place: tuple[Any, Any] | None = None
    #: What was streamed.
    chunks: list[Mapping[str, Any]] = field(factory=list)
    #: Whether other events wait behind it.
    is_followed: bool = False

    def see(self, event: Mapping[str, Any]) -> Iterator[Sight]:
        """Take an event, and give what it shows."""
        data = event["data"] if isinstance(event["data"], Mapping) else {}
        place = data.get("turn"), data.get("step")
        if event["type"] == "assistant/chunk":
            yield from self._stream(place, data["chunk"])
        elif event["type"] == "assistant/message":
            yield from self._settle(place, event.get("sourceEventSeqs"))
        elif event["type"] in _CLOSING:
            yield from self.close("closed")
        elif self.chunks:
            self.is_followed = True

    def close(self, *why: Sight) -> Iterator[Sight]:
        """End the attempt, if there is one."""
        if self.chunks:
            yield from why
            yield "unclaimed"
            yield from self._end()

    def _end(self) -> Iterator[Sight]:
        if len(self.chunks) == 1:
            yield "alone"
        if self.is_followed:
            yield "held back"
        self.chunks, self.is_followed = [], False

    def _stream(self, place: tuple[Any, Any], chunk: Mapping[str, Any]) -> Iterator[Sight]:
        yield "recorded"
        if self.chunks and (place != self.place or self.chunks[-1]["type"] == "finish"):
            yield from self.close("split")
        elif self.is_followed:
            yield "let out"
            self.is_followed = False
        if _run_of(chunk) is None:
            yield "raw"
        elif self.chunks and _run_of(self.chunks[-1]) == _run_of(chunk):
            yield "joined"
        self.place = place
        self.chunks.append(chunk)

    def _settle(self, place: tuple[Any, Any], cited: Any) -> Iterator[Sight]:
        if self.chunks and cited and place == self.place:
            yield "settled"
            yield from self._end()
        else:
            yield "empty"
            yield from self.close()


def _run_of(chunk: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """Return what a delta has in common with its neighbours; nothing for what stands raw."""
    if chunk["type"] not in _DELTAS:
        return None
    if chunk["type"] == "tool-call-delta" and "" in (chunk.get("id"), chunk.get("name")):
        return None
    return chunk["type"], chunk["index"], chunk.get("id"), chunk.get("name")
