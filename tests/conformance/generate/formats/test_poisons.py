"""A poison continues a log, and the reader of its format refuses it for just that."""

import pytest

from dsh_conformance.generate.formats.numbered import numbered
from dsh_conformance.generate.formats.poisons import poisons
from dsh_reference.stored import admit_stored
from dsh_spec.refusals import RefusalKind


@pytest.mark.parametrize("strangers", [True, False])
def test_every_poison_refuses_a_valid_log(*, strangers: bool) -> None:
    seen = set()
    for number in range(12):
        draft = numbered(3, number)
        for at in range(draft.own, len(draft.states), 5):
            log = draft.until(at)
            for event, kind in poisons(draft.states[at], strangers=strangers):
                found = admit_stored(log.header, log.inherited, (*log.events, event), format=3)
                assert found is not None, event
                assert found.kind is kind
                seen.add(found.rule)
            assert admit_stored(log.header, log.inherited, log.events, format=3) is None
    vocabulary = {"INV-VOCAB"}
    assert seen == vocabulary if strangers else seen > {"MSG-FIELDS", "MSG-ROLES", "SRC-ASSISTANT"}


def test_strangers_are_unsupported() -> None:
    found = poisons(numbered(3, 1).states[-1], strangers=True)
    assert {kind for _, kind in found} == {RefusalKind.UNSUPPORTED_FORMAT}
