"""Sabotages of the edge from v1 to v2: what becomes of chunks."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from dsh_conformance.implementation.port import PureMethod
from dsh_conformance.sabotage.migration_wrap import (
    Log,
    Raw,
    Way,
    answers,
    log_of,
    refusal_of,
    refuses,
    result,
    takes,
)
from dsh_conformance.tracks.migration.attempts import Sight, sights_of
from dsh_reference.session_log import SessionLog
from dsh_spec.values import Json, JsonObject

_CLOSING: Final = ("step/end", "turn/end", "llm/retry", "llm/retry-started")
_ATTEMPT: Final = "assistant/attempt"


def _shows(way: Way, sight: Sight) -> bool:
    return 1 in way and sight in sights_of(way[1])


def _swap(log: Log, first: int) -> None:
    log.events[first : first + 2] = log.events[first : first + 2][::-1]
    log.settle()


def _where(log: Log, test: Callable[[Raw, Raw], bool]) -> int | None:
    """Return the place of the first two neighbours that pass a test."""
    pairs = enumerate(zip(log.events, log.events[1:], strict=False))
    return next((at for at, (one, two) in pairs if test(one, two)), None)


def _streams(log: Log) -> Iterator[list[Any]]:
    for event in log.of("assistant/*"):
        yield event["data"].get("stream", [])


@result("MIG12-ATTEMPT-START")
def drops_attempts_of_one_chunk(log: Log, way: Way) -> None:
    """A chunk from which nothing followed is dropped."""
    if _shows(way, "alone"):
        log.events = [
            event
            for event in log.events
            if event["type"] != _ATTEMPT or len(event["data"]["stream"]) > 1
        ]
        log.settle()


@result("MIG12-ATTEMPT-EXTEND")
def lets_nothing_out(log: Log, way: Way) -> None:
    """What came between two chunks of an attempt is held back until its end."""
    at = _where(
        log,
        lambda one, two: (
            not one["type"].startswith(("assistant/", "step/", "system/"))
            and two["type"].startswith("assistant/")
        ),
    )
    if at is not None and _shows(way, "let out"):
        _swap(log, at)


@result("MIG12-ATTEMPT-SPLIT")
def joins_what_follows(log: Log, way: Way) -> None:
    """An attempt is joined to the one that follows at once."""
    at = _where(
        log,
        lambda one, two: one["type"] == _ATTEMPT and two["type"].startswith("assistant/"),
    )
    if at is not None and _shows(way, "split"):
        data = log.events[at + 1]["data"]
        data["stream"] = [*log.events[at]["data"]["stream"], *data.get("stream", [])]
        del log.events[at]
        log.settle()


@result("MIG12-ATTEMPT-CLOSE")
def closes_attempts_late(log: Log, way: Way) -> None:
    """An attempt stands behind what closed it."""
    at = _where(log, lambda one, two: one["type"] == _ATTEMPT and two["type"] in _CLOSING)
    if at is not None and _shows(way, "closed"):
        _swap(log, at)


@result("MIG12-UNCLAIMED")
def dates_attempts_by_their_beginning(log: Log, way: Way) -> None:
    """An attempt has the time of its first chunk, and is appended to the surface."""
    for event in log.of(_ATTEMPT) if 1 in way else ():
        first = event["data"]["stream"][0]
        event["time"] = first.get("time0", first.get("time"))
        event["surfaceOp"] = "append"


@result("MIG12-BUFFER")
def holds_nothing_back(log: Log, way: Way) -> None:
    """What follows an attempt stands before it."""
    at = _where(
        log,
        lambda one, two: (
            one["type"] == _ATTEMPT
            and two["type"] not in _CLOSING
            and not two["type"].startswith("assistant/")
        ),
    )
    if at is not None and _shows(way, "held back"):
        _swap(log, at)


@result("MIG12-SETTLE")
def keeps_the_citations(log: Log, way: Way) -> None:
    """An answer goes on citing the chunks that it holds."""
    for event in log.of("assistant/message") if 1 in way else ():
        if event["data"]["stream"]:
            event["sourceEventSeqs"] = [0]


TAKES_CITATIONS = takes(
    "MIG12-SETTLE-REFUSE",
    "takes-citations-of-other-chunks",
    "An answer that cites other chunks than its own is carried over.",
    lambda refusal, _: refusal.rule == "MIG12-SETTLE-REFUSE",
)


@result("MIG12-SETTLE-EMPTY")
def knows_no_empty_streams(log: Log, way: Way) -> None:
    """An answer of a provider that does not stream has no stream at all."""
    for event in log.of("assistant/message") if 1 in way else ():
        if event["data"]["stream"] == []:
            del event["data"]["stream"]


TAKES_OTHER_STEPS = takes(
    "MIG12-SETTLE-OTHER-STEP",
    "takes-answers-of-the-next-step",
    "An answer of another step than its chunks is carried over.",
    lambda refusal, event: event["type"] == "assistant/message" and refusal.rule == "REL-IN-STEP",
)


@answers("MIG12-CUT-SPLIT")
def moves_cuts_out_of_attempts(params: JsonObject, right: PureMethod) -> Json:
    """A cut within an attempt is moved to where it began."""
    refusal = refusal_of(params)
    if refusal is None or refusal.rule != "MIG12-CUT-SPLIT":
        return right(params)
    log = log_of(params)
    for cut in range(log.inherited - 1, -1, -1):
        moved = {**params, "inheritedEventCount": cut}
        if refusal_of(moved) is None:
            return right(moved)
    return right(params)


@refuses("MIG12-CONTENT-NOT-COMPARED")
def compares_answers_with_streams(log: SessionLog) -> bool:
    """An answer that says something else than its stream is refused."""
    events: list[Any] = [*log.events]
    for event in events if log.header["version"] in (0, 1) else ():
        cited = event.get("sourceEventSeqs") if event["type"] == "assistant/message" else None
        if cited and _said(event) != "".join(_streamed(events[seq]) for seq in cited):
            return True
    return False


def _said(event: Raw) -> str:
    message = event["data"].get("message", event["data"])
    return "".join(block.get("text", "") for block in message["content"])


def _streamed(event: Raw) -> str:
    return str(event["data"]["chunk"].get("text", ""))


@result("MIG12-REC")
def names_the_time_of_records_time(log: Log, way: Way) -> None:
    """The time of a record's first delta goes by another name."""
    for stream in _streams(log) if 1 in way else ():
        for record in stream:
            if "time0" in record:
                record["time"] = record.pop("time0")


@result("MIG12-REC-JOIN")
def joins_no_deltas(log: Log, way: Way) -> None:
    """Each delta has a record of its own."""
    for event in log.of("assistant/*") if 1 in way else ():
        event["data"]["stream"] = [
            piece for record in event["data"].get("stream", []) for piece in _parted(record)
        ]


def _parted(record: Raw) -> Iterator[Raw]:
    if "dt" not in record:
        yield record
        return
    key, time = ("args" if "args" in record else "texts"), record["time0"]
    for gap, text in zip([0, *record["dt"]], record[key], strict=True):
        time += gap
        yield {**record, "time0": time, "dt": [], key: [text]}


@result("MIG12-REC-RAW")
def drops_usage_chunks(log: Log, way: Way) -> None:
    """What a chunk says of usage, or of the end, is dropped."""
    for event in log.of("assistant/*") if 1 in way else ():
        event["data"]["stream"] = [
            record
            for record in event["data"].get("stream", [])
            if record.get("chunk", {}).get("type") not in ("usage", "finish")
        ]
