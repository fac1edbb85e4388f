"""Laws of forks.

Source: facts surface-repair-fork §4.1, §4.2, Q28 to Q31.
"""

from collections.abc import Iterator
from typing import Any

from dsh_conformance.exhaust.laws.claim import Claim
from dsh_conformance.exhaust.laws.closing import closers
from dsh_conformance.exhaust.laws.surface import messages
from dsh_conformance.exhaust.look import CHILD, HEADER, Look


def forked(look: Look) -> Iterator[Claim]:
    """A child is the log, a marker and closers, and shows what these show.

    It is a fresh seed as it stands, and a stored log where its parent is one.
    """
    ledger = look.ledger
    count, last = ledger.seq, ledger.events[-1]
    marker = {
        "type": "session/end-seed",
        "seq": count,
        "time": last["time"],
        "data": {"inherited": True},
    }
    closing = [*closers(ledger, "forked", marker)]
    header: Any = {**CHILD, "version": 4, "isSeeded": True, "parentSession": "s", "cwd": "/w"}
    events = [*ledger.events, marker, *closing]
    child = {"header": header, "inheritedEventCount": count, "events": events}
    yield Claim("FORK-CLOSERS", child, look.child)
    results = [each["data"]["message"] for each in closing if each["type"] == "tool/result"]
    if results or not closing:
        expected = {"messages": [*messages(ledger), *results]}
        yield Claim("FORK-DERIVE", expected, look.answer("derive", events))
    stated = {"header": header, "inheritedEventCount": count, "mode": "snapshot"}
    yield Claim("SEED-MARKER", {"events": events}, look.answer("seed", events, **stated))
    if ledger.orderly:
        yield Claim("FORK-RESULT", {}, look.answer("admit", events, header=header))


def forked_earlier(look: Look) -> Iterator[Claim]:
    """What comes behind the boundary is not looked at."""
    if look.parent is None or look.ledger.seq < 2:
        return
    boundary = look.ledger.seq - 2
    asked = {"header": HEADER, "child": CHILD, "boundary": boundary}
    found = look.answer("fork", look.ledger.events, **asked)
    yield Claim("FORK-PREFIX", look.parent.child, found)
