"""Law: what a reader of stored logs accepts, however odd it looks.

Only logs of the newest format are asked about: whether an older one is read is the affair of its
migration.

Source: facts events §1, §2, §5, §7, §9.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from attrs import evolve, frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats import logs
from dsh_conformance.generate.state import Raw
from dsh_conformance.implementation.hostile import encode_value
from dsh_conformance.tracks.core.asking import Asked
from dsh_conformance.tracks.core.claims import NEWEST, claimed
from dsh_conformance.tracks.core.known import closers_for, folded, surface_of
from dsh_conformance.tracks.core.laws.surface import OPAQUE
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import (
    Accepted,
    Check,
    Equals,
    HeaderIs,
    Lists,
    RefusedAs,
)
from dsh_reference.refusal import Refusal
from dsh_reference.session import fork, load
from dsh_reference.session_log import SessionLog
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

ADMIT = "core/admit"
_CHILD: JsonObject = {"id": "the child", "createdAt": 5}
_DELIVERY = "session-log-deepseek/delivery-accepted"
#: What no seq is, at the place 0.
_NO_ZEROS: tuple[Json, ...] = (-0.0, False)
#: What a header needs, each with what is none of it.
_NEEDED: Mapping[str, Json] = {"id": 7, "createdAt": -1, "isSeeded": "no", "version": "4"}
#: What a plugin may call its records, each with what it may not be without.
_PLUGINS = ("plugin:a", "plugin:acme/x.y-z_0", "plugin:1/2/3")

#: Asks about a stored log.
_Ask: TypeAlias = Callable[[Trial, "Case"], None]


@frozen(kw_only=True)
class Case:
    """A stored log."""

    #: What is asked.
    ask: str
    #: The log.
    log: SessionLog
    #: What chooses among the ways to ask.
    way: int

    @property
    def asked(self) -> Asked:
        """Its events."""
        events: Any = self.log.events
        return Asked(format=NEWEST, events=events)

    def params(self, *more: Raw) -> JsonObject:
        """Return the request about the log with more events behind it."""
        events: Any = (*self.log.events, *more)
        return Asked(format=NEWEST, events=events).params(header=self.log.header)

    def next(self, kind: str, data: Any, **envelope: Any) -> Raw:
        """Return an event that stands behind the log."""
        return {"type": kind, "seq": len(self.log.events), "time": 0, "data": data, **envelope}

    def with_events(self, *more: Raw) -> "Case":
        """Return the case with more events behind the log."""
        return evolve(self, log=evolve(self.log, events=(*self.log.events, *more)))

    @property
    def is_admitted(self) -> bool:
        """Whether the model accepts the log."""
        return load(self.log.header, self.log.events, format=NEWEST) is None


@st.composite
def _cases(draw: st.DrawFn) -> Case:
    ask = draw(st.sampled_from(sorted(_ASKS)))
    return Case(ask=ask, log=draw(logs(NEWEST, max_batches=4)), way=draw(st.integers(0, 59)))


def cases(claims: JsonObject) -> st.SearchStrategy[Case] | None:
    """Stored logs of the newest format, if that is claimed."""
    return _cases() if claimed(claims, since=NEWEST) else None


def check(trial: Trial, case: Case) -> None:
    """Ask."""
    _ASKS[case.ask](trial, case)


def _whole(trial: Trial, case: Case) -> None:
    """A log as its authors left it, cut off or not."""
    is_open = bool(closers_for(case.asked))
    rule = "INV-OPEN-TAIL-OK" if is_open else "RD-V3V4-PAYLOAD-OPEN"
    trial.call(ADMIT, case.params(), Check(rule, Accepted()), says=f"admit {case.asked}")


def _embellished(trial: Trial, case: Case) -> None:
    """A payload with a key that nobody knows, and any payload of a plugin's type."""
    events: list[Raw] = [dict(event) for event in case.log.events]
    for event in events:
        if event["type"] in ("turn/start", "turn/end", "step/start", "tool/call"):
            event["data"] = {**event["data"], "acme": case.way}
    odd = evolve(case, log=evolve(case.log, events=tuple(events)))
    odd = odd.with_events(odd.next("sandbox/mode", [None, case.way]))
    if odd.is_admitted:
        expected = Check("RD-V3V4-PAYLOAD-OPEN", Accepted())
        trial.call(ADMIT, odd.params(), expected, says=f"admit {odd.asked}, with more in them")


