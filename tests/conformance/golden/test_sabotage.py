"""The check of the golden cases bites: whatever is changed in a case, it says so."""

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from dsh_conformance.golden import Case, corpus, pinned, runs
from dsh_conformance.golden.case import CASE, EDGE, MIGRATED, case_text
from dsh_conformance.golden.check import check_case, check_pins

Said: TypeAlias = dict[str, Any]
CASES = corpus()
PLACES = {case.place: case for case in CASES}


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in pairs:
            yield from _leaves(part, (*path, key))
    else:
        yield path


def _other(leaf: Any) -> Any:
    if leaf is None or isinstance(leaf, bool):
        return not leaf
    return leaf + (1 if isinstance(leaf, int | float) else "x")


def _said(case: Case, change: Callable[[Said], object]) -> Case:
    said = json.loads(case.files[CASE])
    change(said)
    return evolve(case, said=said, files={**case.files, CASE: case_text(said)})


@settings(max_examples=200)
@given(data=st.data(), case=st.sampled_from(CASES))
def test_a_changed_expectation_is_found(data: st.DataObject, case: Case) -> None:
    ours = {name: part for name, part in case.expect.items() if name != "native"}
    paths = sorted(_leaves(ours), key=repr)
    *start, last = data.draw(st.sampled_from(paths))

    def change(said: Said) -> None:
        place = said["expect"]
        for key in start:
            place = place[key]
        place[last] = _other(place[last])

    assert check_case(_said(case, change)) != []


@given(data=st.data(), case=st.sampled_from([case for case in CASES if MIGRATED in case.files]))
def test_a_changed_migrated_log_is_found(data: st.DataObject, case: Case) -> None:
    lines = case.files[MIGRATED].splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1))
    gone = b"".join(lines[:at] + lines[at + 1 :])
    assert check_case(evolve(case, files={**case.files, MIGRATED: gone})) != []


@given(case=st.sampled_from(CASES), byte=st.integers(0, 255), at=st.floats(0, 1, exclude_max=True))
def test_a_changed_byte_unpins_the_case(case: Case, byte: int, at: float) -> None:
    name = "log.jsonl" if case.compression == "none" else "log.jsonl.zstd"
    where = int(at * len(case.log))
    changed = case.log[:where] + bytes([byte]) + case.log[where + 1 :]
    findings = check_pins([evolve(case, files={**case.files, name: changed})], _pins(case))
    assert bool(findings) == (changed != case.log)


def test_a_dropped_case_is_found() -> None:
    places = [found.place for found in check_pins([*CASES[1:], *runs()], pinned())]
    assert places == [CASES[0].place]


def test_a_new_case_is_found_until_it_is_pinned() -> None:
    extra = evolve(CASES[0], name="migrate-nothing")
    (found,) = check_pins([*CASES, extra, *runs()], pinned())
    assert "--accept" in found.problem


SPECIMEN = PLACES["v0/migrate-ex01-1-seeded-header"]


@pytest.mark.parametrize("name", sorted(SPECIMEN.files))
def test_a_dropped_file_is_found(name: str) -> None:
    kept = {each: data for each, data in SPECIMEN.files.items() if each != name}
    said = {} if name == CASE else SPECIMEN.said
    assert check_case(evolve(SPECIMEN, files=kept, said=said)) != []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda said: said.update(name="other"), "calls it 'other'"),
        (lambda said: said.update(rules=["NO-RULE"]), "no rule is called NO-RULE"),
        (lambda said: said.update(binding="yes"), "breaks its schema"),
        (lambda said: said.pop("pathology"), "breaks its schema"),
        (lambda said: said["provenance"].pop("version"), "breaks its schema"),
        (lambda said: said.update(canonical=False), "the case says it is not"),
        (lambda said: said["expect"].pop("edge"), f"{EDGE} is there without being expected"),
        (lambda said: said["expect"].pop("migrated"), f"{MIGRATED} is there without being"),
    ],
)
def test_a_wrong_case_file_is_found(change: Callable[[Said], object], words: str) -> None:
    problems = [found.problem for found in check_case(_said(SPECIMEN, change))]
    assert any(words in problem for problem in problems), problems


def test_a_refusal_names_a_rule_of_the_case() -> None:
    case = PLACES["v0/refuse-header-delta"]
    changed = _said(case, lambda said: said.update(rules=["MIG01-CLOSED"]))
    assert any("is not among its rules" in found.problem for found in check_case(changed))


def test_another_spelling_of_the_case_file_is_found() -> None:
    spelled = json.dumps(SPECIMEN.said).encode()
    (found,) = check_case(evolve(SPECIMEN, files={**SPECIMEN.files, CASE: spelled}))
    assert "canonical spelling" in found.problem


def test_another_spelling_of_the_log_is_found() -> None:
    spaced = SPECIMEN.log.replace(b'"type":"feedback', b'"type": "feedback')
    (found,) = check_case(evolve(SPECIMEN, files={**SPECIMEN.files, "log.jsonl": spaced}))
    assert "not spelled as the writer spells it" in found.problem


def test_a_file_of_no_case_is_found() -> None:
    (found,) = check_case(evolve(SPECIMEN, files={**SPECIMEN.files, "notes.txt": b""}))
    assert "belongs to no case" in found.problem


def _pins(case: Case) -> dict[str, str]:
    return {case.place: case.digest}
