"""A known difference explains what it is about, and nothing else."""

import pytest
from attrs import evolve

from dsh_conformance.differential.judgement import Difference
from dsh_conformance.differential.known import Known, explanation, known_differences
from dsh_conformance.differential.lab import runtimes_for

UNKNOWN_TYPE = Difference(
    aspect="verdict",
    reference="admitted",
    runtime='unsupported-format session "s" contains event type "image/offload" (seq 1) unknown '
    "to this harness and not marked ignorable",
    name="dsh-v3",
)


def test_a_difference_is_recognised() -> None:
    found = explanation(UNKNOWN_TYPE, 3)
    assert found is not None
    assert found.name == "v3-types-of-later-builds"


@pytest.mark.parametrize(
    "other",
    [
        evolve(UNKNOWN_TYPE, name="dsh"),
        evolve(UNKNOWN_TYPE, aspect="events"),
        evolve(UNKNOWN_TYPE, reference="corrupt [RULE] event 1: no"),
        evolve(UNKNOWN_TYPE, runtime=UNKNOWN_TYPE.runtime.replace("image/offload", "x/y")),
    ],
)
def test_another_difference_is_not(other: Difference) -> None:
    assert explanation(other, 3) is None


def test_a_format_of_which_it_is_not_known_is_none() -> None:
    assert explanation(UNKNOWN_TYPE, 2) is None


@pytest.mark.parametrize("known", known_differences(), ids=lambda each: each.name)
def test_every_entry_is_of_a_runtime_that_is_asked(known: Known) -> None:
    assert known.runtime in runtimes_for(known.evidence.format)