def _unknown(trial: Trial, case: Case) -> None:
    """What nobody knows, and need not know, changes nothing."""
    metadata = OPAQUE[case.way % len(OPAQUE)] if case.way % 2 else {}
    data = {"turn": 1, "message": {"content": []}}
    stranger = case.next("acme/note", data, ignorable=True, **metadata)
    odd = case.with_events(stranger)
    says = f"{case.asked} and an event that nobody knows"
    if "sourceEventSeqs" not in metadata:
        # Rows of files spell sources as ranges, so that a reader of them looks at all sources.
        accepted = Check("IGN-UNKNOWN-V4", Accepted())
        trial.call(ADMIT, odd.params(), accepted, says=f"admit {says}")
    surface = folded(surface_of(case.asked))
    rule = "SURF-UNKNOWN-IGNORABLE-OPAQUE" if metadata else "IGN-UNKNOWN-V4"
    same = [Check(rule, Equals((key,), value)) for key, value in surface.items()]
    trial.call("core/fold", odd.asked.params(), *same, says=f"fold {says}")
    closing = closers_for(odd.asked)
    expected = Check("IGN-UNKNOWN-V4", Lists(("events",), ("type",), _types(closing)))
    params = odd.asked.params(cause="interrupted")
    trial.call("core/closers", params, expected, says=f"close {says}")


def _types(closing: tuple[JsonObject, ...]) -> tuple[Json, ...]:
    return tuple([event["type"]] for event in closing)


def _plugin(trial: Trial, case: Case) -> None:
    """A record of a plugin is taken with its mark, and not without."""
    name = _PLUGINS[case.way % len(_PLUGINS)]
    good, bad = case.next(name, case.way, ignorable=True), case.next(name, case.way)
    says = f"admit {case.asked} and a {name}"
    expected = Check("IGN-PLUGIN-RECORD", Accepted())
    trial.call(ADMIT, case.params(good), expected, says=says)
    refused = Check("IGN-PLUGIN-RECORD", RefusedAs((RefusalKind.UNSUPPORTED_FORMAT,)))
    trial.call(ADMIT, case.params(bad), refused, says=f"{says} that is not marked ignorable")


def _marked(trial: Trial, case: Case) -> None:
    """Whether known types are marked ignorable is all the same."""
    events = tuple({**event, "ignorable": True} for event in case.log.events)
    marked = evolve(case, log=evolve(case.log, events=events))
    says = f"{case.asked}, all marked ignorable"
    trial.call(ADMIT, marked.params(), Check("IGN-MEANING", Accepted()), says=f"admit {says}")
    bad = {**case.next("turn/end", {"turn": 99_999, "reason": {"kind": "completed"}})}
    bad["ignorable"] = True
    refused = Check("IGN-MEANING", RefusedAs((RefusalKind.CORRUPT,)))
    trial.call(ADMIT, case.params(bad), refused, says="admit it with an end of no turn")


