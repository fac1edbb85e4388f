"""Relations between events: what format v4 refuses, told in the words of an older format.

No older format checks these itself; the chain checks them on its result, but for a few that an edge
stumbles over before.

Source: facts migration §5.1, MIG-TARGET-CHECK, MIG12-RESTART, MIG23-REFS; events §9.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from dsh_conformance.generate.breaches import BREACHES
from dsh_conformance.generate.breaches import Breach as Current
from dsh_conformance.generate.formats.breaches.breach import Breach, Next, committed, followed
from dsh_conformance.generate.formats.breaches.members import PAYLOAD
from dsh_conformance.generate.formats.state import Past, PastState
from dsh_conformance.generate.state import SURFACE, Raw
from dsh_spec.refusals import RefusalKind

#: The rules whose breaches mean the same in every format.
_RULES = ("REL-", "SURF-REPLACE-", "SURF-TOOL-")
#: The rules of what only format v3 has too.
_NEWER = ("CATALOG-", "SURF-SYSTEM-HEAD", "SURF-HEAD-V4", "IMG-")

#: What format v4 breaks with things that the older formats do not have, or that break otherwise
#: there: other modules break those.
_SKIPPED = frozenset(
    (
        "developer message outside a step",
        "turn starts inside a turn",
        "repair under another id",
        "key names of an older format",
        "operation with a fourth key",
    )
)
_FOREIGN: Mapping[Past, frozenset[str]] = MappingProxyType(
    {
        0: frozenset(("system message outside a step", "attempt outside a step")),
        1: frozenset(("system message outside a step", "attempt outside a step")),
        2: frozenset(("system message outside a step",)),
        3: frozenset(),
    }
)

#: What an exact payload forbids before anybody looks at its relations (formats v0 to v2).
_PAYLOADS = frozenset(("summary of another range", "title cites twice"))
#: What the edge from v2 looks at itself, and the decoder of format v3.
_ITSELF = "range names the event itself"


def breaches(version: Past) -> Iterator[Breach]:
    """Return the breaches of relations that a format can tell."""
    for each in BREACHES:
        told = each.rule.startswith(_RULES + (_NEWER if version == 3 else ()))
        if told and each.name not in _SKIPPED | _FOREIGN[version]:
            yield _told(version, each)


def _told(version: Past, current: Current) -> Breach:
    name, write = current.name, followed(_next(current))
    if current.noticed == "session":
        return Breach(current.rule, name, write, noticed="publication", kind=RefusalKind.CORRUPT)
    if name == _ITSELF and version == 3:
        rule = "INV-RECOVER"
        return Breach(rule, name, committed(write), noticed="row", kind=RefusalKind.CORRUPT)
    return Breach(_narrowest(version, current), name, write)


def _narrowest(version: Past, current: Current) -> str:
    """Return the rule by which the first to look refuses."""
    if version < 3 and current.name in _PAYLOADS:
        return PAYLOAD[version]
    if version < 3 and current.name == _ITSELF:
        return "MIG23-REFS"
    return "MIG34-CATALOG-OWN" if current.rule.startswith("CATALOG-") else current.rule


def _next(current: Current) -> Next:
    def write(state: PastState) -> Raw | None:
        event = current.write(state)
        if event is None:
            return None
        if state.format < 3 and not _migrates(state, event):
            return None
        if state.format < 2 and event["type"] == "assistant/message":
            return _chunkless(state, event)
        return event

    return write


def _migrates(state: PastState, event: Raw) -> bool:
    """Tell whether the edges carry an event as far as the check of their result."""
    if event["type"] in SURFACE and not state.stepped:
        return False
    numbers = (event["data"].get(name, 1) for name in ("turn", "step"))
    return all(number is None or number >= 1 for number in numbers)


def _chunkless(state: PastState, event: Raw) -> Raw | None:
    """Formats v0 and v1 know no stream within a message."""
    if state.stream is not None:
        return None
    data = {key: value for key, value in event["data"].items() if key != "stream"}
    return {**event, "data": data}
