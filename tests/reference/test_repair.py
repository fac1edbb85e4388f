"""Closers: what they are for any log, and how the two causes differ."""

from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.sessions import sessions
from dsh_reference.admit import admit
from dsh_reference.derive import derive
from dsh_reference.refusal import Refusal
from dsh_reference.repair import closers
from dsh_spec.events import Event, TurnEnd, TurnStart, structure_event, unstructure_event
from dsh_spec.texts import closer_text
from dsh_spec.values import Json, JsonObject

_HEADER: dict[str, Json] = {"version": 4, "id": "s", "createdAt": 0, "isSeeded": False}


@st.composite
def _cut_logs(draw: st.DrawFn) -> list[Event]:
    """Draw what a crash leaves: any prefix of a session."""
    events = [structure_event(raw) for batch in draw(sessions()) for raw in batch]
    return events[: draw(st.integers(0, len(events)))]


@given(_cut_logs())
def test_a_log_needs_closers_exactly_when_a_turn_is_open(log: list[Event]) -> None:
    turns = [event for event in log if isinstance(event.data, TurnStart | TurnEnd)]
    is_open = bool(turns) and isinstance(turns[-1].data, TurnStart)
    assert bool(closers(log)) == is_open


@given(_cut_logs())
def test_a_repaired_log_needs_no_repair(log: list[Event]) -> None:
    assert closers([*log, *closers(log)]) == ()


@given(_cut_logs())
def test_closers_go_on_from_the_last_event(log: list[Event]) -> None:
    made = closers(log)
    assert [event.seq for event in made] == list(range(len(log), len(log) + len(made)))
    assert {event.time for event in made} <= {event.time for event in log[-1:]}


@given(_cut_logs())
def test_closers_are_results_then_one_step_end_then_one_turn_end(log: list[Event]) -> None:
    kinds = [event.type for event in closers(log)]
    while kinds and kinds[0] == "tool/result":
        kinds.pop(0)
    assert kinds in ([], ["turn/end"], ["step/end", "turn/end"])


@given(_cut_logs())
def test_a_resumed_log_is_a_log(log: list[Event]) -> None:
    """The marker of the resumption stands behind the closers: it ends an open compaction.

    Without it, a turn that ends over an open compaction refuses the log (REL-COMPACT-TURN).
    """
    closed = [unstructure_event(event) for event in (*log, *closers(log))]
    marker: JsonObject = {"type": "session/end-seed", "seq": len(closed), "time": 0, "data": {}}
    assert not isinstance(admit(_HEADER, 0, [*closed, marker]), Refusal)


@given(_cut_logs())
def test_repair_adds_its_results_to_the_history_and_nothing_else(log: list[Event]) -> None:
    made = closers(log)
    before, after = derive(log), derive([*log, *made])
    assert isinstance(before, list)
    assert isinstance(after, list)
    assert after[: len(before)] == before
    results = [event for event in made if event.type == "tool/result"]
    ids = [
        f"interrupted-tool-result-{m['toolCallId']}-{e.seq}"
        for m, e in zip(after[len(before) :], results, strict=True)
    ]
    assert [message["id"] for message in after[len(before) :]] == ids


@given(_cut_logs())
def test_the_cause_shows_in_ids_texts_and_the_reason_only(log: list[Event]) -> None:
    interrupted = [str(unstructure_event(event)) for event in closers(log, "interrupted")]
    forked = [str(unstructure_event(event)) for event in closers(log, "forked")]
    for started in (True, False):
        one, other = (closer_text(cause, started=started) for cause in ("interrupted", "forked"))
        interrupted = [text.replace(one, other) for text in interrupted]
    assert [text.replace("'interrupted", "'forked") for text in interrupted] == forked


@given(_cut_logs())
def test_unknown_records_move_only_seq_and_time(log: list[Event]) -> None:
    raw: JsonObject = {"type": "acme/x", "seq": len(log), "time": 7, "data": {}, "ignorable": True}
    moved = closers([*log, structure_event(raw)])
    assert [event.seq for event in moved] == [event.seq + 1 for event in closers(log)]
    assert [event.type for event in moved] == [event.type for event in closers(log)]
    assert {event.time for event in moved} <= {7}


@given(_cut_logs())
def test_only_the_last_turn_counts(log: list[Event]) -> None:
    starts = [event.seq for event in log if isinstance(event.data, TurnStart)]
    assert closers(log[starts[-1] :] if starts else []) == closers(log)


def test_numbers_are_taken_as_they_stand() -> None:
    """The scan judges nothing: it closes turn 9, step 7 because the log says so."""
    raws: list[JsonObject] = [
        {"type": "turn/start", "seq": 5, "time": 3, "data": {"turn": 9}},
        {"type": "step/start", "seq": 6, "time": 2, "data": {"turn": 1, "step": 7}},
    ]
    made = [unstructure_event(event) for event in closers([structure_event(r) for r in raws])]
    assert made == [
        {"type": "step/end", "seq": 7, "time": 2, "data": {"turn": 9, "step": 7}},
        {
            "type": "turn/end",
            "seq": 8,
            "time": 2,
            "data": {"turn": 9, "reason": {"kind": "interrupted"}},
        },
    ]
