"""What a breach of an older format is: a log that one edge refuses, for one reason.

Most are the shortest beginning of a valid log that can go wrong, with one bad event at its end.
A near miss looks like a breach and is none: the chain accepts it.
"""

import copy
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from attrs import field, frozen

from dsh_conformance.generate.formats.draft import Draft
from dsh_conformance.generate.formats.spelling import spelled
from dsh_conformance.generate.formats.state import PastState
from dsh_conformance.generate.state import Raw
from dsh_reference.session_log import SessionLog
from dsh_spec.refusals import RefusalKind

#: Makes the changed log out of a valid one, or nothing where that is impossible.
Write: TypeAlias = Callable[[Draft], SessionLog | None]
#: Changes a copy of an event in place; says whether it could.
Change: TypeAlias = Callable[[Raw], bool]
#: Writes the next event, or nothing where that is impossible.
Next: TypeAlias = Callable[[PastState], Raw | None]

#: Who refuses it.  ``edge``: a migration edge or the check of its result.
#: ``row``: the decoder of the file; a last row that is so is taken for a torn tail and left out, so
#: the log has a `turn/end` behind it.
#: ``header``: whoever reads the header.
#: ``adoption``: no part of the chain, but the store that opens its result for reading.
#: ``publication``: nobody who only reads; whoever builds a session of the migrated log.
Noticed: TypeAlias = Literal["edge", "row", "header", "adoption", "publication"]

_MIGRATION = RefusalKind.UNSUPPORTED_MIGRATION


@frozen
class Breach:
    """One way in which a log of an older format does not migrate."""

    #: The rule that breaks, by its slug.
    rule: str
    #: What is wrong, in a few words; unique within a format.
    name: str
    #: Makes the broken log.
    write: Write
    #: Who refuses it.
    noticed: Noticed = field(default="edge", kw_only=True)
    #: How whoever opens the file refuses it.
    kind: RefusalKind = field(default=_MIGRATION, kw_only=True)


@frozen
class NearMiss:
    """One thing that looks wrong in a log of an older format and is not."""

    #: The rule that it seems to break, by its slug.
    rule: str
    #: What is odd, in a few words; unique within a format.
    name: str
    #: Makes the odd log.
    write: Write


def tampered(kind: str, change: Change) -> Write:
    """Change the first event of type *kind* that can be changed, and end the log there.

    Events of format v0's early days and messages that hold the change of a goal are left alone:
    others look at them first.
    """

    def write(draft: Draft) -> SessionLog | None:
        for seq in range(draft.own, len(draft.events)):
            event = draft.events[seq]
            early = at(event, "data.trigger") or at(event, "data.source.change")
            if event["type"] == kind and early is None:
                changed = copy.deepcopy(event)
                if change(changed):
                    return draft.until(seq, changed)
        return None

    return write


def followed(write: Next) -> Write:
    """End the shortest beginning after which *write* has an event with that event.

    The event is written in the terms of format v4 and spelled in the log's own.
    """
    return spelled_already(
        lambda state: None if (event := write(state)) is None else spelled(event, state.format)
    )


def spelled_already(write: Next) -> Write:
    """End the shortest beginning after which *write* has an event with that event, as it is."""

    def changed(draft: Draft) -> SessionLog | None:
        for seq in range(draft.own, len(draft.events) + 1):
            event = write(draft.states[seq])
            if event is not None:
                return draft.until(seq, event)
        return None

    return changed


def committed(write: Write) -> Write:
    """Put a `turn/end` behind the broken log, so that its last row is no torn tail."""

    def changed(draft: Draft) -> SessionLog | None:
        log = write(draft)
        if log is None:
            return None
        data = {"turn": 1, "reason": {"kind": "completed"}}
        end: Raw = {"type": "turn/end", "seq": len(log.events), "time": 0, "data": data}
        return SessionLog(header=log.header, inherited=log.inherited, events=(*log.events, end))

    return changed


def at(event: Raw, path: str) -> Any:
    """Return what lies at a dotted path in an event, or nothing; a number counts in a list."""
    value: Any = event
    for step in path.split("."):
        if isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        elif isinstance(value, dict) and step in value:
            value = value[step]
        else:
            return None
    return value


def puts(path: str, value: Any) -> Change:
    """Set the member at *path*, whose holder must be there."""
    front, _, last = path.rpartition(".")

    def change(event: Raw) -> bool:
        holder = at(event, front) if front else event
        if isinstance(holder, list) and last.isdigit() and int(last) < len(holder):
            holder[int(last)] = copy.deepcopy(value)
            return True
        if not isinstance(holder, dict):
            return False
        holder[last] = copy.deepcopy(value)
        return True

    return change


def sets(path: str, value: Any) -> Change:
    """Change the member at *path*, which must be there."""
    put = puts(path, value)
    return lambda event: at(event, path) is not None and put(event)


def drops(path: str) -> Change:
    """Take away the member at *path*."""
    front, _, last = path.rpartition(".")

    def change(event: Raw) -> bool:
        holder = at(event, front) if front else event
        if not isinstance(holder, dict) or last not in holder:
            return False
        del holder[last]
        return True

    return change
