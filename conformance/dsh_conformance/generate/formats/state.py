"""Where a log of an older format stands: what its continuation depends on beyond format v4's."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from attrs import evolve, frozen

from dsh_conformance.generate.following import follow
from dsh_conformance.generate.state import Raw, State

#: The formats before the present one.
Past: TypeAlias = Literal[0, 1, 2, 3]


@frozen(kw_only=True)
class Stream:
    """The chunks of a model request that no assistant message has settled (formats v0 and v1)."""

    #: The seqs of the chunks.
    seqs: tuple[int, ...] = ()
    #: What they assemble to.
    content: tuple[Raw, ...] = ()
    #: The usage of the last usage chunk.
    usage: Raw | None = None
    #: The replay state of the finish chunk.
    replay: Raw | None = None
    #: Whether a finish chunk has come.
    finished: bool = False
    #: Whether a cut lies behind it: nothing after the cut may join or settle it.
    sealed: bool = False


@frozen(kw_only=True)
class PastState(State):
    """A valid log of an older format, remembered in the terms of format v4.

    The seqs are the log's own; the events are spelled as format v4 would.
    """

    #: The format.
    format: Past
    #: The session's id.
    session: str
    #: The id under which deliveries are recorded: a parent's, within an inherited prefix.
    author: str
    #: Whether a step has ever started: before that no surface event migrates (MIG23-SURFACE-EARLY).
    stepped: bool = False
    #: The system prompt of the latest `request/header` (formats v0 to v2); empty when it has none.
    prompt: str = ""
    #: What streams at this moment (formats v0 and v1).
    stream: Stream | None = None


def past(state: State) -> PastState:
    """Return a state as the state of an older format, which it must be."""
    assert isinstance(state, PastState)
    return state


def follow_past(state: PastState, event: Raw) -> PastState:
    """Return the state after *event*, which must continue the log validly."""
    change = _CHANGES.get(event["type"])
    changes = {} if change is None else change(state, event)
    return evolve(past(follow(state, event)), **changes)


def _stepped(_state: PastState, _event: Raw) -> Raw:
    return {"stepped": True}


def _prompted(state: PastState, event: Raw) -> Raw:
    return {"prompt": event["data"]["header"].get("system", "")} if state.format < 3 else {}


def _closed(_state: PastState, _event: Raw) -> Raw:
    return {"stream": None}


def _chunk(state: PastState, event: Raw) -> Raw:
    """A chunk joins what streams, unless that has finished (MIG12-ATTEMPT-*)."""
    if state.format > 1:
        return {}
    stream = state.stream
    if stream is None or stream.finished:
        stream = Stream()
    finished = event["data"]["chunk"]["type"] == "finish"
    return {"stream": evolve(stream, seqs=(*stream.seqs, event["seq"]), finished=finished)}


_CHANGES: Mapping[str, Callable[[PastState, Raw], Raw]] = MappingProxyType(
    {
        "step/start": _stepped,
        "request/header": _prompted,
        "assistant/chunk": _chunk,
        "assistant/message": _closed,
        "step/end": _closed,
        "turn/end": _closed,
        "llm/retry": _closed,
        "llm/retry-started": _closed,
    }
)
