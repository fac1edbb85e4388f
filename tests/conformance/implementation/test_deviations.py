"""The list of known deviations: every entry names a rule, a version and its evidence."""

import pytest

from dsh_conformance.implementation.capabilities import ImplementationInfo
from dsh_conformance.implementation.deviations import Deviation, deviations, known
from dsh_spec.catalogue import rule


def who(name: str, version: str) -> ImplementationInfo:
    return ImplementationInfo(name=name, version=version, language="any")


@pytest.mark.parametrize("deviation", deviations(), ids=lambda each: each.rule)
def test_an_entry_names_a_rule_and_what_was_seen(deviation: Deviation) -> None:
    assert rule(deviation.rule).track == "store"
    assert deviation.versions
    assert deviation.does.endswith(".")
    assert deviation.evidence


def test_a_known_version_is_expected_to_fail_with_the_reason() -> None:
    for each in deviations():
        reasons = known(who(each.implementation, each.versions[0]))
        assert (each.does in reasons.get(each.rule, "")) == each.expected


@pytest.mark.parametrize(("name", "version"), [("dsh", "0.0.0"), ("another", "0.2.1rc2")])
def test_nothing_is_expected_of_another(name: str, version: str) -> None:
    assert known(who(name, version)) == {}
