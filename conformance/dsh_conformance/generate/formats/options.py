"""Members that may be there or not."""

from typing import Any

from dsh_conformance.generate.state import Raw
from dsh_conformance.generate.tape import Tape


def optional(tape: Tape, **members: Any) -> Raw:
    """Return some of the members; none of them is the simplest."""
    return {key: value for key, value in members.items() if tape.pick(2)}
