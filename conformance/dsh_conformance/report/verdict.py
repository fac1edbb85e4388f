"""The verdicts of a run, and what they come to.

A certification judges every rule of the catalogue for the tracks that the implementation claims:

- *passed*: exercised at least as often as the profile demands, and never broken;
- *failed*: broken, with the smallest run that breaks it;
- *not-exercised*: claimed, but exercised too seldom to say anything;
- *not-claimed*: outside what the implementation claims, with the reason;
- *expected-failure*: broken, and announced beforehand with a reason;
- *stale-expectation*: announced as broken, and kept after all.

An implementation is *conformant* when every claimed rule passed and at least one rule was claimed.
Expected failures leave it *not-conformant*, although the run ends well.
When it could not be driven there is no judgement, only a diagnosis: *not-driven*.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from attrs import Attribute, field, frozen

from dsh_conformance import __version__
from dsh_conformance.implementation.capabilities import ImplementationInfo
from dsh_conformance.implementation.outcome import Diagnosis
from dsh_spec.values import Json, JsonObject

#: What a run says about one rule.
Verdict: TypeAlias = Literal[
    "passed", "failed", "not-exercised", "not-claimed", "expected-failure", "stale-expectation"
]

#: What a run says about the implementation.
Overall: TypeAlias = Literal["conformant", "not-conformant", "not-driven"]

#: The verdicts on a rule that end a run with exit status 1.
UNFORGIVEN: frozenset[Verdict] = frozenset({"failed", "not-exercised", "stale-expectation"})

#: The verdicts on a rule that have to give a reason.
EXCUSED: frozenset[Verdict] = frozenset({"not-claimed", "expected-failure", "stale-expectation"})


@frozen(kw_only=True)
class Counterexample:
    """The smallest run found that breaks a rule."""

    #: How many operations it has.
    steps: int
    #: One line an operation, for people.
    narrative: tuple[str, ...]
    #: What the rule demands of the last operation or of the state after it.
    expected: Json
    #: What the implementation did instead.
    actual: Json
    #: The lines of the replay script.
    script: tuple[JsonObject, ...] = ()


@frozen(kw_only=True)
class RuleVerdict:
    """What the run says about one rule."""

    #: The rule's slug.
    rule: str
    #: The track that it belongs to.
    track: str
    #: The verdict.
    verdict: Verdict
    #: How often the run exercised it.
    exercised: int = 0
    #: Why it is not claimed, or was expected to fail; nothing otherwise.
    reason: str | None = None
    #: The run that breaks it, where one was found.
    counterexample: Counterexample | None = None

    def __attrs_post_init__(self) -> None:
        """Refuse a verdict without its evidence: a failure's run, an exception's reason."""
        if self.verdict == "failed" and self.counterexample is None:
            problem = f"{self.rule}: failed without a counterexample"
            raise ValueError(problem)
        if self.verdict in EXCUSED and not self.reason:
            problem = f"{self.rule}: {self.verdict} without a reason"
            raise ValueError(problem)


def overall(rules: Sequence[RuleVerdict]) -> Overall:
    """Say what the verdicts on the rules come to; a run that judged nothing proves nothing."""
    claimed = [each for each in rules if each.verdict != "not-claimed"]
    if claimed and all(each.verdict == "passed" for each in claimed):
        return "conformant"
    return "not-conformant"


def _agrees(report: "Report", _: "Attribute[Overall]", value: Overall) -> None:
    """Refuse a verdict that the rules do not bear out."""
    demanded = "not-driven" if report.fault is not None else overall(report.rules)
    if value != demanded:
        problem = f"the verdict {value!r} contradicts the rest of the report: {demanded!r}"
        raise ValueError(problem)


@frozen(kw_only=True)
class Report:
    """One certification, whole."""

    #: The version of the suite that ran.
    suite_version: str = __version__
    #: Who was certified; nothing when it never answered.
    implementation: ImplementationInfo | None
    #: The tracks that were certified.
    tracks: tuple[str, ...]
    #: The profile's name.
    profile: str
    #: The seed; with the profile it reproduces the run.
    seed: int
    #: The configuration that the implementation was started with.
    config: Mapping[str, str] = field(factory=dict)
    #: When the run began: ISO 8601, UTC.
    started: str = ""
    #: How long it took, in seconds.
    seconds: float = 0.0
    #: Why it could not be driven, where it could not.
    fault: Diagnosis | None = None
    #: The verdicts on the rules, in the order of the catalogue.
    rules: tuple[RuleVerdict, ...] = ()
    #: How many runs (Hypothesis examples) were tried.
    examples: int = 0
    #: How many operations they had in all.
    steps: int = 0
    #: Remarks for the reader, such as what was not tested here and why.
    notes: tuple[str, ...] = ()
    #: What it all comes to; it must agree with `fault` and `rules`, see `overall`.
    verdict: Overall = field(validator=_agrees)


def exit_status(report: Report) -> int:
    """Return the exit status of a certification: 0 yes, 1 no, 3 not driven.

    A report whose only blemishes are expected failures ends with 0, although it is not conformant.
    """
    if report.verdict == "not-driven":
        return 3
    verdicts = {each.verdict for each in report.rules}
    if verdicts & UNFORGIVEN or not verdicts - {"not-claimed"}:
        return 1
    return 0


@frozen(kw_only=True)
class SabotageResult:
    """What became of one wrong implementation."""

    #: The sabotage's name.
    name: str
    #: The rule that it breaks.
    rule: str
    #: The rule's track.
    track: str
    #: Whether the suite noticed.
    caught: bool
    #: The rules by which it was caught, the first found first.
    by: tuple[str, ...]
    #: How many examples it took.
    examples: int
    #: How many operations the smallest failing run has.
    steps: int
    #: How long it took, in seconds.
    seconds: float = 0.0


@frozen(kw_only=True)
class BenignResult:
    """What became of one variation that is not wrong, only different."""

    #: The variation's name.
    name: str
    #: Whether the suite let it pass, as it must.
    passed: bool
    #: The rules that complained.
    by: tuple[str, ...] = ()


@frozen(kw_only=True)
class SabotageReport:
    """The kill matrix: every sabotage must be caught and every benign variation must pass."""

    #: The version of the suite that ran.
    suite_version: str = __version__
    #: The profile's name.
    profile: str
    #: The seed.
    seed: int
    #: The sabotages, in the order of their catalogue.
    sabotages: tuple[SabotageResult, ...]
    #: The benign variations, in the order of their catalogue.
    benign: tuple[BenignResult, ...] = ()

    @property
    def survivors(self) -> tuple[SabotageResult, ...]:
        """The sabotages that the suite did not notice."""
        return tuple(each for each in self.sabotages if not each.caught)

    @property
    def wronged(self) -> tuple[BenignResult, ...]:
        """The benign variations that the suite found fault with."""
        return tuple(each for each in self.benign if not each.passed)


def sabotage_exit_status(report: SabotageReport) -> int:
    """Return 0 when nothing survived and nothing was wronged, 1 otherwise or when nothing ran."""
    return 1 if report.survivors or report.wronged or not report.sabotages else 0
