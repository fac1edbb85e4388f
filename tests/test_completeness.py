"""Every rule is whole: the code has it, a suite checks it, a case shows it, a sabotage breaks it.

A rule of level MAY cannot be broken, so it wants no sabotage, and its check may be a variation that
makes use of it and must pass.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import pytest
from attrs import evolve, frozen

from dsh_conformance.golden import corpus, runs
from dsh_conformance.sabotage.catalogue import sabotages
from dsh_conformance.sabotage.core_catalogue import HARMLESS_CORES
from dsh_conformance.sabotage.fileswrong import HARMLESS_FILES
from dsh_spec.catalogue import Rule, rule, rules

Part: TypeAlias = Literal["code", "check", "golden", "sabotage"]

ROOT: Final = Path(__file__).parents[1]
#: Where a rule is put into code, and where a suite puts it at stake.  What a store is held against
#: is the model, which names the rule that each of its answers follows.
CODE: Final = ("spec/dsh_spec/events", "reference", "conformance/dsh_conformance/backends")
CHECKS: Final = (
    "conformance/dsh_conformance/tracks",
    "conformance/dsh_conformance/generate",
    "reference/dsh_reference/store",
)

_EITHER = "no suite sends it, since a reader may take it or not"
_NO_SIGNAL = "the adapter protocol carries no signal, so nothing can be made to claim it"
_INSIDE = (
    "two processes have to publish at one moment, which nothing outside them can arrange; "
    "tests/conformance/backends/test_older.py does it from inside"
)
#: What a rule goes without, and why.
EXCEPTIONS: Final[Mapping[tuple[str, Part], str]] = {
    ("JSON-WHERE", "check"): _EITHER,
    ("MSG-ID", "check"): "the id of a message is looked at nowhere, which a case shows",
    ("PL-TURN-END", "check"): _EITHER,
    ("ROW-UTF8", "check"): _EITHER,
    ("STORE-LIST-ISOLATION", "golden"): "a list that fails and one that does not are both right",
    ("MIG-CONFLICT", "check"): _INSIDE,
    ("MIG-CONFLICT", "golden"): _INSIDE,
    ("MIG-CONFLICT", "sabotage"): _INSIDE,
    ("STORE-CANCEL-EXACT-REASON", "code"): _NO_SIGNAL,
    ("STORE-CANCEL-EXACT-REASON", "check"): _NO_SIGNAL,
    ("STORE-CANCEL-EXACT-REASON", "golden"): _NO_SIGNAL,
    ("STORE-CANCEL-EXACT-REASON", "sabotage"): _NO_SIGNAL,
}


@frozen(kw_only=True)
class Evidence:
    """Which rules each part has, by their slugs."""

    code: frozenset[str]
    check: frozenset[str]
    golden: frozenset[str]
    sabotage: frozenset[str]


def lacking(each: Rule, found: Evidence) -> set[tuple[str, Part]]:
    """Return the parts that a rule has to have and has not."""
    parts: dict[Part, frozenset[str]] = {
        "code": found.code,
        "check": found.check,
        "golden": found.golden,
    }
    if each.level == "MUST":
        parts["sabotage"] = found.sabotage
    return {(each.slug, part) for part, slugs in parts.items() if each.slug not in slugs}


def cited(text: str) -> set[str]:
    """Return all that looks like a slug."""
    return set(re.findall(r"(?<![A-Z0-9-])[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+(?![A-Z0-9-])", text))


def values(source: str) -> Iterator[str]:
    """Yield the strings of a module that are values: no docstring and no comment says a check."""
    tree = ast.parse(source)
    said = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for each in ast.walk(tree):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in said:
            yield each.value


def texts(places: Iterable[str]) -> Iterator[str]:
    for place in places:
        for path in sorted((ROOT / place).rglob("*.py")):
            yield path.read_text(encoding="utf-8")


def gathered() -> Evidence:
    played = runs()
    lines: list[Mapping[str, Any]] = [line for run in played for line in run.lines]
    asked = {check["rule"] for line in lines for check in line.get("checks", ())}
    used = {each.rule for each in HARMLESS_CORES} | {each.rule for each in HARMLESS_FILES}
    return Evidence(
        code=frozenset(slug for text in texts(CODE) for slug in cited(text)),
        check=frozenset(value for text in texts(CHECKS) for value in values(text)) | asked | used,
        golden=frozenset(slug for case in corpus() for slug in case.said["rules"])
        | {run.rule for run in played},
        sabotage=frozenset(each.rule for each in sabotages()),
    )


@pytest.fixture(scope="module")
def found() -> Evidence:
    return gathered()


@pytest.fixture(scope="module")
def gaps(found: Evidence) -> set[tuple[str, Part]]:
    return {gap for each in rules() for gap in lacking(each, found)}


def test_every_rule_is_whole(gaps: set[tuple[str, Part]]) -> None:
    assert sorted(gaps - EXCEPTIONS.keys()) == []


def test_no_exception_is_out_of_date(gaps: set[tuple[str, Part]]) -> None:
    assert sorted(EXCEPTIONS.keys() - gaps) == []


def test_nothing_is_made_to_break_what_cannot_be_broken(found: Evidence) -> None:
    assert [slug for slug in sorted(found.sabotage) if rule(slug).level == "MAY"] == []


PLANTED = evolve(rule("STORE-FRESH"), slug="STORE-PLANTED")
WHOLE = frozenset({PLANTED.slug})
NOTHING: Final[frozenset[str]] = frozenset()
COMPLETE = Evidence(code=WHOLE, check=WHOLE, golden=WHOLE, sabotage=WHOLE)


def test_a_new_rule_lacks_everything(found: Evidence) -> None:
    parts = ("code", "check", "golden", "sabotage")
    assert lacking(PLANTED, found) == {(PLANTED.slug, part) for part in parts}


@pytest.mark.parametrize(
    ("part", "less"),
    [
        ("code", evolve(COMPLETE, code=NOTHING)),
        ("check", evolve(COMPLETE, check=NOTHING)),
        ("golden", evolve(COMPLETE, golden=NOTHING)),
        ("sabotage", evolve(COMPLETE, sabotage=NOTHING)),
    ],
)
def test_each_part_that_is_missing_is_found(part: str, less: Evidence) -> None:
    assert lacking(PLANTED, COMPLETE) == set()
    assert lacking(PLANTED, less) == {(PLANTED.slug, part)}


def test_a_rule_that_may_be_broken_wants_no_sabotage() -> None:
    less = evolve(COMPLETE, sabotage=NOTHING)
    assert lacking(evolve(PLANTED, level="MAY"), less) == set()


def test_a_docstring_or_a_comment_checks_nothing() -> None:
    source = 'def f():\n    """STORE-ONE."""\n    return Check("STORE-TWO")  # STORE-THREE\n'
    assert list(values(source)) == ["STORE-TWO"]
    assert cited(source) == {"STORE-ONE", "STORE-TWO", "STORE-THREE"}


def test_a_longer_slug_is_not_a_shorter_one() -> None:
    assert cited("STORE-READ-ARGS, STORE-READ-*, MIG12-HDR.") == {"STORE-READ-ARGS", "MIG12-HDR"}
