"""Law: where a log may be forked, and what the child begins with.

Source: facts surface-repair-fork §4.1, §4.2, EX14, EX15, Q28 to Q32.
"""

from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats import Format, logs
from dsh_conformance.tracks.core.asking import Asked, asking
from dsh_conformance.tracks.core.claims import NEWEST, claimed, one_of
from dsh_conformance.tracks.core.known import closers_for, known, messages_of
from dsh_conformance.tracks.core.small import MARKED, OPENING, TURNS, small_logs
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import (
    Accepted,
    Begins,
    Check,
    Counts,
    Equals,
    HeaderIs,
    Picks,
    RefusedAs,
)
from dsh_conformance.tracks.store.picking import picked
from dsh_reference.refusal import Refusal
from dsh_reference.session import fork
from dsh_reference.session_log import SessionLog
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

_INVALID = RefusedAs((RefusalKind.INVALID_BOUNDARY,))
_MARKER = "session/end-seed"
#: The session that forks.
_CHILD: JsonObject = {"id": "the child", "createdAt": 1_800_000_000_000}
#: What is no boundary.
_NO_BOUNDARIES: tuple[Json, ...] = (-1, 0.5, "0", True, [0], 2**53, -(2**53))
#: The last part of a log that tells of things which a header also tells.
_LATER: tuple[tuple[str, Json], ...] = (
    ("working-directory/change", {"path": "/elsewhere"}),
    ("agent-preset/selected", {"agentPreset": "other"}),
)


@frozen(kw_only=True)
class Case:
    """A log, and where it is forked."""

    #: The source.
    source: SessionLog
    #: The format.
    format: Format
    #: Whether a boundary is named.
    named: bool
    #: The boundary.
    boundary: Json

    @property
    def asked(self) -> Asked:
        """The source's events."""
        events: Any = self.source.events
        return Asked(format=self.format, events=events)

    @property
    def params(self) -> JsonObject:
        """The parameters of the request."""
        more = {"boundary": self.boundary} if self.named else {}
        return asking(
            self.format, self.source.events, header=self.source.header, child=_CHILD, **more
        )


@st.composite
def _cases(draw: st.DrawFn, versions: tuple[Format, ...]) -> Case:
    version = draw(one_of(versions))
    log = draw(logs(version, max_batches=3, early=False))
    if draw(st.integers(0, 1)):
        first = draw(st.sampled_from(((), OPENING[:1], OPENING[:2], MARKED)))
        events: Any = draw(small_logs(version, TURNS, first))
    else:
        events = log.events
    source = SessionLog(header=log.header, inherited=0, events=events)
    named = draw(st.integers(0, 4)) > 0
    count = len(events)
    markers = [event["seq"] for event in events if event["type"] == _MARKER]
    boundary = draw(
        st.one_of(
            st.sampled_from(markers or [0]),
            st.integers(0, max(0, count - 1)),
            st.integers(0, count + 3),
            st.sampled_from(_NO_BOUNDARIES),
        )
    )
    return Case(source=source, format=version, named=named, boundary=boundary)


def cases(claims: JsonObject) -> st.SearchStrategy[Case] | None:
    """Logs of the claimed formats."""
    versions = claimed(claims)
    return _cases(versions) if versions else None


def check(trial: Trial, case: Case) -> None:
    """Fork a log, look at the child, and at what the child shows."""
    boundary = case.boundary if case.named else None
    found = fork(case.source, _CHILD, format=case.format, boundary=boundary)
    where = f"behind event {boundary!a:.40}" if case.named else "at its end"
    says = f"fork {case.asked} {where}"
    if isinstance(found, Refusal):
        kinds = {"FORK-OPEN-TURN": RefusedAs((RefusalKind.OPEN_TURN,))}
        expected = Check(found.rule, kinds.get(found.rule, _INVALID))
        trial.call("core/fork", case.params, expected, says=says)
        return
    trial.call("core/fork", case.params, *_checks(case, found), says=says)
    _check_source(trial, case)
    _check_child(trial, case, found)


def _checks(case: Case, child: SessionLog) -> Iterator[Check]:
    prefix = case.source.events[: child.inherited]
    is_open = bool(closers_for(Asked(format=case.format, events=tuple(map(dict, prefix)))))
    if not case.named or child.inherited == len(case.source.events):
        yield Check("FORK-BOUNDARY-EXISTS", Equals(("inheritedEventCount",), child.inherited))
    if is_open:
        yield Check("FORK-OPEN-TAIL", Accepted())
    elif case.format < NEWEST:
        yield Check("FORK-OPEN-TURN", Accepted())
    yield Check("HDR-ID-MATCH", Equals(("header", "id"), child.header["id"]))
    yield Check("HDR-IMMUTABLE", Equals(("header", "cwd"), child.header.get("cwd")))
    yield Check("FORK-HEADER", HeaderIs(("header",), child.header))
    yield Check("FORK-PREFIX", Begins(prefix))
    if case.format < NEWEST:
        yield from _marker_checks(case.format, child)
    elif prefix:
        yield Check("CUT-FORK", Equals(("inheritedEventCount",), child.inherited))
        yield Check("CUT-FORK", Begins(child.events[: child.inherited + 1]))
        yield Check("FORK-CLOSERS", Equals(("events",), list(child.events)))
    else:
        yield Check("CUT-FORK", Equals(("inheritedEventCount",), 0))
        yield Check("FORK-CLOSERS", Counts(0, 1))


def _marker_checks(version: Format, child: SessionLog) -> Iterator[Check]:
    """The marker of an older format has the time of its making, which is nobody's to say."""
    rule = "FORK-MARKER-V0V1" if version < 2 else "FORK-MARKER-V2V3"
    paths = ("seq", "data")
    markers = tuple(picked(list(child.events), (_MARKER,), paths))
    yield Check(rule, Picks((_MARKER,), paths, markers))
    yield Check(rule, Counts(len(child.events), len(child.events)))


def _check_source(trial: Trial, case: Case) -> None:
    """The source is what it was: forked at its end it is copied whole."""
    found = fork(case.source, _CHILD, format=case.format)
    if isinstance(found, Refusal):
        return
    whole = evolve(case, named=False)
    expected = Check("FORK-PREFIX", Begins(case.source.events))
    trial.call("core/fork", whole.params, expected, says=f"fork {case.asked} at its end")


def _check_child(trial: Trial, case: Case, child: SessionLog) -> None:
    events: Any = child.events
    log = Asked(format=case.format, events=events)
    shown = Check("FORK-DERIVE", Equals(("messages",), list(messages_of(log))))
    trial.call("core/derive", log.params(), shown, says="derive the child")
    if case.format == NEWEST:
        later = tuple(
            {"type": kind, "seq": seq, "time": 0, "data": data}
            for seq, (kind, data) in enumerate(_LATER, len(case.source.events))
        )
        told = evolve(case, source=evolve(case.source, events=(*case.source.events, *later)))
        found = known(fork(told.source, _CHILD, format=case.format))
        expected = Check("HDR-IMMUTABLE", HeaderIs(("header",), found.header))
        whole = evolve(told, named=False)
        trial.call("core/fork", whole.params, expected, says="fork it after it moved elsewhere")


#: The law.
FORKING: Law[Case] = Law(name="fork", cases=cases, check=check, weight=40)
