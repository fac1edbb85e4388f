"""Turns that begin over an open one: a restart is told by what stands right before it.

Source: facts migration MIG12-RESTART, MIG34-RESTART, MIG23-NO-RESTART; events §9.
"""

from collections.abc import Iterator
from typing import Any

from dsh_conformance.generate.breaches.breach import event
from dsh_conformance.generate.formats.breaches.breach import Breach, NearMiss, Write
from dsh_conformance.generate.formats.draft import Draft
from dsh_conformance.generate.formats.state import Past, PastState
from dsh_conformance.generate.state import Raw
from dsh_reference.session_log import SessionLog

_SAID: Raw = {"id": "m", "role": "user", "content": [], "source": {"kind": "user"}}


def _restart(*, skip: int = 0, between: bool = False, step: bool = False, **splice: Any) -> Write:
    """Begin turn n + 1 (and *skip* more) right behind a splice, or not so right."""

    def events(state: PastState) -> list[Raw]:
        data = {"target": "next-turn", "start": 0, "inserted": [_SAID], **splice}
        told: list[tuple[str, Raw]] = [("agent/inbox/spliced", data)]
        if between:
            told.append(("plan/mode", {"active": True}))
        told.append(("turn/start", {"turn": state.turn + 1 + skip}))
        return [
            {**event(state, kind, data), "seq": state.seq + at}
            for at, (kind, data) in enumerate(told)
        ]

    def write(draft: Draft) -> SessionLog | None:
        for seq in range(draft.own, len(draft.events) + 1):
            state = draft.states[seq]
            ready = state.turn_open and state.bracket is None and not state.calls
            if ready and state.step_open is step:
                return draft.until(seq, *events(state))
        return None

    return write


def breaches(version: Past) -> Iterator[Breach]:
    """Return what is no restart."""
    rule = "MIG12-RESTART" if version < 2 else "REL-TURN"
    yield Breach(rule, "restart with nothing in the inbox", _restart(inserted=[]))
    yield Breach(rule, "restart for the next step", _restart(target="next-step"))
    yield Breach(rule, "restart that skips a turn", _restart(skip=1))
    yield Breach(rule, "restart some time after its splice", _restart(between=True))
    yield Breach(rule, "restart within a step", _restart(step=True))


def near_misses(version: Past) -> Iterator[NearMiss]:
    """Return a restart as it should be."""
    rule = "MIG12-RESTART" if version < 2 else "MIG34-RESTART"
    yield NearMiss(rule, "restart after a splice", _restart(removedCount=1))
