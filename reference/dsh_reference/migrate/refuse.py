"""Refusals of an edge: readable data that has no supported conversion."""

from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind


def unsupported(seq: int | None, rule: str, problem: str, remedy: str = "") -> Refusal:
    """Say that an edge does not take the event *seq*, or with ``None`` the log as a whole."""
    return Refusal(
        kind=RefusalKind.UNSUPPORTED_MIGRATION,
        rule=rule,
        where="log" if seq is None else f"event {seq}",
        problem=problem,
        remedy=remedy,
    )
