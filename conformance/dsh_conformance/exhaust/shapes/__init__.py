"""The shapes of events, and the alphabets made of them.

A shape writes one event, with the numbers and ids that the ledger leaves no choice about: the next
turn, the open step, the call that waits.  Where the right number matters there is a shape with a
wrong one too.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from attrs import frozen

from dsh_conformance.exhaust.ledger import Ledger, Shape
from dsh_conformance.exhaust.shapes import messages, requests, turns, wrong


@frozen(kw_only=True)
class Alphabet:
    """The shapes that are tried in every order."""

    #: The shapes, the harmless first; those that are always refused come last.
    shapes: Sequence[Shape]
    #: How the logs begin unless one asks for something else.
    opening: str


_TURNS: tuple[Shape, ...] = (
    turns.turn_start, turns.step_start, messages.user, turns.answer, turns.second_answer,
    turns.call, turns.result, turns.misplaced_result, messages.summary, turns.rewrite,
    turns.step_end, turns.turn_end, turns.marker, turns.attempt,
    *wrong.OF_TURNS,
)  # fmt: skip
_SURFACE: tuple[Shape, ...] = (
    messages.user, messages.empty_answer, messages.system, messages.renewal, messages.summary,
    messages.short_summary, messages.picture, messages.offload, messages.stranger,
    *wrong.OF_SURFACE,
)  # fmt: skip
_REQUESTS: tuple[Shape, ...] = (
    requests.header, requests.other_header, requests.bare_header, requests.context,
    requests.addition, requests.removal, messages.summary,
    *wrong.OF_REQUESTS,
)  # fmt: skip

#: The alphabets, by name.
ALPHABETS: Mapping[str, Alphabet] = MappingProxyType(
    {
        "turns": Alphabet(shapes=_TURNS, opening="nothing"),
        "surface": Alphabet(shapes=_SURFACE, opening="step"),
        "requests": Alphabet(shapes=_REQUESTS, opening="step"),
    }
)

#: How a log may begin before the first free event, by name.
OPENINGS: Mapping[str, Sequence[Shape]] = MappingProxyType(
    {
        "nothing": (),
        "step": (turns.turn_start, turns.step_start),
        "call": (turns.turn_start, turns.step_start, turns.answer, turns.call),
        "messages": (messages.user, messages.user, messages.user),
    }
)


def begun(opening: str) -> Ledger:
    """Return the ledger of an opening."""
    ledger = Ledger()
    for shape in OPENINGS[opening]:
        move = shape(ledger)
        assert move is not None
        assert not move.refused
        ledger = move.after
    return ledger
