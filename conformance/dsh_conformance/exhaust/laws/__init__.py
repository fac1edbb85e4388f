"""What holds for every log over an alphabet.

A law gives *claims*: a rule, what an answer has to be, and what it was.
"""

from dsh_conformance.exhaust.laws.claim import Claim, Law
from dsh_conformance.exhaust.laws.closing import closed, closed_again
from dsh_conformance.exhaust.laws.forking import forked, forked_earlier
from dsh_conformance.exhaust.laws.growing import admitted, seeded
from dsh_conformance.exhaust.laws.surface import requested, shown, surfaced, windowed

__all__ = ["LAWS", "Claim", "Law"]

#: All of them, in the order in which they are tried.
LAWS: tuple[Law, ...] = (
    surfaced,
    windowed,
    shown,
    closed,
    closed_again,
    forked,
    forked_earlier,
    seeded,
    requested,
    admitted,
)
