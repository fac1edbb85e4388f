"""What can be seen in a log, and so tells whether a rule shows in it."""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, TypeAlias

from dsh_conformance.tracks.store.picking import is_one_of
from dsh_reference.session_log import SessionLog

#: Says whether something shows in a log.
Shows: TypeAlias = Callable[[SessionLog], bool]
#: An event, or a part of one.
Part: TypeAlias = Mapping[str, Any]


def events_of(log: SessionLog, *types: str) -> Iterator[Part]:
    """Give the events of these types; one that ends with ``*`` stands for all that begin so."""
    return (event for event in log.events if is_one_of(event["type"], types))


def data_of(log: SessionLog, *types: str) -> Iterator[Part]:
    """Give the payloads of the events of these types that are objects."""
    found = (event["data"] for event in events_of(log, *types))
    return (data for data in found if isinstance(data, Mapping))


def has(*types: str) -> Shows:
    """Say whether there is an event of one of these types."""
    return lambda log: any(True for _ in events_of(log, *types))


def holds(test: Callable[[Part], bool], *types: str) -> Shows:
    """Say whether the payload of an event of these types passes a test."""
    return lambda log: any(test(data) for data in data_of(log, *types))


def marked(test: Callable[[Part], bool], *types: str) -> Shows:
    """Say whether an event of these types passes a test."""
    return lambda log: any(test(event) for event in events_of(log, *types))


def both(*sights: Shows) -> Shows:
    """Say whether all of these show."""
    return lambda log: all(sight(log) for sight in sights)


def always(_: SessionLog) -> bool:
    """Say yes."""
    return True


def seeded(log: SessionLog) -> bool:
    """Say whether the log inherited a prefix, be it empty."""
    return log.header["isSeeded"] is True


def inherits(sight: Shows) -> Shows:
    """Say whether something shows in the inherited prefix of a log."""
    return lambda log: (
        seeded(log)
        and sight(SessionLog(header=log.header, inherited=0, events=log.events[: log.inherited]))
    )


def lacks(*keys: str) -> Callable[[Part], bool]:
    """Say whether a payload has none of these members."""
    return lambda data: not data.keys() & set(keys)


def open_at_end(log: SessionLog) -> bool:
    """Say whether the log ends within a turn."""
    turns = [event["type"] for event in events_of(log, "turn/*")]
    return bool(turns) and turns[-1] == "turn/start"


def restarts(log: SessionLog) -> bool:
    """Say whether a turn begins over an open one."""
    turns = [event["type"] for event in events_of(log, "turn/*")]
    return any(pair == ("turn/start",) * 2 for pair in pairwise(turns))


def replaces(log: SessionLog) -> bool:
    """Say whether an event replaces others on the surface."""
    return any(isinstance(event.get("surfaceOp"), Mapping) for event in log.events)


def refers(log: SessionLog) -> bool:
    """Say whether an event refers to another, and is not the answer that cites its chunks."""
    return any(map(_refers, log.events))


def _refers(event: Part) -> bool:
    kind, data = event["type"], event["data"]
    if kind != "assistant/message" and event.get("sourceEventSeqs"):
        return True
    if not isinstance(data, Mapping):
        return False
    return isinstance(event.get("surfaceOp"), Mapping) or bool(
        data.keys() & {"shadowedSeqs", "messageSeqs", "sourceEventSeq", "targets"}
    )


def messages_of(log: SessionLog) -> Iterator[Part]:
    """Give the messages of a log, wherever they stand."""
    yield from data_of(log, "user/message")
    for data in data_of(log, "assistant/message", "tool/result", "system/message"):
        if isinstance(data.get("message"), Mapping):
            yield data["message"]
    for data in data_of(log, "agent/inbox/spliced", "session/title-llm-request"):
        yield from data.get("inserted", data.get("messages", ()))


def sourced(test: Callable[[Part], bool]) -> Shows:
    """Say whether the source of a message passes a test."""
    return lambda log: any(
        test(message["source"])
        for message in messages_of(log)
        if isinstance(message.get("source"), Mapping)
    )
