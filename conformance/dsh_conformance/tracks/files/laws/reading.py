"""What must come of reading a file, as checks: the narrowest first."""

from collections.abc import Iterator

from dsh_conformance.generate.files import Outcome, Reads, Recovers, Refuses, WholeOrRefuses
from dsh_conformance.tracks.files.expecting import EventsOrRefusedAs
from dsh_conformance.tracks.store.expect import (
    Check,
    Counts,
    Equals,
    HeaderIs,
    PrefixOf,
    RefusedAs,
)
from dsh_spec.refusals import RefusalKind

#: How an implementation may name a limit of its own.
_LIMITS = (RefusalKind.OTHER, RefusalKind.IO)


def checks(rule: str, outcome: Outcome) -> Iterator[Check]:
    """Give what a rule demands of the answer to a file."""
    match outcome:
        case Refuses(kinds):
            yield Check(rule, RefusedAs(kinds))
        case WholeOrRefuses(events=events):
            yield Check(rule, EventsOrRefusedAs(events, _LIMITS))
        case Reads():
            yield Check(rule, Equals(("events",), list(outcome.events)))
            yield Check(rule, Equals(("inheritedEventCount",), outcome.inherited))
            yield Check(rule, HeaderIs(("header",), outcome.header))
            yield from _kept(rule, outcome.committed, torn=outcome.torn)
        case Recovers(events=events, least=least):
            yield Check(rule, PrefixOf(events))
            yield Check(rule, Counts(least, len(events)))
            yield Check(rule, Equals(("inheritedEventCount",), outcome.inherited))
            yield from _kept(rule, outcome.committed, torn=True)


def _kept(rule: str, committed: int, *, torn: bool) -> Iterator[Check]:
    yield Check(rule, Equals(("torn",), torn))
    yield Check(rule, Equals(("committedBytes",), committed))
