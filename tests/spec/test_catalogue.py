"""The catalogue is well formed, and the chapters cite it and nothing else."""

import re
from pathlib import Path

import pytest
from attrs.exceptions import FrozenInstanceError
from cattrs import ClassValidationError
from hypothesis import assume, given
from hypothesis import strategies as st

from dsh_spec.catalogue import Rule, UnknownRule, parse, rule, rules

SPEC = Path(__file__).parents[2] / "spec"
CHAPTERS = sorted((SPEC / "chapters").glob("*.md"))
SLUG = re.compile(r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+")
CITED = re.compile(rf"`({SLUG.pattern})`")
EVERY_RULE = pytest.mark.parametrize("each", rules(), ids=lambda each: each.slug)

#: The rules that the checks of the store track name, by what a check needs.
STORE_RULES = {
    (): """
        STORE-NOT-FOUND STORE-PENDING-VISIBLE STORE-LAZY-CREATE STORE-NO-CLOBBER STORE-HEADER-KEPT
        STORE-HEADER-CHECKED STORE-SEEDED-CREATE STORE-CUT-KEPT STORE-SEEDED-FLUSH STORE-READ-RANGE
        STORE-READ-ARGS STORE-APPEND-ONLY STORE-DENSE-SEQ STORE-CONTIGUOUS-APPEND STORE-EMPTY-APPEND
        STORE-BATCH-ALL-OR-NOTHING-ON-REFUSAL STORE-LOSSLESS-JSON STORE-FLUSH-SERVICE
        STORE-SINGLE-WRITER STORE-FRESH STORE-MONOTONIC-READ STORE-REVISION-STABLE
        STORE-REVISION-CHANGES STORE-STAT-LIST-AGREE STORE-LIST-COMPLETE STORE-READONLY STORE-CLOSED
        STORE-CLOSE-IDEMPOTENT STORE-CLOSE-RELEASES STORE-ERROR-CLAIM-RELEASE
        STORE-NO-CLOSERS-IN-BACKEND STORE-FAIL-CLOSED-VOCAB STORE-IGNORABLE-KEPT
        STORE-NO-REPAIR-ON-READ STORE-ISOLATION STORE-WORKSPACE-ISOLATION STORE-ID-SAFE
        STORE-REVISION-QUALIFIED
        STORE-CLOSERS-ON-LOAD STORE-CLOSERS-ONCE STORE-INSPECT-VIEW STORE-READ-STORED
        STORE-TURN-LEFT-OPEN STORE-LISTS-AGREE STORE-CREATED-AT-CHECKED STORE-LEGACY-READ
        STORE-RETIRED-REFUSED
    """,
    ("artifacts",): """
        STORE-REPAIR-CUTS-TAIL
        STORE-NO-REWRITE STORE-TORN-TAIL STORE-COMMITTED-CORRUPTION-LOUD STORE-VERSION-GATE
        STORE-IDENTITY-BOUND STORE-REFUSES-BROKEN-LOG STORE-LIST-ISOLATION STORE-ARTIFACT-HOLDS-LOG
    """,
    ("cancellation",): "STORE-CANCEL-EXACT-REASON",
    ("hostile-values",): "JSON-REFUSE",
    ("layout",): """
        FILE-FOREIGN-NAMES STORE-NEWEST-GENERATION-WINS STORE-EXCLUSIVE-PUBLISH FILE-ONE-HOME
        FILE-ONE-ENCODING FILE-FLAT-REFUSED TORN-BEFORE-APPEND
    """,
    ("cross-process-lock", "layout"): "FILE-LOCK",
    ("migrates",): """
        MIG-READ-NO-PUBLISH MIG-WRITE-PUBLISH MIG-LAYOUT MIG-VERIFY MIG-DRIFT
        MIG-PUBLISH-ONCE MIG-RETAIN MIG-ERROR-MAP MIG-FACTS-COLLECT MIG-FORK-CHILD MIG-TORN-TAIL
    """,
    ("migrates", "inside"): "MIG-CONFLICT",
    ("in-process",): "STORE-SNAPSHOT-ARGS",
    ("restart",): "STORE-FLUSH-MATERIALISES",
    ("durable", "restart"): """
        STORE-ATOMIC-MATERIALISE STORE-DURABLE STORE-CLOSE-KEEPS STORE-APPEND-ADOPTS
    """,
    ("durable", "second-process"): "STORE-STALE-WRITER-REFUSED STORE-SECOND-READER",
    ("cross-process-lock", "second-process"): """
        STORE-CROSS-PROCESS-WRITER STORE-LOCK-FREED-BY-DEATH
    """,
}


def cited_in(text: str) -> set[str]:
    return set(CITED.findall(text))


def sentences(text: str) -> int:
    prose = re.sub(r"`[^`]*`", "code", text)
    return len(re.findall(r"[.!?](?=\s|$)", prose))


@EVERY_RULE
def test_a_rule_is_well_formed(each: Rule) -> None:
    assert SLUG.fullmatch(each.slug)
    assert each.statement.endswith(".")
    assert sentences(each.statement) == 1, "a statement is one sentence"
    assert 1 <= sentences(each.why) <= 2
    assert each.why.endswith(".")
    assert each.source.strip()
    assert each.until is None or each.since <= each.until
    assert len(set(each.needs)) == len(each.needs)


@EVERY_RULE
def test_only_a_store_rule_depends_on_a_seam_or_needs_more_than_values(each: Rule) -> None:
    if each.track != "store":
        assert each.seam is None
        assert each.needs in ((), ("hostile-values",) if each.track == "core" else ())


def test_the_store_track_has_exactly_the_rules_that_its_checks_name() -> None:
    wanted = {slug: needs for needs, slugs in STORE_RULES.items() for slug in slugs.split()}
    assert {each.slug: each.needs for each in rules() if each.track == "store"} == wanted


def test_what_is_undecided_is_allowed_and_not_demanded() -> None:
    assert rule("STORE-LIST-ISOLATION").level == "MAY"
    assert rule("STORE-REVISION-QUALIFIED").seam == "store"
    assert rule("STORE-TORN-TAIL").level == "MUST"


def test_every_slug_in_a_chapter_is_a_rule() -> None:
    known = {each.slug for each in rules()}
    pages = [SPEC / "README.md", *CHAPTERS]
    unknown = {page.name: cited_in(page.read_text("utf-8")) - known for page in pages}
    assert not any(unknown.values()), unknown


def test_every_rule_is_in_a_chapter() -> None:
    cited = set().union(*(cited_in(page.read_text("utf-8")) for page in CHAPTERS))
    assert {each.slug for each in rules()} <= cited


@pytest.mark.parametrize("page", [SPEC / "README.md", *CHAPTERS], ids=lambda page: page.name)
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (page.parent / link).exists()] == []


