"""The error of a value that is no event, or no header, of the format."""

from collections.abc import Iterable
from typing import TypeAlias

from attrs import frozen

#: One step into a value: a key of an object or an index of a list.
Step: TypeAlias = str | int

#: How much of a key a path shows, in characters; keys of a damaged log have no bound.
_LONGEST_KEY = 60


@frozen(kw_only=True, slots=False)
class ShapeError(ValueError):
    """A value breaks a rule that it can break on its own, without the events before it."""

    #: The slug of the broken rule.
    rule: str
    #: Where: a path such as ``data.message.content[0].text``; empty for the whole value.
    path: str
    #: What is wrong there, in one sentence.
    problem: str

    def __str__(self) -> str:
        return f"{self.path or 'the value'} {self.problem} [{self.rule}]"


def shape_error(rule: str, steps: Iterable[Step], problem: str) -> ShapeError:
    """Build the error of a place that is given by its steps."""
    path = ""
    for step in steps:
        path += f"[{step}]" if isinstance(step, int) else f".{step[:_LONGEST_KEY]}"
    path = path.removeprefix(".")
    return ShapeError(rule=rule, path=path, problem=problem)
