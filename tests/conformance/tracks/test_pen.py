"""The pen writes what follows validly, also after repairs and after damage."""

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.backends.seam.reading import unbuildable
from dsh_conformance.tracks.store.pen import Pen
from dsh_reference.admit import admit
from dsh_reference.closers import closers_of
from dsh_reference.migrate import migrate
from dsh_reference.refusal import Refusal
from dsh_reference.session_log import SessionLog
from dsh_reference.store.seam import present
from dsh_reference.stored import admit_stored
from dsh_spec.catalogue import Format
from dsh_spec.values import JsonObject

FORMATS: tuple[Format, ...] = (0, 1, 2, 3, 4)
HEADER: JsonObject = {"version": 4, "id": "s", "createdAt": 0, "isSeeded": False}


def _written(pen: Pen, data: st.DataObject) -> list[JsonObject]:
    """Write a few batches, with a repair or a cut between some of them."""
    events: list[JsonObject] = []
    for _ in range(data.draw(st.integers(1, 4))):
        match data.draw(st.sampled_from(("batch", "open", "close", "cut"))):
            case "batch":
                events += pen.batch(data.draw, "s", events)
            case "open":
                events += pen.open_turn(data.draw, "s", events)
            case "close":
                events += closers_of(events, format=pen.format)
            case _:
                events = events[: data.draw(st.integers(0, len(events)))]
    return events


@pytest.mark.parametrize("version", FORMATS)
@given(data=st.data())
def test_seqs_are_dense_and_turns_balanced(version: Format, data: st.DataObject) -> None:
    events = _written(Pen(format=version), data)
    assert [event["seq"] for event in events] == list(range(len(events)))
    started = 0
    for event in events:
        numbers = cast("dict[str, Any]", event["data"])
        if event["type"] == "turn/start":
            started += 1
            assert numbers["turn"] == started


@given(data=st.data())
def test_what_is_written_in_the_newest_format_is_admitted(data: st.DataObject) -> None:
    events = _written(Pen(format=4, exact=True), data)
    marker: JsonObject = {"type": "session/end-seed", "seq": len(events), "time": 0, "data": {}}
    assert not isinstance(admit(HEADER, 0, [*events, marker]), Refusal)


@given(data=st.data())
def test_what_is_written_in_the_oldest_builds_a_session(data: st.DataObject) -> None:
    pen, events = Pen(format=0), list[JsonObject]()
    for _ in range(3):
        events += pen.batch(data.draw, "s", events, antique=True)
    shown = present(events, "s")
    assert not isinstance(shown, Refusal)
    assert unbuildable(shown) is None


@pytest.mark.parametrize("version", FORMATS)
@given(data=st.data())
def test_an_ended_turn_needs_no_closers(version: Format, data: st.DataObject) -> None:
    pen = Pen(format=version)
    events = _written(pen, data)
    events += pen.ended_turn("s", events)
    assert closers_of(events, format=version) == ()
    assert "turn/end" in {event["type"] for event in events}


V3: JsonObject = {**HEADER, "version": 3}
STRANGER: JsonObject = {
    "type": "acme/ping",
    "seq": 0,
    "time": 1,
    "data": {},
    "ignorable": True,
}


@given(data=st.data())
def test_what_was_only_going_to_be_written_is_forgotten(data: st.DataObject) -> None:
    pen = Pen(format=3, exact=True)
    pen.batch(data.draw, "s", ())
    events: list[JsonObject] = [STRANGER]
    for _ in range(3):
        events += pen.batch(data.draw, "s", events)
    log = SessionLog(header={**V3, "delegationDepth": 0}, inherited=0, events=tuple(events))
    assert not isinstance(migrate(log), Refusal)


@given(data=st.data())
def test_a_session_goes_on_behind_its_seed(data: st.DataObject) -> None:
    pen = Pen(format=3, exact=True)
    seed, inherited = pen.seed(data.draw, "s")
    events = [*seed, *pen.batch(data.draw, "s", seed)]
    events += pen.ended_turn("s", events)
    header = {**V3, "isSeeded": True, "delegationDepth": 0}
    log = SessionLog(header=header, inherited=inherited, events=tuple(events))
    assert seed[inherited]["data"] == {"inherited": True}
    assert not isinstance(migrate(log), Refusal)


@given(data=st.data())
def test_a_poison_follows_and_refuses(data: st.DataObject) -> None:
    pen = Pen(format=3, exact=True)
    events = pen.batch(data.draw, "s", ())
    more, kind = pen.poison(data.draw, "s", events, strangers=data.draw(st.booleans()))
    found = admit_stored(V3, 0, (*events, *more), format=3)
    assert found is not None
    assert found.kind is kind
    assert admit_stored(V3, 0, (*events, *more[:-1]), format=3) is None
