"""Pools of old logs that are the same in every run."""

from collections.abc import Mapping

import pytest

from dsh_conformance.generate.formats import FORMATS, Past, numbered
from dsh_conformance.generate.formats.draft import Draft

OLD: tuple[Past, ...] = FORMATS[:4]


@pytest.fixture(scope="session")
def pools() -> Mapping[Past, list[Draft]]:
    """Return 600 logs of each older format, the shorter ones first."""
    return {
        version: sorted(
            (numbered(version, number) for number in range(600)),
            key=lambda draft: len(draft.events),
        )
        for version in OLD
    }
