"""A broken rule, as the exception that Hypothesis shrinks.

Hypothesis tells failures apart by the class of their exception and the line that raises it.
Each rule has an exception class of its own, so that making a run smaller never turns one rule's
counterexample into another's.
"""

from functools import cache

from attrs import frozen

from dsh_spec.values import Json


@frozen(kw_only=True)
class Evidence:
    """What a check saw."""

    #: The rule's slug.
    rule: str
    #: What the rule demands.
    expected: Json
    #: What the implementation answered.
    actual: Json


class Violation(Exception):  # noqa: N818 - the suite's word for it
    """An implementation broke a rule."""

    def __init__(self, evidence: Evidence) -> None:
        super().__init__(f"{evidence.rule} is broken")
        #: What was seen.
        self.evidence = evidence


@cache
def violation_of(rule: str) -> type[Violation]:
    """Return the exception class of a rule."""
    return type(f"Violation[{rule}]", (Violation,), {})


class Abandoned(Exception):  # noqa: N818 - it ends an example and is no error
    """The run broke a rule that is not hunted; the model cannot follow it any further."""
