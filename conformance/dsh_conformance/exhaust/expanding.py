"""One log, and all that may come next."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from attrs import define, field, frozen

from dsh_conformance.exhaust.laws import LAWS, Claim
from dsh_conformance.exhaust.laws.growing import refused, taken, unmoved
from dsh_conformance.exhaust.ledger import Ledger, Move, Shape
from dsh_conformance.exhaust.look import Ask, Look
from dsh_conformance.generate.state import Raw

#: A log, by the places of its shapes in the alphabet.
Word: TypeAlias = tuple[int, ...]


@frozen(kw_only=True)
class Breach:
    """A log by which an implementation breaks a rule."""

    #: What is the case.
    claim: Claim
    #: The log.
    events: tuple[Raw, ...]
    #: The event that was appended to it and has to be refused, if that is what the claim is about.
    refused: Raw | None = None


@define(kw_only=True)
class Tally:
    """What was seen of some logs."""

    #: How many logs were taken.
    taken: int = 0
    #: How many events were refused, by the rule.
    refused: Counter[str] = field(factory=Counter)
    #: How many claims there were, by the rule.
    claims: Counter[str] = field(factory=Counter)
    #: The first breach of each rule.
    breaches: dict[str, Breach] = field(factory=dict)

    def add(self, other: "Tally") -> None:
        """Add what was seen of other logs."""
        self.taken += other.taken
        self.refused += other.refused
        self.claims += other.claims
        self.breaches = {**other.breaches, **self.breaches}

    def judge(
        self, claims: Iterable[Claim], events: tuple[Raw, ...], bad: Raw | None = None
    ) -> None:
        """Note the claims, and the first that does not hold."""
        for claim in filter(lambda each: each.is_made, claims):
            self.claims[claim.rule] += 1
            if claim.rule not in self.breaches and not claim.holds:
                self.breaches[claim.rule] = Breach(claim=claim, events=events, refused=bad)


def expand(
    ask: Ask, shapes: Sequence[Shape], begun: Ledger, words: Iterable[Word]
) -> tuple[list[Word], Tally]:
    """Try all that may come next behind each log: the longer logs, and what was seen."""
    tally = Tally()
    longer: list[Word] = []
    for word in words:
        ledger = _written(shapes, begun, word)
        longer.extend((*word, place) for place in _grown(ask, shapes, ledger, tally))
    return longer, tally


def _written(shapes: Sequence[Shape], ledger: Ledger, word: Word) -> Ledger:
    """Return the ledger of a log that was taken before."""
    for place in word:
        move = shapes[place](ledger)
        assert move is not None
        ledger = move.after
    return ledger


def _grown(ask: Ask, shapes: Sequence[Shape], ledger: Ledger, tally: Tally) -> Iterator[int]:
    """Try every shape behind a log; gives the places of those that are taken."""
    look = Look(ask, ledger)
    look.settle()
    for place, shape in enumerate(shapes):
        move = shape(ledger)
        if move is None:
            continue
        if move.refused:
            tally.refused[move.refused] += 1
            tally.judge(refused(look, move), ledger.events, move.event)
        else:
            _judge_taken(ask, look, move, tally)
            yield place
    tally.judge(unmoved(look), ledger.events)


def _judge_taken(ask: Ask, before: Look, move: Move, tally: Tally) -> None:
    tally.taken += 1
    look = Look(ask, move.after, before)
    tally.judge(taken(before, move), move.after.events)
    for law in LAWS:
        tally.judge(law(look), move.after.events)
