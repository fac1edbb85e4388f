"""What the corners are written with."""

from typing import Any

from dsh_conformance.generate.breaches.breach import event
from dsh_conformance.generate.formats.breaches.breach import Next
from dsh_conformance.generate.formats.state import PastState
from dsh_conformance.generate.state import Raw

_USER = {"kind": "user"}


def says(**members: Any) -> Next:
    """Write a message of a user, as soon as there may be one."""

    def write(state: PastState) -> Raw | None:
        if not state.stepped:
            return None
        said = {"id": f"m{state.seq}", "role": "user", "content": [], "source": _USER, **members}
        return event(state, "user/message", said, surfaceOp="append")

    return write


def records(kind: str, data: Raw) -> Next:
    """Write a record, behind the second event."""
    return lambda state: event(state, kind, data) if state.seq > 1 else None


def is_streaming(state: PastState) -> bool:
    """Say whether another chunk may join the stream."""
    stream = state.stream
    return state.step_open and stream is not None and not stream.sealed and not stream.finished
