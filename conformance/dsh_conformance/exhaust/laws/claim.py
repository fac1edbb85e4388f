"""What a law says of an answer."""

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from attrs import frozen

from dsh_conformance.exhaust.look import UNASKED, Look


@frozen
class Claim:
    """What an answer has to be, and what it was."""

    #: The rule.
    rule: str
    #: What the answer has to be.
    expected: Any
    #: What it was.
    actual: Any

    @property
    def is_made(self) -> bool:
        """Whether the implementation was asked at all."""
        return self.actual is not UNASKED

    @property
    def holds(self) -> bool:
        """Whether the two are the same JSON value."""
        if self.expected != self.actual:
            return False
        # Python takes 1 for True, also deep within.
        return _text(self.expected) == _text(self.actual)


_text = json.JSONEncoder(sort_keys=True, check_circular=False).encode


#: Gives the claims about one log.
Law: TypeAlias = Callable[[Look], Iterator[Claim]]
