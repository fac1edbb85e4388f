"""Hand-worked answers of the model store: persistence facts, section 2."""

from typing import Any

import pytest

from dsh_reference.store import (
    Append,
    Close,
    Create,
    Decision,
    Flush,
    FlushAll,
    ListAll,
    Open,
    Operation,
    Promises,
    Read,
    Session,
    Stat,
    Trouble,
    World,
    adopt,
    crash,
    decide,
    shutdown,
)
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

HEADER: dict[str, Json] = {"version": 4, "id": "s1", "createdAt": 1, "isSeeded": False}
PING: dict[str, Json] = {"type": "turn/start", "time": 1, "data": {"turn": 1}}


def events(*seqs: int) -> list[Any]:
    return [{**PING, "seq": seq} for seq in seqs]


def after(world: World, *operations: Operation) -> World:
    """The world after operations that are all accepted."""
    for operation in operations:
        found = decide(world, operation).accepted
        assert found is not None, operation
        world = found
    return world


def refusal(world: World, operation: Operation) -> tuple[str, tuple[RefusalKind, ...]]:
    """The rule and the kinds by which the operation must be refused."""
    decision = decide(world, operation)
    assert decision.accepted is None
    assert decision.refused is not None
    return decision.rule, decision.kinds


CREATED = Create(handle="w", header=HEADER)
STORED = after(World(), CREATED, Append(handle="w", events=events(0, 1)))


def test_a_created_session_is_seen_by_its_process_only() -> None:
    world = after(World(), CREATED)
    assert decide(world, Stat(session="s1")).states["header"] == HEADER
    assert decide(world, Stat(session="s1", process="other")).states["snapshot"] is None
    assert decide(world, ListAll()).states["ids"] == ("s1",)
    assert decide(world, ListAll(process="other")).states["ids"] == ()


def test_closing_a_pending_session_erases_it_and_frees_its_id() -> None:
    world = after(World(), CREATED, Close(handle="w"))
    assert refusal(world, Open(handle="r", session="s1", access="read")) == (
        "STORE-NOT-FOUND",
        (RefusalKind.NOT_FOUND,),
    )
    assert decide(world, Create(handle="w2", header=HEADER)).rule == "STORE-LAZY-CREATE"


@pytest.mark.parametrize("seqs", [(0,), (1,), (3,), (2, 4), (2, 2), (2, 3, 5)])
def test_a_batch_that_does_not_continue_the_log_is_refused(seqs: tuple[int, ...]) -> None:
    assert refusal(STORED, Append(handle="w", events=events(*seqs))) == (
        "STORE-CONTIGUOUS-APPEND",
        (RefusalKind.SEQ_MISMATCH,),
    )


def test_a_session_has_one_writer_at_a_time() -> None:
    opening = Open(handle="w2", session="s1", access="write")
    assert refusal(STORED, opening) == ("STORE-SINGLE-WRITER", (RefusalKind.ALREADY_OWNED,))
    assert decide(after(STORED, Close(handle="w")), opening).rule == "STORE-CLOSE-RELEASES"


def test_a_writer_of_another_process_is_kept_out_where_the_store_says_so() -> None:
    opening = Open(handle="r.w", session="s1", access="write", process="r")
    free = decide(STORED, opening)
    assert free.accepted is not None
    assert free.refused is not None
    locked = World(
        promises=Promises(cross_process_lock=True), stored=STORED.stored, handles=STORED.handles
    )
    assert refusal(locked, opening)[0] == "STORE-CROSS-PROCESS-WRITER"


def test_who_stores_an_id_second_is_refused() -> None:
    world = after(World(), CREATED, Create(handle="r.w", header=HEADER, process="r"))
    world = after(world, Append(handle="r.w", events=events(0)))
    assert refusal(world, Append(handle="w", events=events(0)))[0] == "STORE-STALE-WRITER-REFUSED"
    assert world.stored["s1"].events == tuple(events(0))


def test_reads_are_slices() -> None:
    def read(offset: float, length: float | None) -> Any:
        return decide(STORED, Read(handle="w", offset=offset, length=length)).states["events"]

    assert read(0, None) == tuple(events(0, 1))
    assert read(1, 5) == tuple(events(1))
    assert read(0, 1) == tuple(events(0))
    assert read(2, None) == ()
    assert read(9, 9) == ()


@pytest.mark.parametrize(("offset", "length"), [(-1, None), (0.5, None), (0, -1), (2**53, 1)])
def test_wrong_slices_are_refused(offset: float, length: float | None) -> None:
    wrong = Read(handle="w", offset=offset, length=length)
    assert refusal(STORED, wrong) == ("STORE-READ-ARGS", (RefusalKind.INVALID_ARGUMENT,))


