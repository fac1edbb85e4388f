"""One file, and what must come of reading it."""

from collections.abc import Sequence
from typing import TypeAlias

from attrs import frozen

from dsh_conformance.generate.files.basis import Basis
from dsh_reference.files import Compression
from dsh_reference.session_log import SessionLog
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject


@frozen(kw_only=True)
class Reads:
    """It is read."""

    #: The logical header.
    header: JsonObject
    #: The events.
    events: tuple[JsonObject, ...]
    #: How many of them are inherited.
    inherited: int
    #: How many bytes are kept.
    committed: int
    #: Whether there are bytes behind them.
    torn: bool


@frozen(kw_only=True)
class Recovers:
    """It is read, and of the events in its torn last frame some leading ones may be there."""

    #: The events that would be there if the frame were whole.
    events: tuple[JsonObject, ...]
    #: How many of them are there at least.
    least: int
    #: How many of them are inherited.
    inherited: int
    #: How many bytes are kept.
    committed: int


@frozen
class Refuses:
    """It is refused, as one of these kinds."""

    #: The kinds.
    kinds: tuple[RefusalKind, ...] = (RefusalKind.CORRUPT,)


@frozen(kw_only=True)
class WholeOrRefuses:
    """It is read whole, or refused by the name of a limit."""

    #: The events.
    events: tuple[JsonObject, ...]


Outcome: TypeAlias = Reads | Recovers | Refuses | WholeOrRefuses


@frozen(kw_only=True)
class Specimen:
    """A file with one thing in it that a reader has to get right."""

    #: The rule by which it is judged.
    rule: str
    #: What is done to it, for people: "the last row is cut off".
    says: str
    #: The format that its name states.
    format: Format
    #: The encoding that its name states.
    compression: Compression
    #: The bytes.
    data: bytes
    #: What must come of it.
    outcome: Outcome


@frozen(kw_only=True)
class Made:
    """What a kind makes of a basis."""

    #: The bytes.
    data: bytes
    #: What must come of them.
    outcome: Outcome
    #: The rule that decides, where it is not that of the kind.
    rule: str | None = None


def reads(
    basis: Basis,
    data: bytes,
    *,
    count: int | None = None,
    more: Sequence[JsonObject] = (),
    committed: int | None = None,
) -> Made:
    """Say that a file has the first *count* events of a log, and *more* behind them.

    *committed* bytes of it are kept, all by default.
    If those events are no log, because the end of the inherited prefix is not among them, the file
    is refused instead.
    """
    kept = len(data) if committed is None else committed
    events = (*basis.log.events[:count], *more)
    inherited = cut(basis.log, events)
    if inherited is None:
        return Made(data=data, outcome=Refuses(), rule=cut_rule(basis.format))
    outcome = Reads(
        header=basis.log.header,
        events=events,
        inherited=inherited,
        committed=kept,
        torn=kept < len(data),
    )
    return Made(data=data, outcome=outcome)


def refused(data: bytes, *kinds: RefusalKind) -> Made:
    """Say that a file is refused, as corrupt by default."""
    return Made(data=data, outcome=Refuses(kinds) if kinds else Refuses())


def cut(log: SessionLog, events: Sequence[JsonObject]) -> int | None:
    """Return how many of *events* are inherited under the log's header; nothing if it has no end.

    (Facts: events §2.3.)
    """
    version = log.header["version"]
    assert isinstance(version, int)
    if version < 2:
        return log.inherited if log.inherited <= len(events) else None
    if log.header["isSeeded"] is not True:
        return 0
    marks = [seq for seq, event in enumerate(events) if is_mark(event)]
    return marks[-1] if marks else None


def is_mark(event: JsonObject) -> bool:
    """Tell whether an event ends an inherited prefix."""
    match event:
        case {"type": "session/end-seed", "data": {"inherited": True}}:
            return True
    return False


def cut_rule(version: int) -> str:
    """Return the rule that says where the inherited prefix ends."""
    return "CUT-V0V1" if version < 2 else "CUT-V2PLUS"
