"""What an answer must be, as data that can be checked here, written down, and replayed elsewhere.

A *check* is a rule's slug and an expectation.  An expectation is asked of an outcome (a result or a
refusal) and of the *bindings*: values that earlier answers gave, such as handles and revisions,
which are the implementation's own and can only be compared with one another.
"""

from collections.abc import Mapping
from typing import TypeAlias

from attrs import frozen

from dsh_conformance.implementation.capabilities import Artifacts
from dsh_conformance.implementation.outcome import Ok, Outcome, Refused
from dsh_conformance.tracks.files.expecting import OfFiles, holds_of_files
from dsh_conformance.tracks.store.answers import (
    Path,
    events_of,
    id_of,
    is_closer,
    items_at,
    look,
    same_header,
)
from dsh_conformance.tracks.store.batches import Batches, in_batches
from dsh_conformance.tracks.store.encoding import encoding_of
from dsh_conformance.tracks.store.picking import picked, reach
from dsh_reference.files import LogFile
from dsh_reference.values import equal
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

#: What earlier answers gave, by the name under which it was kept.
Bindings: TypeAlias = Mapping[str, Json | bytes]


@frozen
class Accepted:
    """The call is accepted."""


@frozen
class RefusedAs:
    """The call is refused, as one of these kinds, or as any kind when none is given."""

    #: The kinds that are right.
    kinds: tuple[RefusalKind, ...] = ()


@frozen
class AcceptedOrRefusedAs:
    """The call is accepted, or refused as one of these kinds."""

    #: The kinds that are right.
    kinds: tuple[RefusalKind, ...]


@frozen
class Equals:
    """The value at a path equals this one as JSON."""

    #: Where.
    at: Path
    #: What.
    value: Json


@frozen
class HeaderIs:
    """The header at a path is this one; an absent delegation depth is 0."""

    #: Where.
    at: Path
    #: The logical header.
    value: JsonObject


@frozen
class Dense:
    """The events at `events` carry the seqs from this one on."""

    #: The first seq.
    start: int


@frozen
class Counts:
    """The number of events at `events` lies within these bounds."""

    #: At least so many.
    least: int
    #: At most so many; nothing for no bound.
    most: int | None = None


@frozen
class PrefixOf:
    """The events at `events` are a prefix of these."""

    #: The whole.
    events: tuple[Json, ...]


@frozen
class Begins:
    """The events at `events` begin with these."""

    #: The beginning.
    events: tuple[Json, ...]


@frozen
class Lists:
    """The members of the list at a path have, in turn, these values at some paths."""

    #: Where the list is.
    at: Path
    #: Dotted paths from a member inwards; ``*`` is each member of a list.
    paths: tuple[str, ...]
    #: For each member what lies at each path.
    values: tuple[Json, ...]


@frozen
class NotPart:
    """The call is refused, or results in other events than these."""

    #: What a part of the log would result in.
    events: tuple[Json, ...]


@frozen
class Picks:
    """The events of some types, in turn, have these values at some paths."""

    #: The types; one that ends with ``*`` stands for all that begin so.
    types: tuple[str, ...]
    #: Dotted paths from the event inwards; ``*`` is each member of a list.
    paths: tuple[str, ...]
    #: For each event what lies at each path.
    values: tuple[Json, ...]


@frozen
class Keeps:
    """The events at `events` have these types at these seqs."""

    #: Pairs of seq and type.
    types: tuple[tuple[int, str], ...]


@frozen
class NoClosers:
    """The events beyond the first so many hold no synthetic result and no interrupted turn end."""

    #: How many events were really appended.
    beyond: int


@frozen
class Untouched:
    """What was planted into arguments or results after a call does not show up."""

    #: The mark that was planted.
    mark: str


@frozen
class CountIfGiven:
    """An `eventCount` at a path, where there is one, is this number."""

    #: Where.
    at: Path
    #: The number.
    value: int


@frozen
class Ids:
    """The headers or snapshots at a path name exactly these sessions, once each."""

    #: The ids, in any order.
    ids: tuple[str, ...]
    #: Where.
    at: Path = ("snapshots",)


@frozen
class ListedAs:
    """The list's snapshot of a session has this header and the revision that was kept."""

    #: The session's id.
    session: str
    #: The logical header.
    header: JsonObject
    #: The name under which the revision was kept.
    revision: str


@frozen
class SameRevision:
    """The revision at a path is the one that was kept under this name."""

    #: Where.
    at: Path
    #: The name.
    kept: str


@frozen
class NewRevision:
    """The revision at a path differs from the one that was kept under this name."""

    #: Where.
    at: Path
    #: The name.
    kept: str


@frozen
class Located:
    """The session has a file of its own."""


@frozen
class SameBytes:
    """The artifact's bytes are those that were kept under this name."""

    #: The name.
    kept: str


@frozen
class Extends:
    """The artifact's bytes begin with the first so many of those kept under this name."""

    #: The name.
    kept: str
    #: How many of those bytes are committed records.
    committed: int


