"""The check of the golden cases against the reference, and of their files."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from dsh_conformance.golden.case import EDGE, MIGRATED, Case, Finding
from dsh_conformance.golden.form import faults
from dsh_conformance.golden.judge import judge
from dsh_conformance.golden.lines import first_difference
from dsh_conformance.logs.writing import log_bytes
from dsh_reference.values import equal
from dsh_spec.values import Json


def check_case(case: Case) -> list[Finding]:
    """Return all that is wrong with one case: with its form, or else with what it expects."""
    return list(faults(case)) or list(_differences(case))


class Pinned(Protocol):
    """A case or a run."""

    @property
    def place(self) -> str:
        """Where it lies."""

    @property
    def digest(self) -> str:
        """A digest of all that it consists of."""


def check_pins(cases: Sequence[Pinned], pins: Mapping[str, str]) -> list[Finding]:
    """Return how the cases at hand differ from the ones that are pinned."""
    digests = {case.place: case.digest for case in cases}
    findings = []
    for place in sorted(pins.keys() | digests.keys()):
        if place not in digests:
            findings.append(Finding(place=place, problem="the case is gone"))
        elif place not in pins:
            findings.append(Finding(place=place, problem=_NEW))
        elif pins[place] != digests[place]:
            findings.append(Finding(place=place, problem=_CHANGED))
    return findings


_NEW = "the case is new: golden write --accept pins it"
_CHANGED = "its files are not the ones that were accepted: golden write --accept pins them"


def _differences(case: Case) -> Iterator[Finding]:
    judged = judge(case)
    for name, expected in case.expect.items():
        if name == "native":  # An older runtime's word, which the reference cannot give.
            continue
        actual = judged.outcome.get(name)
        if not equal(_comparable(expected, actual), actual):
            problem = f"the reference comes to another {name}"
            yield Finding(place=case.place, problem=problem, expected=expected, actual=actual)
    for file in (MIGRATED, EDGE):
        made = judged.logs.get(file)
        if file not in case.files or made is None:
            continue
        text = log_bytes(made, "none")
        difference = first_difference(case, file, text, "the reference")
        if difference is not None:
            yield difference


def _comparable(expected: Json, actual: Json) -> Json:
    """Return *expected*, with the seq that the reference names where the case names none."""
    match expected, actual:
        case {"refused": {"kind": kind, "rule": rule, **rest}}, {"refused": {"seq": seq}} if (
            not rest
        ):
            return {"refused": {"kind": kind, "rule": rule, "seq": seq}}
    return expected
