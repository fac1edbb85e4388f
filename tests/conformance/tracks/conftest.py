"""Small certifications of backends that live in this process."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from attrs import evolve

from dsh_conformance.backends.jsonl import jsonl
from dsh_conformance.certify import Terms, certify
from dsh_conformance.implementation.backend import Factory, StoreBackend
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.profiles import QUICK
from dsh_conformance.report.verdict import Report
from dsh_conformance.sabotage.wrap import WrappedStore
from dsh_spec.values import JsonObject

#: A profile for tests that look at the report and not for faults.
SMALL = evolve(QUICK, examples=15, steps=10, at_least=1)


class Forgetful(WrappedStore):
    """The list leaves out one session."""

    def list(self) -> list[JsonObject]:
        """Return all snapshots but the first."""
        return list(self.inner.list())[1:]


def forgetful(workspace: Path, config: Mapping[str, str]) -> StoreBackend:
    return Forgetful(jsonl(workspace, config), workspace)


@pytest.fixture
def launcher_of() -> Callable[[Factory], InProcessLauncher]:
    return lambda factory: InProcessLauncher(factory=factory)


@pytest.fixture
def judge() -> Callable[..., Report]:
    def judged(factory: Factory, *, seed: int = 0, **xfail: str) -> Report:
        launcher = InProcessLauncher(factory=factory)
        rules = {key.replace("_", "-"): reason for key, reason in xfail.items()}
        return certify(launcher, smoke(launcher), Terms(profile=SMALL, seed=seed, xfail=rules))

    return judged


@pytest.fixture
def wrong() -> Factory:
    return forgetful


@pytest.fixture
def right() -> Factory:
    return jsonl
