"""Broken logs are refused and odd ones are taken, by the model too, and no rule is left out."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import pytest

from dsh_conformance.generate.formats import Breach, NearMiss, Past
from dsh_conformance.generate.formats.draft import Draft
from dsh_conformance.tracks.migration.claims import OLD
from dsh_conformance.tracks.migration.corners import corner_breaches, corner_near_misses
from dsh_conformance.tracks.migration.strata import broken, odd
from dsh_conformance.tracks.migration.witnesses import WITNESSES
from dsh_reference.migrate import migrate
from dsh_reference.refusal import Refusal
from dsh_spec.catalogue import rule, rules
from dsh_spec.refusals import RefusalKind

Pools: TypeAlias = Mapping[Past, Sequence[Draft]]

#: The rules that other laws than those of single logs check.
ASKED = {
    *("MIG-COMPOSE", "MIG-IDENTITY-CURRENT", "MIG-PURE", "MIG-HEADER-ONLY", "MIG-NEWER"),
    *("MIG-VERSION-PROBE", "MIG-WRAP", "MIG-NO-PARTIAL", "MIG12-REC-PACKED"),
    *("MIG34-CHILDREN-REQUIRED", "MIG34-CHILD-INTERPRET", "MIG34-CHILD-FACT"),
    *("MIG34-CATALOG-OWN", "MIG34-CATALOG-KEEP", "MIG34-CATALOG-ADD", "MIG34-CATALOG-FORK"),
}
#: What breaks or is odd in most logs, and is not in a few.
AMISS = {
    "message under the head's id",
    "message under a head's id that is nobody's",
    "checkpoint of no compaction",
}


def test_every_rule_of_the_track_is_checked() -> None:
    track = {each.slug for each in rules() if each.track == "migration"}
    assert track == {*broken(OLD), *odd(OLD), *(w.rule for w in WITNESSES), *ASKED}


@pytest.mark.parametrize("version", OLD)
def test_broken_logs_are_refused(pools: Pools, version: Past) -> None:
    """A few ways of each rule, each in a few logs; that all are is asked of the real runtime."""
    for slug, ways in broken((version,)).items():
        for _, breach in [*ways[:6], *ways[-6:]]:
            for log in _written(breach.write, pools[version], 3):
                refusal = migrate(log)
                if breach.name in AMISS and not isinstance(refusal, Refusal):
                    continue
                assert isinstance(refusal, Refusal), (slug, breach.name)
                is_header = breach.noticed == "header"
                kind = RefusalKind.CORRUPT if is_header else RefusalKind.UNSUPPORTED_MIGRATION
                assert refusal.kind == kind, (slug, breach.name)


@pytest.mark.parametrize("version", OLD)
def test_odd_logs_are_taken(pools: Pools, version: Past) -> None:
    for slug, ways in odd((version,)).items():
        for _, each in ways:
            found = [migrate(log) for log in _written(each.write, pools[version], 5)]
            refused = [one for one in found if isinstance(one, Refusal)]
            assert not refused or each.name in AMISS, (slug, each.name, refused)


@pytest.mark.parametrize("version", OLD)
def test_every_corner_is_possible(pools: Pools, version: Past) -> None:
    for each in _corners(version):
        assert _written(each.write, pools[version], 1), each.name
        assert rule(each.rule).track == "migration"


@pytest.mark.parametrize("version", OLD)
def test_names_of_corners_are_unique(version: Past) -> None:
    names = Counter(each.name for each in _corners(version))
    assert max(names.values()) == 1


def _corners(version: Past) -> tuple[Breach | NearMiss, ...]:
    return (*corner_breaches(version), *corner_near_misses(version))


def _written(write: Callable[[Draft], Any], drafts: Sequence[Draft], most: int) -> list[Any]:
    found = []
    for draft in drafts:
        log = write(draft)
        if log is not None:
            found.append(log)
        if len(found) == most:
            break
    return found
