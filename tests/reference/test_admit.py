"""Admission: what a reader of stored logs accepts, and by which rule it refuses the rest."""

from collections.abc import Mapping
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from dsh_conformance.generate.breaches import BREACHES
from dsh_conformance.generate.following import state_of
from dsh_conformance.generate.sessions import seeds, sessions
from dsh_reference.admit import admit, examine
from dsh_reference.admit.rows import check_hard
from dsh_reference.refusal import Refusal
from dsh_reference.surface import fold
from dsh_reference.values import equal
from dsh_spec.events import unstructure_event
from dsh_spec.refusals import RefusalKind

_HEADER: dict[str, Any] = {"version": 4, "id": "s", "createdAt": 0, "isSeeded": False}
_SEEDED: dict[str, Any] = {**_HEADER, "isSeeded": True, "parentSession": "p"}
_LOGS = sessions().map(lambda batches: [raw for batch in batches for raw in batch])
_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.floats() | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=6,
)


@given(_LOGS, st.data())
def test_every_prefix_of_a_session_is_admitted_as_it_is(
    log: list[Any], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(log)))
    events = admit(_HEADER, 0, log[:cut])
    assert not isinstance(events, Refusal), events
    assert equal([unstructure_event(event) for event in events], log[:cut])


@given(seeds())
def test_a_seed_is_admitted_with_its_own_count_only(seed: tuple[list[Any], int]) -> None:
    log, inherited = seed
    assert not isinstance(admit(_SEEDED, inherited, log), Refusal)
    assert _rule(admit(_SEEDED, inherited + 1, log)) == "CUT-EXACT"
    assert _rule(admit(_HEADER, 0, log)) in ("CUT-V2PLUS", "DELIV-OWNER")


@given(_LOGS, st.data())
def test_one_broken_rule_is_the_one_that_is_named(log: list[Any], data: st.DataObject) -> None:
    state = state_of(log)
    possible = [each for each in BREACHES if each.write(state) is not None]
    breach = data.draw(st.sampled_from(possible))
    broken = [*log, breach.write(state)]
    outcome: object = admit(_HEADER, 0, broken)
    if breach.noticed == "session" and breach.rule.startswith(("SURF-", "IMG-")):
        assert isinstance(outcome, tuple)
        outcome = fold(outcome)
    assert isinstance(outcome, Refusal)
    assert (outcome.kind, outcome.rule) in {
        (breach.kind, breach.rule),
        (RefusalKind.INVALID_EVENT, breach.rule),
    }


@given(st.lists(_JSON, max_size=3))
def test_any_json_gets_a_verdict(values: list[Any]) -> None:
    outcome = admit(_HEADER, 0, values)
    assert isinstance(outcome, Refusal) == bool(values)


@given(_LOGS, st.data())
def test_a_log_with_any_value_in_any_place_gets_a_verdict(
    log: list[Any], data: st.DataObject
) -> None:
    """And a row that no reader may drop refuses the log wherever it stands."""
    seq = data.draw(st.integers(0, len(log) - 1))
    odd = _replaced(log[seq], data)
    outcome = admit(_HEADER, 0, [*log[:seq], odd, *log[seq + 1 :]])
    if isinstance(odd, Mapping) and check_hard(odd) is not None:
        assert isinstance(outcome, Refusal)


def _replaced(value: Any, data: st.DataObject) -> Any:
    """Put any JSON into the place of a value, or of something within it."""
    if not isinstance(value, dict | list) or not value or data.draw(st.integers(0, 3)) == 0:
        return data.draw(_JSON)
    if isinstance(value, list):
        at = data.draw(st.integers(0, len(value) - 1))
        return [*value[:at], _replaced(value[at], data), *value[at + 1 :]]
    key = data.draw(st.sampled_from(sorted(value)))
    return {**value, key: _replaced(value[key], data)}