def test_a_closed_handle_answers_nothing_but_close() -> None:
    world = after(STORED, Close(handle="w"))
    wrong: list[Operation] = [
        Read(handle="w"),
        Append(handle="w", events=events(2)),
        Append(handle="w", events=[]),
        Flush(handle="w"),
    ]
    for operation in wrong:
        assert refusal(world, operation) == ("STORE-CLOSED", (RefusalKind.CLOSED,))
    assert decide(world, Close(handle="w")).rule == "STORE-CLOSE-IDEMPOTENT"


def test_a_read_handle_writes_nothing() -> None:
    world = after(STORED, Open(handle="r", session="s1", access="read"))
    for operation in (Append(handle="r", events=events(2)), Flush(handle="r")):
        assert refusal(world, operation) == ("STORE-READONLY", (RefusalKind.READ_ONLY,))


def test_a_crash_keeps_what_was_flushed() -> None:
    world = after(STORED, Flush(handle="w"), Append(handle="w", events=events(2)))
    crashed = crash(world, "main")
    assert crashed.stored["s1"].flushed == 2
    assert crashed.handles == {}
    assert adopt(crashed, "s1", 2).stored["s1"].events == tuple(events(0, 1))
    assert adopt(crash(STORED, "main"), "s1", None).stored == {}


def test_an_orderly_end_keeps_everything_but_pending_sessions() -> None:
    other: dict[str, Json] = {**HEADER, "id": "s2"}
    world = shutdown(after(STORED, Create(handle="w2", header=other)), "main")
    assert list(world.stored) == ["s1"]
    assert world.stored["s1"].flushed == 2
    assert world.pending == {}


def test_a_store_that_is_not_durable_forgets_everything() -> None:
    world = World(promises=Promises(durable=False), stored=STORED.stored)
    assert shutdown(world, "main").stored == {}
    assert crash(world, "main").stored == {}


def test_a_flush_stores_an_empty_session_and_a_service_flush_all_of_them() -> None:
    for flush in (Flush(handle="w"), FlushAll()):
        world = after(World(), CREATED, flush, Close(handle="w"))
        assert world.stored["s1"].kept


def test_an_early_flush_of_a_seeded_session_is_free() -> None:
    seeded = Create(handle="w", header={**HEADER, "isSeeded": True}, inherited=1)
    decision = decide(after(World(), seeded), Flush(handle="w"))
    assert decision.rule == "STORE-SEEDED-FLUSH"
    assert decision.accepted is not None
    assert decision.refused is not None


@pytest.mark.parametrize(
    ("seeded", "inherited"), [(True, None), (False, 3)], ids=["no count", "a count too many"]
)
def test_the_inherited_count_goes_with_a_seeded_header(
    seeded: bool,  # noqa: FBT001 - a case of the table
    inherited: int | None,
) -> None:
    header: dict[str, Json] = {**HEADER, "isSeeded": seeded}
    wrong = Create(handle="w", header=header, inherited=inherited)
    assert refusal(World(), wrong)[0] == "STORE-SEEDED-CREATE"


def test_values_outside_json_are_refused_first() -> None:
    hostile = Append(handle="w", events=[{**PING, "seq": 9, "data": float("nan")}])
    assert refusal(STORED, hostile) == ("JSON-REFUSE", (RefusalKind.NOT_JSON,))


def test_what_reads_must_refuse_after_an_event_that_no_log_may_hold() -> None:
    batch = Append(handle="w", events=events(2), poison="unsupported-format")
    decision: Decision[World] = decide(STORED, batch)
    assert decision.accepted is not None
    assert refusal(decision.accepted, Read(handle="w"))[1] == (RefusalKind.UNSUPPORTED_FORMAT,)
    assert decision.refused == STORED


def test_an_older_log_is_published_by_who_writes_it() -> None:
    """MIG-READ-NO-PUBLISH, MIG-WRITE-PUBLISH."""
    world = World(stored={"s1": Session(header=HEADER, published=False)})
    reading = decide(world, Open(handle="h1", session="s1", access="read"))
    assert reading.rule == "MIG-READ-NO-PUBLISH"
    assert reading.accepted is not None
    assert not reading.accepted.stored["s1"].published
    writing = decide(world, Open(handle="h1", session="s1", access="write"))
    assert writing.rule == "MIG-WRITE-PUBLISH"
    assert writing.accepted is not None
    assert writing.accepted.stored["s1"].published


def test_what_cannot_be_published_is_read_and_not_written() -> None:
    """MIG-VERIFY."""
    barred = Trouble(rule="MIG-VERIFY", kinds=(RefusalKind.CORRUPT,))
    world = World(stored={"s1": Session(header=HEADER, published=False, barred=barred)})
    assert decide(world, Open(handle="h1", session="s1", access="read")).refused is None
    writing = decide(world, Open(handle="h1", session="s1", access="write"))
    assert (writing.rule, writing.accepted, writing.kinds) == ("MIG-VERIFY", None, barred.kinds)
