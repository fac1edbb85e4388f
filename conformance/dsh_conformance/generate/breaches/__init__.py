"""One event that breaks one rule: at least one way for each rule of a stored log."""

from dsh_conformance.generate.breaches import (
    compactions,
    developers,
    envelope,
    messages,
    records,
    replacements,
    requests,
    surface,
    tools,
    turns,
)
from dsh_conformance.generate.breaches.breach import UNSUPPORTED, Breach

#: All of them.
BREACHES: tuple[Breach, ...] = (
    *envelope.BREACHES,
    *turns.BREACHES,
    *tools.BREACHES,
    *surface.BREACHES,
    *replacements.BREACHES,
    *messages.BREACHES,
    *developers.BREACHES,
    *requests.BREACHES,
    *compactions.BREACHES,
    *records.BREACHES,
)

#: Those that a store takes and every later read refuses as corrupt.
POISONS = tuple(
    each for each in BREACHES if each.noticed == "read" and each.kind is not UNSUPPORTED
)

#: Required events of types that no build of this format knows.
STRANGERS = tuple(each for each in BREACHES if each.rule == "INV-VOCAB")

__all__ = ["BREACHES", "POISONS", "STRANGERS", "Breach"]