@frozen
class HoldsLog:
    """The artifact's bytes are the physical log of exactly these events."""

    #: The encoding.
    artifacts: Artifacts
    #: The logical header.
    header: JsonObject
    #: The events.
    events: tuple[Json, ...]
    #: The format.
    format: Format = 4
    #: Whether nothing may lie behind them, not even a torn tail.
    whole: bool = False


@frozen
class Inside:
    """The path at `path` lies inside the workspace."""


Expectation: TypeAlias = (
    Accepted
    | RefusedAs
    | AcceptedOrRefusedAs
    | Equals
    | HeaderIs
    | Dense
    | Counts
    | PrefixOf
    | Begins
    | Lists
    | NotPart
    | Picks
    | Keeps
    | NoClosers
    | Untouched
    | CountIfGiven
    | Ids
    | ListedAs
    | SameRevision
    | NewRevision
    | Located
    | SameBytes
    | Extends
    | HoldsLog
    | Batches
    | Inside
    | OfFiles
)


@frozen
class Check:
    """One thing that a rule demands of an answer."""

    #: The rule's slug.
    rule: str
    #: What it demands.
    expects: Expectation


def holds(expects: Expectation, outcome: Outcome, bindings: Bindings) -> bool:
    """Say whether the outcome is as expected."""
    if isinstance(expects, RefusedAs):
        return isinstance(outcome, Refused) and (not expects.kinds or outcome.kind in expects.kinds)
    if isinstance(expects, AcceptedOrRefusedAs):
        return isinstance(outcome, Ok) or outcome.kind in expects.kinds
    if isinstance(expects, NotPart):
        return not (isinstance(outcome, Ok) and equal(events_of(outcome.value), expects.events))
    if isinstance(expects, OfFiles):
        return holds_of_files(expects, outcome)
    return isinstance(outcome, Ok) and _holds(expects, outcome.value, bindings)


def _holds(expects: Expectation, value: Json, bindings: Bindings) -> bool:  # noqa: C901, PLR0912
    """Dispatch on the expectation; the arms are as short as their statements."""
    match expects:
        case Equals(at, wanted):
            return equal(look(value, at), wanted)
        case HeaderIs(at, wanted):
            return same_header(look(value, at), wanted)
        case Dense(start):
            seqs = [look(event, ("seq",)) for event in events_of(value)]
            return equal(seqs, list(range(start, start + len(seqs))))
        case Counts(least, most):
            count = len(events_of(value))
            return least <= count and (most is None or count <= most)
        case PrefixOf(events):
            found = events_of(value)
            return equal(found, events[: len(found)])
        case Begins(events):
            return equal(events_of(value)[: len(events)], events)
        case Lists(at, paths, values):
            found = [[reach(item, path) for path in paths] for item in items_at(value, at)]
            return equal(found, list(values))
        case Picks(types, paths, values):
            return equal(picked(events_of(value), types, paths), list(values))
        case Keeps(types):
            by_seq = {seq: look(event, ("type",)) for seq, event in enumerate(events_of(value))}
            return all(by_seq.get(seq) == kind for seq, kind in types)
        case NoClosers(beyond):
            return not any(is_closer(event) for event in events_of(value)[beyond:])
        case Untouched(mark):
            return mark not in repr(value)
        case CountIfGiven(at, wanted):
            given = look(value, (*at, "eventCount"))
            return given is None or equal(given, wanted)
        case Ids(ids, at):
            return sorted(map(id_of, items_at(value, at))) == sorted(map(repr, ids))
        case ListedAs(session, header, revision):
            mine = [s for s in items_at(value, ("snapshots",)) if id_of(s) == repr(session)]
            return all(
                same_header(look(s, ("header",)), header)
                and look(s, ("revision",)) == bindings.get(revision)
                for s in mine
            )
        case SameRevision(at, kept):
            return look(value, (*at, "revision")) == bindings.get(kept)
        case NewRevision(at, kept):
            return look(value, (*at, "revision")) != bindings.get(kept)
        case _:
            return _holds_of_file(expects, value, bindings)


def _holds_of_file(expects: Expectation, value: Json, bindings: Bindings) -> bool:
    """Check what is asked of an artifact file."""
    match expects:
        case Located():
            return look(value, ("bytes",)) is not None
        case SameBytes(kept):
            return bindings.get("artifact") == bindings.get(kept)
        case Extends(kept, committed):
            before, now = bindings.get(kept), bindings.get("artifact")
            if not isinstance(before, bytes) or not isinstance(now, bytes):
                return False
            return now.startswith(before[:committed])
        case HoldsLog():
            return _holds_log(expects, bindings.get("artifact"))
        case Batches(kept=kept):
            return in_batches(expects, bindings.get("artifact"), bindings.get(kept, b""))
        case Inside():
            return look(value, ("inside",)) is True
        case _:
            return True


def _holds_log(expects: HoldsLog, now: Json | bytes) -> bool:
    encoding = encoding_of(expects.artifacts, expects.format)
    found = encoding.read(now) if isinstance(now, bytes) else None
    return (
        isinstance(found, LogFile)
        and same_header(found.header, expects.header)
        and equal(found.events, expects.events)
        and not (expects.whole and found.torn)
    )
