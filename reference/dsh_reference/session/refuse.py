"""How the session says no."""

from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind


def refuse_event(seq: int, rule: str, problem: str) -> Refusal:
    """Refuse an event of a log, by its place."""
    return Refusal(kind=RefusalKind.INVALID_EVENT, rule=rule, where=f"event {seq}", problem=problem)


def refuse_argument(where: str, rule: str, problem: str) -> Refusal:
    """Refuse what a session was asked with beside events."""
    return Refusal(kind=RefusalKind.INVALID_ARGUMENT, rule=rule, where=where, problem=problem)
