"""The search for differences that nobody knows of yet.

Each round generates the same logs until one differs in a way that is neither known nor found
before, and makes it as small as it gets; a round that finds nothing ends the search.
"""

from collections import Counter
from collections.abc import Callable

import hypothesis
from attrs import field, frozen

from dsh_conformance.differential.judgement import Difference
from dsh_conformance.differential.known import Known, explanation
from dsh_conformance.differential.lab import Lab
from dsh_conformance.differential.specimen import Specimen
from dsh_conformance.differential.specimens import specimens
from dsh_conformance.generate.formats import Format
from dsh_conformance.tracks.search import HUNTING, batches, searching


@frozen(kw_only=True)
class Finding:
    """A difference that nobody knows of, at its smallest."""

    #: The log.
    specimen: Specimen
    #: How the sides differ over it.
    difference: Difference


@frozen(kw_only=True)
class Survey:
    """What a search came to."""

    #: The format of the logs.
    format: Format
    #: How many logs the reference gave which verdict, up to the first find.
    verdicts: Counter[str] = field(factory=Counter)
    #: How often a known difference was met, up to the first find.
    met: Counter[str] = field(factory=Counter)
    #: The unexplained differences.
    findings: list[Finding] = field(factory=list)


class _Unexplained(Exception):  # noqa: N818 - a find, not an error
    """A log differs in a new way."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.difference.signature)
        self.finding = finding


def hunt(
    lab: Lab,
    version: Format,
    *,
    examples: int,
    seed: int,
    most: int = 5,
    tell: Callable[[Finding], None] = lambda _: None,
) -> Survey:
    """Compare *examples* logs of a format; stop after *most* unexplained differences.

    *tell* hears of each at once.  Raises `Fault` where a runtime cannot be driven.
    """
    survey = Survey(format=version)
    seen: set[str] = set()
    while len(survey.findings) < most:
        finding = _round(lab, survey, seen, examples=examples, seed=seed)
        if finding is None:
            break
        seen.add(finding.difference.signature)
        survey.findings.append(finding)
        tell(finding)
    return survey


def _round(lab: Lab, survey: Survey, seen: set[str], *, examples: int, seed: int) -> Finding | None:
    counting = not survey.findings

    def agree(specimen: Specimen) -> None:
        nonlocal counting
        difference, judged = lab.compare(specimen)
        known = None if difference is None else explanation(difference, survey.format)
        if counting:
            _count(survey, judged.verdict, known)
        if difference is not None and known is None and difference.signature not in seen:
            counting = False
            raise _Unexplained(Finding(specimen=specimen, difference=difference))

    for share, own_seed in batches(examples, seed):
        given = hypothesis.given(specimens(survey.format))
        search = searching(examples=share, phases=HUNTING)(given(agree))
        try:
            hypothesis.seed(own_seed)(search)()
        except _Unexplained as found:
            return found.finding
    return None


def _count(survey: Survey, verdict: str, known: Known | None) -> None:
    survey.verdicts[verdict] += 1
    if known is not None:
        survey.met[known.name] += 1
