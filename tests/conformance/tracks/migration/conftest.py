"""Old logs that are the same in every run, and the reference in this process."""

from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import shake_128
from pathlib import Path

import pytest

from dsh_conformance.generate.formats import Past
from dsh_conformance.generate.formats.draft import Draft
from dsh_conformance.generate.formats.grammar import BEATS, PARTICULARS, WHIMS, Batch
from dsh_conformance.generate.formats.logs import CHOICES, write_draft
from dsh_conformance.implementation.capabilities import Capabilities
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.reference import reference
from dsh_conformance.tracks.migration.claims import OLD

#: How many logs of each format there are.
MANY = 120


def written(version: Past, number: int) -> Draft:
    """Return the log of that format that a number settles instead of chance."""
    strip = memoryview(shake_128(f"{version}/{number}".encode()).digest(2048))
    choice, rest = bytes(strip[:CHOICES]), strip[CHOICES:]
    batches: list[Batch] = []
    for _ in range(3 + number % 10):
        parts = []
        for size in (BEATS, BEATS * PARTICULARS, BEATS * WHIMS):
            parts.append(bytes(rest[:size]))
            rest = rest[size:]
        batches.append((parts[0], parts[1], parts[2]))
    return write_draft(version, choice, batches[:3], batches[3:])


@cache
def _pools() -> Mapping[Past, Sequence[Draft]]:
    return {version: [written(version, n) for n in range(MANY)] for version in OLD}


@pytest.fixture(scope="session")
def pools() -> Mapping[Past, Sequence[Draft]]:
    """Return some logs of each older format."""
    return _pools()


@pytest.fixture
def launcher() -> InProcessLauncher:
    return InProcessLauncher(factory=reference)


@pytest.fixture
def capabilities(launcher: InProcessLauncher, tmp_path: Path) -> Capabilities:
    connection = launcher.launch(tmp_path)
    connection.close()
    return connection.capabilities