def test_a_rule_is_found_by_its_slug_and_cannot_be_changed() -> None:
    torn = rule("STORE-TORN-TAIL")
    assert torn in rules()
    with pytest.raises(FrozenInstanceError):
        torn.level = "MAY"  # type: ignore[misc]


def test_an_unknown_slug_is_answered_with_its_neighbours() -> None:
    with pytest.raises(UnknownRule) as caught:
        rule("store-torn-tial")
    assert caught.value.slug == "store-torn-tial"
    assert caught.value.near[0] == "STORE-TORN-TAIL"
    assert "Did you mean STORE-TORN-TAIL" in str(caught.value)


@given(st.text())
def test_any_other_text_is_an_unknown_slug(slug: str) -> None:
    known = {each.slug for each in rules()}
    assume(slug not in known)
    with pytest.raises(UnknownRule) as caught:
        rule(slug)
    assert set(caught.value.near) <= known


MINIMAL = """
[A-RULE]
statement = "It holds."
why = "It has to."
track = "core"
source = "a case worked by hand"
"""


def test_left_out_keys_have_their_defaults() -> None:
    each = parse(MINIMAL, area="log")["A-RULE"]
    assert (each.level, each.since, each.until) == ("MUST", 0, None)
    assert (each.seam, each.needs) == (None, ())


@pytest.mark.parametrize(
    "line",
    [
        'remark = "no such key"',
        'level = "SHOULD"',
        "since = 5",
        "until = -1",
        'since = "4"',
        'seam = "socket"',
        'needs = ["luck"]',
    ],
)
def test_a_catalogue_with_an_unknown_key_or_value_is_refused(line: str) -> None:
    with pytest.raises(ClassValidationError):
        parse(MINIMAL + line, area="log")


@pytest.mark.parametrize(
    ("found", "put"),
    [('track = "core"', 'track = "cores"'), ('"It holds."', "7"), ('why = "It has to."', "")],
)
def test_a_rule_with_a_missing_key_or_a_wrong_value_is_refused(found: str, put: str) -> None:
    with pytest.raises(ClassValidationError):
        parse(MINIMAL.replace(found, put), area="log")


def test_a_table_that_names_its_own_area_is_refused() -> None:
    with pytest.raises(TypeError):
        parse(MINIMAL + 'area = "log"', area="log")
