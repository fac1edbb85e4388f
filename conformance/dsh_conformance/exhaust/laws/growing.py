"""Laws of how a log grows, becomes a seed, and is stored.

Source: facts surface-repair-fork §4.6, §5.1, Q5, Q33, Q34; events §9.
"""

from collections.abc import Iterator

from dsh_conformance.exhaust.laws.claim import Claim
from dsh_conformance.exhaust.ledger import Move
from dsh_conformance.exhaust.look import HEADER, Look


def taken(look: Look, move: Move) -> Iterator[Claim]:
    """An append makes the event of the move; what is marked ignorable no append can write."""
    if "ignorable" not in move.event:
        yield Claim("APP-EVENT", {"event": move.event}, look.append(move))


def refused(look: Look, move: Move) -> Iterator[Claim]:
    """Neither an append nor a fold takes it, and the log folds as before."""
    yield Claim(move.refused, move.refused, look.refused(move))
    yield Claim("SURF-ATOMIC", look.surface, look.answer("fold", look.ledger.events))
    if not move.local:
        found = look.answer("fold", (*look.ledger.events, move.event))
        yield Claim(move.refused, {"refusal": "invalid-event"}, found)


def unmoved(look: Look) -> Iterator[Claim]:
    """After all that was tried behind it a log shows what it showed."""
    yield Claim("APP-ATOMIC", look.messages, look.answer("derive", look.ledger.events))


def seeded(look: Look) -> Iterator[Claim]:
    """A restored log gets a marker behind it unless one is last; what it shows stays."""
    events = [*look.ledger.events]
    last = events[-1]
    marker = {"type": "session/end-seed", "seq": len(events), "time": last["time"], "data": {}}
    expected = events if last["type"] == marker["type"] else [*events, marker]
    found = look.answer("seed", events, header=HEADER, mode="restore")
    if "events" in found and len(found["events"]) == len(expected):
        # The time of the marker is that of its making.
        found = {"events": [*found["events"][:-1], {**found["events"][-1], "time": last["time"]}]}
    yield Claim("SEED-MARKER", {"events": expected}, found)


def admitted(look: Look) -> Iterator[Claim]:
    """A reader of stored logs accepts just the orderly ones."""
    found = look.answer("admit", look.ledger.events, header=HEADER)
    yield Claim("REL-TURN", {} if look.ledger.orderly else {"refusal": "corrupt"}, found)
