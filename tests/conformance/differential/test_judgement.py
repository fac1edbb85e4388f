"""What differs between two judgements is found, and only that."""

from typing import Any

import pytest
from attrs import evolve

from dsh_conformance.differential.judgement import Difference, Judgement, difference
from dsh_reference.session_log import SessionLog
from dsh_spec.values import JsonObject

EVENT: JsonObject = {"type": "turn/start", "seq": 0, "time": 1, "data": {"turn": 1}}
LOG = SessionLog(header={"version": 4, "id": "s"}, inherited=0, events=(EVENT,))
READ = Judgement(verdict="admitted", log=LOG, messages=[], closers=[EVENT])


def test_alike_is_alike() -> None:
    assert difference("dsh", READ, READ) is None


def test_no_depth_is_depth_zero_and_numbers_are_compared_as_numbers() -> None:
    header: JsonObject = {"version": 4.0, "id": "s", "delegationDepth": 0}
    assert difference("dsh", READ, evolve(READ, log=evolve(LOG, header=header))) is None


def test_the_words_of_a_refusal_do_not_matter() -> None:
    one = Judgement(verdict="corrupt", words="[RULE] event 1: no")
    assert difference("dsh", one, evolve(one, words="something else")) is None


def test_what_a_side_does_not_judge_does_not_matter() -> None:
    assert difference("dsh", evolve(READ, messages=None), evolve(READ, closers=None)) is None


@pytest.mark.parametrize(
    ("aspect", "other"),
    [
        ("verdict", Judgement(verdict="corrupt", words="no")),
        ("header", evolve(READ, log=evolve(LOG, header={"version": 4, "id": "t"}))),
        ("cut", evolve(READ, log=evolve(LOG, inherited=1))),
        ("events", evolve(READ, log=evolve(LOG, events=()))),
        ("events", evolve(READ, log=evolve(LOG, events=({**EVENT, "time": True},)))),
        ("messages", evolve(READ, messages=[{}])),
        ("closers", evolve(READ, closers=[])),
        ("closers", evolve(READ, closers="corrupt: no closers")),
    ],
)
def test_each_aspect_is_compared(aspect: str, other: Any) -> None:
    for one, two in ((READ, other), (other, READ)):
        found = difference("dsh", one, two)
        assert found is not None
        assert found.aspect == aspect
        assert found.reference != found.runtime


def test_a_signature_forgets_numbers_names_and_paths() -> None:
    one = Difference(aspect="events", reference='item 1: "x"', runtime="/a/b", name="dsh")
    two = evolve(one, reference='item 22: "y z"', runtime="/c")
    assert one.signature == two.signature
    assert one.signature != evolve(one, name="dsh-v3").signature
