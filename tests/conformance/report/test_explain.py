"""A rule, explained."""

import pytest

from dsh_conformance.report.explain import as_json, listing, statement, whole, why
from dsh_spec.catalogue import Rule, rules

RULE = Rule(
    slug="STORE-EXAMPLE",
    statement="It stays.",
    why="It got lost.",
    area="store",
    track="store",
    source="seen",
    needs=("durable",),
    seam="handle",
)


def test_whole() -> None:
    assert dict(whole(RULE, ["drops-it", "keeps-half"])) == {
        "rule": "STORE-EXAMPLE",
        "says": "It stays.",
        "why": "It got lost.",
        "level": "MUST",
        "holds": "format v0 and later; the handle seam alone",
        "checked by": "the store track, area store",
        "needs": "durable",
        "proven by": "drops-it, keeps-half",
        "source": "seen",
    }


def test_as_json() -> None:
    assert as_json(RULE, ["drops-it"]) == {
        "slug": "STORE-EXAMPLE",
        "statement": "It stays.",
        "why": "It got lost.",
        "area": "store",
        "track": "store",
        "source": "seen",
        "level": "MUST",
        "since": 0,
        "until": None,
        "seam": "handle",
        "needs": ["durable"],
        "sabotages": ["drops-it"],
    }


@pytest.mark.parametrize("each", rules(), ids=lambda each: each.slug)
def test_the_listing_has_every_rule_once(each: Rule) -> None:
    found = [line for line in listing(rules()) if line.split()[:1] == [each.slug]]
    assert found == [line for line in found if line.endswith(each.statement)]
    assert len(found) == 1


def test_an_unknown_rule_does_not_break_a_report() -> None:
    assert statement("NO-SUCH") == "This rule is not in the catalogue."
    assert why("NO-SUCH") == ""
