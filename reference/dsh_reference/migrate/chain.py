"""The chain: every edge from the format of a log up to the one that is asked for.

The edges are whole functions, and the chain is their composition; nothing passes between two of
them but the log.  What comes out at v4 is judged like any log that a reader finds, for an edge
looks at what it changes and not at what the events are to each other.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from attrs import evolve

from dsh_reference.admit import admit
from dsh_reference.header import VERSION
from dsh_reference.migrate.children import ChildFact
from dsh_reference.migrate.header import migrate_header, stored_version
from dsh_reference.migrate.refuse import unsupported
from dsh_reference.migrate.stored import first_unread
from dsh_reference.migrate.v0_to_v1 import v0_to_v1
from dsh_reference.migrate.v1_to_v2 import v1_to_v2
from dsh_reference.migrate.v2_to_v3 import v2_to_v3
from dsh_reference.migrate.v3_to_v4 import v3_to_v4
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_spec.catalogue import Format
from dsh_spec.refusals import RefusalKind

_Edge: TypeAlias = Callable[[SessionLog], SessionLog | Refusal]


def migrate(
    log: SessionLog, *, to: int = VERSION, children: Sequence[ChildFact] | None = ()
) -> SessionLog | Refusal:
    """Return a log of any format as format *to* has it, or the first rule that forbids it.

    *children* are the facts of all children of the session; ``None`` says that nobody looked
    for them, with which no log reaches v4.  The refusal's kind is ``unsupported-migration`` but for
    the header's (see `migrate_header`), for events that are none of the stored format (``corrupt``)
    and for a log that was of v4 to begin with (see `admit`).
    Its place is an event of the stored log, or says of which format's log it is one.

    Source: MIG-ADJACENT, MIG-COMPOSE, MIG-SOURCE-KIND, MIG-NO-PARTIAL, MIG-IDENTITY-CURRENT,
    MIG34-CHILDREN-REQUIRED (facts: migration §0, §4.1, §5).
    """
    stored = stored_version(log.header)
    if isinstance(stored, Refusal):
        return stored
    header = migrate_header(log.header, to=to)
    if isinstance(header, Refusal):
        return header
    if children is None and stored < VERSION == to:
        problem = "nobody looked for the session's children, and v4 lists them"
        return unsupported(None, "MIG34-CHILDREN-REQUIRED", problem)
    unread = first_unread(log, stored) if stored < to else None
    if unread is not None:
        return _damaged(log, stored, to, unread)
    moved = _through(log, stored, to, children or ())
    if isinstance(moved, Refusal) or to < VERSION:
        return moved
    return _check_target(moved, stored) or moved


def _damaged(log: SessionLog, stored: Format, to: int, unread: tuple[int, Refusal]) -> Refusal:
    """Say what is wrong with a damaged log: the damage, unless an edge refuses an earlier event."""
    seq, damage = unread
    before = _through(evolve(log, events=log.events[:seq]), stored, to, ())
    if isinstance(before, Refusal) and before.where.startswith("event"):
        return before
    return damage


def _through(
    log: SessionLog, stored: Format, to: int, children: Sequence[ChildFact]
) -> SessionLog | Refusal:
    for version in range(stored, to):
        moved = _edges(stored, children)[version](log)
        if isinstance(moved, Refusal):
            return moved if version == stored else _in_format(moved, version)
        log = moved
    return log


def _edges(stored: int, children: Sequence[ChildFact]) -> Mapping[int, _Edge]:
    """Return the edges by the format that they begin at."""
    return MappingProxyType(
        {
            0: v0_to_v1,
            1: lambda log: v1_to_v2(log, decoded=stored == 1),
            2: v2_to_v3,
            3: lambda log: v3_to_v4(log, children=children),
        }
    )


def _check_target(log: SessionLog, stored: int) -> Refusal | None:
    """Have a log of v4 admitted; what was migrated is refused as a migration.

    Source: MIG-TARGET-CHECK (facts: migration §0, §5.1).
    """
    admitted = admit(log.header, log.inherited, log.events)
    if not isinstance(admitted, Refusal):
        return None
    if stored == VERSION:
        return admitted
    refusal = evolve(admitted, kind=RefusalKind.UNSUPPORTED_MIGRATION, remedy="")
    return _in_format(refusal, VERSION)


def _in_format(refusal: Refusal, version: int) -> Refusal:
    return evolve(refusal, where=f"{refusal.where} of the v{version} log")
