"""The differences that are known, each with its name, its reason and a log that shows it.

A known difference is a fault or a quirk of a runtime that the reference does not share on purpose.
A test shows every log to both sides again, so that none outlives its reason.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from attrs import frozen

from dsh_conformance.differential.judgement import Difference
from dsh_conformance.differential.specimen import Specimen
from dsh_reference.session_log import SessionLog


@frozen(kw_only=True)
class Known:
    """One known difference."""

    #: What it is called.
    name: str
    #: The runtime that differs.
    runtime: str
    #: The formats in whose logs it shows.
    formats: tuple[int, ...]
    #: The aspects of which the sides say something else.
    aspects: tuple[str, ...]
    #: Matches what the reference says.
    reference_says: re.Pattern[str]
    #: Matches what the runtime says.
    runtime_says: re.Pattern[str]
    #: One sentence: what the runtime does, and why the reference does not.
    does: str
    #: A log that shows it.
    evidence: Specimen

    def explains(self, difference: Difference, version: int) -> bool:
        """Tell whether *difference*, of a log of format *version*, is this one."""
        return (
            difference.name == self.runtime
            and version in self.formats
            and difference.aspect in self.aspects
            and self.reference_says.search(difference.reference) is not None
            and self.runtime_says.search(difference.runtime) is not None
        )


@cache
def known_differences() -> tuple[Known, ...]:
    """Return every known difference."""
    text = files(__package__).joinpath("known.toml").read_text("utf-8")
    return tuple(
        Known(
            name=entry["name"],
            runtime=entry["runtime"],
            formats=tuple(entry["formats"]),
            aspects=tuple(entry["aspects"]),
            reference_says=re.compile(entry["reference"]),
            runtime_says=re.compile(entry["says"]),
            does=entry["does"],
            evidence=_specimen(entry),
        )
        for entry in tomllib.loads(text).get("known", ())
    )


def explanation(difference: Difference, version: int) -> Known | None:
    """Return the known difference that *difference* is, if it is one."""
    found = (each for each in known_differences() if each.explains(difference, version))
    return next(found, None)


def _specimen(entry: Mapping[str, Any]) -> Specimen:
    header, *events = (json.loads(line) for line in entry["log"])
    inherited = header.pop("inherited", 0)
    log = SessionLog(header=header, inherited=inherited, events=tuple(events))
    return Specimen(format=entry["formats"][0], log=log)
