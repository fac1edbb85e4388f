"""What is called valid in an older format migrates, and what is called broken does not."""

import re
from collections.abc import Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsh_conformance.generate.formats import (
    FORMATS,
    Breach,
    Past,
    breaches,
    families,
    logs,
    near_misses,
    numbered,
)
from dsh_conformance.generate.formats.draft import Draft
from dsh_conformance.implementation.outcome import Refused

OLD: tuple[Past, ...] = FORMATS[:4]

#: How many drafts a breach is tried on, and how many of its logs are judged.
_POOL, _JUDGED = 400, 1
#: One in so many drafts is published, which takes long.
_PUBLISHED = 40


@given(st.data(), st.sampled_from(FORMATS))
def test_valid_logs_migrate(chain: Any, data: st.DataObject, version: Any) -> None:
    log = data.draw(logs(version))
    migrated = chain.judge(log)
    assert isinstance(migrated, list), migrated


@given(st.data(), st.sampled_from(OLD))
def test_families_migrate_with_their_children(
    chain: Any, data: st.DataObject, version: Past
) -> None:
    family = data.draw(families(version))
    migrated = chain.judge(*family.children, family.parent)
    assert isinstance(migrated, list), migrated
    catalog = [event["data"] for event in migrated if event["type"] == "subagent/catalog"]
    listed = {entry["childId"]: entry for entry in catalog}
    for fact in family.facts:
        told = fact["descriptor"] if fact["descriptorCount"] == 1 else {"version": 0}
        mode = told.get("mode", "continuable") if told["version"] in (1, 2, 3) else "unknown"
        assert listed[fact["childId"]]["mode"] == mode


@pytest.fixture(scope="session")
def pools() -> Mapping[Past, list[Draft]]:
    return MappingProxyType(
        {
            version: sorted(
                (numbered(version, number) for number in range(_POOL)),
                key=lambda draft: len(draft.events),
            )
            for version in OLD
        }
    )


@pytest.mark.parametrize("version", OLD)
def test_some_valid_logs_are_published(
    chain: Any, pools: Mapping[Past, list[Draft]], version: Past
) -> None:
    """Whoever opens a log for writing also compares each message with its stream."""
    for draft in pools[version][::_PUBLISHED]:
        migrated = chain.judge(draft.log, access="write")
        assert isinstance(migrated, list), migrated


@pytest.mark.parametrize("version", OLD)
def test_each_breach_is_refused(
    chain: Any, pools: Mapping[Past, list[Draft]], version: Past
) -> None:
    wrong = {}
    for breach in breaches(version):
        written = filter(None, map(breach.write, pools[version]))
        said = [_refusal(chain, breach, log) for log in islice(written, _JUDGED)]
        if not said or any(not _fits(breach, each) for each in said):
            wrong[breach.name] = (breach.rule, said)
    assert wrong == {}


@pytest.mark.parametrize("version", OLD)
def test_each_near_miss_migrates(
    chain: Any, pools: Mapping[Past, list[Draft]], version: Past
) -> None:
    wrong = {}
    for miss in near_misses(version):
        written = filter(None, map(miss.write, pools[version]))
        said = [chain.judge(log) for log in islice(written, _JUDGED)]
        if not said or any(isinstance(each, Refused) for each in said):
            wrong[miss.name] = (miss.rule, said)
    assert wrong == {}


# ------------------------------------------------------------------ for the reason they name


def _refusal(chain: Any, breach: Breach, log: Any) -> Refused | None:
    """Return how the runtime refuses a broken log: where it says, and not before."""
    refused = chain.judge(log)
    if breach.noticed == "publication":
        if isinstance(refused, Refused):
            return None
        refused = chain.judge(log, access="write")
    return refused if isinstance(refused, Refused) else None


#: What the runtime says where a rule breaks, by the rule or the beginning of its slug.
SAYS: tuple[tuple[str, str], ...] = (
    ("MIG01-CLOSED", "unknown historical event type"),
    ("MIG01-RETIRED", "unsupported"),
    ("MIG01-DESCRIPTOR", "unsupported descriptor version"),
    ("MIG01-TRIGGER", "trigger must be|malformed pre-react-loop turn/start"),
    ("MIG01-TURN-END", "turn/end"),
    ("MIG01-MSGPREFIX", "malformed request/header messagePrefix"),
    ("MIG01-STEERING", "steering/message"),
    ("MIG01-", "v0-to-v1 refuses"),
    ("MIG12-CLOSED", "format v1 contains unknown event type"),
    ("MIG12-CHUNK-ENVELOPE", "assistant/chunk [0-9]+ "),
    ("MIG12-SETTLE-REFUSE", "does not cite its complete|not one complete ordered attempt"),
    ("MIG12-REFS-CONSUMED", "targets consumed assistant/chunk|reading 'start'"),
    ("MIG12-CUT-SPLIT", "splits one Assistant attempt"),
    ("MIG12-RESTART", "does not close the prior turn"),
    ("MIG12-DELIVERY", "delivery"),
    ("MIG12-", "v1-to-v2 refuses"),
    ("MIG23-CLOSED", "cannot safely transform unclassified event"),
    ("MIG23-CONTENT", "unclassified message content kind"),
    ("MIG23-SOURCES", "unclassified message source"),
    ("MIG23-SURFACEOP-REQUIRED", "surfaceOp|sourceEventSeqs"),
    ("MIG23-SURFACE-EARLY", "surface before first step"),
    ("MIG23-PROMPT-OUTSIDE", "outside an open step"),
    ("MIG23-SYSTEM-COLLIDE", "collides"),
    ("MIG23-ERROR-CONSISTENT", "non-error tool result"),
    ("MIG23-NOT-STARTED", "canonical historical message id"),
    ("MIG23-", "v2-to-v3 refuses"),
    ("MIG34-VOCAB", "format v3 contains unknown event type"),
    ("MIG34-TOOL-LIFT", "tool-result"),
    ("MIG34-DEFER", "deferLoading"),
    ("MIG34-SOURCES", "kind|plugin source|message array"),
    ("MIG34-DELIVERY", "delivery"),
    ("MIG34-CATALOG-OWN", "catalog"),
    ("MIG34-", "v3-to-v4 refuses"),
    ("IGN-RETIRED-PTC", "tool/code-dispatch"),
    ("HDRREQ-CANONICAL", "header.system"),
    ("PL-SYSTEM-MESSAGE", "system|step"),
    ("HDR-", "header"),
    ("CUT-", "inheritedEventCount|inherited end-seed marker"),
    ("INV-RECOVER", "stored log is corrupt"),
    ("INV-NO-FALLBACK", "fallback"),
    ("SURF-TOOL-", "tool/result surface replacement"),
    ("IMG-", "image/offload"),
    ("MSG-", "failed validation|producer-owned source kind"),
    ("SRC-ASSISTANT", "failed validation"),
    ("", "refuses the transformed artifact"),
)


def _fits(breach: Breach, refused: Refused | None) -> bool:
    if refused is None or refused.kind != breach.kind:
        return False
    pattern = next(said for slug, said in SAYS if breach.rule.startswith(slug))
    return re.search(pattern, refused.message) is not None
