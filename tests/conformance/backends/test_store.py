"""What every backend does alike: the handle seam, one rule after another."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsh_conformance.backends.memory import memory
from dsh_conformance.implementation.backend import Access, Refuse, StoreBackend
from dsh_reference.values import equal
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

Header = dict[str, Json]
#: Twice for writing: a refused open leaves no claim.
ACCESSES: tuple[Access, ...] = ("read", "write", "write")
Turns = tuple[list[Json], list[Json]]


def kind_of(call: Callable[[], object]) -> RefusalKind:
    """Return the kind with which *call* is refused."""
    with pytest.raises(Refuse) as caught:
        call()
    return caught.value.kind


def test_events_come_back(store: StoreBackend, header: Header, turns: Turns) -> None:
    handle = store.create(header)
    handle.append(turns[0])
    handle.append(turns[1])
    whole = [*turns[0], *turns[1]]
    assert handle.read() == whole
    assert handle.read(4, 3) == whole[4:7]
    assert handle.read(11, 100) == whole[11:]
    assert handle.read(12) == handle.read(99) == handle.read(3, 0) == []
    assert store.open("s1", "read").read() == whole


@pytest.mark.parametrize("bad", [-1, 0.5, True, 2**53, "0", None])
def test_read_arguments_are_counts(store: StoreBackend, header: Header, bad: int) -> None:
    handle = store.create(header)
    assert kind_of(lambda: handle.read(bad)) is RefusalKind.INVALID_ARGUMENT
    if bad is not None:
        assert kind_of(lambda: handle.read(0, bad)) is RefusalKind.INVALID_ARGUMENT


def test_a_pending_session_is_visible_here(
    store: StoreBackend, header: Header, turns: Turns
) -> None:
    """STORE-PENDING-VISIBLE, STORE-FRESH, STORE-REVISION-CHANGES."""
    writer = store.create(header)
    reader = store.open("s1", "read")
    before = store.stat("s1")
    assert before is not None
    assert before["header"] == header
    assert reader.read() == []
    writer.append(turns[0])
    after = store.stat("s1")
    assert after is not None
    assert after["revision"] != before["revision"]
    assert [after] == list(store.list())
    assert reader.read() == turns[0]


def test_a_pending_session_that_is_closed_never_was(store: StoreBackend, header: Header) -> None:
    """STORE-LAZY-CREATE."""
    writer = store.create(header)
    reader = store.open("s1", "read")
    writer.close()
    assert store.stat("s1") is None
    assert list(store.list()) == []
    assert kind_of(lambda: store.open("s1", "read")) is RefusalKind.NOT_FOUND
    assert kind_of(reader.read) is RefusalKind.NOT_FOUND
    store.create(header)
    assert kind_of(reader.read) is RefusalKind.NOT_FOUND


def test_an_id_is_created_once(store: StoreBackend, header: Header, turns: Turns) -> None:
    """STORE-NO-CLOBBER: pending, stored and open, stored and closed; in another cwd too."""
    writer = store.create(header)
    other = {**header, "cwd": "/elsewhere"}
    assert kind_of(lambda: store.create(other)) is RefusalKind.ALREADY_EXISTS
    writer.append(turns[0])
    assert kind_of(lambda: store.create(other)) is RefusalKind.ALREADY_EXISTS
    writer.close()
    assert kind_of(lambda: store.create(other)) is RefusalKind.ALREADY_EXISTS
    assert store.open("s1", "read").read() == turns[0]


def test_a_session_has_one_writer(store: StoreBackend, header: Header, turns: Turns) -> None:
    """STORE-SINGLE-WRITER, STORE-CLOSE-RELEASES."""
    writer = store.create(header)
    assert kind_of(lambda: store.open("s1", "write")) is RefusalKind.ALREADY_OWNED
    writer.append(turns[0])
    assert kind_of(lambda: store.open("s1", "write")) is RefusalKind.ALREADY_OWNED
    writer.close()
    writer.close()
    again = store.open("s1", "write")
    again.append(turns[1])
    assert len(again.read()) == 12


def test_checks_come_in_the_order_of_the_contract(
    store: StoreBackend, header: Header, turns: Turns
) -> None:
    """Facts: persistence §2.2: closed, not JSON, read-only, empty, seqs."""
    writer = store.create(header)
    reader = store.open("s1", "read")
    hostile: list[Json] = [{"seq": 7, "data": float("nan")}]
    assert kind_of(lambda: reader.append(hostile)) is RefusalKind.NOT_JSON
    assert kind_of(lambda: reader.append([])) is RefusalKind.READ_ONLY
    assert kind_of(reader.flush) is RefusalKind.READ_ONLY
    assert kind_of(lambda: writer.append(hostile)) is RefusalKind.NOT_JSON
    assert kind_of(lambda: writer.append(turns[1])) is RefusalKind.SEQ_MISMATCH
    writer.append([])
    assert store.list()[0]["revision"] == reader_revision(store)
    writer.close()
    for call in (writer.read, writer.flush, lambda: writer.append(hostile)):
        assert kind_of(call) is RefusalKind.CLOSED


def reader_revision(store: StoreBackend) -> Json:
    snapshot = store.stat("s1")
    assert snapshot is not None
    return snapshot["revision"]


@pytest.mark.parametrize("seqs", [[1], [0, 2], [0, 0], [-1], ["0"], [False], [0, 1, 3]])
def test_a_batch_that_does_not_continue_is_refused_whole(
    store: StoreBackend, header: Header, turns: Turns, seqs: list[Json]
) -> None:
    """STORE-CONTIGUOUS-APPEND, STORE-BATCH-ALL-OR-NOTHING-ON-REFUSAL."""
    writer = store.create(header)
    batch: list[Json] = [{"type": "turn/start", "seq": seq, "time": 0, "data": {}} for seq in seqs]
    assert kind_of(lambda: writer.append(batch)) is RefusalKind.SEQ_MISMATCH
    assert writer.read() == []
    writer.append(turns[0])
    assert writer.read() == turns[0]


def test_a_batch_that_was_stored_is_not_stored_again(
    store: StoreBackend, header: Header, turns: Turns
) -> None:
    """F28: the caller is told which seq comes next."""
    writer = store.create(header)
    writer.append(turns[0])
    with pytest.raises(Refuse, match="expected seq 6 at index 0, got 0"):
        writer.append(turns[0])
    assert writer.read() == turns[0]


@pytest.mark.parametrize("event", [None, 5, "x", [], {}])
def test_what_is_no_event_does_not_continue(
    store: StoreBackend, header: Header, event: Json
) -> None:
    writer = store.create(header)
    assert kind_of(lambda: writer.append([event])) is RefusalKind.SEQ_MISMATCH


@pytest.mark.parametrize(
    "change", [{"time": 0.5}, {"type": 1}, {"ignorable": False}, {"x": 1}, {"sourceEventSeqs": [1]}]
)
def test_an_envelope_that_no_row_holds_is_refused(
    store: StoreBackend, header: Header, turns: Turns, change: dict[str, Json]
) -> None:
    """Once stored it would be a bad row and be dropped as a torn tail."""
    writer = store.create(header)
    assert isinstance(turns[0][0], dict)
    batch: list[Json] = [turns[0][0] | change]
    assert kind_of(partial(writer.append, batch)) is RefusalKind.INVALID_EVENT
    assert store.open("s1", "read").read() == []


def test_what_could_not_be_read_again_is_refused(store: StoreBackend, header: Header) -> None:
    deep: Json = []
    for _ in range(5000):
        deep = [deep]
    writer = store.create(header)
    event: Json = {"type": "plugin:x", "seq": 0, "time": 0, "data": deep, "ignorable": True}
    assert kind_of(lambda: writer.append([event])) is RefusalKind.OTHER
    assert writer.read() == []


def test_an_unknown_type_is_stored_and_then_refused(
    store: StoreBackend, header: Header, turns: Turns
) -> None:
    """STORE-FAIL-CLOSED-VOCAB, STORE-ERROR-CLAIM-RELEASE."""
    writer = store.create(header)
    writer.append([*turns[0], {"type": "acme/ping", "seq": 6, "time": 0, "data": {}}])
    assert kind_of(writer.read) is RefusalKind.UNSUPPORTED_FORMAT
    writer.close()
    for access in ACCESSES:
        assert kind_of(partial(store.open, "s1", access)) is RefusalKind.UNSUPPORTED_FORMAT
    assert store.stat("s1") is not None


def test_a_broken_relation_is_stored_and_then_refused(
    store: StoreBackend, header: Header, turns: Turns
) -> None:
    """STORE-REFUSES-BROKEN-LOG: turn 2 opens while turn 1 is open."""
    writer = store.create(header)
    again: Json = {"type": "turn/start", "seq": 3, "time": 0, "data": {"turn": 2}}
    writer.append([*turns[0][:3], again])
    assert kind_of(writer.read) is RefusalKind.CORRUPT
    writer.close()
    assert kind_of(lambda: store.open("s1", "write")) is RefusalKind.CORRUPT


def test_an_ignorable_event_is_kept(store: StoreBackend, header: Header) -> None:
    """STORE-IGNORABLE-KEPT."""
    event: Json = {"type": "plugin:x", "seq": 0, "time": -5, "data": [1], "ignorable": True}
    writer = store.create(header)
    writer.append([event])
    assert store.open("s1", "read").read() == [event]


@pytest.mark.parametrize("count", [None, -1, 0.5, True, "1"])
def test_a_seeded_session_needs_a_count(store: StoreBackend, header: Header, count: int) -> None:
    seeded = {**header, "isSeeded": True}
    assert kind_of(lambda: store.create(seeded, count)) is RefusalKind.INVALID_ARGUMENT
    assert store.stat("s1") is None


def test_an_unseeded_session_has_no_count(store: StoreBackend, header: Header) -> None:
    assert kind_of(lambda: store.create(header, 1)) is RefusalKind.INVALID_ARGUMENT
    assert store.create(header, 0).inherited_event_count == 0


def test_a_seeded_session_is_flushed_once_its_marker_is_there(
    store: StoreBackend, header: Header, turns: Turns
) -> None:
    """STORE-SEEDED-FLUSH, STORE-CUT-KEPT."""
    writer = store.create({**header, "isSeeded": True}, 6)
    assert kind_of(writer.flush) is RefusalKind.INVALID_ARGUMENT
    assert kind_of(store.flush) is RefusalKind.INVALID_ARGUMENT
    marker: Json = {"type": "session/end-seed", "seq": 6, "time": 1, "data": {"inherited": True}}
    writer.append([*turns[0], marker])
    writer.flush()
    writer.close()
    assert store.open("s1", "write").inherited_event_count == 6


@pytest.mark.parametrize(
    "change", [{"version": 3}, {"x": 1}, {"cwd": "w"}, {"createdAt": 0.5}, {"id": ""}]
)
def test_a_header_is_checked_and_its_id_stays_free(
    store: StoreBackend, header: Header, change: dict[str, Json]
) -> None:
    """STORE-HEADER-CHECKED."""
    assert kind_of(lambda: store.create({**header, **change})) is RefusalKind.INVALID_ARGUMENT
    store.create(header)


def test_a_hostile_header_is_not_json(store: StoreBackend, header: Header) -> None:
    hostile: Header = {**header, "createdAt": float("nan")}
    assert kind_of(lambda: store.create(hostile)) is RefusalKind.NOT_JSON


def test_arguments_and_results_belong_to_the_caller(
    store: StoreBackend, header: Header, turns: Turns
) -> None:
    """STORE-SNAPSHOT-ARGS."""
    given, batch = dict(header), [dict(event) for event in turns[0] if isinstance(event, dict)]
    writer = store.create(given)
    given["id"] = "changed"
    writer.append(list[Json](batch))
    batch[0]["type"] = "changed"
    read = writer.read()
    assert isinstance(read, list)
    assert isinstance(read[0], dict)
    read[0]["type"] = "changed"
    read.clear()
    assert writer.read() == turns[0]
    assert writer.header == header
    assert store.open("s1", "read").header == header


def test_a_service_flush_reaches_every_writer(store: StoreBackend, header: Header) -> None:
    """STORE-FLUSH-SERVICE: also those behind one that refuses."""
    store.create({**header, "id": "s0", "isSeeded": True}, 1)
    writer = store.create(header)
    assert kind_of(store.flush) is RefusalKind.INVALID_ARGUMENT
    writer.close()
    assert store.open("s1", "read").read() == []


def test_an_ended_store_keeps_nothing_open(
    store: StoreBackend, header: Header, turns: Turns
) -> None:
    writer = store.create(header)
    writer.append(turns[0])
    store.crash()
    assert kind_of(writer.read) is RefusalKind.CLOSED


def test_absent_sessions(store: StoreBackend) -> None:
    """STORE-NOT-FOUND: the empty id and one that is too long for a file name included."""
    for absent in ("nobody", "", ".", 300 * "x", "\0"):
        assert kind_of(partial(store.open, absent, "read")) is RefusalKind.NOT_FOUND
        assert kind_of(partial(store.open, absent, "write")) is RefusalKind.NOT_FOUND
        assert store.stat(absent) is None
        assert store.locate(absent) is None


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: str(x) != "-0.0")
    | st.text(st.characters()),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters()), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(data=VALUES, session_id=st.text(st.characters(), min_size=1, max_size=20))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
def test_any_value_and_any_id_come_back(
    store: StoreBackend, header: Header, data: Json, session_id: str
) -> None:
    """STORE-LOSSLESS-JSON, STORE-ID-SAFE."""
    event: Json = {"type": "plugin:x", "seq": 0, "time": 0, "data": data, "ignorable": True}
    if store.stat(session_id) is None:
        writer = store.create({**header, "id": session_id})
        writer.append([event])
        assert equal(writer.read()[0], event)
        writer.close()
    reader = store.open(session_id, "read")
    assert equal(reader.header["id"], session_id)


@pytest.mark.parametrize("config", [{"compression": "zstd"}, {"x": "y"}])
def test_an_unknown_option_is_refused(tmp_path: Path, config: dict[str, str]) -> None:
    assert kind_of(lambda: memory(tmp_path, config)) is RefusalKind.INVALID_ARGUMENT
