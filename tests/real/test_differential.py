"""The reference and the real runtimes agree over generated logs of every format."""

from collections.abc import Iterator

import pytest
from attrs import evolve

from dsh_conformance.differential import ours
from dsh_conformance.differential.hunt import hunt
from dsh_conformance.differential.judgement import Judgement
from dsh_conformance.differential.lab import Lab, lab
from dsh_conformance.differential.specimen import Specimen
from dsh_conformance.generate.formats import FORMATS, Format


@pytest.fixture(scope="module")
def running(older_runtimes: None) -> Iterator[Lab]:
    with lab() as made:
        yield made


@pytest.mark.parametrize("version", FORMATS)
def test_nothing_differs_but_what_is_known(running: Lab, version: Format) -> None:
    survey = hunt(running, version, examples=100, seed=0, most=1)
    assert [each.difference for each in survey.findings] == []
    assert len(survey.verdicts) > 1


@pytest.mark.parametrize("version", [0, 4])
def test_a_reference_that_loses_an_event_is_caught(
    running: Lab, version: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = ours.current

    def forgetful(specimen: Specimen) -> Judgement:
        judged = honest(specimen)
        if judged.log is None:
            return judged
        return evolve(judged, log=evolve(judged.log, events=judged.log.events[:-1]))

    monkeypatch.setattr(ours, "current", forgetful)
    survey = hunt(running, version, examples=100, seed=0, most=1)
    (finding,) = survey.findings
    assert finding.difference.aspect == "events"
