"""The model of a store-seam store, by stories that people can follow.

Provenance: each story was told to the real runtime 0.1.0rc7 first, over JSONL and over SQLite.
"""

from typing import Any

import pytest

from dsh_reference.store.seam import (
    Append,
    Create,
    Decision,
    Inspect,
    ListAll,
    Load,
    Operation,
    ReadFrom,
    World,
    damage,
    decide,
    end,
)
from dsh_reference.store.state import Trouble
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject

_HEADER: JsonObject = {"version": 0, "id": "a", "createdAt": 1}


def _event(kind: str, seq: int, **data: Any) -> JsonObject:
    return {"type": kind, "seq": seq, "time": 100 + seq, "data": data}


_OPEN = [_event("turn/start", 0, turn=1), _event("step/start", 1, turn=1, step=1)]
_CLOSERS = ["step/end", "turn/end"]


def _after(*operations: Operation, world: World | None = None) -> World:
    """Return the world after operations that are accepted."""
    now = world or World()
    for operation in operations:
        decision = decide(now, operation)
        assert decision.accepted is not None, operation
        now = decision.accepted
    return now


def _kinds(decision: Decision[World]) -> list[str]:
    events: Any = decision.states["events"]
    return [event["type"] for event in events]


CREATED = _after(Create(header=_HEADER))
WRITTEN = _after(Append(session="a", events=_OPEN), world=CREATED)
COLD = end(WRITTEN, "main")


@pytest.mark.parametrize("asking", [Load, Inspect, ReadFrom])
def test_what_was_only_created_is_not_there(asking: type[Load | Inspect | ReadFrom]) -> None:
    decision = decide(CREATED, asking(session="a"))
    assert (decision.rule, decision.kinds) == ("STORE-LAZY-CREATE", (RefusalKind.NOT_FOUND,))
    assert decide(CREATED, ListAll()).states["ids"] == ()


def test_a_created_id_is_taken_until_the_instance_ends() -> None:
    assert decide(CREATED, Create(header=_HEADER)).rule == "STORE-NO-CLOBBER"
    assert decide(end(CREATED, "main"), Create(header=_HEADER)).accepted is not None


def test_a_time_that_is_no_count_reserves_nothing() -> None:
    wrong = decide(World(), Create(header={**_HEADER, "createdAt": 1.5}))
    assert (wrong.rule, wrong.refused) == ("STORE-CREATED-AT-CHECKED", World())


def test_a_load_closes_what_an_inspection_only_shows() -> None:
    for world in (WRITTEN, COLD):
        seen = decide(world, Inspect(session="a"))
        assert seen.accepted == world
        assert _kinds(seen)[2:] == _CLOSERS
        loaded = decide(world, Load(session="a"))
        assert loaded.states["events"] == seen.states["events"]
        assert loaded.accepted is not None
        assert len(loaded.accepted.stored["a"].events) == 4
        again = decide(loaded.accepted, Load(session="a"))
        assert again.accepted == loaded.accepted


def test_stored_events_have_no_closers() -> None:
    assert _kinds(decide(COLD, ReadFrom(session="a"))) == ["turn/start", "step/start"]
    assert _kinds(decide(COLD, ReadFrom(session="a", start=9))) == []


def test_an_instance_goes_on_in_the_turn_that_it_left_open() -> None:
    more = _event("step/end", 2, turn=1, step=1)
    decision = decide(WRITTEN, Append(session="a", events=[more]))
    assert decision.rule == "STORE-TURN-LEFT-OPEN"
    assert decision.accepted is not None
    assert len(decision.accepted.stored["a"].events) == 3


@pytest.mark.parametrize("look", [Inspect(session="a"), ReadFrom(session="a")])
def test_looking_makes_no_session_known(look: Operation) -> None:
    world = _after(look, world=COLD)
    assert decide(world, Append(session="a", events=[_event("x", 2)])).accepted is None


def test_the_next_instance_adopts_and_appends_behind_the_closers() -> None:
    turn = _event("turn/start", 4, turn=2)
    decision = decide(COLD, Append(session="a", events=[turn]))
    assert decision.rule == "STORE-APPEND-ADOPTS"
    assert decision.accepted is not None
    kinds = [event["type"] for event in decision.accepted.stored["a"].view]
    assert kinds == ["turn/start", "step/start", *_CLOSERS, "turn/start"]


def test_a_refused_append_has_adopted_all_the_same() -> None:
    decision = decide(COLD, Append(session="a", events=[_event("x", 50)]))
    assert decision.kinds == (RefusalKind.SEQ_MISMATCH,)
    assert decision.refused is not None
    assert len(decision.refused.stored["a"].events) == 4


@pytest.mark.parametrize("session", ["a", "nobody"])
def test_nothing_can_always_be_appended(session: str) -> None:
    decision = decide(COLD, Append(session=session, events=[]))
    assert (decision.rule, decision.accepted) == ("STORE-EMPTY-APPEND", COLD)


def test_an_unknown_id_takes_no_batch() -> None:
    decision = decide(COLD, Append(session="nobody", events=_OPEN))
    assert decision.kinds == (RefusalKind.NOT_FOUND,)


def test_retired_events_are_refused_before_the_session_is_looked_for() -> None:
    retired = [_event("mode/set", 0)]
    assert decide(World(), Append(session="x", events=retired)).rule == "STORE-RETIRED-REFUSED"
    newer = decide(World(format=1), Append(session="x", events=retired))
    assert newer.rule == "STORE-NOT-FOUND"


def test_a_torn_tail_alone_is_a_repair() -> None:
    torn = damage(COLD, "a", events=(), torn=True, trouble=None)
    assert torn.stored["a"].needs_repair
    decision = decide(torn, Load(session="a"))
    assert decision.accepted is not None
    assert not decision.accepted.stored["a"].needs_repair


def test_what_only_a_session_shows_may_be_read() -> None:
    trouble = Trouble(rule="STORE-REFUSES-BROKEN-LOG", kinds=(RefusalKind.CORRUPT,), late=True)
    broken = damage(COLD, "a", events=(), torn=False, trouble=trouble)
    assert decide(broken, Load(session="a")).accepted is None
    free = decide(broken, ReadFrom(session="a"))
    assert None not in (free.accepted, free.refused)


def test_a_header_that_names_nobody_may_be_refused_for_that() -> None:
    """0.1.0rc7 with Zstandard looks into the header first, and calls it corrupt."""
    trouble = Trouble(rule="STORE-IDENTITY-BOUND", header=True)
    broken = damage(COLD, "a", events=(), torn=False, trouble=trouble)
    decision = decide(broken, Create(header=_HEADER))
    assert (decision.rule, decision.accepted, decision.kinds) == ("STORE-NO-CLOBBER", None, ())


def test_the_later_of_two_creators_replaces_nothing() -> None:
    both = _after(Create(header=_HEADER, process="rival"), world=CREATED)
    first = _after(Append(session="a", events=_OPEN, process="rival"), world=both)
    late = decide(first, Append(session="a", events=_OPEN))
    assert (late.rule, late.accepted) == ("STORE-NO-CLOBBER", None)
