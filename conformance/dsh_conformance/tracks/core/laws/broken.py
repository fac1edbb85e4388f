"""Laws: one for each rule that a log can break, whoever is asked first.

A log ends with one event that breaks one rule.  A reader of stored logs refuses it; where the rule
is one of the surface, so do the fold, and the append of that event to the log before it.
Logs of older formats are only folded, and have the rules of the surface.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from attrs import evolve, frozen
from hypothesis import reject
from hypothesis import strategies as st

from dsh_conformance.generate.breaches import BREACHES, Breach
from dsh_conformance.generate.formats import Format, Past, drafts
from dsh_conformance.generate.formats.breaches.breach import spelled_already
from dsh_conformance.generate.formats.spelling import spelled
from dsh_conformance.generate.mutations import Mutation
from dsh_conformance.generate.sessions import sessions
from dsh_conformance.generate.state import SURFACE, Raw
from dsh_conformance.tracks.core.asking import Asked
from dsh_conformance.tracks.core.claims import NEWEST, claimed
from dsh_conformance.tracks.core.laws.appending import APPEND, append_params, appended
from dsh_conformance.tracks.core.laws.seeding import SEED
from dsh_conformance.tracks.core.methods import answered
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import Check, RefusedAs
from dsh_reference.refusal import Refusal
from dsh_reference.session import fold, load, seed
from dsh_spec.catalogue import rule
from dsh_spec.values import JsonObject

#: How many logs are tried for one in which the way is possible.
TRIES = 4
_HEADER: Raw = {"id": "s", "createdAt": 0, "isSeeded": False}
#: Rules of stored logs that every fold keeps as well.
_FOLDED = frozenset({"DEV-HEADER-REF", "DEV-HEADER-TOOL"})
#: Rules of stored logs alone: what they forbid has a surface.
_STORED = frozenset({"SURF-HEAD-V4"})


@frozen(kw_only=True)
class Case:
    """A broken log."""

    #: What was done to it.
    breach: Breach
    #: The log.
    asked: Asked

    @property
    def start(self) -> Asked:
        """The log without the event that breaks the rule."""
        return evolve(self.asked, events=self.asked.events[:-1])

    @property
    def judges(self) -> frozenset[str]:
        """Who refuses it for the rule by the model.

        What a beat of v4 breaks may be another rule, or none, in another format or place.
        """
        version, events = self.asked.format, self.asked.events
        header = {**_HEADER, "version": version}
        found: dict[str, object] = {}
        if version == NEWEST:
            found["core/admit"] = load(header, events, format=version)
        if version == NEWEST and (self.breach.noticed == "session" or is_folded(self.breach.rule)):
            found[SEED] = seed(header, events, format=version, mode="restore")
        if is_folded(self.breach.rule):
            found["core/fold"] = fold(events, format=version)
            if "ignorable" not in events[-1]:
                found[APPEND] = appended(self.start, events[-1])
        return frozenset(
            judge
            for judge, answer in found.items()
            if isinstance(answer, Refusal) and answer.rule == self.breach.rule
        )


@cache
def _ways(slug: str, versions: tuple[Format, ...]) -> Sequence[tuple[Format, Breach]]:
    """Return the ways to break a rule in these formats, the newest first."""
    known = rule(slug)
    mine = [breach for breach in BREACHES if breach.rule == slug]
    return tuple(
        (version, breach)
        for version in versions
        for breach in mine
        if version == NEWEST or (is_folded(slug) and known.since <= version)
    )


def is_folded(slug: str) -> bool:
    """Tell whether a fold keeps a rule."""
    return slug in _FOLDED or (rule(slug).area == "surface" and slug not in _STORED)


@st.composite
def _cases(draw: st.DrawFn, ways: Sequence[tuple[Format, Breach]]) -> Case:
    first = draw(st.integers(0, len(ways) - 1))
    for attempt in range(TRIES):
        version, breach = ways[(first + attempt) % len(ways)]
        events = _broken(draw, version, breach)
        if events is not None:
            case = Case(breach=breach, asked=Asked(format=version, events=events))
            if case.judges:
                return case
    return reject()


def _broken(draw: st.DrawFn, version: Format, breach: Breach) -> tuple[Raw, ...] | None:
    if version == NEWEST:
        log = [event for batch in draw(sessions(max_batches=6)) for event in batch]
        found = Mutation(breach)(log)
        return None if found is None else tuple(found)
    older = cast("Past", version)
    write = spelled_already(lambda state: _respelled(breach.write(state), older))
    old = write(draw(drafts(older, early=False)))
    events: Any = None if old is None else old.events
    return cast("tuple[Raw, ...] | None", events)


def _respelled(event: Raw | None, version: Past) -> Raw | None:
    """Spell an event in an older format, though it may lack what every such event has."""
    if event is None or "surfaceOp" in event or event["type"] not in SURFACE:
        return None if event is None else spelled(event, version)
    bare = spelled({**event, "surfaceOp": "append"}, version)
    return {key: value for key, value in bare.items() if key != "surfaceOp"}


def _law(slug: str) -> Law[Case]:
    def cases(claims: JsonObject) -> st.SearchStrategy[Case] | None:
        judges = {"core/admit", SEED} | ({"core/fold", APPEND} if is_folded(slug) else set())
        ways = () if answered(claims).isdisjoint(judges) else _ways(slug, claimed(claims))
        return _cases(ways) if ways else None

    return Law(name=f"broken-{slug.lower()}", cases=cases, check=check, weight=2)


def check(trial: Trial, case: Case) -> None:
    """Ask whoever has to refuse it."""
    breach, asked, judges = case.breach, case.asked, case.judges
    what = f"{asked} that end with this: {breach.name}"
    header = {**_HEADER, "version": asked.format}
    refused = Check(breach.rule, RefusedAs())
    if "core/admit" in judges:
        expected = Check(breach.rule, RefusedAs((breach.kind,)))
        trial.call("core/admit", asked.params(header=header), expected, says=f"admit {what}")
    if "core/fold" in judges:
        trial.call("core/fold", asked.params(), refused, says=f"fold {what}")
    if SEED in judges:
        params = asked.params(header=header, mode="restore")
        checks = (refused, Check("SEED-EVENTS", RefusedAs()))
        trial.call(SEED, params, *checks, says=f"begin a session with {what}")
    if APPEND in judges:
        params = append_params(case.start, asked.events[-1])
        says = f"append to {case.start}: {breach.name}"
        trial.call(APPEND, params, refused, Check("APP-SURFACE", RefusedAs()), says=says)


#: A law for each rule, so that each gets the same share of the runs.
BROKEN: tuple[Law[Case], ...] = tuple(
    _law(slug)
    for slug in sorted({breach.rule for breach in BREACHES})
    if rule(slug).track == "core" and rule(slug).level == "MUST"
)
