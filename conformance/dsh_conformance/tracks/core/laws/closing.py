"""Law: how an open turn is closed, part by part, and that a closed log stays closed.

Source: facts surface-repair-fork §3.2 to §3.4, Q18 to Q27.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve, frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats import Format, logs
from dsh_conformance.tracks.core.asking import Asked
from dsh_conformance.tracks.core.claims import NEWEST, claimed, one_of
from dsh_conformance.tracks.core.known import closers_for, messages_of
from dsh_conformance.tracks.core.small import MISPLACED, OPENING, REWRITTEN, TURNS, small_logs
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import Accepted, Check, Equals, Expectation, Picks
from dsh_conformance.tracks.store.picking import picked
from dsh_reference.refusal import Refusal
from dsh_reference.session import load
from dsh_spec.texts import Cause
from dsh_spec.values import JsonObject

_RESULT = "tool/result"
_OPENINGS = tuple(OPENING[:count] for count in range(len(OPENING) + 1))
#: What makes the shape of a result, beside its text.
_SHAPE = (
    "surfaceOp",
    "data.turn",
    "data.step",
    "data.message.id",
    "data.message.role",
    "data.message.source",
    "data.message.toolCallId",
    "data.message.isError",
    "data.message.content.*.type",
    "data.message.content.*.toolCallId",
    "data.message.content.*.isError",
)
_CALL_ID = "data.message.source.callId"


@frozen(kw_only=True)
class Case:
    """A log, and why it is closed."""

    #: The log.
    asked: Asked
    #: The cause.
    cause: Cause
    #: The header under which it is stored, where it is.
    header: JsonObject | None = None


@st.composite
def _cases(draw: st.DrawFn, versions: tuple[Format, ...]) -> Case:
    version = draw(one_of(versions))
    cause: Cause = (
        draw(st.sampled_from(("interrupted", "forked"))) if version == 4 else "interrupted"
    )
    if draw(st.integers(0, 3)):
        first = draw(st.sampled_from((*_OPENINGS, REWRITTEN, MISPLACED)))
        events = draw(small_logs(version, TURNS, first))
        return Case(asked=Asked(format=version, events=events), cause=cause)
    log = draw(logs(version, max_batches=4, early=False))
    written: Any = log.events
    asked = Asked(format=version, events=written)
    return Case(asked=asked, cause=cause, header=log.header)


def cases(claims: JsonObject) -> st.SearchStrategy[Case] | None:
    """Logs of the claimed formats."""
    versions = claimed(claims)
    return _cases(versions) if versions else None


def check(trial: Trial, case: Case) -> None:
    """Close a log, and then what that made of it."""
    asked, cause = case.asked, case.cause
    closing = closers_for(asked, cause)
    says = f"close {asked} as {cause}"
    params = asked.params(cause=cause)
    trial.call("core/closers", params, *closing_checks(case, closing), says=says)
    closed = evolve(asked, events=(*asked.events, *closing))
    nothing = Check("REPAIR-IDEMPOTENT", Equals(("events",), []))
    trial.call("core/closers", closed.params(cause=cause), nothing, says=f"{says}, twice")
    _check_admission(trial, case, closed)


def _check_admission(trial: Trial, case: Case, closed: Asked) -> None:
    """A stored log is accepted with its closers, and shows their results besides."""
    header = case.header
    if case.asked.format != NEWEST or header is None or closed.events == case.asked.events:
        return
    if isinstance(load(header, closed.events, format=NEWEST), Refusal):
        return
    says = f"of {case.asked} with its closers"
    accepted = Check("REPAIR-ADMISSIBLE", Accepted())
    trial.call("core/admit", closed.params(header=header), accepted, says=f"admit a log {says}")
    shown = Check("REPAIR-ADMISSIBLE", Equals(("messages",), list(messages_of(closed))))
    trial.call("core/derive", closed.params(), shown, says=f"derive {says}")


def closing_checks(case: Case, closing: Sequence[JsonObject]) -> Iterator[Check]:
    """Give what rules demand of closers."""
    if not closing:
        yield Check("REPAIR-EMPTY", Equals(("events",), []))
        return
    tail: list[Any] = _tail(case.asked.events)
    old = case.asked.format < NEWEST
    results = [event for event in closing if event["type"] == _RESULT]
    if any(event["type"] == "compaction/start" for event in tail):
        yield Check("REPAIR-NO-BRACKETS", _picks(closing, "compaction/*", "type"))
    if any(event["type"] == _RESULT for event in tail):
        rule = "REPAIR-MATCH-BY-ID" if old else "REPAIR-MATCH-EXACT"
        yield Check(rule, _picks(closing, _RESULT, _CALL_ID))
    if any(event["type"] == "assistant/message" for event in tail):
        yield Check("REPAIR-ADVERTISED", _picks(closing, _RESULT, _CALL_ID))
    yield Check("CLOSE-ORDER", _picks(closing, "*", "type"))
    yield Check("REPAIR-LAST-ONLY", _picks(closing, "step/end", "data.turn", "data.step"))
    yield Check("REPAIR-LAST-ONLY", _picks(closing, "turn/end", "data.turn"))
    yield Check("CLOSE-BASE", _picks(closing, "*", "seq", "time"))
    yield Check("CLOSE-REASON", _picks(closing, "turn/end", "data.reason"))
    if results:
        yield from _result_checks(closing, results, old=old)
    yield Check("CLOSE-ORDER", Equals(("events",), list(closing)))


def _result_checks(
    closing: Sequence[JsonObject], results: Sequence[JsonObject], *, old: bool
) -> Iterator[Check]:
    started = [event for event in results if "sourceEventSeqs" in event]
    told = _picks(closing, _RESULT, "data.error", "sourceEventSeqs")
    if started:
        yield Check("CLOSE-STARTED", told)
    if len(started) < len(results):
        yield Check("CLOSE-NOT-STARTED", told)
    text = "data.message.content.*.content.*.text" if old else "data.message.content.*.text"
    rule = "CLOSE-RESULT-V0V3" if old else "CLOSE-RESULT"
    yield Check(rule, _picks(closing, _RESULT, *_SHAPE))
    yield Check("CLOSE-TEXT", _picks(closing, _RESULT, text))


def _tail(events: Sequence[JsonObject]) -> list[JsonObject]:
    """Return the events behind the last start of a turn."""
    starts = [at for at, event in enumerate(events) if event["type"] == "turn/start"]
    return list(events[starts[-1] :]) if starts else []


def _picks(closing: Sequence[JsonObject], kind: str, *paths: str) -> Expectation:
    values = picked(list(closing), (kind,), paths)
    return Picks((kind,), paths, tuple(values))


#: The law.
CLOSING: Law[Case] = Law(name="closers", cases=cases, check=check, weight=50)
