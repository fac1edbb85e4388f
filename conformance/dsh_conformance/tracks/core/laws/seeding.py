"""Law: what a session begins with, whether its seed is borrowed or restored.

Source: facts surface-repair-fork §4.6, Q33, Q34.
"""

from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats import Format, logs
from dsh_conformance.generate.state import Raw
from dsh_conformance.implementation.hostile import HOSTILE_NAMES, encode_value
from dsh_conformance.tracks.core.asking import Asked
from dsh_conformance.tracks.core.claims import claimed, one_of
from dsh_conformance.tracks.core.known import folded, messages_of, surface_of
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import (
    Accepted,
    Begins,
    Check,
    Counts,
    Equals,
    Picks,
    RefusedAs,
)
from dsh_conformance.tracks.store.picking import picked
from dsh_reference.refusal import Refusal
from dsh_reference.session import Mode, seed
from dsh_reference.session.requests import request_header
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

SEED = "core/seed"
_MARKER = "session/end-seed"
#: The rule of the marker, by format.
_MARKERS = (
    "SEED-MARKER-V0V1", "SEED-MARKER-V0V1", "SEED-MARKER-V2V3", "SEED-MARKER-V2V3", "SEED-MARKER",
)  # fmt: skip
#: What is no event of a seed, by name: members that replace those of its last one.
_DAMAGE: tuple[tuple[str, Raw], ...] = (
    ("seq that is not its place", {"seq": 7_777}),
    ("fractional time", {"time": 0.5}),
    ("ignorable that is false", {"ignorable": False}),
    ("key of nobody", {"extra": 1}),
    ("type that is a number", {"type": 7}),
)


@frozen(kw_only=True)
class Case:
    """A seed."""

    #: The header.
    header: JsonObject
    #: The events.
    asked: Asked
    #: Whether it is borrowed or restored.
    mode: Mode
    #: How many events are said to be inherited; nothing where nothing is said.
    inherited: Json
    #: What chooses among the ways to spoil it.
    way: int

    def params(self, **more: Any) -> JsonObject:
        """Return the parameters of the request."""
        stated = {} if self.inherited is None else {"inheritedEventCount": self.inherited}
        return {**self.asked.params(header=self.header, mode=self.mode), **stated, **more}

    def seeded(self) -> tuple[JsonObject, ...] | Refusal:
        """Return what the model makes of it."""
        return seed(
            self.header,
            self.asked.events,
            format=self.asked.format,
            mode=self.mode,
            inherited=self.inherited,
        )

    def __str__(self) -> str:
        verb = "restore" if self.mode == "restore" else "seed a session with"
        return f"{verb} {self.asked}"


@st.composite
def _cases(draw: st.DrawFn, versions: tuple[Format, ...]) -> Case:
    version = draw(one_of(versions))
    log = draw(logs(version, max_batches=3, early=False))
    mode: Mode = draw(st.sampled_from(("snapshot", "restore")))
    events: Any = log.events
    cut = draw(st.sampled_from(("right", "right", "right", "copied", "bare", "many", "early")))
    if cut in ("copied", "bare"):
        # A fresh child is begun with the copied events, and in v4 also with their marker.
        events = events[: log.inherited + (1 if cut == "bare" else 0)]
    count: Json = {"many": len(events) + 1, "early": _early(events)}.get(cut, log.inherited)
    asked = Asked(format=version, events=events)
    way = draw(st.integers(0, 59))
    return Case(header=log.header, asked=asked, mode=mode, inherited=count, way=way)


def _early(events: tuple[Raw, ...]) -> int:
    """Return the place of the first inherited marker."""
    marks = [e["seq"] for e in events if e["type"] == _MARKER and e["data"].get("inherited")]
    return int(marks[0]) if marks else 1


def cases(claims: JsonObject) -> st.SearchStrategy[Case] | None:
    """Seeds of the claimed formats."""
    versions = claimed(claims)
    return _cases(versions) if versions else None


def check(trial: Trial, case: Case) -> None:
    """Begin a session, begin it again with what came of it, and with a spoilt seed."""
    made = case.seeded()
    if isinstance(made, Refusal):
        if made.rule in ("SEED-COUNT", "CUT-EXACT"):
            says = f"{case}, {case.inherited} of them inherited"
            trial.call(SEED, case.params(), Check(made.rule, RefusedAs()), says=says)
        return
    trial.call(SEED, case.params(), *_checks(case, made), says=str(case))
    _check_replay(trial, case, made)
    _check_spoilt(trial, case)


