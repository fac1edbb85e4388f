"""Breaches of old logs: named once, of rules in the catalogue, possible, and small.

That they are refused, and near misses accepted, is for the real runtime to say: see
tests/real/generate.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.formats import (
    FORMATS,
    Breach,
    NearMiss,
    Past,
    breaches,
    broken_logs,
    near_misses,
    odd_logs,
)
from dsh_conformance.generate.formats.draft import Draft
from dsh_spec.catalogue import rules

Pools: TypeAlias = Mapping[Past, list[Draft]]
Smallest: TypeAlias = Callable[..., Any]

OLD: tuple[Past, ...] = (0, 1, 2, 3)


def ways(version: Past) -> tuple[Breach | NearMiss, ...]:
    return (*breaches(version), *near_misses(version))


@pytest.mark.parametrize("version", OLD)
def test_names_are_unique(version: Past) -> None:
    names = [way.name for way in ways(version)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("version", OLD)
def test_rules_are_in_the_catalogue(version: Past) -> None:
    assert {way.rule for way in ways(version)} <= {rule.slug for rule in rules()}


@pytest.mark.parametrize("version", OLD)
def test_every_way_is_possible(pools: Pools, version: Past) -> None:
    impossible = [
        way.name
        for way in ways(version)
        if not any(way.write(draft) is not None for draft in pools[version])
    ]
    assert impossible == []


@given(st.data(), st.sampled_from(FORMATS[:4]))
def test_a_broken_log_is_valid_before_it_breaks(data: st.DataObject, version: Past) -> None:
    """The log that a breach changes stays as it was."""
    broken = data.draw(broken_logs(version))
    assert broken.breach in breaches(version)
    assert broken.log.header["version"] == version
    odd = data.draw(odd_logs(version))
    assert odd.near_miss in near_misses(version)


@pytest.mark.parametrize("version", OLD)
def test_drafts_are_not_changed(pools: Pools, version: Past) -> None:
    draft = pools[version][-1]
    before = repr(draft)
    for way in ways(version):
        way.write(draft)
    assert repr(draft) == before


def test_a_breach_shrinks_to_what_it_needs(smallest: Smallest) -> None:
    found = smallest(broken_logs(1), lambda each: each.breach.rule == "MIG12-SETTLE-REFUSE")
    told = [event["type"] for event in found.log.events]
    assert told[:2] == ["turn/start", "step/start"]
    assert len(told) <= 5
