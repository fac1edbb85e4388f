"""Reports to test with: any that can be built, and one with every verdict in it."""

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dsh_conformance.implementation.capabilities import ImplementationInfo
from dsh_conformance.implementation.outcome import Diagnosis
from dsh_conformance.report.verdict import Counterexample, Report, RuleVerdict, overall
from dsh_spec.values import Json

_TEXT = st.text(st.characters(exclude_categories=()), max_size=12)
_JSON: SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _TEXT,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple) | st.dictionaries(_TEXT, inner, max_size=3)
    ),
    max_leaves=8,
)
_SLUGS = st.from_regex(r"[A-Z][A-Z0-9]{0,5}(-[A-Z0-9]{1,5}){0,2}", fullmatch=True)
_REASONS = _TEXT.filter(bool)
_FOUND = st.builds(
    Counterexample,
    steps=st.integers(0, 20),
    narrative=st.lists(_TEXT, max_size=3).map(tuple),
    expected=_JSON,
    actual=_JSON,
    script=st.lists(st.dictionaries(_TEXT, _JSON, max_size=2), max_size=3).map(tuple),
)
_COUNT = st.integers(0, 10_000)
_RULE = st.one_of(
    st.builds(
        RuleVerdict,
        rule=_SLUGS,
        track=st.just("store"),
        verdict=st.sampled_from(["passed", "not-exercised"]),
        exercised=_COUNT,
    ),
    st.builds(
        RuleVerdict,
        rule=_SLUGS,
        track=st.just("store"),
        verdict=st.just("failed"),
        exercised=_COUNT,
        counterexample=_FOUND,
    ),
    st.builds(
        RuleVerdict,
        rule=_SLUGS,
        track=st.just("store"),
        verdict=st.sampled_from(["not-claimed", "expected-failure", "stale-expectation"]),
        exercised=_COUNT,
        reason=_REASONS,
        counterexample=st.none() | _FOUND,
    ),
)
_WHO = st.builds(ImplementationInfo, name=_TEXT, version=_TEXT, language=_TEXT)
_FAULT = st.builds(
    Diagnosis,
    blame=st.sampled_from(["implementation", "adapter", "suite", "environment"]),
    what=_REASONS,
    stderr_tail=_TEXT,
)


@st.composite
def _reports(draw: st.DrawFn) -> Report:
    fault = draw(st.none() | _FAULT)
    judged = draw(st.lists(_RULE, max_size=5, unique_by=lambda each: each.rule))
    rules = () if fault else tuple(judged)
    return Report(
        implementation=draw(_WHO if fault is None else st.none() | _WHO),
        tracks=("store",),
        profile="quick",
        seed=draw(st.integers(0, 2**64 - 1)),
        config=draw(st.dictionaries(_TEXT, _TEXT, max_size=2)),
        started="2026-01-01T00:00:00+00:00",
        seconds=draw(st.floats(0, 1e6)),
        verdict="not-driven" if fault else overall(rules),
        fault=fault,
        rules=rules,
        examples=draw(_COUNT),
        steps=draw(_COUNT),
        notes=tuple(draw(st.lists(_TEXT, max_size=2))),
    )


@pytest.fixture(scope="session")
def reports() -> SearchStrategy[Report]:
    """Any report that can be built."""
    return _reports()


@pytest.fixture
def colourful() -> Report:
    """Return a report in which every verdict occurs once."""
    found = Counterexample(
        steps=2,
        narrative=('create session "a" as handle 1', "append event 1 to handle 1"),
        expected={"refusal": "seq-mismatch"},
        actual={"result": {}},
        script=({"method": "store/create", "params": {}},),
    )
    rules = (
        RuleVerdict(rule="A-KEPT", track="store", verdict="passed", exercised=9),
        RuleVerdict(
            rule="A-BROKEN", track="store", verdict="failed", exercised=9, counterexample=found
        ),
        RuleVerdict(rule="A-IDLE", track="store", verdict="not-exercised", exercised=1),
        RuleVerdict(rule="A-KNOWN", track="store", verdict="expected-failure", reason="ticket 1"),
        RuleVerdict(
            rule="A-STALE",
            track="store",
            verdict="stale-expectation",
            exercised=9,
            reason="ticket 2",
        ),
        RuleVerdict(rule="A-ABSENT", track="store", verdict="not-claimed", reason="needs a lock"),
    )
    return Report(
        suite_version="1.2.3",
        implementation=ImplementationInfo(name="box", version="7", language="go"),
        tracks=("store",),
        profile="quick",
        seed=4,
        started="2026-01-01T00:00:00+00:00",
        seconds=2.5,
        verdict="not-conformant",
        rules=rules,
        examples=150,
        steps=2000,
        notes=("crash points are not tested",),
    )
