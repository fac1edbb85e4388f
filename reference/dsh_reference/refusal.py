"""Refusals as values: the model never raises to say no."""

from attrs import frozen

from dsh_spec.refusals import RefusalKind


@frozen(kw_only=True)
class Refusal:
    """A rule that an input breaks, and where."""

    #: The protocol's kind of refusal.
    kind: RefusalKind
    #: The slug of the broken rule.
    rule: str
    #: The place: ``"header"``, ``"event 7"``, ``"line 3"``, a path within it.
    where: str
    #: One sentence that says what is wrong.
    problem: str
    #: One sentence that says what would mend it, or nothing.
    remedy: str = ""

    def __str__(self) -> str:
        tail = f" {self.remedy}" if self.remedy else ""
        return f"{self.where}: {self.problem} [{self.rule}]{tail}"
