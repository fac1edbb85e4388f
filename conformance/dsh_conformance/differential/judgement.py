"""What one side makes of a log, and how two sides differ."""

import re
from typing import Final, Literal, TypeAlias

from attrs import frozen

from dsh_reference.session_log import SessionLog
from dsh_reference.values import dump, equal
from dsh_spec.values import Json

#: The verdict on a log that is read.
ADMITTED: Final = "admitted"
#: Stands for the messages or the closers of a log that is read and has none to be had.
REFUSED: Final = "refused"

#: What can differ.
Aspect: TypeAlias = Literal["verdict", "header", "cut", "events", "messages", "closers"]

_LONGEST = 600


@frozen(kw_only=True)
class Judgement:
    """What a side makes of a log; an aspect that it does not judge is nothing."""

    #: `ADMITTED`, or the kind of the refusal.
    verdict: str
    #: Why, in words; the reference's begin with the rule.
    words: str = ""
    #: The log as it is given out.
    log: SessionLog | None = None
    #: The messages that a model is shown of it.
    messages: Json = None
    #: The events that close what is open at its end.
    closers: Json = None


@frozen(kw_only=True)
class Difference:
    """One aspect of which the sides say something else."""

    #: The aspect.
    aspect: Aspect
    #: What the reference says.
    reference: str
    #: What the runtime says.
    runtime: str
    #: Which runtime it is.
    name: str

    @property
    def signature(self) -> str:
        """What it has in common with others of its kind: all but the numbers and the names."""
        both = f"{self.name} {self.aspect} {self.reference} {self.runtime}"
        return re.sub(r"\d+|\"[^\"]*\"|/\S+", "#", both)


def difference(name: str, reference: Judgement, runtime: Judgement) -> Difference | None:
    """Return the first aspect in which the runtime called *name* differs, if it does."""
    found = _first(reference, runtime)
    if found is None:
        return None
    aspect, ours, theirs = found
    return Difference(aspect=aspect, reference=ours, runtime=theirs, name=name)


def _first(ours: Judgement, theirs: Judgement) -> tuple[Aspect, str, str] | None:
    if ours.verdict != theirs.verdict:
        return "verdict", _verdict(ours), _verdict(theirs)
    if ours.log is not None and theirs.log is not None:
        found = _logs(ours.log, theirs.log)
        if found is not None:
            return found
    pairs: tuple[tuple[Aspect, Json, Json], ...] = (
        ("messages", ours.messages, theirs.messages),
        ("closers", ours.closers, theirs.closers),
    )
    for aspect, one, other in pairs:
        if one is not None and other is not None and not equal(one, other):
            return aspect, *_unequal(one, other)
    return None


def _logs(ours: SessionLog, theirs: SessionLog) -> tuple[Aspect, str, str] | None:
    one, other = ({"delegationDepth": 0, **log.header} for log in (ours, theirs))
    if not equal(one, other):
        return "header", dump(one), dump(other)
    if ours.inherited != theirs.inherited:
        return "cut", str(ours.inherited), str(theirs.inherited)
    if not equal(list(ours.events), list(theirs.events)):
        return "events", *_unequal(list(ours.events), list(theirs.events))
    return None


def _verdict(judgement: Judgement) -> str:
    return f"{judgement.verdict} {judgement.words}".strip()


def _unequal(ours: Json, theirs: Json) -> tuple[str, str]:
    """Return the first items that differ, where both are lists."""
    if isinstance(ours, list) and isinstance(theirs, list):
        for number, (one, other) in enumerate(zip(ours, theirs, strict=False)):
            if not equal(one, other):
                return _item(number, one), _item(number, other)
        number = min(len(ours), len(theirs))
        return _items(ours, number), _items(theirs, number)
    return dump(ours)[:_LONGEST], dump(theirs)[:_LONGEST]


def _items(values: list[Json], number: int) -> str:
    return _item(number, values[number]) if number < len(values) else f"{number} items"


def _item(number: int, value: Json) -> str:
    return f"item {number}: {dump(value)}"[:_LONGEST]