def _checks(case: Case, made: tuple[JsonObject, ...]) -> Iterator[Check]:
    version = case.asked.format
    if version >= 2:
        yield Check("SEED-COUNT", Accepted())
    yield Check("ENV-ACCEPTED-FROZEN", Begins(case.asked.events))
    if version >= 2:
        is_nested = [e for e in made if e["type"] == _MARKER and e["data"] == {"inherited": True}]
        if is_nested:
            yield Check("CUT-EXACT", Counts(1))
    paths = ("seq", "data")
    rule = _MARKERS[version]
    yield Check(rule, Picks((_MARKER,), paths, tuple(picked(list(made), (_MARKER,), paths))))
    yield Check(rule, Counts(len(made), len(made)))


def _check_replay(trial: Trial, case: Case, made: tuple[JsonObject, ...]) -> None:
    events: Any = made
    again = evolve(case, asked=evolve(case.asked, events=events), mode="restore")
    found = again.seeded()
    if not isinstance(found, Refusal):
        # A marker that is added has the time of its making, which is nobody's to say.
        expected = (
            Check("SEED-REPLAY", Begins(made)),
            Check("SEED-REPLAY", Counts(len(found), len(found))),
        )
        trial.call(SEED, again.params(), *expected, says="restore what came of it")
    log = again.asked
    surface = [
        Check("SEED-REPLAY", Equals((key,), value))
        for key, value in folded(surface_of(case.asked)).items()
    ]
    trial.call("core/fold", log.params(), *surface, says="fold what came of it")
    shown = Check("SEED-REPLAY", Equals(("messages",), list(messages_of(case.asked))))
    trial.call("core/derive", log.params(), shown, says="derive what came of it")
    header = request_header(case.asked.events, format=log.format)
    state = Check("SEED-REPLAY", Equals(("value",), header))
    trial.call("core/requestHeader", log.params(), state, says="ask it for the request header")


def _check_spoilt(trial: Trial, case: Case) -> None:
    """One event is wrong, and in either mode nothing begins."""
    if not case.asked.events:
        return
    *others, last = case.asked.events
    name, members = _DAMAGE[case.way % len(_DAMAGE)]
    spoilt = [*others, {**last, **members}]
    if case.way % 7 == 0:
        name, spoilt = "message without surfaceOp", [*case.asked.events, _unmarked(len(others) + 1)]
    elif case.way % 7 == 1:
        name, spoilt = "message without an id", [*case.asked.events, _nameless(len(others) + 1)]
    params = case.params(events=encode_value(spoilt))
    says = f"{case}, one of them with a {name}"
    trial.call(SEED, params, Check("SEED-EVENTS", RefusedAs()), says=says)


def _nameless(seq: int) -> Raw:
    content = [{"type": "text", "text": "a"}]
    data = {"role": "user", "content": content, "source": {"kind": "user"}}
    return {"type": "user/message", "seq": seq, "time": 0, "data": data, "surfaceOp": "append"}


def _unmarked(seq: int) -> Raw:
    event = _nameless(seq)
    del event["surfaceOp"]
    return {**event, "data": {**event["data"], "id": "m"}}


#: The law.
SEEDING: Law[Case] = Law(name="seed", cases=cases, check=check, weight=40)


def check_hostile(trial: Trial, case: Case) -> None:
    """Seed with an event that is no JSON, or under a header that is none, if that can be said."""
    if not trial.arena.capabilities.hostile_values:
        return
    count = len(case.asked.events)
    borrowed = evolve(case, mode="snapshot", inherited=count if _is_seeded(case) else 0)
    if isinstance(borrowed.seeded(), Refusal):
        return
    mark: Raw = {"$hostile": HOSTILE_NAMES[case.way % len(HOSTILE_NAMES)]}
    header = {**case.header, "agentPreset": mark}
    says = f"{borrowed} under a header with {mark['$hostile']}"
    lossless = Check("HDR-LOSSLESS", RefusedAs())
    trial.call(SEED, borrowed.params(header=header), lossless, says=says)
    note = {"type": "acme/new", "seq": count, "time": 0, "data": {"a": mark}}
    encoded = encode_value(list(case.asked.events))
    assert isinstance(encoded, list)
    longer = evolve(borrowed, inherited=count + 1 if _is_seeded(case) else 0)
    says = f"{borrowed} and an event with {mark['$hostile']}"
    refused = Check("SEED-JSON", RefusedAs((RefusalKind.NOT_JSON,)))
    trial.call(SEED, longer.params(events=[*encoded, note]), refused, says=says)


def _is_seeded(case: Case) -> bool:
    return case.asked.format >= 2 and case.header["isSeeded"] is True


#: The law of values outside JSON.
HOSTILE_SEEDS: Law[Case] = Law(name="seed-hostile", cases=cases, check=check_hostile, weight=8)