@given(_LOGS)
def test_an_unknown_required_type_is_named_before_all_else(log: list[Any]) -> None:
    assume(len(log) > 1)
    skipped = [{**log[0], "type": "turn/start", "data": {"turn": 9}}, *log[1:-1]]
    unknown: dict[str, Any] = {"type": "acme/x", "seq": len(log) - 1, "time": 0, "data": {}}
    outcome = admit(_HEADER, 0, [*skipped, unknown])
    assert isinstance(outcome, Refusal)
    assert (outcome.kind, outcome.rule) == (RefusalKind.UNSUPPORTED_FORMAT, "INV-VOCAB")
    assert outcome.where == f"event {len(log) - 1}"


def _rule(outcome: object) -> str:
    return outcome.rule if isinstance(outcome, Refusal) else ""


# Seeded logs, by hand.


def _log(*raws: tuple[str, dict[str, Any]]) -> list[Any]:
    return [
        {"type": kind, "seq": seq, "time": 0, "data": data} for seq, (kind, data) in enumerate(raws)
    ]


_MARK = ("session/end-seed", {"inherited": True})
_UNMARKED = ("session/end-seed", {"inherited": 1})
_ENTRY = {"version": 0, "childId": "c", "childCreatedAt": 0, "mode": "one-shot"}
_FOREIGN = {"sessionId": "other", "throughSeq": 0, "sessionFormatVersion": 4}
_CHILD = ("subagent/catalog", _ENTRY)
_DELIVERY = ("session-log-deepseek/delivery-accepted", _FOREIGN)


def test_the_last_marker_is_the_cut() -> None:
    log = _log(_MARK, _UNMARKED, _MARK, _UNMARKED)
    assert [_rule(admit(_SEEDED, count, log)) for count in (0, 2, 3)] == [
        "CUT-EXACT",
        "",
        "CUT-EXACT",
    ]


def test_a_log_is_marked_exactly_when_its_header_says_so() -> None:
    for header, log in ((_SEEDED, []), (_SEEDED, _log(_UNMARKED)), (_HEADER, _log(_MARK))):
        outcome = admit(header, 0, log)
        assert isinstance(outcome, Refusal)
        assert (outcome.kind, outcome.rule) == (RefusalKind.CORRUPT, "CUT-V2PLUS")
        assert outcome.where == "log"


def test_the_catalogue_of_a_parent_is_not_judged() -> None:
    inherited = _log(("subagent/catalog", {}), _CHILD, _CHILD, _MARK, _CHILD)
    assert _rule(admit(_SEEDED, 3, inherited)) == ""
    assert _rule(admit(_SEEDED, 0, _log(_MARK, _CHILD, _CHILD))) == "CATALOG-UNIQUE"
    assert _rule(admit(_SEEDED, 0, _log(_MARK, ("subagent/catalog", {})))) == "CATALOG-SHAPE"


def test_a_delivery_may_name_another_session_only_if_it_is_inherited_from_one() -> None:
    inherited = _log(("todo/write", {}), _DELIVERY, _MARK)
    assert _rule(admit(_SEEDED, 2, inherited)) == ""
    orphan = {key: value for key, value in _SEEDED.items() if key != "parentSession"}
    assert _rule(admit(orphan, 2, inherited)) == "DELIV-OWNER"
    assert _rule(admit(_SEEDED, 0, _log(_MARK, _DELIVERY))) == "DELIV-OWNER"


@given(_LOGS, st.data())
def test_an_examination_names_what_admission_refuses_and_nothing_else(
    log: list[Any], data: st.DataObject
) -> None:
    assert examine(_HEADER, 0, log) == ()
    state = state_of(log)
    possible = [each for each in BREACHES if each.write(state) is not None]
    broken = [*log, *(data.draw(st.sampled_from(possible)).write(state) for _ in range(2))]
    outcome = admit(_HEADER, 0, broken)
    found = examine(_HEADER, 0, broken)
    assert (outcome in found) if isinstance(outcome, Refusal) else not found
