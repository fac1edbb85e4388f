"""Law: the catalogue of a session's children is completed from what is known of them.

Source: facts migration §4.1, §4.3.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from attrs import evolve, frozen
from hypothesis import strategies as st

from dsh_conformance.generate.formats import Family, Past, families
from dsh_conformance.generate.state import Raw
from dsh_conformance.tracks.migration.claims import claimed
from dsh_conformance.tracks.migration.history import History, as_params
from dsh_conformance.tracks.migration.laws.result import known, told
from dsh_conformance.tracks.migration.witness import whole
from dsh_conformance.tracks.pure.law import Law, Trial
from dsh_conformance.tracks.store.expect import Check, Picks, RefusedAs
from dsh_conformance.tracks.store.picking import picked
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import JsonObject

#: What is asked: of what is true, of a child that is described by halves, of one that contradicts
#: the entry of its parent, and without a word about children.
Kind: TypeAlias = Literal["true", "halved", "contradicted", "unasked"]

_KINDS: tuple[Kind, ...] = ("true", "true", "true", "halved", "contradicted", "unasked")
_CATALOG = "subagent/catalog"
_REFUSED = RefusedAs((RefusalKind.UNSUPPORTED_MIGRATION,))

#: Descriptors of known versions that are not whole.
_HALVES: tuple[JsonObject, ...] = (
    {"version": 3, "mode": "one-shot"},
    {"version": 2, "mode": "twice", "provider": "p"},
    {"version": 3, "mode": "continuable", "provider": "p"},
    {"version": 1, "provider": "p"},
    {"version": 3, "mode": "one-shot", "provider": "p", "label": 7},
)


@frozen(kw_only=True)
class Case:
    """A family, and what is said of it."""

    #: What is asked.
    kind: Kind
    #: The session and its children.
    family: Family


@st.composite
def _cases(draw: st.DrawFn, versions: tuple[Past, ...]) -> Case:
    kind = draw(st.sampled_from(_KINDS))
    version: Past = draw(st.sampled_from(versions[::-1]))
    if kind == "contradicted" and 3 in versions:
        version = 3
    family = draw(families(version))
    if kind == "halved":
        half = draw(st.sampled_from(_HALVES))
        fact: Raw = {
            "childId": "half",
            "childCreatedAt": 5,
            "descriptorCount": 1,
            "descriptor": half,
        }
        return Case(kind=kind, family=evolve(family, facts=(*family.facts, fact)))
    if kind == "contradicted":
        facts = tuple(_contradiction(family))
        return Case(
            kind=kind if facts else "true", family=evolve(family, facts=facts or family.facts)
        )
    return Case(kind=kind, family=family)


def _contradiction(family: Family) -> Iterator[Raw]:
    """Give the facts with another time of creation for the children that the session lists."""
    listed = _listed(family)
    if listed:
        for fact in family.facts:
            late = 1 if fact["childId"] in listed else 0
            yield {**fact, "childCreatedAt": fact["childCreatedAt"] + late}


def _listed(family: Family) -> set[str]:
    """Return which of its children a session lists itself."""
    own: list[Any] = [
        event["data"]
        for event in family.parent.events[family.parent.inherited :]
        if event["type"] == _CATALOG
    ]
    children = {fact["childId"] for fact in family.facts}
    return {data["childId"] for data in own} & children


def cases(claims: JsonObject) -> st.SearchStrategy[Case] | None:
    """Families of the claimed formats."""
    versions = claimed(claims)
    return _cases(versions) if versions else None


def check(trial: Trial, case: Case) -> None:
    """Migrate a session with children."""
    log, facts = case.family.parent, case.family.facts
    children = "1 child" if len(facts) == 1 else f"{len(facts)} children"
    asked = as_params(log, None if case.kind == "unasked" else facts)
    expected, says = _SAID[case.kind]
    checks = (expected,) if expected else _checks(case.family, known(log, facts))
    trial.call(
        "migration/migrate", asked, *checks, says=f"migrate {told(log)}, {says.format(children)}"
    )


#: What a kind of case has to show, where it is a refusal, and how it is told.
_SAID: Mapping[Kind, tuple[Check | None, str]] = {
    "true": (None, "and {}"),
    "halved": (
        Check("MIG34-CHILD-INTERPRET", _REFUSED),
        "and {}, one of which is described by halves",
    ),
    "contradicted": (
        Check("MIG34-CATALOG-KEEP", _REFUSED),
        "and {}, one of which contradicts its entry",
    ),
    "unasked": (Check("MIG34-CHILDREN-REQUIRED", _REFUSED), "and say nothing of its children"),
}


def _checks(family: Family, history: History) -> Iterator[Check]:
    counts = {fact["descriptorCount"] for fact in family.facts}
    listed = _listed(family)
    if counts and family.parent.header["isSeeded"]:
        yield _lists("MIG34-CATALOG-FORK", history, "seq", "data.childId")
    if listed:
        yield _lists("MIG34-CATALOG-OWN", history, "data.childId")
    if counts:
        yield _lists("MIG34-CATALOG-ADD", history, "data.childId")
    if listed:
        yield _lists("MIG34-CATALOG-KEEP", history, "data")
    if counts - {0, 1}:
        yield _lists("MIG34-CHILD-FACT", history, "data.mode")
    if 1 in counts:
        yield _lists("MIG34-CHILD-INTERPRET", history, "data.mode", "data.label")
    if counts:
        yield _lists("MIG34-CATALOG-ADD", history, "seq", "time", "data")
    yield from whole(history, "MIG-COMPOSE")


def _lists(rule: str, history: History, *paths: str) -> Check:
    values = picked(history.result.events, (_CATALOG,), paths)
    return Check(rule, Picks((_CATALOG,), paths, tuple(values)))


#: The law.
CHILDREN: Law[Case] = Law(name="children", cases=cases, check=check, weight=12)
