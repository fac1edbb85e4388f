"""What a witness is, and the checks that witnesses ask for."""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias

from attrs import frozen

from dsh_conformance.tracks.migration.history import NEWEST, History
from dsh_conformance.tracks.migration.sights import Shows
from dsh_conformance.tracks.store.expect import (
    Accepted,
    Check,
    Counts,
    Dense,
    Equals,
    Expectation,
    HeaderIs,
    Picks,
)
from dsh_conformance.tracks.store.picking import picked
from dsh_reference.session_log import SessionLog

#: Where a rule shows in a result, beside what single events say.
Place: TypeAlias = Literal["accepted", "version", "header", "cut", "count", "dense"]


@frozen(kw_only=True)
class Picked:
    """What the events of some types say at some paths."""

    #: The types; one that ends with ``*`` stands for all that begin so.
    types: tuple[str, ...]
    #: Dotted paths from the event inwards; ``*`` is each member of a list.
    paths: tuple[str, ...]


@frozen(kw_only=True)
class Witness:
    """One rule: in which logs it shows, and where."""

    #: The slug.
    rule: str
    #: The formats in one of which the log has to show it.
    formats: tuple[int, ...]
    #: Whether a log of one of those formats shows it.
    shows: Shows
    #: Where in the result.
    where: Place | Picked

    def sees(self, history: History) -> bool:
        """Say whether the rule shows in a log on its way."""
        return any(self.shows(history.logs[f]) for f in self.formats if history.reached(f))

    def check(self, history: History) -> Check:
        """Return what the rule demands of the result."""
        return Check(self.rule, _expectation(self.where, history.result))


def picks(types: str, *paths: str) -> Picked:
    """Return what the events of these types, given in one line, say at these paths."""
    return Picked(types=tuple(types.split()), paths=paths)


def checks(witnesses: Sequence[Witness], history: History) -> Iterator[Check]:
    """Give the checks of all that show in a log, in turn, then of the whole result."""
    for witness in witnesses:
        if witness.sees(history):
            yield witness.check(history)
    yield from whole(history, "MIG-COMPOSE")


def whole(history: History, rule: str) -> tuple[Check, ...]:
    """Return what a rule demands that demands the whole result."""
    result = history.result
    return (
        Check(rule, Equals(("events",), list(result.events))),
        Check(rule, Equals(("inheritedEventCount",), result.inherited)),
        Check(rule, HeaderIs(("header",), result.header)),
    )


def _expectation(where: Place | Picked, result: SessionLog) -> Expectation:
    match where:
        case Picked(types=types, paths=paths):
            return Picks(types, paths, tuple(picked(result.events, types, paths)))
        case "accepted":
            return Accepted()
        case "version":
            return Equals(("header", "version"), NEWEST)
        case "header":
            return HeaderIs(("header",), result.header)
        case "cut":
            return Equals(("inheritedEventCount",), result.inherited)
        case "count":
            return Counts(0, len(result.events))
        case "dense":
            return Dense(0)


def shown_in(*formats: int) -> "_Make":
    """Return what makes the witnesses of rules that show in logs of these formats."""

    def make(rule: str, shows: Shows, where: Place | Picked) -> Witness:
        return Witness(rule=rule, formats=formats, shows=shows, where=where)

    return make


_Make: TypeAlias = Callable[[str, Shows, Place | Picked], Witness]
