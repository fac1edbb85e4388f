"""What a call to an implementation can come to: a result, a refusal, or a fault of the driving.

A *refusal* is an answer and may be right or wrong.
A *fault* is no answer: a hang, garbage, an exit.
Faults end a run with a diagnosis that blames a side; they never count as a failed rule.
"""

from typing import Literal, TypeAlias

from attrs import frozen

from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

#: Whose fault it is that the implementation could not be driven.
Blame: TypeAlias = Literal["implementation", "adapter", "suite", "environment"]


@frozen
class Ok:
    """The call succeeded."""

    #: The JSON-RPC result.
    value: Json


@frozen(kw_only=True)
class Refused:
    """The implementation said no."""

    #: The protocol's kind of refusal.
    kind: RefusalKind
    #: The implementation's words, for people only.
    message: str
    #: The rule that the implementation names, where it names one.
    rule: str | None = None


Outcome: TypeAlias = Ok | Refused


@frozen(kw_only=True)
class Diagnosis:
    """Why the implementation could not be driven, in one line."""

    #: The side at fault.
    blame: Blame
    #: One line: what happened and, where one can say it, what to do.
    what: str
    #: The last lines that the adapter wrote to stderr.
    stderr_tail: str = ""


class Fault(BaseException):
    """The implementation could not be driven.

    Not an ``Exception``: Hypothesis must not take it for a counterexample and shrink it.
    """

    def __init__(self, diagnosis: Diagnosis) -> None:
        super().__init__(diagnosis.what)
        #: What happened.
        self.diagnosis = diagnosis