def _orphan(trial: Trial, case: Case) -> None:
    """A marker ends the compaction that nobody ended, and a new one may start."""
    start = {"compactionId": "k1", "trigger": {"kind": "manual"}, "turn": None}
    one = case.next("compaction/start", start)
    two = {**one, "data": {**start, "compactionId": "k2"}, "seq": one["seq"] + 2}
    marker = {"type": "session/end-seed", "seq": one["seq"] + 1, "time": 0, "data": {}}
    odd = case.with_events(one, marker, two)
    if odd.is_admitted:
        says = f"admit {case.asked}, a compaction, a marker and another compaction"
        trial.call(ADMIT, odd.params(), Check("REL-COMPACT-ORPHAN", Accepted()), says=says)
    direct = case.with_events(one, {**two, "seq": one["seq"] + 1})
    if case.with_events(one).is_admitted and not direct.is_admitted:
        says = f"admit {case.asked} and two compactions at once"
        refused = Check("REL-COMPACT-ORPHAN", RefusedAs((RefusalKind.CORRUPT,)))
        trial.call(ADMIT, direct.params(), refused, says=says)


def _delivered(trial: Trial, case: Case) -> None:
    """A delivery of another format's generation means nothing here."""
    generation = ({}, {"sessionFormatVersion": 0}, {"sessionFormatVersion": 3})[case.way % 3]
    data = {"sessionId": "another", "throughSeq": 9_999, **generation}
    odd = case.with_events(case.next(_DELIVERY, data))
    if odd.is_admitted:
        says = f"admit {case.asked} and a delivery of {generation}"
        trial.call(ADMIT, odd.params(), Check("DELIV-GEN", Accepted()), says=says)


def _zero(trial: Trial, case: Case) -> None:
    """The first seq is 0, and nothing that only equals it."""
    if not case.log.events or case.log.header["isSeeded"]:
        return
    zero = _NO_ZEROS[case.way % len(_NO_ZEROS)]
    events = [{**case.log.events[0], "seq": zero}, *case.log.events[1:]]
    params = {**case.params(), "events": encode_value(events)}
    says = f"admit {case.asked}, the first with the seq {zero!a}"
    trial.call(ADMIT, params, Check("ENV-SEQ-NEGZERO", RefusedAs()), says=says)


def _header(trial: Trial, case: Case) -> None:
    """A header with its members, with a wrong one, and without one."""
    header = case.log.header
    trial.call(ADMIT, case.params(), Check("HDRL-RELEASED", Accepted()), says=f"admit {case.asked}")
    key = sorted(_NEEDED)[case.way % len(_NEEDED)]
    wrong = {**header, key: _NEEDED[key]}
    lacking = {name: value for name, value in header.items() if name != key}
    for bad, what in ((wrong, "a wrong"), (lacking, "no")):
        refused = Check("HDRL-RELEASED", RefusedAs())
        params = {**case.params(), "header": bad}
        trial.call(ADMIT, params, refused, says=f"admit a log whose header has {what} {key}")


def _depth(trial: Trial, case: Case) -> None:
    """No depth is the depth 0."""
    bare = {key: value for key, value in case.log.header.items() if key != "delegationDepth"}
    for header in (bare, {**bare, "delegationDepth": 0}):
        params = {**case.params(), "header": header}
        what = "no depth" if header is bare else "the depth 0"
        expected = Check("HDRL-DEPTH-OPTIONAL", Accepted())
        trial.call(ADMIT, params, expected, says=f"admit {case.asked} under {what}")
        source = evolve(case.log, header=header)
        child = fork(source, _CHILD, format=NEWEST)
        assert not isinstance(child, Refusal)
        same = Check("HDRL-DEPTH-OPTIONAL", HeaderIs(("header",), child.header))
        trial.call(
            "core/fork", {**params, "child": _CHILD}, same, says=f"fork {case.asked} under {what}"
        )


_ASKS: Mapping[str, _Ask] = {
    "whole": _whole,
    "embellished": _embellished,
    "unknown": _unknown,
    "plugin": _plugin,
    "marked": _marked,
    "orphan": _orphan,
    "delivered": _delivered,
    "zero": _zero,
    "header": _header,
    "depth": _depth,
}

#: The law.
ADMITTING: Law[Case] = Law(name="admit", cases=cases, check=check, weight=50)
