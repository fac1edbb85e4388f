"""Fixtures for driving implementations: adapters with one fault each, and a Python backend."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dsh_conformance.implementation.backend import Factory
from dsh_conformance.implementation.stdio import Deadlines, StdioLauncher

ADAPTERS = Path(__file__).parent / "adapters"

#: Starts the misbehaving adapter with a fault; what is given in seconds is short, the rest is long.
Misbehaving = Callable[..., StdioLauncher]


@pytest.fixture
def misbehaving(tmp_path: Path) -> Misbehaving:
    def launcher(fault: str, *, line_limit: int = 1 << 20, **seconds: float) -> StdioLauncher:
        return StdioLauncher(
            command=(sys.executable, "-I", "-S", str(ADAPTERS / "misbehaving.py"), fault),
            describe=fault,
            env={"WORKSPACE": str(tmp_path)},
            deadlines=Deadlines(**{"first": 60.0, "call": 60.0, "exit": 60.0, **seconds}),
            line_limit=line_limit,
        )

    return launcher


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Factory:
    monkeypatch.syspath_prepend(str(ADAPTERS))
    factory: Factory = importlib.import_module("shelf").shelf
    return factory
