"""Where named implementations are known to depart from a rule.

A deviation is a fault of the implementation with its evidence, never a weaker rule.
Certifying an implementation expects the deviations that are known of its version; one that has
gone is reported as stale.
"""

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from attrs import frozen

from dsh_conformance.implementation.capabilities import ImplementationInfo
from dsh_spec.values import JsonObject


@frozen(kw_only=True)
class Deviation:
    """One departure from one rule."""

    #: The slug of the rule.
    rule: str
    #: The implementation's name.
    implementation: str
    #: The versions on which it was observed.
    versions: tuple[str, ...]
    #: Whether a run of the suite meets it, and so expects the rule to fail.
    expected: bool
    #: One sentence: what it does instead.
    does: str
    #: What was asked and answered; `deviations.toml` says how it is written.
    evidence: tuple[JsonObject, ...]


@cache
def deviations() -> tuple[Deviation, ...]:
    """Return every known deviation."""
    text = files("dsh_conformance.implementation").joinpath("deviations.toml").read_text("utf-8")
    return tuple(
        Deviation(
            rule=entry["rule"],
            implementation=entry["implementation"],
            versions=tuple(entry["versions"]),
            expected=entry["expected"],
            does=entry["does"],
            evidence=tuple(json.loads(line) for line in entry["evidence"]),
        )
        for entry in tomllib.loads(text)["deviation"]
    )


def known(implementation: ImplementationInfo) -> Mapping[str, str]:
    """Return the rules that are expected to fail, with what *implementation* does instead."""
    return {
        each.rule: f"known of {each.implementation} {implementation.version}: {each.does}"
        for each in deviations()
        if each.expected
        and each.implementation == implementation.name
        and implementation.version in each.versions
    }
