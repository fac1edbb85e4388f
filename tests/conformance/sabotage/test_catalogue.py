"""The catalogue of sabotages is whole: each says what it breaks, and each rule has one."""

import re

import pytest

from dsh_conformance.sabotage.catalogue import benign, breaking, names, sabotages
from dsh_conformance.tracks.store.suite import store_rules
from dsh_spec.catalogue import Rule, rule

#: What no backend is asked for in this version.
UNMET = {"cancellation", "inside"}
#: The rules that are held against implementations.
CHECKED = [each for each in store_rules() if each.level == "MUST" and not UNMET & {*each.needs}]
#: The reports of corruption in the field that each need a copy.
FIELD = ("F01", "F02", "F03", "F04", "F05", "F06", "F28")


def test_names_stand_once_and_in_kebab_case() -> None:
    every = [*names(), *(each.name for each in benign())]
    assert len(set(every)) == len(every)
    assert all(re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", name) for name in every)


def test_every_one_says_what_is_wrong_in_one_sentence() -> None:
    for each in (*sabotages(), *benign()):
        assert re.fullmatch(r"[A-Z].*[^.]\.", each.says), each.name
        assert ". " not in each.says, each.name


@pytest.mark.parametrize("checked", CHECKED, ids=lambda checked: checked.slug)
def test_every_rule_has_a_sabotage(checked: Rule) -> None:
    assert breaking(checked.slug)


def test_every_sabotage_breaks_a_rule_of_its_track() -> None:
    assert all(rule(each.rule).track == each.track for each in sabotages())


def test_tracks_part_the_sabotages() -> None:
    tracks = {each.track for each in sabotages()}
    assert sum(len(sabotages(track)) for track in tracks) == len(sabotages())
    assert len(sabotages(*tracks)) == len(sabotages())
    assert all(each.track in tracks for each in benign())


@pytest.mark.parametrize("report", FIELD)
def test_every_field_corruption_has_a_sabotage(report: str) -> None:
    assert any(report in each.like for each in sabotages())


def test_there_are_enough() -> None:
    assert len(sabotages("store")) >= 45
    assert len(benign("store")) >= 5
