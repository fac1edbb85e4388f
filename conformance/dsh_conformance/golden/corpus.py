"""All golden cases, and the list that pins them.

``golden/pins.json`` names every case with a digest of its files.
So a case that is lost, added or changed is found even where the reference would agree with it.
"""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, get_args

from dsh_conformance.golden.case import Case, read_case
from dsh_spec.catalogue import Format

#: The file with the pins.
PINS: Final = "pins.json"


def root() -> Traversable:
    """Return the directory of the golden cases that travel with the spec."""
    return files("dsh_spec") / "golden"


def corpus(where: Traversable | None = None) -> tuple[Case, ...]:
    """Return every case below *where*, format by format, by name."""
    base = root() if where is None else where
    cases: list[Case] = []
    for version in get_args(Format):
        directory = base / f"v{version}"
        found = list(directory.iterdir()) if directory.is_dir() else []
        cases.extend(
            read_case(version, each)
            for each in sorted(found, key=lambda entry: entry.name)
            if each.is_dir()
        )
    return tuple(cases)


def pinned(where: Traversable | None = None) -> Mapping[str, str]:
    """Return the digest of every case that there must be, by place."""
    pins: Mapping[str, str] = json.loads(((root() if where is None else where) / PINS).read_bytes())
    return pins


def pins_text(cases: Sequence[Case]) -> bytes:
    """Return ``pins.json`` for *cases*."""
    pins = {case.place: case.digest for case in sorted(cases, key=lambda case: case.place)}
    return (json.dumps(pins, indent=1) + "\n").encode()


def select(cases: Sequence[Case], names: Sequence[str]) -> tuple[Case, ...] | str:
    """Return the cases of those *names*, or the first name that is nobody's.

    A name is a place (``v3/NAME``), a bare ``NAME``, or a format (``v3``); no name means all.
    """
    if not names:
        return tuple(cases)
    for name in names:
        if not any(_answers(case, name) for case in cases):
            return name
    return tuple(case for case in cases if any(_answers(case, name) for name in names))


def _answers(case: Case, name: str) -> bool:
    return name in (case.place, case.name, f"v{case.format}")
